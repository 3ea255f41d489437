//! Calls between the two sides of a job: who may call, how a call goes, and the signals of its two devices.
//!
//! | where | what |
//! | --- | --- |
//! | `state.rs`, `open.rs` | how a call goes, and when a job may be talked about (pure) |
//! | `acting.rs` | each step is one transaction: the call, the job's log, what people are told |
//! | `signals.rs` | what the two devices tell each other; passed on and never kept |
//! | `tokens.rs` | the way into a job's room |
//!
//! A call is a row with a deadline: whoever looks first after it ends the call, a request or the worker
//! (`workers/calls.rs`), so a restart changes nothing. Every step stands in the job's log (`bridge/outside.rs`), by which
//! sockets, streams and replays show it. Lock order: the job, then the call. No phone number is anywhere here.

mod acting;
mod dto;
mod handlers;
mod open;
mod queries;
mod signals;
mod state;
mod tokens;

use std::sync::Arc;

use chrono::TimeDelta;
use sqlx::{PgConnection, PgExecutor};
use tokio::sync::Notify;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

pub use acting::{accept, end_due, hang_up, invite, reject};
pub use dto::{Call, Payload, Signal, Signalled};
pub use signals::{Told, ring, signal};

use crate::{platform::error::ApiResult, state::AppState};

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::issue_call_token)
        .service(handlers::call_other_side)
        .service(handlers::list_job_calls)
        .service(handlers::accept_call)
        .service(handlers::reject_call)
        .service(handlers::end_call);
}

/// Wakes whoever ends calls: a job has moved on. The deadline is in the database: a ring that nobody hears costs a second.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<Notify>);

impl Bell {
    pub fn ring(&self) {
        self.0.notify_one();
    }

    /// Waits for a ring, or returns at once for one that came while nobody waited.
    pub async fn rung(&self) {
        self.0.notified().await;
    }
}

/// A call as it stands, with the mechanic it is with.
#[derive(Debug, Clone)]
pub struct Shown {
    pub call: Call,
    pub mechanic_profile_id: Uuid,
}

/// The call, for the log of its job; `None` where it is not kept any more.
pub async fn shown(state: &AppState, id: Uuid) -> ApiResult<Option<Shown>> {
    let row = queries::find(&state.db, id).await?;
    Ok(row.map(|row| Shown { mechanic_profile_id: row.mechanic_profile_id, call: row.into() }))
}

/// Those of the calls that ring.
pub async fn ringing_among(db: impl PgExecutor<'_>, ids: &[Uuid]) -> ApiResult<Vec<Uuid>> {
    Ok(queries::ringing_among(db, ids).await?)
}

/// The newest calls of a person, at most `limit`.
pub async fn of_person(db: &mut PgConnection, user_id: Uuid, limit: i64) -> ApiResult<Vec<Call>> {
    Ok(queries::of_person(db, user_id, limit).await?.into_iter().map(Call::from).collect())
}

/// Deletes calls that are older than they are kept, at most `limit` at once; tells how many.
pub async fn sweep(state: &AppState, limit: i64) -> ApiResult<u64> {
    let kept = TimeDelta::days(state.settings.calls.retention_days);
    Ok(queries::sweep(&state.db, state.clock.now() - kept, limit).await?)
}
