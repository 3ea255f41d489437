//! A second answer to an accepted offer gets a response that says what happened, whatever became of the job since.

use serde_json::{Value, json};

use crate::support::{Client, bodies::id_of, roadside::PICKUP, spawn_on_road, spawn_with_admin};

/// Sends both answers to an accepted offer; returns the messages.
async fn refused(mechanic: &Client, offer: &str) -> [String; 2] {
    let text = |body: Value| body["error"]["message"].as_str().expect("a message").to_owned();
    let accepted = mechanic.post(&format!("/offers/{offer}/accept"), json!({})).await;
    let declined = mechanic.post(&format!("/offers/{offer}/decline"), json!({})).await;
    let both = [accepted, declined].map(|answer| text(answer.refused(409, "INVALID_TRANSITION")));
    assert!(both.iter().all(|message| message.starts_with("You accepted this offer")), "{both:?}");
    both
}

#[actix_web::test]
async fn an_accept_is_never_reported_as_refused_once_it_has_happened() {
    let (mut app, admin) = spawn_with_admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    let job = id_of(&stranded.call().await);
    let offer = id_of(&mechanic.offer().await);
    let accept = format!("/offers/{offer}/accept");
    mechanic.client.post(&accept, json!({})).await.expect(200);
    mechanic.tell(&job, "en-route", json!({})).await;
    let again = mechanic.client.post(&accept, json!({})).await.expect(200);
    assert_eq!((&again["id"], &again["status"]), (&json!(job), &json!("en_route")), "as it stands by now");
    let decline = mechanic.client.post(&format!("/offers/{offer}/decline"), json!({})).await;
    decline.refused_saying(409, "INVALID_TRANSITION", "the job is yours");

    mechanic.tell(&job, "release", json!({"reason_code": "vehicle_trouble"})).await;
    for message in refused(&mechanic.client, &offer).await {
        assert!(message.contains("released since"), "{message}");
    }
    // Another mechanic wins it next.
    let mut next = app.on_road_at(&admin, (PICKUP.0 + 0.002, PICKUP.1)).await;
    assert_eq!(next.accept().await["id"], job.as_str());
    for message in refused(&mechanic.client, &offer).await {
        assert!(message.contains("another mechanic has it now"), "{message}");
    }
    let over_the_socket = mechanic.socket.ask("offer.accept", json!({"offer_id": offer})).await;
    assert_eq!(over_the_socket.expect_err("refused")["code"], "INVALID_TRANSITION");
    app.restart().await;
    let token = mechanic.client.token().expect("signed in");
    refused(&app.anonymous().with_token(token), &offer).await;
}

#[actix_web::test]
async fn the_winner_of_a_job_that_has_ended_is_shown_its_end() {
    let (_app, _admin, mut mechanic, stranded) = spawn_on_road().await;
    let job = id_of(&stranded.call().await);
    let accept = format!("/offers/{}/accept", id_of(&mechanic.offer().await));
    mechanic.client.post(&accept, json!({})).await.expect(200);
    stranded.cancel(&job).await;
    assert_eq!(mechanic.client.post(&accept, json!({})).await.expect(200)["status"], "cancelled");
}
