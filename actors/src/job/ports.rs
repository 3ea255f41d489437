//! The ports through which jobs use the service.

use std::{collections::BTreeSet, fmt};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::state::{Actor, Event, Job, JobDetails, JobSpec};
use crate::{
    commit::{CommitError, LoadError},
    ids::{CommandId, JobId, MechanicId},
};

/// The journal, to which a job's decisions are committed before its actor acts on them.
pub trait JobJournal: fmt::Debug + Send + Sync + 'static {
    /// Commits one change: state, event and offers in one transaction.
    fn commit(&self, change: JobChange) -> BoxFuture<'_, Result<(), CommitError>>;

    /// Returns what is committed under this command's id, or `None` if nothing is.
    fn find_command(
        &self,
        job: JobId,
        command: CommandId,
    ) -> BoxFuture<'_, Result<Option<LoggedAs>, LoadError>>;

    /// Returns the job as it was committed last.
    fn load_job(&self, id: JobId) -> BoxFuture<'_, Result<Option<Job>, LoadError>>;
}

/// The trace of a command in its job's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoggedAs {
    /// The command was done.
    Done,
    /// The start code was wrong, which is counted and refused.
    WrongStartCode,
}

/// One commit to a job: its event, and the job before and afterwards.
#[derive(Debug, Clone)]
pub struct JobChange {
    pub command_id: CommandId,
    pub by: Actor,
    pub at: DateTime<Utc>,
    /// The job that the decision was based on; `None` if the job is being created.
    pub before: Option<Job>,
    pub event: Event,
    pub next: Job,
    /// The caller's idempotency mark, to be completed in the same transaction.
    pub idempotency: Option<Uuid>,
}

impl JobChange {
    /// Returns the version that the row must have; 0 if the job is being created.
    pub fn expected_version(&self) -> i64 {
        self.before.as_ref().map_or(0, |job| job.version)
    }
}

/// A job to be created.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobToCreate {
    pub id: JobId,
    pub spec: JobSpec,
    pub details: JobDetails,
    /// Mechanics who must not be offered the job, e.g. the customer themselves.
    pub excluded: BTreeSet<MechanicId>,
    pub idempotency: Option<Uuid>,
}
