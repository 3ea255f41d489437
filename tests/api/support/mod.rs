//! The basis of every test: the whole service on its own port with its own database, and a client that checks every
//! response against the OpenAPI document.

mod answers;
mod app;
mod asking;
pub mod bodies;
pub mod browser;
pub mod cases;
mod client;
pub mod collector;
pub mod disk;
pub mod document;
pub mod fcm;
mod fixtures;
pub mod geocoders;
pub mod hms;
pub mod hooks;
pub mod kannel;
pub mod listed;
mod looking;
pub mod mail_server;
pub mod money;
mod nats;
pub mod oidc_provider;
pub mod osrm;
pub mod partners;
mod paying;
pub mod peer;
pub mod programs;
pub mod razorpay;
pub mod receiver;
pub mod roadside;
pub mod rows;
mod signed_in;
pub mod sms_gateway;
pub mod socket;
pub mod source;
pub mod stream;
mod table;
pub mod town;
pub mod twilio;
pub mod uploads;
pub mod wire;

pub use answers::statuses;
pub use app::{
    TestApp, limits_of_production, midday, spawn_accepted, spawn_admin_with, spawn_app, spawn_app_as,
    spawn_app_at, spawn_app_behind, spawn_app_behind_as, spawn_app_with, spawn_beside, spawn_cluster,
    spawn_cluster_as, spawn_cluster_by, spawn_cluster_with, spawn_with_admin, spawn_with_breakdown,
    spawn_with_customer, spawn_with_super_admin,
};
pub use bodies::AssertFields;
pub use client::{Answer, Client, plain_http};
pub use fixtures::{spawn_completed, spawn_on_road, spawn_wide, spawn_with_mechanic, wide_limits};
pub use looking::{until, until_so};
pub use nats::{Nats, NatsWay};
pub use roadside::{OnRoad, Scene, Stranded};
pub use signed_in::{MechanicClient, PASSWORD, Person, new_phone};
pub use socket::Socket;
pub use table::{CALLERS, OK, Row, World, all_rows, fill};

use std::{
    net::{Ipv4Addr, TcpListener},
    process,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

/// Far longer than anything here takes; reached only if something never happens.
pub const LIMIT: Duration = Duration::from_secs(120);

/// Waits, with a limit, for something that must happen; `what` is for the message.
pub async fn within<T>(what: &str, happening: impl Future<Output = T>) -> T {
    match tokio::time::timeout(LIMIT, happening).await {
        Ok(value) => value,
        Err(_) => panic!("did not happen within {} s: {what}", LIMIT.as_secs()),
    }
}

/// Asks until the answer fits, and returns it. Nothing signals what a worker or another process does; the pauses stay within the
/// limit of a person's requests.
pub async fn until_fits<T>(what: &str, ask: impl AsyncFn() -> T, fits: impl Fn(&T) -> bool) -> T {
    within(what, async {
        loop {
            let answer = ask().await;
            if fits(&answer) {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await
}

/// Returns ports that nobody listens on, for programs that don't choose their own. No two of a process are the same, and all lie
/// below those that the system gives to connections, so that none is taken before its program starts, or between two starts.
pub fn free_ports<const COUNT: usize>() -> [u16; COUNT] {
    const FIRST: u16 = 20_000;
    const PORTS: u32 = 12_000;
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    [(); COUNT].map(|()| {
        loop {
            // Simultaneous processes begin at different numbers.
            let number = process::id().wrapping_mul(97).wrapping_add(NUMBER.fetch_add(1, Ordering::Relaxed));
            let port = FIRST + u16::try_from(number % PORTS).expect("below 12,000");
            if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
                return port;
            }
        }
    })
}
