use roadcall::platform::settings::SmsSettings;
use serde_json::json;

use crate::support::{Answer, TestApp, new_phone, spawn_app_with, twilio::TwilioPeer};

/// Settings under which messages are sent, and cost money.
async fn spawn(alter: impl FnOnce(&mut SmsSettings)) -> (TestApp, TwilioPeer) {
    let peer = TwilioPeer::start().await;
    let app = spawn_app_with(|settings| {
        peer.set(&mut settings.sms);
        alter(&mut settings.sms);
    })
    .await;
    (app, peer)
}

async fn send(app: &TestApp, phone: &str) -> Answer {
    app.anonymous().post("/auth/send-otp", json!({"phone": phone})).await
}

#[actix_web::test]
async fn a_country_has_a_budget_of_text_messages_and_the_own_one_does_not() {
    let (app, peer) = spawn(|sms| sms.per_country_per_hour = 2).await;
    send(&app, "+447700900001").await.expect(200);
    send(&app, "+447700900002").await.expect(200);
    let refused = send(&app, "+447700900003").await;
    assert!(refused.text.contains("numbers of +44"), "{}", refused.text);
    let seconds: u64 = refused.header("retry-after").expect("Retry-After").parse().expect("seconds");
    assert!((1..=3601).contains(&seconds));
    refused.refused(503, "UNAVAILABLE");
    send(&app, "+14155550100").await.expect(200);
    for _ in 0..3 {
        send(&app, &new_phone()).await.expect(200);
    }
    let later = "update text_message_counts set hour = hour - interval '1 hour'";
    sqlx::query(later).execute(&app.database.db).await.unwrap();
    send(&app, "+447700900003").await.expect(200);
    assert_eq!(peer.asked().len(), 7, "what was refused was not sent");
}

#[actix_web::test]
async fn all_text_messages_together_have_a_budget_that_holds_under_parallel_requests() {
    let (app, peer) = spawn(|sms| sms.per_day = 4).await;
    let phones: Vec<String> = (0..8).map(|_| new_phone()).collect();
    let answers = futures_util::future::join_all(phones.iter().map(|phone| send(&app, phone))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 4);
    assert_eq!(peer.asked().len(), 4);
    let an_hour_ago = "update text_message_counts set hour = hour - interval '1 hour'";
    sqlx::query(an_hour_ago).execute(&app.database.db).await.unwrap();
    send(&app, &new_phone()).await.refused(503, "UNAVAILABLE");
    let yesterday = "update text_message_counts set hour = hour - interval '23 hours'";
    sqlx::query(yesterday).execute(&app.database.db).await.unwrap();
    send(&app, &new_phone()).await.expect(200);
}
