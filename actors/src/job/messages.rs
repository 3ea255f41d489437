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

/// Whether an actor has started to execute a command. Clones share the flag: when an actor dies and the command is
/// repeated to its successor, the flag shows whether the first actor may have committed it.
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

/// Executes a command; answered after its commit.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Done, Refusal>")]
pub(crate) struct Order {
    /// Identifies the command: a second order with the same id is not executed again.
    pub id: CommandId,
    pub by: Actor,
    pub command: Command,
    pub started: StartedFlag,
}

/// Creates the job that this actor was started for.
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

/// Has the actor load the job's row again, which another writer changed, unless this version is known.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Reload(pub Option<i64>);

/// Gives the actor the job after another writer changed its row.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Adopt(pub Arc<Job>);

/// Asks for the outcome of a command whose answer its caller missed: the current job, if the command is in its log.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Result<Option<Job>, Refusal>")]
pub(crate) struct FindCommand(pub CommandId);

/// Has the job report again, because the dispatcher or a mechanic's actor restarted.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Announce;

/// Asks for the job.
#[derive(Debug, Message)]
#[rtype(result = "Result<Job, Refusal>")]
pub(crate) struct GetJob;

/// Fires when something may be due. Carries the version that the timer was set for, so that a late one is ignored.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Wake {
    pub version: i64,
}
