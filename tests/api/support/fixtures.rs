//! Services that start with the people and jobs that many tests need.

use roadcall::service::settings::Settings;
use serde_json::json;

use super::{
    OnRoad, Person, Scene, Socket, Stranded, TestApp, signed_in::MechanicClient, spawn_app, spawn_app_with,
};

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

/// Changes the limits to more than a few people at one address reach who send every request that there is.
pub fn wide_limits(settings: &mut Settings) {
    settings.limits.admin_login_per_minute = 1_000_000;
    settings.limits.per_user_per_minute = 1_000_000;
    settings.limits.export_per_minute = 1_000_000;
    settings.limits.create_job_per_minute = 1_000_000;
    settings.limits.hand_overs_per_minute = 1_000_000;
    settings.limits.register_mechanic_per_minute = 100_000;
    settings.chat.messages_per_minute = 1_000_000;
    settings.calls.invites_per_minute = 1_000_000;
    settings.shares.requests_per_minute = 100_000;
    settings.fees.max_unpaid_paise = 1_000_000_000;
    settings.fees.max_unpaid_in_accident_paise = 1_000_000_000;
}

/// Starts the service with [`wide_limits`].
pub async fn spawn_wide() -> TestApp {
    spawn_app_with(wide_limits).await
}
