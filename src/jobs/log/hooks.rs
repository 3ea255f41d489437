//! Hooks: what areas do within the transaction that changes a job.
//!
//! A hook is a function in the `job_hook.rs` of its area. `bridge/hooks.rs` lists them all, in their order.

use futures_util::future::BoxFuture;
use roadcall_actors::{
    ports::{Guard, JobChange},
    random::Random,
};
use sqlx::PgConnection;

use crate::platform::error::ApiError;

/// Checks the change, and writes its consequences.
pub type Hook =
    for<'a> fn(&'a mut PgConnection, &'a Random, &'a JobChange) -> BoxFuture<'a, Result<(), HookError>>;

/// The hooks that run before and after the job's row is written, each list in its order.
#[derive(Debug, Clone, Copy)]
pub struct Hooks {
    pub before: &'static [Hook],
    pub after: &'static [Hook],
}

/// The reason for which a hook stops the change; the transaction is rolled back.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// A rule refuses the change.
    #[error("a rule rejects the change: {0:?}")]
    Refused(Guard),
    /// The change is based on outdated rows: the caller loads the job and decides again.
    #[error("the rows have changed in the meantime")]
    Conflict,
    /// The change was committed before.
    #[error("the change was already committed")]
    AlreadyCommitted,
    #[error(transparent)]
    Failed(#[from] ApiError),
}
