//! What a job's actor is told and asked.

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

/// Whether an actor began with a command. Clones share it, so that whoever repeats a command to the next actor knows
/// whether the one that died may have committed it.
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

/// Carry out a command; answered after its commit.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Done, Refusal>")]
pub(crate) struct Order {
    /// The same id again is the same command: it is carried out once.
    pub id: CommandId,
    pub by: Actor,
    pub command: Command,
    pub started: StartedFlag,
}

/// Make the job this actor was started for.
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

/// Someone else changed the job's row: load it again.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Refresh;

/// The dispatcher or a mechanic's actor starts anew: say where you stand.
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
