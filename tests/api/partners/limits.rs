use serde_json::json;

use crate::support::{partners::Key, spawn_app_with, spawn_with_admin};

#[actix_web::test]
async fn each_key_has_its_own_limit_and_the_answers_say_what_is_left() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let slow = app.program(&partner.key_with(&["read"], json!({"requests_per_minute": 2})).await);
    let other = partner.program(&["read"]).await;
    app.service.clock.stop();
    for left in ["1", "0"] {
        let answer = slow.get("/partner").await;
        assert_eq!(
            (answer.header("ratelimit-limit"), answer.header("ratelimit-remaining")),
            (Some("2"), Some(left))
        );
        answer.expect(200);
    }
    let refused = slow.get("/partner").await;
    assert!(refused.header("retry-after").is_some(), "{}", refused.text);
    refused.refused(429, "RATE_LIMITED");
    let answer = other.get("/partner").await;
    assert_eq!(answer.header("ratelimit-remaining"), Some("599"));
    answer.expect(200);
    app.service.clock.advance(std::time::Duration::from_secs(31));
    slow.get("/partner").await.expect(200);
}

#[actix_web::test]
async fn keys_that_nobody_made_are_counted_by_the_address_and_take_nothing_from_others() {
    let app = spawn_app_with(|settings| settings.limits.per_address_per_minute = 3).await;
    let admin = app.admin().await;
    let partner = app.partner(&admin).await;
    let member = partner.member("viewer").await;
    let key = partner.key(&["read"]).await;
    app.service.clock.stop();
    let program = app.program(&key);
    program.get("/partner").await.expect(200);
    let mistyped = app.program(&Key { id: String::new(), text: format!("{}x", key.text) });
    let statuses = [mistyped.get("/partner").await.status, mistyped.get("/partner").await.status];
    assert_eq!(statuses, [401, 401]);
    mistyped.get("/partner").await.refused(429, "RATE_LIMITED");
    // A key that was looked up lately, and a person who is signed in, are counted by themselves.
    program.get("/partner").await.expect(200);
    member.get("/partner").await.expect(200);
    app.anonymous().get("/health").await.expect(200);
}
