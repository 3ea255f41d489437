//! A capture is cut off at any point: between any two messages to Postgres, and by kill -9. In the end it is paid once.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{completed, event, ids_of};
use crate::{
    restart::Server,
    support::{Client, TestApp, plain_http, rows, spawn_app, spawn_app_behind, until_fits, within},
};

/// More messages than processing a capture takes.
const MESSAGES: u32 = 60;
const PAISE: i64 = 29_900;

/// Returns the job's order, made by its customer. Right after a cut the service may ask them to try again or not know whether the
/// order was made, it may still be making the order of the previous try, and the sandbox, whose commit was cut, may not have
/// answered.
async fn order_of(customer: &Client, job: &str) -> Value {
    within("the order is made", async {
        loop {
            let answer = customer.post("/payments/orders", json!({"job_id": job})).await;
            match answer.status {
                503 if answer.body["error"]["code"] == "OUTCOME_UNKNOWN" => {}
                503 => drop(answer.refused(503, "UNAVAILABLE")),
                409 => drop(answer.refused(409, "CONFLICT")),
                502 => drop(answer.refused(502, "PROVIDER_ERROR")),
                _ => return answer.expect(201),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await
}

/// Sends an event like a gateway: repeatedly, until it is accepted.
async fn deliver(app: &TestApp, event: &Value) {
    let body = event.to_string();
    let signature = app.service.payments.webhook_keys.sign(body.as_bytes());
    let http = plain_http().build().expect("an HTTP client");
    within("the event is taken", async {
        loop {
            let url = format!("http://{}/payments/webhook", app.address);
            let sent =
                http.post(url).header("x-gateway-signature", &signature).body(body.clone()).send().await;
            if sent.is_ok_and(|answer| answer.status() == 200) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

async fn until_paid(app: &TestApp, job: &str) {
    until_fits(
        "the job is paid",
        async || rows::job_status(&app.database.db, job).await,
        |status| status == "paid",
    )
    .await;
    let held = rows::booked_for_job(&app.database.db, job).await.get("mechanic_held").copied();
    assert_eq!(held, Some(25_415), "credited once");
}

#[actix_web::test]
async fn a_capture_cut_off_between_any_two_messages_is_paid_once() {
    let (app, wire) = spawn_app_behind(|settings| {
        settings.limits.per_user_per_minute = 1_000_000;
        settings.gateway.inbox_retry_s = 1;
    })
    .await;
    let scene = completed(&app).await;
    let mut jobs = Vec::new();
    for number in 0..MESSAGES {
        let job =
            rows::copy_completed_job(&app.database.db, &scene.job, app.service.random.id(app.now())).await;
        let order = order_of(&scene.customer, &job).await;
        let captured =
            event("payment.captured", &format!("pay_cut{number}"), ids_of(&order).1, PAISE, "captured");
        wire.cut_after(number);
        // The response may be an error or missing, but never false.
        let status = app.webhook(&captured).await.status;
        assert!([200, 500, 503].contains(&status), "{status}");
        wire.mend();
        deliver(&app, &captured).await;
        jobs.push(job);
    }
    for job in jobs {
        until_paid(&app, &job).await;
    }
    let audit = roadcall::accounting::ledger::audit(&app.database.db).await.expect("an audit");
    assert!(audit.is_sound() && audit.transactions == i64::from(MESSAGES), "{audit:?}");
}

#[actix_web::test]
async fn kill_9_while_captures_come_in_pays_each_once() {
    let mut app = spawn_app().await;
    let secret = "whsec of a server that dies";
    let settings = [
        ("ROADCALL__GATEWAY__WEBHOOK_SECRET", secret),
        ("ROADCALL__GATEWAY__INBOX_RETRY_S", "1"),
        ("ROADCALL__LIMITS__PER_USER_PER_MINUTE", "1000000"),
        ("ROADCALL__AUTH__ACCESS_TOKEN_TTL_S", "86400"),
        ("ROADCALL__SANDBOX__DELAY_MIN_MS", "600000"),
        ("ROADCALL__SANDBOX__DELAY_MAX_MS", "600000"),
    ];
    app.restart_with(|settings| settings.gateway.webhook_secret.0 = secret.to_owned()).await;
    let scene = completed(&app).await;
    // From here on, only the server's process handles events.
    app.stop().await;
    let mut server = Server::start_with(&app, &settings);
    app.address = ([127, 0, 0, 1], server.port).into();
    server.until_ready().await;
    let customer = Client::new(app.address).with_token(scene.customer.token().expect("a token"));
    for round in 0..8_u64 {
        let mut events = Vec::new();
        for number in 0..6 {
            let job =
                rows::copy_completed_job(&app.database.db, &scene.job, app.service.random.id(app.now()))
                    .await;
            let order = order_of(&customer, &job).await;
            let attempt = format!("pay_kill{round}_{number}");
            for (kind, status) in [("payment.authorized", "authorized"), ("payment.captured", "captured")] {
                events.push((job.clone(), event(kind, &attempt, ids_of(&order).1, PAISE, status)));
            }
        }
        let sent = join_all(events.iter().map(|(_, event)| deliver(&app, event)));
        let killed = async {
            // The kill comes somewhere in the middle, a little later in each round.
            tokio::time::sleep(Duration::from_millis(3 + 7 * round)).await;
            server.kill();
            server.run_again(&app, &settings);
            server.until_ready().await;
        };
        tokio::join!(sent, killed);
        for (job, _) in &events {
            until_paid(&app, job).await;
        }
        let audit = roadcall::accounting::ledger::audit(&app.database.db).await.expect("an audit");
        assert!(audit.is_sound(), "{audit:?}");
    }
}
