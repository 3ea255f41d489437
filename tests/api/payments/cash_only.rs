//! A service without a payment gateway, for example of a garage that takes cash.

use roadcall::service::settings::{GatewayProvider, PayoutProvider};
use serde_json::json;

use super::completed;
use crate::support::spawn_app_with;

#[actix_web::test]
async fn jobs_are_paid_only_in_cash_without_a_gateway() {
    let app = spawn_app_with(|settings| {
        settings.gateway.provider = GatewayProvider::None;
        settings.payouts.provider = PayoutProvider::None;
    })
    .await;
    let config = app.anonymous().get("/config").await.expect(200);
    assert_eq!(config["payments"], json!({"provider": "none", "checkout_url": null, "key_id": null}));
    let scene = completed(&app).await;
    let orders = "/payments/orders";
    for online in [json!({"job_id": scene.job}), json!({"job_id": scene.job, "method": "online"})] {
        scene.customer.post(orders, online).await.refused_field("method");
    }
    scene.customer.post(orders, json!({"fee_job_ids": [scene.job]})).await.refused_field("fee_job_ids");
    assert_eq!(scene.customer.get("/payments").await.expect(200)["total"], 0);

    let cash = json!({"job_id": scene.job, "method": "cash"});
    let made = scene.customer.post(orders, cash).await.expect(201);
    scene.confirm_cash(&made).await;
    assert_eq!(scene.customer.column("/payments", "status").await, ["captured"]);
    app.sound_ledger().await;
}
