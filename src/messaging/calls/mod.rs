//! Calls between the two sides of a job: who may call, how a call goes, and the signals of its two devices. The guest of a link
//! is one more device on the customer's side.
//!
//! | where | what |
//! | --- | --- |
//! | `state.rs`, `availability.rs` | how a call goes, and when a job may be talked about (pure) |
//! | `actions.rs` | each step is one transaction: the call, the job's log, the notifications |
//! | `signals.rs` | what the two devices send each other; never stored |
//! | `guests.rs` | what only guests need |
//! | `tokens.rs` | the way into a job's room |
//!
//! A call is a row with a deadline: whoever looks first after it ends the call, a request or the worker
//! (`workers/calls.rs`), so a restart changes nothing. Every step is an event of the job's log, from which
//! sockets, streams and replays show it. Lock order: the job, then the call. No phone number is anywhere here.

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

pub use actions::{accept, end_due, hang_up, invite, reject, visible as find_own};
pub use dto::{Call, CallToken, NewSignal, SharedCall, Signal, SignalPayload, Signalled};
pub use guests::{hang_up_for, live_of_guest};
pub use signals::{SentSignal, ring, signal};
pub use tokens::issue as issue_token;

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
    /// The provider of the rooms in which the two sides talk.
    pub rooms: Arc<dyn Rooms>,
}

impl Deref for CallsContext {
    type Target = JobsContext;

    fn deref(&self) -> &JobsContext {
        &self.jobs
    }
}

/// The open sockets of a person's devices: all of them, or the one of a sign-in. A guest's link is a person with one device.
pub trait CallSockets: fmt::Debug + Send + Sync {
    /// A call rings. A device that misses it gets a push.
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
        .service(handlers::accept_call)
        .service(handlers::reject_call)
        .service(handlers::end_call);
}

/// A call as it stands, with the mechanic it is with.
#[derive(Debug, Clone)]
pub struct Shown {
    pub call: Call,
    pub mechanic_profile_id: Uuid,
}

/// The call, for the log of its job; `None` where it is not kept any more.
pub async fn shown(core: &Core, id: Uuid) -> ApiResult<Option<Shown>> {
    let row = queries::find(&core.db, id).await?;
    Ok(row.map(|row| Shown { mechanic_profile_id: row.mechanic_profile_id, call: row.into() }))
}

/// The newest calls of a person, at most `limit`.
pub async fn of_person(db: &mut PgConnection, user_id: Uuid, limit: i64) -> ApiResult<Vec<Call>> {
    Ok(queries::of_person(db, user_id, limit).await?.into_iter().map(Call::from).collect())
}

/// Deletes calls that are older than they are kept, at most `limit` at once; returns how many.
pub async fn sweep(context: &CallsContext, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(context.settings.calls.retention_days);
    Ok(queries::sweep(&context.db, context.clock.now() - kept, limit).await?)
}
