//! Services that start with the people and jobs that many tests need.

use serde_json::json;

use super::{OnRoad, Person, Scene, Socket, Stranded, TestApp, signed_in::MechanicClient, spawn_app};

/// Starts the service; returns it with a completed, unpaid job and an admin.
pub async fn spawn_completed() -> (TestApp, Scene, Person) {
    let app = spawn_app().await;
    let scene = app.accepted().await;
    scene.serve().await;
    let admin = app.admin().await;
    (app, scene, admin)
}

/// Starts the service; returns it with an admin and a verified mechanic.
pub async fn spawn_with_mechanic() -> (TestApp, Person, MechanicClient) {
    let app = spawn_app().await;
    let admin = app.admin().await;
    let mechanic = app.verified_mechanic(&admin).await;
    (app, admin, mechanic)
}

/// Starts the service; returns it with an admin, a mechanic who is online, and a customer whose vehicle has broken down.
pub async fn spawn_on_road() -> (TestApp, Person, OnRoad, Stranded) {
    let app = spawn_app().await;
    let admin = app.admin().await;
    let (mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    (app, admin, mechanic, stranded)
}

impl TestApp {
    /// Opens a socket of the scene's customer, which follows the job.
    pub async fn following(&self, scene: &Scene) -> Socket {
        let mut socket = self.socket(&scene.customer).await;
        socket.ask("job.subscribe", json!({"job_id": scene.job})).await.expect("subscribed");
        socket
    }
}
