//! People without an account who take part in a job by its link, such as the person at the vehicle.

mod calling;
mod chatting;
mod linking;

use serde_json::{Value, json};

use crate::support::{
    Answer, Client, TestApp,
    bodies::{id_of, set},
    roadside::{OnRoad, Scene},
    spawn_app,
};

/// The phone number of the person at the vehicle; the customer is elsewhere.
pub const MEERA: &str = "+919812300077";

/// Starts the service; returns it with a job for Meera, whom the mechanic is to contact.
async fn spawn_for_meera() -> (TestApp, Scene) {
    let app = spawn_app().await;
    let scene = app.accepted_for_meera().await;
    (app, scene)
}

impl TestApp {
    /// Returns a job that a mechanic has accepted, for Meera, whom the mechanic is to contact.
    async fn accepted_for_meera(&self) -> Scene {
        self.accepted_for("beneficiary").await
    }

    async fn accepted_for(&self, contact_preference: &str) -> Scene {
        let admin = self.admin().await;
        let mut mechanic: OnRoad = self.on_road(&admin).await;
        let stranded = self.breakdown().await;
        let call = set(&stranded.call_body(), "beneficiary_phone", json!(MEERA));
        let call = set(
            &set(&call, "beneficiary_name", json!("Meera Rao")),
            "contact_preference",
            json!(contact_preference),
        );
        let job = id_of(&stranded.client.post("/jobs", call).await.expect(201));
        mechanic.accept().await;
        Scene { job, customer: stranded.client, mechanic }
    }
}

/// Makes a link to the job with these rights; returns it and its path.
async fn link(scene: &Scene, rights: Value) -> (Value, String) {
    let link = try_link(scene, rights).await.expect(201);
    let path = format!("/shares/{}", link["token"].as_str().expect("a token"));
    (link, path)
}

async fn try_link(scene: &Scene, rights: Value) -> Answer {
    scene.customer.post(&scene.path("/shares"), rights).await
}

async fn revoke(scene: &Scene, link: &Value) {
    scene.customer.delete(&scene.path(&format!("/shares/{}", id_of(link)))).await.expect(204);
}

/// Returns what the holder of a link sees.
async fn seen(nobody: &Client, path: &str) -> Value {
    nobody.get(path).await.expect(200)
}
