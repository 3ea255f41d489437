//! What a job's actor is told and asked.

use std::collections::BTreeSet;

use actix::prelude::*;
use uuid::Uuid;

use super::{
    fee::{FeeQuote, Progress},
    state::{Actor, Command, Event, Job, JobDetails, JobSpec, Refusal},
};
use crate::ids::{CommandId, MechanicId};

/// Carry out a command; answered after its commit.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Done, Refusal>")]
pub(crate) struct Order {
    /// The same id again is the same command: it is carried out once.
    pub id: CommandId,
    pub by: Actor,
    pub command: Command,
}

/// Make the job this actor was started for.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Done, Refusal>")]
pub(crate) struct Open {
    pub id: CommandId,
    pub by: Actor,
    pub spec: JobSpec,
    pub details: JobDetails,
    pub excluded: BTreeSet<MechanicId>,
    pub idempotency: Option<Uuid>,
}

/// What a command led to.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// `None` where the same command had succeeded before.
    pub event: Option<Event>,
    /// The job as it stands now.
    pub job: Job,
}

/// What would cancelling cost now.
#[derive(Debug, Message)]
#[rtype(result = "Result<FeeQuote, Refusal>")]
pub(crate) struct QuoteFee {
    pub progress: Progress,
}

/// Someone else changed the job's row: load it again.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Refresh;

/// The dispatcher or a mechanic's actor starts anew: say where you stand.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Announce;

/// For operators and tests.
#[derive(Debug, Message)]
#[rtype(result = "Result<Job, Refusal>")]
pub(crate) struct Look;

/// A timer: something may be due. Carries the version it was set for, so that a late one is ignored.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Wake {
    pub version: i64,
}
