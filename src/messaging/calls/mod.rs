//! Calls between the two sides of a job: who may call, the states of a call, and the signals of its two devices. The guest of a
//! link is another device on the customer's side.
//!
//! | where | what |
//! | --- | --- |
//! | `state/`, `availability.rs`, `due.rs` | the states of a call, and when people may call about a job (pure) |
//! | `owned.rs` | who takes part in a call, and who may see one |
//! | `actions.rs` | the steps of a call; each is one transaction for the call, the job's log and the notifications |
//! | `signals.rs` | signals between the two devices; never stored |
//! | `guests.rs` | the call that the guest of a link sees |
//! | `tokens.rs` | tokens for a job's room |
//!
//! A call is a row with a deadline. The first request or worker (`workers/mod.rs`) that finds it overdue ends it, so a restart
//! changes nothing. Every step is an event of the job's log, from which sockets, streams and replays show it. Lock order: the job,
//! the call, the share link. No phone number appears here.

mod actions;
mod availability;
mod context;
mod dto;
mod due;
mod guests;
mod handlers;
mod owned;
mod queries;
mod refusals;
mod signals;
mod state;
mod tokens;

use sqlx::PgConnection;
use uuid::Uuid;

pub use actions::{accept, end_due, hang_up, hang_up_for, invite, reject, sweep};
pub use context::{CallSockets, CallsContext};
pub use dto::{Call, CallToken, NewSignal, SentSignal, SharedCall, Signal, SignalPayload, Signalled};
pub use guests::live_of_guest;
pub use owned::OwnCall;
pub use signals::{ring, signal, signal_as_guest};
pub use tokens::issue_as_guest as issue_token_as_guest;

use crate::{
    http::Routes,
    platform::{core::Core, error::ApiResult},
};

pub fn routes(config: &mut Routes) {
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

/// Returns the call for the log of its job; `None` once it was deleted.
pub async fn shown(core: &Core, id: Uuid) -> ApiResult<Option<Shown>> {
    let row = queries::find(&core.db, id).await?;
    Ok(row.map(|row| Shown { mechanic_profile_id: row.mechanic_profile_id, call: row.into() }))
}

/// Returns a person's newest calls, at most `limit`.
pub async fn of_person(db: &mut PgConnection, user_id: Uuid, limit: i64) -> ApiResult<Vec<Call>> {
    Ok(queries::of_person(db, user_id, limit).await?.into_iter().map(Call::from).collect())
}
