//! The log's filter is changed for a while, on a server in a process of its own.

use std::fs;

use chrono::{DateTime, Utc};
use nix::sys::signal::Signal;
use roadcall_actors::clock::Clock;
use serde_json::{Value, json};

use crate::{
    cli::{Place, Served},
    support::{AssertFields, Client, PASSWORD, until_fits},
};

const USUAL: &str = "info,sqlx=warn";
const PATH: &str = "/super-admin/log-filter";

async fn super_admin(place: &Place, served: &Served) -> Client {
    let made = place.create_admin(PASSWORD, "super_admin").await;
    assert!(made.status.success(), "{made:?}");
    let nobody = Client::new(served.address);
    let login = json!({"email": "boss@example.com", "password": PASSWORD});
    let token = nobody.post("/idp/token", login).await.expect(200);
    let login = json!({"idpIdToken": token["idToken"]});
    let signed_in = nobody.post("/auth/admin-login", login).await.expect(200);
    nobody.with_token(signed_in["data"]["accessToken"].as_str().unwrap())
}

#[actix_web::test]
async fn a_super_admin_changes_the_logs_filter_for_a_while_and_it_ends_by_itself() {
    let place = Place::new().await;
    let served = place.serve(&[("ROADCALL__LOG__FILTER", USUAL)]).await;
    let boss = super_admin(&place, &served).await;
    let log = || fs::read_to_string(&place.log).unwrap();
    let usual = boss.get(PATH).await.expect(200);
    usual.assert_fields(json!({"filter": USUAL, "until": null, "usual_filter": USUAL}));

    // Health checks are logged at `debug`.
    let answered = "/health";
    boss.get(answered).await.expect(200);
    assert!(!log().contains(answered), "{}", log());
    let other = "info,roadcall=debug";
    let set = boss.put(PATH, json!({"filter": other, "duration_s": 3600})).await.expect(200);
    assert_eq!((&set["filter"], &set["server_id"]), (&json!(other), &usual["server_id"]));
    let until: DateTime<Utc> = set["until"].as_str().unwrap().parse().unwrap();
    assert!(until > Clock::system().now(), "{until}");
    boss.get(answered).await.expect(200);
    assert!(log().contains(answered), "{}", log());

    // The next filter replaces the first one and ends by itself; the end of the first one no longer applies.
    boss.put(PATH, json!({"filter": "off", "duration_s": 1})).await.expect(200);
    let ask = async || boss.get(PATH).await.expect(200);
    let held = until_fits("the usual filter holds again", ask, |held| held["until"].is_null()).await;
    assert_eq!(held["filter"], USUAL);
    boss.get("/users/me").await.expect(200);
    assert!(log().contains("the log's usual filter holds again"), "{}", log());

    // A super-admin can end a filter at once, too.
    boss.put(PATH, json!({"filter": other, "duration_s": 3600})).await.expect(200);
    assert_eq!(boss.delete(PATH).await.expect(200)["filter"], USUAL);
    assert_eq!(boss.delete(PATH).await.expect(200)["until"], Value::Null);

    let trail = "/admin/audit-log?action=log_filter.change";
    assert_eq!(boss.column(trail, "after/filter").await, [USUAL, other, "off", other]);
    assert_eq!(boss.column(trail, "object_id").await, vec![usual["server_id"].clone(); 4]);
    served.signal(Signal::SIGTERM);
    served.ended().await;
}

#[actix_web::test]
async fn a_bad_or_too_long_filter_names_its_field() {
    let place = Place::new().await;
    let served = place.serve(&[]).await;
    let boss = super_admin(&place, &served).await;
    // The last two would log what libraries send.
    for filter in ["roadcall=loud", "", &"a".repeat(201), "trace", "info,async_nats::connector=trace"] {
        boss.put(PATH, json!({"filter": filter, "duration_s": 60})).await.refused_field("filter");
    }
    for duration_s in [0, 3601, -1] {
        boss.put(PATH, json!({"filter": "info", "duration_s": duration_s})).await.refused_field("duration_s");
    }
    assert_eq!(boss.get(PATH).await.expect(200)["until"], Value::Null);
    // No filter makes the server log secrets and personal data.
    let all = json!({"filter": "roadcall=trace,roadcall_actors=trace", "duration_s": 60});
    boss.put(PATH, all).await.expect(200);
    let phone = "+919812345678";
    boss.without_token().post("/auth/send-otp", json!({"phone": phone})).await.expect(200);
    boss.get("/health").await.expect(200);
    served.signal(Signal::SIGTERM);
    let (_, _, log) = served.ended().await;
    assert!(log.contains("DEBUG") && !log.contains(&phone[3..]), "{log}");
}
