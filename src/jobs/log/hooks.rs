//! Hooks: what areas add to the transaction that changes a job.
//!
//! A hook is a pair of functions in the `job_hook.rs` of its area. The first is pure: it returns what goes with a change, as data
//! (rows to write, rows to lock, a condition to check), or `None`. The second writes the data of one or more changes.
//! `bridge/hooks.rs` lists all hooks in their order.

use futures_util::future::BoxFuture;
use roadcall_actors::{
    job::state::Event,
    ports::{Guard, JobChange},
    random::Random,
};
use sqlx::PgConnection;

use crate::platform::error::ApiError;

/// Writes the data of changes within their transaction.
pub type WriteHook =
    for<'a> fn(&'a mut PgConnection, &'a Random, &'a [&'a JobChange]) -> BoxFuture<'a, Result<(), HookError>>;

/// A hook without the type of its data.
#[derive(Debug, Clone, Copy)]
pub struct Hook {
    /// Returns whether the hook has data for the change.
    pub concerns: fn(&JobChange) -> bool,
    /// Whether changes that the hook concerns may be written together with those of other jobs. If so, the statements for several
    /// jobs do the hook's work (`together/`).
    pub is_shared: bool,
    /// Writes the data of changes that the hook concerns.
    pub write: WriteHook,
}

/// The hooks that run before and after the job's row is written, each list in its order.
#[derive(Debug, Clone, Copy)]
pub struct Hooks {
    pub before: &'static [Hook],
    pub after: &'static [Hook],
}

/// The way in which a change is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitPath {
    /// A statement that commits by itself writes it, alone or with changes of other jobs.
    Together,
    /// Another such statement writes it, alone or with other new jobs.
    Creation,
    /// It is written in a transaction of its own.
    Alone,
}

impl Hooks {
    /// Returns the way in which a change is written.
    pub fn path_of(self, change: &JobChange) -> CommitPath {
        let concerns = |hook: &&Hook| (hook.concerns)(change);
        let is_shared = self.before.iter().chain(self.after).filter(concerns).all(|hook| hook.is_shared);
        match change.event {
            _ if !is_shared => CommitPath::Alone,
            Event::Created { .. } => CommitPath::Creation,
            _ => CommitPath::Together,
        }
    }

    /// Returns whether the change writes rows in other tables after the job's row.
    pub fn writes_rows_after(self, change: &JobChange) -> bool {
        self.after.iter().any(|hook| (hook.concerns)(change))
    }
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

/// Runs the hooks that concern any of the changes, in their order.
pub(super) async fn run(
    hooks: &[Hook],
    tx: &mut PgConnection,
    random: &Random,
    changes: &[&JobChange],
) -> Result<(), HookError> {
    for hook in hooks {
        let concerned: Vec<&JobChange> =
            changes.iter().copied().filter(|change| (hook.concerns)(change)).collect();
        if !concerned.is_empty() {
            (hook.write)(tx, random, &concerned).await?;
        }
    }
    Ok(())
}
