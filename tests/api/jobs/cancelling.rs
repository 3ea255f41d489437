use futures_util::future::{join, join_all};
use serde_json::{Value, json};

use crate::support::{
    AssertFields, bodies::id_of, spawn_accepted, spawn_app_with, spawn_on_road, spawn_with_breakdown,
};

fn why() -> Value {
    json!({"reason_code": "changed_mind"})
}

#[actix_web::test]
async fn cancelling_is_free_until_a_mechanic_has_been_on_the_way_for_a_while() {
    let (_app, scene) = spawn_accepted().await;
    let quote = scene.customer.get(&scene.path("/cancellation-quote")).await.expect(200);
    assert_eq!((&quote["cancellation_fee"], &quote["reason"]), (&json!(0.0), &json!("within_free_time")));
    assert!(quote["free_until"].is_string());
    let cancelled = scene.customer.post(&scene.path("/cancel"), why()).await.expect(200);
    cancelled.assert_fields(json!({"status": "cancelled", "cancellation_fee": 0.0,
        "cancel_reason_code": "changed_mind"}));
}

#[actix_web::test]
async fn a_fee_is_charged_only_if_it_was_accepted() {
    let app = spawn_app_with(|settings| settings.fees.free_after_accept_s = -1).await;
    let scene = app.accepted().await;
    let (customer, cancel) = (&scene.customer, scene.path("/cancel"));
    let quote = customer.get(&scene.path("/cancellation-quote")).await.expect(200);
    assert_eq!((&quote["cancellation_fee"], &quote["reason"]), (&json!(50.0), &json!("on_the_way")));
    let cheap = json!({"reason_code": "other", "quoted_fee": 49.99});
    customer.post(&cancel, cheap).await.refused_saying(409, "FEE_CHANGED", "50");
    for silent in [why(), json!({"reason_code": "other", "accept_fee": false})] {
        let refused = customer.post(&cancel, silent).await.refused_saying(409, "FEE_CHANGED", "50");
        assert!(refused["error"]["message"].as_str().unwrap().contains("accept_fee"), "{refused}");
    }
    // A quote must match, whatever else is sent.
    let both = json!({"reason_code": "other", "quoted_fee": 1, "accept_fee": true});
    customer.post(&cancel, both).await.refused(409, "FEE_CHANGED");
    assert_eq!(scene.shown().await["status"], "accepted", "nothing was cancelled");
    let agreed = json!({"reason_code": "other", "reason": "A friend helped.", "quoted_fee": 50});
    let cancelled = customer.post(&cancel, agreed).await.expect(200);
    cancelled.assert_fields(json!({"cancellation_fee": 50.0, "cancel_reason": "A friend helped."}));
}

#[actix_web::test]
async fn the_promised_free_time_holds_even_after_an_early_arrival() {
    let (_app, scene) = spawn_accepted().await;
    let promised = scene.customer.get(&scene.path("/cancellation-quote")).await.expect(200);
    scene.drive().await;
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
    let (_app, _admin, mut mechanic, stranded) = spawn_on_road().await;
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
    let (app, scene) = spawn_accepted().await;
    let (admin, cancel) = (app.admin().await, format!("/admin/jobs/{}/cancel", scene.job));
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    scene.customer.post(&scene.path("/cancel"), why()).await.refused(409, "INVALID_TRANSITION");
    let cancelled = admin.post(&cancel, json!({"reason": "A fire nearby."})).await.expect(200);
    cancelled.assert_fields(json!({"status": "cancelled", "cancel_reason": "A fire nearby."}));
    admin.post(&cancel, json!({"reason": "Again."})).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn a_bad_cancellation_names_its_field() {
    let (_app, stranded) = spawn_with_breakdown().await;
    let cancel = format!("/jobs/{}/cancel", id_of(&stranded.call().await));
    for (body, field) in [
        (json!({"reason_code": "other", "quoted_fee": 0.125}), "quoted_fee"),
        (json!({"reason_code": "other", "reason": "x".repeat(501)}), "reason"),
    ] {
        stranded.client.post(&cancel, body).await.refused_field(field);
    }
}
