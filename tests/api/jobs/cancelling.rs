use futures_util::future::{join, join_all};
use serde_json::{Value, json};

use crate::support::{
    AssertFields, bodies::id_of, spawn_accepted, spawn_app_with, spawn_with_admin, spawn_with_breakdown,
};

fn why() -> Value {
    json!({"reason_code": "changed_mind"})
}

#[actix_web::test]
async fn cancelling_is_free_until_a_mechanic_has_been_on_the_way_for_a_while() {
    let (app, admin) = spawn_with_admin().await;
    let mut mechanic = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    let job = app.taken(&stranded, &mut mechanic).await;
    let quote = stranded.client.get(&format!("/jobs/{job}/cancellation-quote")).await.expect(200);
    assert_eq!((&quote["cancellation_fee"], &quote["reason"]), (&json!(0.0), &json!("within_free_time")));
    assert!(quote["free_until"].is_string());
    let cancelled = stranded.cancel(&job).await;
    assert_eq!((&cancelled["status"], &cancelled["cancellation_fee"]), (&json!("cancelled"), &json!(0.0)));
    assert_eq!(cancelled["cancel_reason_code"], "changed_mind");
}

#[actix_web::test]
async fn a_fee_is_charged_only_if_it_was_accepted() {
    let app = spawn_app_with(|settings| settings.fees.free_after_accept_s = -1).await;
    let admin = app.admin().await;
    let mut mechanic = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    let job = app.taken(&stranded, &mut mechanic).await;
    let cancel = format!("/jobs/{job}/cancel");
    let quote = stranded.client.get(&format!("/jobs/{job}/cancellation-quote")).await.expect(200);
    assert_eq!((&quote["cancellation_fee"], &quote["reason"]), (&json!(50.0), &json!("on_the_way")));
    let cheap = json!({"reason_code": "other", "quoted_fee": 49.99});
    let refused = stranded.client.post(&cancel, cheap).await.refused(409, "FEE_CHANGED");
    assert!(refused["error"]["message"].as_str().unwrap().contains("50"), "{refused}");
    for silent in [why(), json!({"reason_code": "other", "accept_fee": false})] {
        let refused = stranded.client.post(&cancel, silent).await.refused(409, "FEE_CHANGED");
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(message.contains("50") && message.contains("accept_fee"), "{message}");
    }
    // A quote must match, whatever else is sent.
    let both = json!({"reason_code": "other", "quoted_fee": 1, "accept_fee": true});
    stranded.client.post(&cancel, both).await.refused(409, "FEE_CHANGED");
    assert_eq!(stranded.job(&job).await["status"], "accepted", "nothing was cancelled");
    let agreed = json!({"reason_code": "other", "reason": "A friend helped.", "quoted_fee": 50});
    let cancelled = stranded.client.post(&cancel, agreed).await.expect(200);
    cancelled.assert_fields(json!({"cancellation_fee": 50.0, "cancel_reason": "A friend helped."}));
}

#[actix_web::test]
async fn the_promised_free_time_holds_even_after_an_early_arrival() {
    let (_app, scene) = spawn_accepted().await;
    let promised = scene.customer.get(&scene.path("/cancellation-quote")).await.expect(200);
    scene.step("en-route", json!({})).await;
    scene.step("arrive", json!({"override_reason": "the receiver is off"})).await;
    let quote = scene.customer.get(&scene.path("/cancellation-quote")).await.expect(200);
    assert_eq!(quote, promised);
    let cancelled = scene.customer.post(&scene.path("/cancel"), why()).await.expect(200);
    assert_eq!(cancelled["cancellation_fee"], 0.0);
}

#[actix_web::test]
async fn every_simultaneous_cancellation_of_uncancellable_work_is_refused() {
    let (_app, scene) = spawn_accepted().await;
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    let (quote, cancel) = (scene.path("/cancellation-quote"), scene.path("/cancel"));
    scene.customer.get(&quote).await.refused(409, "INVALID_TRANSITION");
    scene.step("complete", json!({"outcome": "fixed"})).await;
    for _ in 0..5 {
        let quotes = join_all((0..8).map(|_| scene.customer.get(&quote)));
        let cancels = join_all((0..8).map(|_| scene.customer.post(&cancel, why())));
        let (quotes, cancels) = join(quotes, cancels).await;
        for answer in quotes.into_iter().chain(cancels) {
            answer.refused(409, "INVALID_TRANSITION");
        }
    }
}

#[actix_web::test]
async fn cancelling_revokes_the_offers() {
    let (app, admin) = spawn_with_admin().await;
    let mut mechanic = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    let job = id_of(&stranded.call().await);
    let offer = id_of(&mechanic.offer().await);
    stranded.cancel(&job).await;
    assert_eq!(mechanic.socket.expect("offer.revoked").await["data"]["id"], offer.as_str());
    mechanic.client.post(&format!("/offers/{offer}/accept"), json!({})).await.refused(409, "OFFER_EXPIRED");
    // The mechanic is free for the next job.
    stranded.call().await;
    mechanic.offer().await;
}

#[actix_web::test]
async fn only_admins_cancel_work_under_way() {
    let (app, admin) = spawn_with_admin().await;
    let mut mechanic = app.on_road(&admin).await;
    let stranded = app.breakdown().await;
    let job = app.taken(&stranded, &mut mechanic).await;
    mechanic.drive_and_start(&stranded.client, &job).await;
    stranded.client.post(&format!("/jobs/{job}/cancel"), why()).await.refused(409, "INVALID_TRANSITION");
    let reason = json!({"reason": "A fire nearby."});
    let cancelled = admin.post(&format!("/admin/jobs/{job}/cancel"), reason).await.expect(200);
    cancelled.assert_fields(json!({"status": "cancelled", "cancel_reason": "A fire nearby."}));
    admin
        .post(&format!("/admin/jobs/{job}/cancel"), json!({"reason": "Again."}))
        .await
        .refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn a_bad_cancellation_names_its_field() {
    let (_app, stranded) = spawn_with_breakdown().await;
    let cancel = format!("/jobs/{}/cancel", id_of(&stranded.call().await));
    for (body, field) in [
        (json!({}), "reason_code"),
        (json!({"reason_code": "bored"}), "reason_code"),
        (json!({"reason_code": "other", "quoted_fee": 0.125}), "quoted_fee"),
        (json!({"reason_code": "other", "accept_fee": "yes"}), "accept_fee"),
        (json!({"reason_code": "other", "reason": "x".repeat(501)}), "reason"),
    ] {
        stranded.client.post(&cancel, body).await.refused_field(field);
    }
}
