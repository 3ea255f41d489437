//! Calls between the two sides of a job: who may call, how a call goes, and the signals of its two devices. The guest of a link
//! is another device on the customer's side.
//!
//! | where | what |
//! | --- | --- |
//! | `state.rs`, `availability.rs` | how a call goes, and when a job may be talked about (pure) |
//! | `actions.rs` | each step is one transaction: the call, the job's log, the notifications |
//! | `signals.rs` | what the two devices send each other; never stored |
//! | `guests.rs` | the call that the guest of a link sees |
//! | `tokens.rs` | tokens for a job's room |
//!
//! A call is a row with a deadline. The first request or worker (`workers/mod.rs`) that finds it overdue ends it, so a restart
//! changes nothing. Every step is an event of the job's log, from which sockets, streams and replays show it. Lock order: the job,
//! the call, the share link. No phone number appears here.

mod actions;
mod availability;
mod dto;
mod guests;
mod handlers;
mod queries;
mod signals;
mod state;
mod tokens;

use chrono::TimeDelta;
use sqlx::PgConnection;
use std::{fmt, ops::Deref, sync::Arc};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

pub use actions::{OwnCall, accept, end_due, hang_up, hang_up_for, invite, reject};
pub use dto::{Call, CallToken, NewSignal, SharedCall, Signal, SignalPayload, Signalled};
pub use guests::live_of_guest;
pub use signals::{SentSignal, ring, signal, signal_as_guest};
pub use tokens::issue_as_guest as issue_token_as_guest;

use crate::{
    http::RateLimits,
    jobs::JobsContext,
    platform::{core::Core, error::ApiResult},
    providers::rooms::Rooms,
};

/// What a call needs.
#[derive(Debug, Clone)]
pub struct CallsContext {
    pub jobs: JobsContext,
    pub sockets: Arc<dyn CallSockets>,
    pub limits: Arc<RateLimits>,
    /// The rooms' provider.
    pub rooms: Arc<dyn Rooms>,
}

impl Deref for CallsContext {
    type Target = JobsContext;

    fn deref(&self) -> &JobsContext {
        &self.jobs
    }
}

/// The open sockets of a person's devices: all of them, or those of one sign-in. A guest's link counts as a person with one device.
pub trait CallSockets: fmt::Debug + Send + Sync {
    /// A call rings. Devices that miss this get a push.
    fn rings(&self, person: Uuid, device: Option<Uuid>, call: &Call);

    /// Whether any of their devices is connected.
    fn is_open(&self, person: Uuid) -> bool;

    /// A signal of a call. Returns whether any socket had room for it.
    fn signal(&self, person: Uuid, device: Option<Uuid>, signal: &Arc<SentSignal>) -> bool;
}

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::issue_call_token)
        .service(handlers::call_other_side)
        .service(handlers::list_job_calls)
        .service(handlers::get_call)
        .service(handlers::accept_call)
        .service(handlers::reject_call)
        .service(handlers::end_call);
}

/// A call in its current state, and its mechanic.
#[derive(Debug, Clone)]
pub struct Shown {
    pub call: Call,
    pub mechanic_profile_id: Uuid,
}

/// The call, for the log of its job; `None` once it was deleted.
pub async fn shown(core: &Core, id: Uuid) -> ApiResult<Option<Shown>> {
    let row = queries::find(&core.db, id).await?;
    Ok(row.map(|row| Shown { mechanic_profile_id: row.mechanic_profile_id, call: row.into() }))
}

/// A person's newest calls, at most `limit`.
pub async fn of_person(db: &mut PgConnection, user_id: Uuid, limit: i64) -> ApiResult<Vec<Call>> {
    Ok(queries::of_person(db, user_id, limit).await?.into_iter().map(Call::from).collect())
}

/// Deletes calls older than `calls.retention_days`, at most `limit` at once; returns how many.
pub async fn sweep(context: &CallsContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.settings.calls.retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
