//! What every test starts from: the whole service on a port of its own with a database of its own, and a client
//! whose every answer is held against the OpenAPI document.

mod app;
pub mod bodies;
mod client;
pub mod document;
pub mod fcm;
pub mod hms;
pub mod money;
pub mod osrm;
pub mod razorpay;
pub mod receiver;
pub mod roadside;
pub mod rows;
mod signed_in;
pub mod socket;
pub mod stream;
mod table;
pub mod twilio;
pub mod uploads;
pub mod wire;

pub use app::{TestApp, spawn_app, spawn_app_as, spawn_app_behind, spawn_app_with};
pub use client::{Answer, Client, plain_http};
pub use roadside::{OnRoad, Stranded};
pub use signed_in::{PASSWORD, Person, new_phone};
pub use socket::Socket;
pub use table::{CALLERS, OK, Row, TABLE, World, fill};

use std::time::Duration;

/// Far above what anything here takes; reached only when something never happens.
pub const LIMIT: Duration = Duration::from_secs(30);

/// Waits for what must happen, with a limit; `what` is for the message.
pub async fn within<T>(what: &str, happening: impl Future<Output = T>) -> T {
    match tokio::time::timeout(LIMIT, happening).await {
        Ok(value) => value,
        Err(_) => panic!("did not happen within {} s: {what}", LIMIT.as_secs()),
    }
}
