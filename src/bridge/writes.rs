//! Writes the changes of jobs' actors: by one statement, in one transaction, or in a transaction of their own
//! (`jobs::log::CommitPath`).
//!
//! The statement writes what can be written at once. A change that it leaves out, and each change of several that fail together,
//! is then written in a transaction of its own: only this waits for locks, and tells why a change is refused.

use std::{slice, sync::Arc};

use roadcall_actors::{
    ports::{CommitError, JobChange},
    random::Random,
};

use super::hooks::HOOKS;
use crate::{
    jobs::{
        JobEventRow,
        log::{self, CommitPath, NotTogether, PreparedChange},
    },
    platform::{db::Db, error::was_rolled_back},
};

/// Writes changes of jobs.
#[derive(Debug, Clone)]
pub struct JobWriter {
    db: Db,
    random: Random,
}

/// The log's new entry of a change that is committed, if the entry shows the row.
type Committed = Option<JobEventRow>;

/// The outcome of a change that was written together with others, or `None` if it surely was not written, and is to be written
/// alone.
type Outcome = Option<Result<Committed, CommitError>>;

/// The reason why changes were not written together.
#[derive(Debug)]
enum NotWritten {
    /// Each change has this outcome: there was no connection, or no answer.
    All(CommitError),
    /// Everything was rolled back because of one of the changes.
    RolledBack(CommitError),
}

impl JobWriter {
    pub fn new(db: Db, random: Random) -> Self {
        Self { db, random }
    }

    /// Commits a change.
    pub async fn write(&self, change: JobChange) -> Result<Committed, CommitError> {
        let prepared = Arc::new(PreparedChange::new(&self.random, change));
        let path = HOOKS.path_of(&prepared.change);
        let outcome = match path {
            CommitPath::Alone => None,
            CommitPath::Statement | CommitPath::Transaction => {
                self.write_together(path, slice::from_ref(&prepared)).await.pop().flatten()
            }
        };
        match outcome {
            Some(outcome) => outcome,
            None => self.write_alone(&prepared).await,
        }
    }

    async fn write_alone(&self, prepared: &PreparedChange) -> Result<Committed, CommitError> {
        // Nothing is committed before `commit` is sent, so a change that fails earlier has surely not happened.
        let mut tx = self.db.begin().await.map_err(failed)?;
        let entry = log::append_prepared(&mut tx, &self.random, HOOKS, prepared).await?;
        match tx.commit().await {
            Ok(()) => Ok(entry),
            Err(error) if was_rolled_back(&error) => Err(log::refused(error)),
            Err(error) => Err(CommitError::Unknown(error.to_string())),
        }
    }

    /// Returns the outcomes in the order of the changes.
    async fn write_together(&self, path: CommitPath, changes: &[Arc<PreparedChange>]) -> Vec<Outcome> {
        let written = match path {
            CommitPath::Statement => self.write_by_statement(changes).await,
            CommitPath::Transaction | CommitPath::Alone => self.write_in_transaction(changes).await,
        };
        match written {
            Ok(written) => written.into_iter().map(|entry| entry.ok().map(Ok)).collect(),
            Err(NotWritten::All(error)) => changes.iter().map(|_| Some(Err(error.clone()))).collect(),
            Err(NotWritten::RolledBack(error)) if changes.len() == 1 => vec![Some(Err(error))],
            Err(NotWritten::RolledBack(error)) => {
                let count = changes.len();
                tracing::debug!(%error, count, "changes that failed together are written one by one");
                changes.iter().map(|_| None).collect()
            }
        }
    }

    async fn write_by_statement(
        &self,
        changes: &[Arc<PreparedChange>],
    ) -> Result<Vec<Result<Committed, NotTogether>>, NotWritten> {
        let mut connection = self.db.acquire().await.map_err(not_connected)?;
        let written = log::append_together(&mut connection, changes).await;
        connection.ended(written).map_err(ended)
    }

    async fn write_in_transaction(
        &self,
        changes: &[Arc<PreparedChange>],
    ) -> Result<Vec<Result<Committed, NotTogether>>, NotWritten> {
        let mut tx = self.db.begin().await.map_err(not_connected)?;
        let written = log::append_together(&mut tx, changes).await;
        let written = written.map_err(log::refused).map_err(NotWritten::RolledBack)?;
        let followed: Vec<&JobChange> = changes
            .iter()
            .zip(&written)
            .filter_map(|(prepared, entry)| entry.is_ok().then_some(&prepared.change))
            .collect();
        let followed = HOOKS.follow(&mut tx, &self.random, &followed).await;
        followed.map_err(log::stopped).map_err(NotWritten::RolledBack)?;
        tx.commit().await.map_err(ended)?;
        Ok(written)
    }
}

/// Converts the error of a connection that was not lent, so that nothing was sent.
fn not_connected(error: sqlx::Error) -> NotWritten {
    NotWritten::All(failed(error))
}

/// Converts the error of what commits: the changes may be committed unless the database said otherwise.
fn ended(error: sqlx::Error) -> NotWritten {
    match was_rolled_back(&error) {
        true => NotWritten::RolledBack(log::refused(error)),
        false => NotWritten::All(CommitError::Unknown(error.to_string())),
    }
}

fn failed(error: sqlx::Error) -> CommitError {
    CommitError::Failed(error.to_string())
}
