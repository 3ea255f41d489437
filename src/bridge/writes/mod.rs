//! Writes the changes of jobs' actors: by a statement that commits by itself, or in a transaction of their own
//! (`jobs::log::CommitPath`).
//!
//! Changes that arrive during a write are written together afterwards (`platform/db/write_queue/`): those of existing jobs, new jobs of
//! people, and new jobs of organisations apart. What can't be written at once, because a condition does not hold or another
//! transaction holds a row, is left out, and an error rolls everything back. Each of these changes is then written in a transaction of
//! its own, which waits for locks, and tells why a change is refused. Together, only new jobs of organisations wait, for their
//! accounts, and so people do not wait with them. A change whose write got no answer is looked up in the log, and written alone if it
//! is not there.

use std::sync::Arc;

use futures_util::future::FutureExt;
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
    platform::{
        db::{Db, Transaction, WORTH_ANOTHER, WriteQueue},
        error::was_rolled_back,
        telemetry,
    },
};

/// Writes changes of jobs. All clones share the queues.
#[derive(Debug, Clone)]
pub struct JobWriter {
    connections: Connections,
    changes: WriteQueue<Arc<PreparedChange>, Outcome>,
    creations: WriteQueue<Arc<PreparedChange>, Outcome>,
    /// New jobs of organisations.
    orders: WriteQueue<Arc<PreparedChange>, Outcome>,
}

#[derive(Debug, Clone)]
struct Connections {
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
    /// The changes were not sent, for lack of a connection.
    NotConnected(CommitError),
    /// The changes may be committed, because there was no answer.
    Unknown(CommitError),
    /// Everything was rolled back because of one of the changes.
    RolledBack(CommitError),
}

impl JobWriter {
    /// Writes on the current runtime, which has to outlive the callers.
    pub fn new(db: Db, random: Random) -> Self {
        let connections = Connections { db, random };
        let queue = |how, path, worth_another| {
            let connections = connections.clone();
            WriteQueue::new(how, worth_another, move |changes| {
                let connections = connections.clone();
                async move { connections.write_together(path, changes).await }.boxed()
            })
        };
        let changes = queue("together", CommitPath::Together, WORTH_ANOTHER);
        let creations = queue("creation", CommitPath::Creation, WORTH_ANOTHER);
        // A write may wait for the account of one organisation, and the others don't wait with it.
        let orders = queue("creation", CommitPath::Creation, 1);
        Self { connections, changes, creations, orders }
    }

    /// Commits a change.
    pub async fn write(&self, change: JobChange) -> Result<Committed, CommitError> {
        let prepared = Arc::new(PreparedChange::new(&self.connections.random, change));
        let queue = match HOOKS.path_of(&prepared.change) {
            CommitPath::Together => &self.changes,
            CommitPath::Creation if prepared.change.next.spec.on_account.is_some() => &self.orders,
            CommitPath::Creation => &self.creations,
            CommitPath::Alone => return self.connections.write_alone(&prepared).await,
        };
        match queue.write(prepared.clone(), prepared.bytes()).await {
            Ok(Some(Err(CommitError::Unknown(why)))) => self.connections.write_again(&prepared, why).await,
            Ok(Some(outcome)) => outcome,
            Ok(None) => self.connections.write_alone(&prepared).await,
            Err(_) => Err(CommitError::Unknown("the write was interrupted".to_owned())),
        }
    }
}

impl Connections {
    async fn write_alone(&self, prepared: &PreparedChange) -> Result<Committed, CommitError> {
        self.write_in(self.db.begin().await.map_err(failed)?, prepared).await
    }

    /// Writes a change that may have happened, because its write got no answer. Both writes can't happen: each needs the version
    /// for which the change was decided.
    async fn write_again(&self, prepared: &PreparedChange, why: String) -> Result<Committed, CommitError> {
        let JobChange { next, command_id, .. } = &prepared.change;
        let again = async {
            let mut tx = self.db.begin().await.map_err(failed)?;
            let found = log::find_command(&mut *tx, next.id.0, command_id.0).await.map_err(failed)?;
            match found {
                Some(_) => Err(CommitError::AlreadyCommitted),
                None => self.write_in(tx, prepared).await,
            }
        };
        match again.await {
            certain @ (Ok(_) | Err(CommitError::AlreadyCommitted)) => certain,
            // The first write may be the reason, since it may still happen.
            Err(_) => Err(CommitError::Unknown(why)),
        }
    }

    async fn write_in(
        &self,
        mut tx: Transaction,
        prepared: &PreparedChange,
    ) -> Result<Committed, CommitError> {
        telemetry::measure_write("alone", 1);
        // Nothing is committed before `commit` is sent, so a change that fails earlier has certainly not happened.
        let entry = log::append_prepared(&mut tx, &self.random, HOOKS, prepared).await?;
        match tx.commit().await {
            Ok(()) => Ok(entry),
            Err(error) if was_rolled_back(&error) => Err(log::refused(error)),
            Err(error) => Err(CommitError::Unknown(error.to_string())),
        }
    }

    /// Returns the outcomes in the order of the changes, or the outcome for everybody if nothing can be written now.
    async fn write_together(
        &self,
        path: CommitPath,
        changes: Vec<Arc<PreparedChange>>,
    ) -> Result<Vec<Outcome>, Outcome> {
        let count = changes.len();
        let written = self.write_by_statement(path, &changes).await;
        match written {
            Ok(written) => Ok(written.into_iter().map(|entry| entry.ok().map(Ok)).collect()),
            Err(NotWritten::NotConnected(error)) => Err(Some(Err(error))),
            Err(NotWritten::Unknown(error)) => Ok(vec![Some(Err(error)); count]),
            Err(NotWritten::RolledBack(error)) if count == 1 => Ok(vec![Some(Err(error))]),
            Err(NotWritten::RolledBack(error)) => {
                tracing::debug!(%error, count, "changes that failed together are written one by one");
                Ok(vec![None; count])
            }
        }
    }

    async fn write_by_statement(
        &self,
        path: CommitPath,
        changes: &[Arc<PreparedChange>],
    ) -> Result<Vec<Result<Committed, NotTogether>>, NotWritten> {
        let mut connection = self.db.acquire_to_write().await.map_err(not_connected)?;
        let written = match path {
            CommitPath::Creation => log::create_together(&mut connection, changes).await,
            CommitPath::Together | CommitPath::Alone => {
                log::append_together(&mut connection, &self.random, changes).await
            }
        };
        connection.ended(written).map_err(ended)
    }
}

fn not_connected(error: sqlx::Error) -> NotWritten {
    NotWritten::NotConnected(failed(error))
}

/// Converts the error of a statement that commits by itself.
fn ended(error: sqlx::Error) -> NotWritten {
    match was_rolled_back(&error) {
        true => NotWritten::RolledBack(log::refused(error)),
        false => NotWritten::Unknown(CommitError::Unknown(error.to_string())),
    }
}

fn failed(error: sqlx::Error) -> CommitError {
    CommitError::Failed(error.to_string())
}

#[cfg(test)]
mod tests;
