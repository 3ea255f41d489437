//! Privacy notices, and people's consent to them.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    Client, Person, Stranded,
    bodies::{id_of, without},
    fcm::FcmPeer,
    roadside::PICKUP,
    spawn_app, spawn_app_behind, spawn_app_with, spawn_cluster, spawn_with_super_admin, until_so,
    wire::Wire,
};

const READ: &str = "/privacy-notice";
const LIST: &str = "/admin/privacy-notices";
const PUBLISH: &str = "/super-admin/privacy-notices";
const CONSENT: &str = "/users/me/consent";
const AVAILABLE: &str = "/mechanics/me/availability";

fn notice(en: &str, ask_again: bool) -> Value {
    json!({"texts": {"en": en, "hi": format!("{en} (हिन्दी)")}, "ask_again": ask_again})
}

async fn publish(boss: &Client, ask_again: bool) -> Value {
    boss.post(PUBLISH, notice("We keep your number.", ask_again)).await.expect(201)
}

async fn agree(person: &Client, version: i64) -> Value {
    person.put(CONSENT, json!({"version": version, "language": "hi"})).await.expect(200)
}

fn available() -> Value {
    json!({"is_available": true, "lat": PICKUP.0, "lng": PICKUP.1})
}

/// Returns the version that an app reads before anyone signs in.
async fn told(client: &Client) -> Value {
    client.get("/config").await.expect(200)["privacy_notice_version"].take()
}

/// Returns the kinds and versions of a history, the newest first.
fn deeds(history: &Value) -> Vec<(String, i64)> {
    let rows = history.as_array().expect("a list").iter();
    rows.map(|row| (row["kind"].as_str().expect("a kind").to_owned(), row["version"].as_i64().expect("one")))
        .collect()
}

fn expected(rows: &[(&str, i64)]) -> Vec<(String, i64)> {
    rows.iter().map(|(kind, version)| ((*kind).to_owned(), *version)).collect()
}

#[actix_web::test]
async fn without_a_notice_nobody_needs_to_agree() {
    let app = spawn_app().await;
    let (boss, stranded) = (app.super_admin().await, app.breakdown().await);
    assert_eq!(told(&app.anonymous()).await, Value::Null);
    app.anonymous().get(READ).await.refused(404, "NO_PRIVACY_NOTICE");
    app.anonymous().get(&format!("{READ}?version=1")).await.refused(404, "NOT_FOUND");
    assert_eq!(boss.get(LIST).await.expect(200)["data"], json!([]));
    let nothing = json!({"is_needed": false, "notice_version": null, "agreed": null, "history": []});
    assert_eq!(stranded.client.get(CONSENT).await.expect(200), nothing);
    let given = json!({"version": 1, "language": "en"});
    stranded.client.put(CONSENT, given).await.refused(404, "NO_PRIVACY_NOTICE");
    stranded.client.delete(CONSENT).await.expect(204);
    assert_eq!(stranded.client.get(CONSENT).await.expect(200), nothing);
    stranded.call().await;
}

#[actix_web::test]
async fn a_customer_agrees_before_a_job_but_prices_and_callers_need_no_consent() {
    let app = spawn_app().await;
    let (boss, admin) = (app.super_admin().await, app.admin().await);
    let open = app.accepted().await;
    let stranded = app.breakdown().await;
    let shown = publish(&boss, false).await;
    assert_eq!(
        without(&shown, "published_at"),
        json!({"version": 1, "language": "en", "other_languages": ["hi"], "text": "We keep your number."})
    );
    assert_eq!(told(&app.anonymous()).await, 1);

    let call = stranded.call_body();
    stranded.client.post("/jobs", call.clone()).await.refused(409, "CONSENT_NEEDED");
    // A fault in the request is reported first, and nobody has to agree to see a price.
    stranded.client.post("/jobs", json!({"pickup_lat": 91})).await.refused(422, "VALIDATION_FAILED");
    let estimate = without(&call, "pickup_address");
    stranded.client.post("/jobs/estimate", estimate).await.expect(200);
    // An open job goes on, and somebody who calls on the phone is helped.
    open.serve().await;
    let caller = app.breakdown().await;
    let path = format!("/admin/users/{}/jobs", caller.client.user_id);
    admin.post(&path, caller.call_body()).await.expect(201);

    let needed = stranded.client.get(CONSENT).await.expect(200);
    assert_eq!((&needed["is_needed"], &needed["notice_version"]), (&json!(true), &json!(1)));
    let given = agree(&stranded.client, 1).await;
    assert_eq!((&given["is_needed"], &given["agreed"]["version"]), (&json!(false), &json!(1)));
    assert_eq!(given["agreed"]["language"], "hi");
    let again = agree(&stranded.client, 1).await;
    assert_eq!(again, given, "once more is no second row");
    assert_eq!(deeds(&again["history"]), expected(&[("given", 1)]));
    stranded.call().await;
}

#[actix_web::test]
async fn a_refusal_is_not_kept_under_the_idempotency_key() {
    let (app, boss) = spawn_with_super_admin().await;
    let (before, after) = (app.breakdown().await, app.breakdown().await);
    let call = async |stranded: &Stranded| {
        stranded.client.post_once("/jobs", &stranded.call_body(), "the-same").await
    };
    let made = call(&before).await.expect(201);
    publish(&boss, false).await;
    assert_eq!(call(&before).await.expect(201)["id"], made["id"], "it was made before");
    call(&after).await.refused(409, "CONSENT_NEEDED");
    agree(&after.client, 1).await;
    call(&after).await.expect(201);
}

#[actix_web::test]
async fn a_mechanic_agrees_before_going_online_over_http_a_socket_and_parked() {
    let peer = FcmPeer::start().await;
    let app = spawn_app_with(|settings| peer.set(&mut settings.push)).await;
    let (boss, admin) = (app.super_admin().await, app.admin().await);
    let online = app.on_road(&admin).await;
    let mechanic = app.verified_mechanic(&admin).await.client;
    publish(&boss, false).await;
    assert_eq!(
        online.client.get("/mechanics/me").await.expect(200)["is_available"],
        true,
        "who is online stays"
    );

    mechanic.put(AVAILABLE, available()).await.refused(409, "CONSENT_NEEDED");
    let place = json!({"lat": PICKUP.0, "lng": PICKUP.1});
    mechanic.put("/mechanics/me/parked", place).await.refused(409, "CONSENT_NEEDED");
    let mut socket = app.socket(&mechanic).await;
    let refused = socket.ask("availability.set", json!({"is_available": true})).await.expect_err("refused");
    assert_eq!(refused["code"], "CONSENT_NEEDED", "{refused}");
    let shown = mechanic.get("/mechanics/me").await.expect(200);
    assert_eq!(shown["is_available"], false);
    // Going offline needs no consent.
    mechanic.put(AVAILABLE, json!({"is_available": false})).await.expect(200);

    agree(&mechanic, 1).await;
    socket.ask("availability.set", json!({"is_available": true})).await.expect("the socket knows at once");
    mechanic.put(AVAILABLE, available()).await.expect(200);
}

#[actix_web::test]
async fn a_correction_keeps_earlier_consent_and_another_version_needs_it_again() {
    let (app, boss) = spawn_with_super_admin().await;
    let (agreed, fresh) = (app.breakdown().await, app.breakdown().await);
    publish(&boss, true).await;
    agree(&agreed.client, 1).await;
    publish(&boss, false).await;
    // This is the first version for them.
    fresh.client.post("/jobs", fresh.call_body()).await.refused(409, "CONSENT_NEEDED");
    let shown = agreed.client.get(CONSENT).await.expect(200);
    assert_eq!((&shown["is_needed"], &shown["notice_version"]), (&json!(false), &json!(2)));
    assert_eq!(shown["agreed"]["version"], 1);
    let job = id_of(&agreed.call().await);
    agreed.cancel(&job).await;

    // People can no longer agree to an earlier version, although its consent would still count.
    let refused = fresh.client.put(CONSENT, json!({"version": 1, "language": "en"})).await;
    let refused = refused.refused(409, "NOTICE_CHANGED");
    assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains('2')), "{refused}");
    fresh.client.put(CONSENT, json!({"version": 9, "language": "en"})).await.refused(409, "NOTICE_CHANGED");
    agree(&fresh.client, 2).await;
    fresh.call().await;

    publish(&boss, true).await;
    agreed.client.post("/jobs", agreed.call_body()).await.refused(409, "CONSENT_NEEDED");
    let given = agree(&agreed.client, 3).await;
    assert_eq!(deeds(&given["history"]), expected(&[("given", 3), ("given", 1)]));
    agreed.call().await;
}

#[actix_web::test]
async fn after_a_withdrawal_new_jobs_are_refused_and_the_open_job_goes_on() {
    let (app, boss) = spawn_with_super_admin().await;
    publish(&boss, false).await;
    let admin = app.admin().await;
    let stranded = app.breakdown().await;
    let mechanic = app.verified_mechanic(&admin).await;
    for person in [&stranded.client, &mechanic.client] {
        agree(person, 1).await;
    }
    let mut socket = app.socket(&mechanic.client).await;
    mechanic.client.put(AVAILABLE, available()).await.expect(200);
    let job = id_of(&stranded.call().await);
    let offer = id_of(&socket.expect("offer.created").await["data"]);
    socket.ask("offer.accept", json!({"offer_id": offer})).await.expect("it is theirs");

    for person in [&stranded.client, &mechanic.client] {
        person.delete(CONSENT).await.expect(204);
        person.delete(CONSENT).await.expect(204);
        let shown = person.get(CONSENT).await.expect(200);
        assert_eq!((&shown["is_needed"], &shown["agreed"]), (&json!(true), &Value::Null));
        assert_eq!(deeds(&shown["history"]), expected(&[("withdrawn", 1), ("given", 1)]));
        let me = id_of(&person.get("/users/me").await.expect(200));
        assert_eq!(admin.get(&format!("/admin/users/{me}/consent")).await.expect(200), shown);
    }
    // The mechanic is offline, and both finish their open job.
    assert_eq!(mechanic.client.get("/mechanics/me").await.expect(200)["is_available"], false);
    mechanic.client.put(AVAILABLE, available()).await.refused(409, "CONSENT_NEEDED");
    mechanic.client.post(&format!("/jobs/{job}/en-route"), json!({})).await.expect(200);
    let vehicle = json!({"vehicle_type": "two_wheeler", "make": "Hero", "model": "Glamour",
        "registration_number": "KA01AB7777"});
    let vehicle = id_of(&stranded.client.post("/vehicles", vehicle).await.expect(201));
    let mut other = stranded.call_body();
    other["vehicle_id"] = json!(vehicle);
    stranded.client.post("/jobs", other.clone()).await.refused(409, "CONSENT_NEEDED");
    stranded.cancel_whatever_it_costs(&job).await;

    agree(&stranded.client, 1).await;
    stranded.client.post("/jobs", other).await.expect(201);
}

impl Stranded {
    async fn cancel_whatever_it_costs(&self, job: &str) {
        let body = json!({"reason_code": "other", "reason": "I got it going", "accept_fee": true});
        self.client.post(&format!("/jobs/{job}/cancel"), body).await.expect(200);
    }
}

#[actix_web::test]
async fn searching_again_needs_consent_of_a_customer_and_not_of_an_admin() {
    let app = spawn_app_with(|settings| settings.dispatch.attempt_ttl_s = 1).await;
    let (boss, admin) = (app.super_admin().await, app.admin().await);
    let (stranded, job) = crate::leaving::in_vain(&app).await;
    publish(&boss, false).await;
    stranded.client.post(&format!("/jobs/{job}/retry"), json!({})).await.refused(409, "CONSENT_NEEDED");
    admin.post(&format!("/admin/jobs/{job}/retry"), json!({})).await.expect(200);
}

#[actix_web::test]
async fn everybody_reads_any_version_in_their_preferred_language() {
    let (app, boss) = spawn_with_super_admin().await;
    publish(&boss, false).await;
    let second = json!({"texts": {"en": "One\r\n\r\n- two", "kn": "ಒಂದು"}, "ask_again": false});
    boss.post(PUBLISH, second).await.expect(201);
    let anyone = app.anonymous();
    let read = async |query: &str, accepted: Option<&'static str>| {
        let send = |request: reqwest::RequestBuilder| match accepted {
            Some(language) => request.header("accept-language", language),
            None => request,
        };
        anyone.send_as(Method::GET, &format!("{READ}{query}"), send).await
    };
    for (query, accepted, language, text) in [
        ("", None, "en", "One\n\n- two"),
        ("", Some("kn-IN, en;q=0.5"), "kn", "ಒಂದು"),
        ("", Some("hi"), "en", "One\n\n- two"),
        ("", Some("ta"), "en", "One\n\n- two"),
        ("", Some("ta-IN,hi;q=0.8,kn;q=0.7,en;q=0.5"), "kn", "ಒಂದು"),
        ("?version=1", Some("ta-IN,hi;q=0.8,en;q=0.5"), "hi", "We keep your number. (हिन्दी)"),
        ("?language=en", Some("kn"), "en", "One\n\n- two"),
        ("?version=1", Some("hi"), "hi", "We keep your number. (हिन्दी)"),
        ("?version=1&language=kn", None, "en", "We keep your number."),
    ] {
        let answer = read(query, accepted).await;
        assert_eq!(answer.header("cache-control"), Some("public, max-age=60"));
        assert!(answer.header("vary").is_some_and(|vary| vary.contains("accept-language")));
        let shown = answer.expect(200);
        assert_eq!(shown["language"], json!(language), "{query} {accepted:?}");
        assert_eq!(shown["text"], json!(text), "{query} {accepted:?}");
    }
    assert_eq!(read("", Some("kn")).await.expect(200)["other_languages"], json!(["en"]));
    read("?version=3", None).await.refused(404, "NOT_FOUND");
    read("?version=new", None).await.refused_field("version");
    read("?language=ta", None).await.refused_field("language");
    read("?lang=en", None).await.refused_field("lang");
}

#[actix_web::test]
async fn super_admins_publish_and_the_settings_desk_reads_audited_notices() {
    let app = spawn_app().await;
    let (boss, customer) = (app.super_admin().await, app.customer().await);
    let settings = app.admin_at(&boss, "settings").await;
    settings.post(PUBLISH, notice("Ours", true)).await.refused(403, "FORBIDDEN");
    customer.post(PUBLISH, notice("Ours", true)).await.refused(403, "FORBIDDEN");
    publish(&boss, true).await;
    let second =
        json!({"texts": {"en": "Now in Kannada", "kn": "ಈಗ ಕನ್ನಡದಲ್ಲಿ"}, "ask_again": false, "follows": 1});
    boss.post(PUBLISH, second.clone()).await.expect(201);
    boss.post(PUBLISH, second).await.refused(409, "NOTICE_CHANGED");
    let listed = settings.get(LIST).await.expect(200);
    let rows: Vec<_> = listed["data"].as_array().unwrap().iter().collect();
    assert_eq!((listed["total"].clone(), rows.len()), (json!(2), 2));
    assert_eq!((&rows[0]["version"], &rows[0]["languages"]), (&json!(2), &json!(["en", "kn"])));
    assert_eq!((&rows[0]["ask_again"], &rows[1]["ask_again"]), (&json!(false), &json!(true)));
    assert_eq!(rows[1]["published_by"], boss.user_id);
    let log = boss.get("/admin/audit-log?action=privacy_notice.publish").await.expect(200);
    assert_eq!(log["total"], 2);
    let newest = &log["data"][0];
    assert_eq!((&newest["actor_id"], &newest["before"]["version"]), (&json!(boss.user_id), &json!(1)));
    assert_eq!(newest["after"], json!({"version": 2, "languages": ["en", "kn"], "ask_again": false}));
    // Admins make no jobs, and need no consent.
    settings.get(CONSENT).await.refused(403, "FORBIDDEN");
}

#[actix_web::test]
async fn simultaneous_notices_get_successive_versions_and_earlier_ones_stay_unchanged() {
    let app = spawn_app().await;
    let (one, other) = (app.super_admin().await, app.super_admin().await);
    let both = join_all([&one, &other].map(|boss| boss.post(PUBLISH, notice("At once", true)))).await;
    let mut versions: Vec<_> =
        both.into_iter().map(|answer| answer.expect(201)["version"].as_i64()).collect();
    versions.sort_unstable();
    assert_eq!(versions, [Some(1), Some(2)]);
    let customer = app.customer().await;
    agree(&customer, 2).await;
    for statement in [
        "update privacy_notices set text_en = 'Other words'",
        "delete from privacy_notices",
        "update consents set version = 1",
        "delete from consents",
        "truncate consents",
    ] {
        let refused =
            sqlx::query(statement).execute(&app.database.db).await.expect_err(statement).to_string();
        assert!(["append-only", "denied"].iter().any(|why| refused.contains(why)), "{statement}: {refused}");
    }
}

#[actix_web::test]
async fn a_version_and_a_consent_are_known_on_every_server_and_after_a_restart() {
    let app = spawn_cluster().await;
    let boss = app.super_admin().await;
    let leader = app.cluster.as_ref().and_then(|cluster| cluster.leader.as_ref()).expect("a leader").address;
    let there = app.anonymous().at(leader);
    let stranded = app.breakdown().await;
    let elsewhere = stranded.client.at(leader);
    elsewhere.get(CONSENT).await.expect(200);
    publish(&boss, true).await;
    until_so("the other server knows", async || told(&there).await == 1).await;
    elsewhere.post("/jobs", stranded.call_body()).await.refused(409, "CONSENT_NEEDED");
    // This works even if the announcement has not reached the other server yet.
    agree(&stranded.client, 1).await;
    elsewhere.post("/jobs", stranded.call_body()).await.expect(201);
}

#[actix_web::test]
async fn notices_and_consents_survive_a_restart() {
    let mut app = spawn_app().await;
    let (boss, stranded) = (app.super_admin().await, app.breakdown().await);
    publish(&boss, true).await;
    app.restart().await;
    let customer = stranded.client.at(app.address);
    customer.post("/jobs", stranded.call_body()).await.refused(409, "CONSENT_NEEDED");
    agree(&customer, 1).await;
    app.restart().await;
    stranded.client.at(app.address).post("/jobs", stranded.call_body()).await.expect(201);
}

#[actix_web::test]
async fn the_history_is_in_the_export_and_outlives_the_account_without_its_person() {
    let (app, boss) = spawn_with_super_admin().await;
    publish(&boss, true).await;
    let person = app.customer().await;
    agree(&person, 1).await;
    person.delete(CONSENT).await.expect(204);
    agree(&person, 1).await;
    let history = person.get(CONSENT).await.expect(200)["history"].take();
    assert_eq!(deeds(&history), expected(&[("given", 1), ("withdrawn", 1), ("given", 1)]));
    assert_eq!(person.get("/users/me/export").await.expect(200)["consents"], history);
    person.delete("/users/me").await.expect(204);
    let rows = "select kind, version, language from consents where user_id::text = $1 order by number";
    let rows: Vec<(String, i64, String)> = app.rows(rows, &[&person.user_id]).await;
    let kinds: Vec<_> =
        rows.iter().map(|(kind, version, language)| (kind.as_str(), *version, language.as_str())).collect();
    assert_eq!(kinds, [("given", 1, "hi"), ("withdrawn", 1, "hi"), ("given", 1, "hi")]);
    let named = "select phone is not null or name is not null from users where id::text = $1";
    assert!(!app.value::<bool>(named, &[&person.user_id]).await);
    // A person who signs in with the number again is somebody else.
    let again = app.sign_in(&person.phone).await;
    assert_eq!(again.get(CONSENT).await.expect(200)["history"], json!([]));
}

#[actix_web::test]
async fn bad_input_names_its_field_and_publishes_nothing() {
    let (app, boss) = spawn_with_super_admin().await;
    let long = "x".repeat(6_001);
    for (body, field) in [
        (json!({"ask_again": true}), "texts"),
        (json!({"texts": {"hi": "हिन्दी"}, "ask_again": true}), "texts.en"),
        (json!({"texts": {"en": " \n "}, "ask_again": true}), "texts.en"),
        (json!({"texts": {"en": long}, "ask_again": true}), "texts.en"),
        (json!({"texts": {"en": "a\u{7}b"}, "ask_again": true}), "texts.en"),
        (json!({"texts": {"en": "Ours", "kn": ""}, "ask_again": true}), "texts.kn"),
        (json!({"texts": {"en": "Ours", "ta": "எங்கள்"}, "ask_again": true}), "texts.ta"),
        (json!({"texts": {"en": "Ours"}}), "ask_again"),
        (json!({"texts": {"en": "Ours"}, "ask_again": true, "follows": -1}), "follows"),
        (json!({"texts": {"en": "Ours"}, "ask_again": true, "version": 7}), "version"),
    ] {
        boss.post(PUBLISH, body).await.refused_field(field);
    }
    assert_eq!(told(&app.anonymous()).await, Value::Null);
    publish(&boss, true).await;
    let customer = app.customer().await;
    for (body, field) in [
        (json!({"language": "en"}), "version"),
        (json!({"version": 0, "language": "en"}), "version"),
        (json!({"version": 1}), "language"),
        (json!({"version": 1, "language": "ta"}), "language"),
        // This version is not written in that language.
        (json!({"version": 1, "language": "kn"}), "language"),
        (json!({"version": 1, "language": "en", "agreed": true}), "agreed"),
    ] {
        customer.put(CONSENT, body).await.refused_field(field);
    }
    assert_eq!(customer.get(CONSENT).await.expect(200)["history"], json!([]));
}

#[actix_web::test]
async fn consents_per_day_are_limited_and_withdrawals_are_not() {
    let (app, boss) = spawn_with_super_admin().await;
    publish(&boss, true).await;
    let person = app.customer().await;
    let give = async |person: &Person| person.put(CONSENT, json!({"version": 1, "language": "en"})).await;
    for _ in 0..20 {
        give(&person).await.expect(200);
        person.delete(CONSENT).await.expect(204);
    }
    let refused = give(&person).await;
    let wait: i64 = refused.header("retry-after").expect("a time").parse().expect("seconds");
    assert!((80_000..=86_400).contains(&wait), "{wait}");
    refused.refused(429, "RATE_LIMITED");
    assert_eq!(person.get(CONSENT).await.expect(200)["history"].as_array().map(Vec::len), Some(40));
}

#[actix_web::test]
async fn simultaneous_consents_of_one_person_are_one_consent() {
    let (app, boss) = spawn_with_super_admin().await;
    publish(&boss, true).await;
    let person = app.customer().await;
    let given = || person.put(CONSENT, json!({"version": 1, "language": "en"}));
    for answer in join_all([given(), given(), given()]).await {
        answer.expect(200);
    }
    let shown = person.get(CONSENT).await.expect(200);
    assert_eq!(deeds(&shown["history"]), expected(&[("given", 1)]));
}

/// Returns the fewest messages to Postgres that a request takes: a worker may send some meanwhile.
pub async fn least(wire: &Wire, ask: impl AsyncFn()) -> u64 {
    let mut least = u64::MAX;
    for _ in 0..12 {
        wire.at_rest().await;
        let before = wire.traffic().messages;
        ask().await;
        wire.at_rest().await;
        least = least.min(wire.traffic().messages - before);
    }
    least
}

async fn taken_by_each(wire: &Wire, stranded: &Stranded, mechanic: &Client) -> [u64; 2] {
    let job = least(wire, async || {
        // The request goes all the way to the commit, which the vehicle's open job refuses.
        stranded.client.post("/jobs", stranded.call_body()).await.refused(409, "ACTIVE_JOB_EXISTS");
    })
    .await;
    let online = least(wire, async || {
        mechanic.put(AVAILABLE, json!({"is_available": true})).await.expect(200);
    })
    .await;
    [job, online]
}

#[actix_web::test]
async fn jobs_and_going_online_take_no_more_statements_with_a_notice() {
    let (app, wire) = spawn_app_behind(|_| {}).await;
    let (boss, admin) = (app.super_admin().await, app.admin().await);
    let mechanic = app.verified_mechanic(&admin).await.client;
    let stranded = app.breakdown_at((PICKUP.0 + 5.0, PICKUP.1)).await;
    stranded.call().await;
    mechanic.put(AVAILABLE, json!({"is_available": true})).await.expect(200);
    let without_notice = taken_by_each(&wire, &stranded, &mechanic).await;
    publish(&boss, true).await;
    for person in [&stranded.client, &mechanic] {
        agree(person, 1).await;
        person.get(CONSENT).await.expect(200);
    }
    let with_notice = taken_by_each(&wire, &stranded, &mechanic).await;
    assert_eq!(with_notice, without_notice);
}
