//! Mail over a mail server: what is sent to whom, and the effects of a failing server.

use roadcall::{
    admin,
    service::settings::{MailProvider, MailTls, Settings},
};
use serde_json::{Value, json};

use crate::support::{
    Client, TestApp,
    mail_server::{Act, At, MailServer},
    midday, spawn_app, spawn_app_at, spawn_app_with, spawn_with_customer, spawn_with_super_admin, until,
    until_so,
};

async fn spawn(server: &MailServer, alter: impl FnOnce(&mut Settings)) -> TestApp {
    spawn_app_with(|settings| {
        server.set(&mut settings.mail);
        alter(settings);
        settings.check().expect("sound settings");
    })
    .await
}

/// Returns the six digits in a mail.
fn code_in(text: &str) -> String {
    let digits = text.split(|c: char| !c.is_ascii_digit()).find(|digits| digits.len() == 6);
    digits.expect("a code").to_owned()
}

async fn ask(person: &Client, email: &str) -> Value {
    person.post("/users/me/email", json!({"email": email})).await.expect(200)
}

/// Gives the person a confirmed address.
async fn confirm(server: &MailServer, person: &Client, email: &str) {
    ask(person, email).await;
    let code = code_in(&server.until_mails(email, 1).await[0].shown());
    let me = person.post("/users/me/email/confirm", json!({"code": code})).await.expect(200);
    assert_eq!((&me["email"], &me["email_verified"]), (&json!(email), &json!(true)));
}

/// Waits until a mail of this kind has this status; returns the number of attempts, and the note.
async fn settled(app: &TestApp, kind: &str, status: &str) -> (i32, Option<String>) {
    let read = "select attempts, note from mails where kind = $1 and status = $2";
    until(&format!("a mail is {status}"), async || app.rows(read, &[kind, status]).await.pop()).await
}

#[actix_web::test]
async fn an_invitation_is_mailed_with_a_working_link() {
    let server = MailServer::start().await;
    let app = spawn(&server, |settings| {
        settings.operator.name = "Highway Help".to_owned();
    })
    .await;
    let boss = app.super_admin().await;
    let body = json!({"email": "kiran@example.com", "role": "admin"});
    let invited = boss.post("/super-admin/invites", body).await.expect(201);
    assert_eq!(invited["mailed"], true);
    let mail = server.until_mails("kiran@example.com", 1).await.remove(0);
    let expected = Some(("roadcall".to_owned(), "s3cret".to_owned()));
    assert_eq!((&mail.user, mail.from.as_str()), (&expected, "help@roadcall.example"));
    assert_eq!(mail.header("From").as_deref(), Some("Roadcall <help@roadcall.example>"));
    assert_eq!(mail.header("Subject").as_deref(), Some("You are invited to Highway Help"));
    assert_eq!(mail.header("Auto-Submitted").as_deref(), Some("auto-generated"));
    let text = mail.shown();
    let token = invited["token"].as_str().expect("a token");
    assert!(text.contains(&format!("/console/invite#token={token}\n")), "{text}");
    settled(&app, "invitation", "sent").await;
    let kept: Vec<String> = app.values("select row_to_json(mails)::text from mails", &[]).await;
    assert!(!kept[0].contains(token), "the row has no token: {kept:?}");
    let body = json!({"token": token, "password": "a long enough password"});
    app.anonymous().post("/idp/accounts", body).await.expect(200);
}

#[actix_web::test]
async fn a_withdrawn_invitation_is_not_mailed() {
    let server = MailServer::start().await;
    let app = spawn(&server, |settings| settings.mail.retry_s = 2).await;
    let boss = app.super_admin().await;
    server.act_next([Act::Says(At::Rcpt, "450 come back later")]);
    let body = json!({"email": "kiran@example.com", "role": "admin"});
    let invited = boss.post("/super-admin/invites", body).await.expect(201);
    server.until_command("RCPT", 1).await;
    let path = format!("/super-admin/invites/{}", invited["id"].as_str().expect("an id"));
    boss.delete(&path).await.expect(204);
    settled(&app, "invitation", "skipped").await;
    assert!(server.taken().is_empty(), "{:?}", server.taken());
}

#[actix_web::test]
async fn a_receipt_is_mailed_once_to_a_confirmed_address_in_the_persons_language() {
    let server = MailServer::start().await;
    let mut app = spawn(&server, |settings| settings.operator.name = "Highway Help".to_owned()).await;
    let scene = app.accepted().await;
    let (customer, asha) = (&scene.customer, "asha@example.com");
    customer.patch("/users/me", json!({"language": "hi"})).await.expect(200);
    confirm(&server, customer, asha).await;
    scene.serve().await;
    scene.pay_cash().await;
    let mail = server.until_mails(asha, 2).await.remove(1);
    settled(&app, "receipt", "sent").await;
    assert_eq!(mail.header("Content-Language").as_deref(), Some("hi"));
    let parts = mail.parts();
    let kinds: Vec<&str> = parts
        .iter()
        .map(|part| part.headers.lines().find(|line| line.starts_with("Content-Type")).unwrap_or_default())
        .collect();
    assert!(kinds[0].contains("text/plain") && kinds[1].contains("text/html"), "{kinds:?}");
    assert!(kinds[2].contains("application/pdf") && parts[2].bytes.starts_with(b"%PDF-"), "{kinds:?}");
    assert!(parts[0].text().starts_with("रसीद\n"), "{}", parts[0].text());
    assert!(parts[1].text().contains("<html lang=\"hi\">"), "{}", parts[1].text());
    let payments = customer.get("/payments").await.expect(200);
    let id = payments["data"][0]["id"].as_str().expect("a payment");
    assert!(parts[0].text().contains(id), "{}", parts[0].text());

    app.restart().await;
    let admin = app.admin().await;
    admin.get("/admin/live").await.expect(200);
    assert_eq!(server.mails_to(asha).len(), 2, "the code and one receipt");
}

#[actix_web::test]
async fn people_without_a_confirmed_address_or_without_the_wish_get_no_receipt() {
    let server = MailServer::start().await;
    let app = spawn(&server, |_| {}).await;
    let (unconfirmed, unwilling, gone) = (
        app.accepted_at((20.0, 77.0)).await,
        app.accepted_at((21.0, 77.0)).await,
        app.accepted_at((22.0, 77.0)).await,
    );
    let email = json!({"email": "unconfirmed@example.com"});
    unconfirmed.customer.patch("/users/me", email).await.expect(200);
    confirm(&server, &unwilling.customer, "unwilling@example.com").await;
    let none = json!({"mails": false});
    let wishes = unwilling.customer.patch("/notifications/preferences", none).await.expect(200);
    assert_eq!(wishes["mails"], false);
    confirm(&server, &gone.customer, "gone@example.com").await;
    // A changed address has to be confirmed again.
    gone.customer.patch("/users/me", json!({"email": "other@example.com"})).await.expect(200);
    for scene in [&unconfirmed, &unwilling, &gone] {
        scene.serve().await;
        scene.pay_cash().await;
    }
    let rows: i64 = app.value("select count(*) from mails where kind = 'receipt'", &[]).await;
    assert_eq!(rows, 0);
}

#[actix_web::test]
async fn a_code_confirms_only_its_own_address_and_codes_are_limited() {
    let server = MailServer::start().await;
    let app = spawn(&server, |_| {}).await;
    let (asha, other) = (app.customer().await, app.customer().await);
    let sent = ask(&asha, "Asha@Example.com").await;
    assert_eq!((&sent["email"], &sent["otp"]), (&json!("asha@example.com"), &Value::Null));
    let soon = asha.post("/users/me/email", json!({"email": "asha@example.com"})).await;
    soon.refused(429, "RATE_LIMITED");
    let code = code_in(&server.until_mails("asha@example.com", 1).await[0].shown());
    let confirm = json!({"code": code});
    other.post("/users/me/email/confirm", confirm.clone()).await.refused(422, "VALIDATION_FAILED");
    let wrong = json!({"code": if code == "000000" { "000001" } else { "000000" }});
    for _ in 0..4 {
        asha.post("/users/me/email/confirm", wrong.clone()).await.refused(422, "VALIDATION_FAILED");
    }
    asha.post("/users/me/email/confirm", confirm.clone()).await.expect(200);
    asha.post("/users/me/email/confirm", confirm).await.refused(422, "VALIDATION_FAILED");
    asha.delete("/users/me/email").await.expect(204);
    let me = asha.get("/users/me").await.expect(200);
    assert_eq!((&me["email"], &me["email_verified"]), (&Value::Null, &json!(false)));
    for bad in [
        "asha",
        "asha@example.com\r\nBcc: all@example.com",
        "a b@example.com",
        "<a@example.com>",
        "\u{212a}@example.com",
    ] {
        other.post("/users/me/email", json!({"email": bad})).await.refused(422, "VALIDATION_FAILED");
    }
    assert_eq!(server.commands().iter().filter(|line| line.starts_with("RCPT")).count(), 1);
}

#[actix_web::test]
async fn codes_of_a_day_are_counted_by_phone_and_by_mailbox_across_accounts() {
    let (app, mut asha) = spawn_with_customer().await;
    let phone = asha.phone.clone();
    for number in 0..5 {
        ask(&asha, &format!("person{number}@example.com")).await;
        asha.delete("/users/me").await.expect(204);
        asha = app.sign_in(&phone).await;
    }
    let sixth = asha.post("/users/me/email", json!({"email": "one.more@example.com"})).await;
    sixth.put_off(429, "RATE_LIMITED");

    for number in 0..5 {
        let stranger = app.customer().await;
        ask(&stranger, &format!("victim+{number}@example.com")).await;
        stranger.delete("/users/me").await.expect(204);
    }
    let stranger = app.customer().await;
    let sixth = stranger.post("/users/me/email", json!({"email": "victim@example.com"})).await;
    sixth.refused(429, "RATE_LIMITED");
    ask(&stranger, "somebody.else@example.com").await;
}

#[actix_web::test]
async fn one_person_cannot_use_up_all_codes_for_an_address() {
    let app = spawn_app().await;
    let phone = app.customer().await.phone;
    let mut hostile = app.sign_in(&phone).await;
    for number in 0..3 {
        ask(&hostile, &format!("victim+{number}@example.com")).await;
        hostile.delete("/users/me").await.expect(204);
        hostile = app.sign_in(&phone).await;
    }
    let fourth = hostile.post("/users/me/email", json!({"email": "victim@example.com"})).await;
    fourth.refused(429, "RATE_LIMITED");
    let other = app.customer().await;
    ask(&other, "victim@example.com").await;
}

#[actix_web::test]
async fn five_wrong_codes_end_a_code() {
    let server = MailServer::start().await;
    let app = spawn(&server, |_| {}).await;
    let asha = app.customer().await;
    ask(&asha, "asha@example.com").await;
    let code = code_in(&server.until_mails("asha@example.com", 1).await[0].shown());
    let wrong = json!({"code": if code == "000000" { "000001" } else { "000000" }});
    for _ in 0..5 {
        asha.post("/users/me/email/confirm", wrong.clone()).await.refused(422, "VALIDATION_FAILED");
    }
    let right = asha.post("/users/me/email/confirm", json!({"code": code})).await;
    right.refused(422, "VALIDATION_FAILED");
}

#[actix_web::test]
async fn a_stalling_server_delays_no_request_and_the_mail_is_sent_later() {
    let server = MailServer::start().await;
    let app = spawn(&server, |settings| {
        settings.mail.command_timeout_ms = 300;
        settings.mail.connect_timeout_ms = 300;
        settings.mail.timeout_ms = 1000;
    })
    .await;
    server.act_next([Act::Stalls(At::Greeting), Act::Stalls(At::Rcpt), Act::Stalls(At::Text)]);
    let asha = app.customer().await;
    ask(&asha, "asha@example.com").await;
    let mail = server.until_mails("asha@example.com", 1).await.remove(0);
    settled(&app, "email_code", "sent").await;
    assert!(mail.header("Message-ID").is_some_and(|id| id.ends_with("@roadcall.example>")));
}

#[actix_web::test]
async fn a_busy_server_is_asked_again_and_a_refusing_one_is_not() {
    let server = MailServer::start().await;
    let app = spawn(&server, |_| {}).await;
    server.act_next([Act::Says(At::Data, "451 try again"), Act::Says(At::Rcpt, "450 greylisted")]);
    let asha = app.customer().await;
    ask(&asha, "asha@example.com").await;
    server.until_mails("asha@example.com", 1).await;
    assert_eq!(settled(&app, "email_code", "sent").await.0, 3, "tries");

    server.act_next([Act::Says(At::Rcpt, "550 no such mailbox nobody@example.com")]);
    let nobody = app.customer().await;
    ask(&nobody, "nobody@example.com").await;
    let (tries, note) = settled(&app, "email_code", "failed").await;
    assert_eq!((tries, note.as_deref()), (1, Some("RCPT: status 550")), "never the server's words");
    assert!(server.mails_to("nobody@example.com").is_empty());
}

#[actix_web::test]
async fn a_mail_is_given_up_after_its_last_attempt() {
    let server = MailServer::start().await;
    let app = spawn(&server, |settings| settings.mail.attempts = 2).await;
    server.act_next([Act::Says(At::Text, "554 spam"), Act::Cuts(At::Mail), Act::Cuts(At::Mail)]);
    let (one, two) = (app.customer().await, app.customer().await);
    ask(&one, "one@example.com").await;
    assert_eq!(settled(&app, "email_code", "failed").await, (1, Some("the text: status 554".to_owned())));
    app.change("delete from mails", &[]).await;
    ask(&two, "two@example.com").await;
    assert_eq!(
        settled(&app, "email_code", "failed").await,
        (2, Some("MAIL: no answer of a mail server".to_owned()))
    );
    assert!(server.taken().is_empty());
}

#[actix_web::test]
async fn a_mail_that_may_have_been_sent_is_sent_again_with_the_same_id() {
    let server = MailServer::start().await;
    let app = spawn(&server, |_| {}).await;
    server.act_next([Act::TakesAndCuts]);
    let asha = app.customer().await;
    ask(&asha, "asha@example.com").await;
    let mails = server.until_mails("asha@example.com", 2).await;
    let ids: Vec<_> = mails.iter().map(|mail| mail.header("Message-ID")).collect();
    assert!(ids[0].is_some() && ids[0] == ids[1], "{ids:?}");
    settled(&app, "email_code", "sent").await;
}

#[actix_web::test]
async fn mails_written_before_a_stop_are_sent_after_the_start() {
    let server = MailServer::start().await;
    let mut app = spawn(&server, |_| {}).await;
    server.act_next([Act::Says(At::Greeting, "421 closing")]);
    let asha = app.customer().await;
    ask(&asha, "asha@example.com").await;
    let tried = "select attempts > 0 from mails";
    until_so("it was tried", async || app.value(tried, &[]).await).await;
    app.restart().await;
    server.until_mails("asha@example.com", 1).await;
    settled(&app, "email_code", "sent").await;
    assert_eq!(server.mails_to("asha@example.com").len(), 1);
}

#[actix_web::test]
async fn two_servers_send_a_mail_once() {
    let server = MailServer::start().await;
    let app = spawn(&server, |_| {}).await;
    let second = std::sync::Arc::new(Silent);
    let core = app.service.core().clone();
    let mails = roadcall::mails::Mails::start(&core, &app.service.settings.mail).expect("mail");
    let other = actix_web::rt::spawn(roadcall::mails::handing_over(core, mails.clone(), second));
    let mut addresses = Vec::new();
    for number in 0..6 {
        let person = app.customer().await;
        let address = format!("person{number}@example.com");
        ask(&person, &address).await;
        mails.wake();
        addresses.push(address);
    }
    let settled = "select not exists (select from mails where status = 'pending')";
    until_so("all are settled", async || app.value(settled, &[]).await).await;
    other.abort();
    for address in addresses {
        assert!(server.mails_to(&address).len() <= 1, "{address}");
    }
    let tries: Vec<i32> = app.values("select attempts from mails", &[]).await;
    assert_eq!(tries, [1; 6], "each was taken by one of them");
}

/// Another server's worker, which writes nothing.
#[derive(Debug)]
struct Silent;

impl roadcall::mails::MailWriter for Silent {
    fn write<'a>(
        &'a self,
        _: &'a roadcall::mails::DueMail,
    ) -> futures_util::future::BoxFuture<
        'a,
        roadcall::platform::error::ApiResult<Option<roadcall::mails::Letter>>,
    > {
        Box::pin(async { Ok(None) })
    }
}

#[actix_web::test]
async fn nothing_is_sent_to_a_server_without_starttls() {
    let server = MailServer::start().await;
    let app = spawn(&server, |settings| settings.mail.tls = MailTls::Starttls).await;
    let boss = app.super_admin().await;
    let test = boss.post("/super-admin/mail/test", json!({"email": "owner@example.com"})).await.expect(200);
    let expected = json!({"outcome": "not_now", "reason": "STARTTLS: the server does not offer it"});
    assert_eq!(test, expected);
    let commands = server.commands();
    assert!(commands.iter().all(|line| line.starts_with("EHLO") || line == "QUIT"), "{commands:?}");
}

#[actix_web::test]
async fn a_test_mail_reports_the_servers_answer() {
    let server = MailServer::start().await;
    let app = spawn(&server, |settings| settings.mail.tests_per_day = 5).await;
    let boss = app.super_admin().await;
    let own = boss.get("/users/me").await.expect(200)["email"].as_str().expect("an address").to_owned();
    let outcome = async |body: Value| boss.post("/super-admin/mail/test", body).await.expect(200);
    assert_eq!(outcome(json!({})).await, json!({"outcome": "taken", "reason": null}));
    assert_eq!(server.mails_to(&own).len(), 1);
    server.act_next([
        Act::Says(At::Auth, "535 wrong password"),
        Act::Says(At::Rcpt, "550 no such mailbox"),
        Act::TakesAndCuts,
    ]);
    let to = json!({"email": "owner@example.com"});
    assert_eq!(outcome(to.clone()).await, json!({"outcome": "not_now", "reason": "AUTH: status 535"}));
    assert_eq!(outcome(to.clone()).await, json!({"outcome": "refused", "reason": "RCPT: status 550"}));
    assert_eq!(outcome(to.clone()).await["outcome"], "unknown");
    outcome(to.clone()).await;
    boss.post("/super-admin/mail/test", to).await.refused(429, "RATE_LIMITED");
    let bad = json!({"email": "a b@example.com"});
    boss.post("/super-admin/mail/test", bad).await.refused(422, "VALIDATION_FAILED");
}

#[actix_web::test]
async fn only_development_shows_codes_and_no_address_is_confirmed_without_mail() {
    let (app, asha) = spawn_with_customer().await;
    let sent = ask(&asha, "asha@example.com").await;
    let code = sent["otp"].as_str().expect("development shows it");
    asha.post("/users/me/email/confirm", json!({"code": code})).await.expect(200);
    let boss = app.super_admin().await;
    let test = boss.post("/super-admin/mail/test", json!({})).await.expect(200);
    assert_eq!(test, json!({"outcome": "not_sent", "reason": null}));

    let app = spawn_app_with(|settings| settings.mail.provider = MailProvider::Off).await;
    let asha = app.customer().await;
    let off = asha.post("/users/me/email", json!({"email": "asha@example.com"})).await;
    off.refused(404, "NOT_FOUND");
    let boss = app.super_admin().await;
    let body = json!({"email": "kiran@example.com", "role": "admin"});
    let invited = boss.post("/super-admin/invites", body).await.expect(201);
    assert_eq!(invited["mailed"], false);
    let rows: i64 = app.value("select count(*) from mails", &[]).await;
    assert_eq!(rows, 0);
}

#[actix_web::test]
async fn mails_are_deleted_with_their_persons_account() {
    let (app, asha) = spawn_with_customer().await;
    ask(&asha, "asha@example.com").await;
    asha.delete("/users/me").await.expect(204);
    let rows = "select (select count(*) from mails) + (select count(*) from email_codes)";
    assert_eq!(app.value::<i64>(rows, &[]).await, 0);
}

#[actix_web::test]
async fn a_test_push_reports_the_result_of_each_device() {
    let (_app, boss) = spawn_with_super_admin().await;
    let test = boss.post("/super-admin/push/test", json!({})).await.expect(200);
    assert_eq!(test["data"], json!([]));
    let device = json!({"token": "phone:7", "platform": "android", "device_id": "device-7"});
    boss.post("/notifications/push-tokens", device).await.expect(201);
    let test = boss.post("/super-admin/push/test", json!({})).await.expect(200);
    assert_eq!(test["data"][0]["outcome"], "not_sent", "{test}");
}

#[actix_web::test]
async fn the_report_of_yesterday_is_mailed_once_to_the_configured_addresses() {
    let server = MailServer::start().await;
    let app = spawn_app_at(midday(), |settings| {
        server.set(&mut settings.mail);
        settings.mail.reports_to = vec!["owner@example.com".to_owned(), "desk@example.com".to_owned()];
        settings.operator.time_zone = "Etc/UTC".parse().expect("a zone");
    })
    .await;
    let (core, mails) = (app.service.core().clone(), app.service.payments.mails.clone());
    let addresses = &app.service.settings.mail.reports_to;
    let day = admin::post_reports(&core, &mails, addresses, None).await.expect("posted");
    let day = day.expect("it is late enough");
    admin::post_reports(&core, &mails, addresses, None).await.expect("posted again");
    let known = admin::post_reports(&core, &mails, addresses, Some(day)).await;
    assert_eq!(known.expect("known"), Some(day));
    for address in ["owner@example.com", "desk@example.com"] {
        let mail = server.until_mails(address, 1).await.remove(0);
        assert_eq!(mail.header("Subject"), Some(format!("{day}: 0 jobs completed")));
        let text = mail.shown();
        for line in ["Jobs made: 0", "Without a mechanic: 0", "Revenue: 0.00 INR", "Disputes: 0"] {
            assert!(text.contains(&format!("{line}\n")), "{line} in {text}");
        }
    }
    let rows: i64 = app.value("select count(*) from mails", &[]).await;
    assert_eq!(rows, 2);
}
