//! What every handler can reach.

use std::sync::Arc;

use actix_web::{HttpRequest, web::Data};
use roadcall_actors::{EngineHandle, clock::Clock, random::Random};
use tokio::{sync::watch, task::JoinHandle};
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

use crate::{
    accounts::auth::AuthState,
    bridge::{Decisions, Trail},
    catalogue::dispatch_settings::DispatchConfig,
    edge::health::Readiness,
    fleet::eta::Etas,
    http::RateLimits,
    messaging::calls,
    money::{payments::Money, wallet::Bell},
    notifications::Bells,
    openapi::Document,
    platform::{db::Db, settings::Settings},
    providers::{
        gateway::{Gateway, WebhookKeys},
        payouts::Payouts,
        push::Push,
        rooms::Rooms,
        storage::Stores,
    },
    sandbox::Sandbox,
    ws::{Hub, Openings},
};

/// The service's parts, made once in `app.rs` and shared by all workers.
#[derive(Debug, Clone)]
pub struct AppState {
    pub settings: Arc<Settings>,
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    /// The OpenAPI document, and the routes it names.
    pub document: Arc<Document>,
    /// Requests and socket commands under way, those of clients that are gone included.
    pub tasks: TaskTracker,
    pub limits: Arc<RateLimits>,
    pub readiness: Arc<Readiness>,
    /// Turns true when the service begins to stop: sockets then say so and close with 1001.
    pub drain: watch::Receiver<bool>,
    pub auth: AuthState,
    pub engine: EngineHandle,
    pub etas: Etas,
    pub trail: Trail,
    pub decisions: Decisions,
    /// How jobs are dispatched now.
    pub dispatch: DispatchConfig,
    /// What payments keep in memory.
    pub money: Money,
    /// The open sockets.
    pub hub: Hub,
    /// The sockets that are being opened.
    pub openings: Openings,
    pub gateway: Arc<dyn Gateway>,
    pub payouts: Arc<dyn Payouts>,
    /// Where the bytes of uploads are.
    pub stores: Stores,
    /// A withdrawal was asked for.
    pub payout_bell: Bell,
    /// Where the two sides of a call hear each other.
    pub rooms: Arc<dyn Rooms>,
    /// A job has moved on: its call may be over.
    pub call_bell: calls::Bell,
    /// Pushes to devices.
    pub push: Arc<dyn Push>,
    /// Somebody was told something.
    pub notes: Bells,
    /// What webhooks are signed with.
    pub webhook_keys: WebhookKeys,
    /// The gateway, the payout provider, or both, unless they are real.
    pub sandbox: Option<Sandbox>,
}

impl AppState {
    /// Runs work that a client has asked for to its end, also when the client goes away and whoever waits for it is dropped.
    /// A stop waits for it.
    pub fn run<T: 'static>(&self, work: impl Future<Output = T> + 'static) -> JoinHandle<T> {
        actix_web::rt::spawn(self.tasks.track_future(work.in_current_span()))
    }

    /// The state behind a request.
    pub fn of(request: &HttpRequest) -> &Data<AppState> {
        request.app_data::<Data<AppState>>().expect("app.rs gives every request the state")
    }
}
