//! Tests what people get of their own data, and who never sees whose.

mod export;
mod logs;
mod others;

use serde_json::{Value, json};

use crate::support::{
    TestApp,
    bodies::{id_of, set},
    roadside::{PICKUP, Scene},
    uploads::{photo, uploaded},
};

/// The beneficiary whom the customer named.
pub const BENEFICIARY: &str = "+919812345678";
pub const PUSH_TOKEN: &str = "a-token-of-a-device:APA91bExample";
pub const VPA: &str = "ravi.kumar@okbank";

/// A job's whole life: created, accepted, shared, photographed, finished, paid, rated by both, and disputed.
pub struct Life {
    pub scene: Scene,
    /// The token of the link to follow it.
    pub share_token: String,
    /// The mechanic's offer.
    pub offer: Value,
    pub upload_id: String,
}

pub async fn lived(app: &TestApp) -> Life {
    let admin = app.admin().await;
    let (mut mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    mechanic.client.patch("/users/me", json!({"name": "Ravi Kumar"})).await.expect(200);
    let verify = format!("/admin/mechanics/{}/verify", mechanic.profile_id);
    admin.post(&verify, json!({"verified_name": "Ravi Kumar"})).await.expect(200);
    mechanic.client.post("/wallet/upi", json!({"vpa": VPA, "holder_name": "Ravi Kumar"})).await.expect(201);
    let device = json!({"token": PUSH_TOKEN, "platform": "android", "device_id": "pixel-7"});
    stranded.client.post("/notifications/push-tokens", device).await.expect(201);
    let upload = uploaded(&stranded.client, "job_photo", &photo()).await;
    let call = set(&stranded.call_body(), "beneficiary_phone", json!(BENEFICIARY));
    let call =
        set(&set(&call, "beneficiary_name", json!("Meera Rao")), "photo_urls", json!([upload.file_url]));
    let job = id_of(&stranded.client.post("/jobs", call).await.expect(201));
    let offer = mechanic.offer().await;
    mechanic.client.post(&format!("/offers/{}/accept", id_of(&offer)), json!({})).await.expect(200);
    let link = stranded.client.post(&format!("/jobs/{job}/shares"), json!({})).await.expect(201);
    mechanic.ping((PICKUP.0 + 0.0005, PICKUP.1)).await;
    let scene = Scene { customer: stranded.client, mechanic, job };
    scene.mechanic.drive_and_start(&scene.customer, &scene.job).await;
    mend_and_settle(app, &scene).await;
    Life {
        scene,
        share_token: link["token"].as_str().expect("a token").to_owned(),
        offer,
        upload_id: upload.id,
    }
}

/// Plays the job from the work to the dispute.
async fn mend_and_settle(app: &TestApp, scene: &Scene) {
    let (customer, mechanic) = (&scene.customer, &scene.mechanic.client);
    let tube = json!({"type": "part", "description": "A tube", "quantity": 1, "unit_price": 120.5});
    let item = mechanic.post(&scene.path("/line-items"), tube).await.expect(201);
    let approve = scene.path(&format!("/line-items/{}/approve", id_of(&item)));
    customer.post(&approve, json!({"version": 1})).await.expect(200);
    let after = json!({"stage": "after", "file_url": "https://files.example/after.jpg"});
    mechanic.post(&scene.path("/photos"), after).await.expect(201);
    scene.step("complete", json!({"outcome": "fixed"})).await;
    app.pay(customer, json!({"job_id": scene.job})).await;
    for (person, score) in [(&**customer, 4), (&**mechanic, 5)] {
        person.post(&scene.path("/rating"), json!({"score": score})).await.expect(201);
    }
    let again = json!({"reason_code": "poor_work", "description": "Flat again"});
    customer.post(&scene.path("/dispute"), again).await.expect(201);
}
