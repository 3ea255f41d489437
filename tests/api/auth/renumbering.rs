//! People change the number that they sign in with.

use roadcall::accounts::auth;
use serde_json::{Value, json};

use crate::support::{
    Client, Person, TestApp, bodies::id_of, midday, new_phone, spawn_app, spawn_app_at, spawn_app_with,
    twilio::TwilioPeer,
};

const PATH: &str = "/users/me/phone";

/// Requests a code for the number and returns it.
async fn code(app: &TestApp, phone: &str) -> String {
    let sent = app.send_otp(phone).await.expect(200);
    sent["data"]["otp"].as_str().expect("a code").to_owned()
}

/// Returns a code that differs from `code`.
fn wrong(code: &str) -> String {
    code.chars().map(|digit| if digit == '9' { '0' } else { '9' }).collect()
}

async fn both(app: &TestApp, person: &Person, new: &str) -> Value {
    json!({"phone": new, "otp": code(app, new).await, "current_otp": code(app, &person.phone).await})
}

async fn is_signed_in(client: &Client) -> bool {
    client.get("/users/me").await.status == 200
}

async fn changes(app: &TestApp) -> i64 {
    app.sql_value("select count(*) from phone_changes").await
}

#[actix_web::test]
async fn a_person_moves_to_another_number_with_a_code_of_each() {
    let app = spawn_app().await;
    let (admin, person, new) = (app.admin().await, app.customer().await, new_phone());
    let other_device = app.sign_in(&person.phone).await;
    let moved = person.put(PATH, both(&app, &person, &new).await).await.expect(200);
    assert_eq!(moved["phone"], json!(new));
    assert_eq!(person.get("/users/me").await.expect(200)["phone"], json!(new));
    assert!(!is_signed_in(&other_device).await, "every other session ends");

    // The account and its known device belong to the new number; the old number has no account.
    let body = json!({"phone": new, "otp": code(&app, &new).await, "deviceToken": moved["device_token"]});
    let signed_in = app.anonymous().post("/auth/verify-otp", body).await.expect(200);
    assert_eq!(signed_in["data"]["userId"], json!(person.user_id));
    let stranger = app.sign_in(&person.phone).await;
    assert_ne!(stranger.user_id, person.user_id);

    // Admins see that it happened, and find the person by the old number.
    let last = &person.phone[person.phone.len() - 6..];
    let found = admin.list(&format!("/admin/users?q={last}")).await;
    let found = found.iter().find(|user| id_of(user) == person.user_id);
    assert!(found.is_some_and(|user| !user["phone_changed_at"].is_null()), "{found:?}");
    let trail = admin.get(&format!("/admin/audit-log?object_id={}&action=user.phone", person.user_id)).await;
    let trail = trail.expect(200);
    assert_eq!(trail["data"][0]["actor_id"], json!(person.user_id));
    assert!(!trail.to_string().contains(&new[1..]), "without the numbers: {trail}");

    // Closing the account deletes the record of the change.
    assert_eq!(changes(&app).await, 1);
    person.delete("/users/me").await.expect(204);
    assert_eq!(changes(&app).await, 0);
}

#[actix_web::test]
async fn neither_a_session_nor_one_code_is_enough_to_take_over_an_account() {
    let app = spawn_app().await;
    let (person, new) = (app.customer().await, new_phone());
    let sound = both(&app, &person, &new).await;
    let text = |field: &str| sound[field].as_str().unwrap();
    for (otp, current_otp, named) in [
        (text("otp"), &*wrong(text("current_otp")), vec!["current_otp"]),
        (&*wrong(text("otp")), text("current_otp"), vec!["otp"]),
        (text("current_otp"), text("otp"), vec!["current_otp", "otp"]),
    ] {
        let body = json!({"phone": new, "otp": otp, "current_otp": current_otp});
        let refused = person.put(PATH, body).await.refused(422, "VALIDATION_FAILED");
        let fields: Vec<&String> = refused["error"]["errors"].as_object().unwrap().keys().collect();
        assert_eq!(fields, named);
    }
    app.anonymous().put(PATH, sound.clone()).await.refused(401, "UNAUTHORIZED");
    let own = json!({"phone": person.phone, "otp": "000000", "current_otp": "000000"});
    person.put(PATH, own).await.refused_field("phone");
    // The right codes are good after wrong ones, and good once.
    person.put(PATH, sound.clone()).await.expect(200);
    let back = json!({"phone": person.phone, "otp": sound["current_otp"], "current_otp": sound["otp"]});
    person.put(PATH, back).await.refused(422, "VALIDATION_FAILED");
}

#[actix_web::test]
async fn wrong_codes_are_limited_as_when_signing_in() {
    let app = spawn_app_with(|settings| settings.auth.otp_wrong_tries = 3).await;
    let (person, new) = (app.customer().await, new_phone());
    let sound = both(&app, &person, &new).await;
    let mut guess = sound.clone();
    guess["current_otp"] = json!(wrong(sound["current_otp"].as_str().unwrap()));
    for _ in 0..3 {
        person.put(PATH, guess.clone()).await.refused(422, "VALIDATION_FAILED");
    }
    person.put(PATH, sound).await.refused(429, "RATE_LIMITED");
    assert_eq!(person.get("/users/me").await.expect(200)["phone"], json!(person.phone));
}

#[actix_web::test]
async fn a_number_that_has_an_account_is_refused_and_changes_are_limited() {
    let app = spawn_app_with(|settings| settings.auth.otp_sends_per_hour = 100).await;
    let (mut person, other) = (app.customer().await, app.customer().await);
    let taken = both(&app, &person, &other.phone).await;
    person.put(PATH, taken).await.refused(409, "CONFLICT");
    for _ in 0..3 {
        let again = "update otp_codes set resend_at = null";
        app.sql(again).await;
        let new = new_phone();
        person.put(PATH, both(&app, &person, &new).await).await.expect(200);
        person.phone = new;
    }
    let again = "update otp_codes set resend_at = null";
    app.sql(again).await;
    let often = person.put(PATH, both(&app, &person, &new_phone()).await).await;
    let wait_s: i64 = often.header("retry-after").unwrap().parse().unwrap();
    assert!((2_000_000..=2_592_001).contains(&wait_s), "{wait_s}");
    often.refused(429, "RATE_LIMITED");
}

#[actix_web::test]
async fn the_message_to_the_old_number_is_retried_until_it_is_sent() {
    let peer = TwilioPeer::start().await;
    let app = spawn_app_with(|settings| peer.set(&mut settings.sms)).await;
    let (person, new) = (app.customer().await, new_phone());
    let body = both(&app, &person, &new).await;
    let told = |peer: &TwilioPeer| {
        let asked = peer.asked();
        let told = asked.iter().filter(|form| form["Body"].contains("another number"));
        told.map(|form| form["To"].clone()).collect::<Vec<_>>()
    };
    let counted = async || {
        let sent = "select coalesce(sum(sent), 0)::bigint from text_message_counts where scope = 'all'";
        app.sql_value::<i64>(sent).await
    };
    let before = counted().await;
    peer.answer_next([crate::support::twilio::error(400, 21610, "no")]);
    person.put(PATH, body).await.expect(200);
    assert_eq!(told(&peer), std::slice::from_ref(&person.phone), "refused, and noted as not told");
    assert_eq!(counted().await, before, "what Twilio did not take costs nothing");
    assert_eq!(auth::notify_old_numbers(&app.service.auth).await.unwrap(), 1);
    assert_eq!((told(&peer).len(), counted().await), (2, before + 1));
    assert_eq!(auth::notify_old_numbers(&app.service.auth).await.unwrap(), 0, "once is enough");
    assert_eq!(counted().await, before + 1);
}

#[actix_web::test]
async fn the_message_to_the_old_number_waits_for_the_budget() {
    let peer = TwilioPeer::start().await;
    // The budget is counted by the hour, and no hour ends during the test.
    let app = spawn_app_at(midday(), |settings| {
        peer.set(&mut settings.sms);
        // This is enough for a sign-in, a code to each number and the message to the old one.
        (settings.sms.per_hour, settings.sms.reserved_percent) = (4, 0);
    })
    .await;
    let (person, new) = (app.sign_in_by_code(&new_phone()).await, new_phone());
    let body = both(&app, &person, &new).await;
    let failed = crate::support::twilio::error(500, 20500, "no");
    peer.answer_next([failed.clone(), failed]);
    person.put(PATH, body).await.expect(200);
    let sent = peer.asked().len();
    assert_eq!(auth::notify_old_numbers(&app.service.auth).await.unwrap(), 0);
    assert_eq!(peer.asked().len(), sent, "what may have been sent counts");
    let later = "update text_message_counts set hour = hour - interval '1 hour'";
    app.sql(later).await;
    assert_eq!(auth::notify_old_numbers(&app.service.auth).await.unwrap(), 1);
}

#[actix_web::test]
async fn numbers_that_get_no_texts_are_refused_and_sent_none() {
    let peer = TwilioPeer::start().await;
    let app = spawn_app_with(|settings| {
        peer.set(&mut settings.sms);
        settings.sms.regions = vec!["IN".parse().unwrap()];
    })
    .await;
    let (person, new) = (app.customer().await, new_phone());
    for phone in ["022 2345 6789", "+44 7700 900123"] {
        app.send_otp(phone).await.refused_field("phone");
    }
    let body = both(&app, &person, &new).await;
    let landline = "update users set phone = '+912223456789' where id = $1";
    let id = person.user_id.parse::<uuid::Uuid>().unwrap();
    sqlx::query(landline).bind(id).execute(&app.database.db).await.unwrap();
    let texts = peer.asked().len();
    person.put(PATH, body).await.refused_field("current_otp");
    assert_eq!(peer.asked().len(), texts);
}
