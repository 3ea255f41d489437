//! Requests to a job's actor.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use actix::prelude::*;
use uuid::Uuid;

use super::state::{Actor, Command, Done, Job, JobDetails, JobSpec, Refusal};
use crate::ids::{CommandId, MechanicId};

/// Whether an actor has started to execute a command. Clones share it: when an actor dies and the command is repeated
/// to its successor, it shows whether the first one may have committed it.
#[derive(Debug, Clone, Default)]
pub(crate) struct StartedFlag(Arc<AtomicBool>);

impl StartedFlag {
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub(crate) fn get(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Execute a command; answered after its commit.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Done, Refusal>")]
pub(crate) struct Order {
    /// The same id again is the same command: it is executed once.
    pub id: CommandId,
    pub by: Actor,
    pub command: Command,
    pub started: StartedFlag,
}

/// Create the job that this actor was started for.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Done, Refusal>")]
pub(crate) struct CreateJob {
    pub id: CommandId,
    pub by: Actor,
    pub spec: JobSpec,
    pub details: JobDetails,
    pub excluded: BTreeSet<MechanicId>,
    pub idempotency: Option<Uuid>,
    pub started: StartedFlag,
}

/// Someone else changed the job's row: load it again, unless this version is known.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Reload(pub Option<i64>);

/// Someone else changed the job's row, and this is the job now.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Adopt(pub Arc<Job>);

/// What became of a command whose answer its caller missed: the job as it is now, if the command is in its log.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Result<Option<Job>, Refusal>")]
pub(crate) struct FindCommand(pub CommandId);

/// The dispatcher or a mechanic's actor restarted: report again.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Announce;

/// For operators and tests.
#[derive(Debug, Message)]
#[rtype(result = "Result<Job, Refusal>")]
pub(crate) struct GetJob;

/// A timer: something may be due. Carries the version it was set for, so that a late one is ignored.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Wake {
    pub version: i64,
}
