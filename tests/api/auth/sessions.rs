use serde_json::{Value, json};

use crate::support::{Answer, Client, Person, TestApp, spawn_app, spawn_app_with, spawn_with_customer};

async fn refresh(app: &TestApp, token: &str) -> Answer {
    app.anonymous().post("/auth/refresh", json!({"refreshToken": token})).await
}

/// Exchanges a token for a new pair; returns the client with the access token, and the refresh token.
async fn refreshed(app: &TestApp, token: &str) -> (Client, String) {
    let data = refresh(app, token).await.expect(200)["data"].clone();
    let text = |name: &str| data[name].as_str().expect("a token").to_owned();
    (app.anonymous().with_token(text("accessToken")), text("refreshToken"))
}

async fn is_signed_in(client: &Client) -> bool {
    let answer = client.get("/users/me").await;
    match answer.status {
        200 => true,
        401 => false,
        status => panic!("{status}: {}", answer.text),
    }
}

async fn later(app: &TestApp, seconds: i32) {
    let move_back = "update refresh_tokens set used_at = used_at - make_interval(secs => $1)";
    sqlx::query(move_back).bind(f64::from(seconds)).execute(&app.database.db).await.unwrap();
}

#[actix_web::test]
async fn a_refresh_token_is_exchanged_for_a_new_pair_that_works() {
    let (app, person) = spawn_with_customer().await;
    let (client, second) = refreshed(&app, &person.refresh_token).await;
    assert!(is_signed_in(&client).await);
    assert_ne!(second, person.refresh_token);
    let (client, _third) = refreshed(&app, &second).await;
    assert!(is_signed_in(&client).await);
    assert!(is_signed_in(&person).await, "the old access token lives out its minutes, on the same session");
}

#[actix_web::test]
async fn a_reused_token_ends_its_session_and_no_other() {
    let (app, person) = spawn_with_customer().await;
    let other_device = app.sign_in(&person.phone).await;
    let (_, second) = refreshed(&app, &person.refresh_token).await;
    let (client, third) = refreshed(&app, &second).await;
    assert!(is_signed_in(&client).await);
    refresh(&app, &person.refresh_token).await.refused(401, "UNAUTHORIZED");
    assert!(!is_signed_in(&client).await, "at once, although it was seen a moment ago");
    refresh(&app, &third).await.refused(401, "UNAUTHORIZED");
    assert!(is_signed_in(&other_device).await);
}

#[actix_web::test]
async fn a_lost_answer_is_replaced_within_the_grace_and_the_lost_tokens_are_void() {
    let (app, person) = spawn_with_customer().await;
    let (_, lost) = refreshed(&app, &person.refresh_token).await;
    let (client, second) = refreshed(&app, &person.refresh_token).await;
    assert!(is_signed_in(&client).await);
    let (client, third) = refreshed(&app, &second).await;
    assert!(is_signed_in(&client).await, "the phone goes on as if nothing had been lost");
    refresh(&app, &lost).await.refused(401, "UNAUTHORIZED");
    assert!(!is_signed_in(&client).await, "two holders of one family: the session ends");
    refresh(&app, &third).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn after_the_grace_even_the_direct_predecessor_is_a_reuse() {
    let (app, person) = spawn_with_customer().await;
    let (client, second) = refreshed(&app, &person.refresh_token).await;
    later(&app, 31).await;
    refresh(&app, &person.refresh_token).await.refused(401, "UNAUTHORIZED");
    assert!(!is_signed_in(&client).await);
    refresh(&app, &second).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn simultaneous_exchanges_leave_one_live_successor() {
    let (app, person) = spawn_with_customer().await;
    let exchanges = (0..8).map(|_| refresh(&app, &person.refresh_token));
    let answers = futures_util::future::join_all(exchanges).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "all within the grace");
    let live = "select count(*) from refresh_tokens where used_at is null";
    let live: i64 = app.sql_value(live).await;
    assert_eq!(live, 1);
}

#[actix_web::test]
async fn expired_and_unknown_refresh_tokens_are_refused() {
    let (app, person) = spawn_with_customer().await;
    refresh(&app, "nonsense").await.refused(401, "UNAUTHORIZED");
    refresh(&app, person.token().expect("a token")).await.refused(401, "UNAUTHORIZED");
    let expire = "update refresh_tokens set expires_at = created_at";
    app.sql(expire).await;
    refresh(&app, &person.refresh_token).await.refused(401, "UNAUTHORIZED");
}

#[actix_web::test]
async fn logging_out_ends_the_named_sessions_at_once() {
    let app = spawn_app().await;
    type Body = fn(&Person, &Person) -> Option<Value>;
    // Each case is the body, and whether the first, second and third device of the person are signed in afterwards.
    let cases: [(Body, [bool; 3]); 5] = [
        (|_, _| None, [false, true, true]),
        (|_, _| Some(json!({})), [false, true, true]),
        (|_, second| Some(json!({"refreshToken": second.refresh_token})), [false, false, true]),
        (|_, _| Some(json!({"allDevices": true})), [false, false, false]),
        (
            |_, stranger| Some(json!({"refreshToken": stranger.refresh_token.clone() + "x"})),
            [false, true, true],
        ),
    ];
    let stranger = app.customer().await;
    for (number, (body, expected)) in cases.into_iter().enumerate() {
        let first = app.customer().await;
        let (second, third) = (app.sign_in(&first.phone).await, app.sign_in(&first.phone).await);
        assert!(is_signed_in(&second).await, "so that it is remembered");
        first.send(reqwest::Method::POST, "/auth/logout", body(&first, &second)).await.expect(204);
        let devices = [&first, &second, &third];
        let states = futures_util::future::join_all(devices.map(|device| is_signed_in(device))).await;
        assert_eq!(states, expected, "case {number}");
        refresh(&app, &first.refresh_token).await.refused(401, "UNAUTHORIZED");
    }
    let someone = app.customer().await;
    someone.post("/auth/logout", json!({"refreshToken": stranger.refresh_token})).await.expect(204);
    assert!(is_signed_in(&stranger).await, "another's token is left alone");
}

#[actix_web::test]
async fn people_see_and_end_only_their_own_sessions() {
    let (app, first) = spawn_with_customer().await;
    let second = app.sign_in(&first.phone).await;
    let stranger = app.customer().await;
    let sessions = first.list("/auth/sessions").await;
    let (current, others): (Vec<_>, Vec<_>) =
        sessions.iter().partition(|session| session["isCurrent"] == true);
    assert_eq!((current.len(), others.len()), (1, 1));
    let path = format!("/auth/sessions/{}", others[0]["id"].as_str().unwrap());

    stranger.delete(&path).await.refused(404, "NOT_FOUND");
    assert!(is_signed_in(&second).await);
    first.delete(&path).await.expect(204);
    assert!(!is_signed_in(&second).await);
    first.delete(&path).await.refused(404, "NOT_FOUND");
    first.delete("/auth/sessions/x").await.refused_field("id");
}

#[actix_web::test]
async fn the_fifty_first_session_ends_the_one_used_least_recently() {
    let (app, first) = spawn_with_customer().await;
    let more = "insert into sessions (id, user_id, created_at, last_used_at, expires_at)
        select gen_random_uuid(), s.user_id, s.created_at, s.created_at + interval '1 second', s.expires_at
        from sessions s, generate_series(1, 49)";
    app.sql(more).await;
    assert!(is_signed_in(&first).await);
    let newest = app.sign_in(&first.phone).await;
    assert!(is_signed_in(&newest).await);
    assert!(!is_signed_in(&first).await);
}

#[actix_web::test]
async fn an_active_admin_still_signs_in_again_after_the_maximum_time() {
    let app = spawn_app_with(|settings| settings.admin.session_ttl_s = 3600).await;
    let (admin, customer) = (app.admin().await, app.customer().await);
    let (client, token) = refreshed(&app, &admin.refresh_token).await;
    let ends = "select extract(epoch from expires_at - created_at)::bigint from sessions where user_id = $1";
    let ends = sqlx::query_scalar::<_, i64>(ends).bind(admin.user_id.parse::<uuid::Uuid>().unwrap());
    assert_eq!(ends.fetch_one(&app.database.db).await.unwrap(), 3600, "not prolonged by the exchange");
    // An hour passes, in which both were used. The session was opened when sessions could last longer.
    let age = "update sessions set created_at = created_at - interval '1 hour', expires_at = expires_at + interval '1 hour'";
    app.sql(age).await;
    refresh(&app, &token).await.refused(401, "UNAUTHORIZED");
    refresh(&app, &customer.refresh_token).await.expect(200);
    assert!(is_signed_in(&client).await, "the access token lives out its minutes");
}
