//! What the dispatcher is told and asked.

use actix::prelude::*;

use super::view::{Availability, DispatcherCounts, Nearest, Survey, View, Want};
use crate::ids::{JobId, MechanicId};

/// A job's word: so many offers are wanted now, or none.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Demand {
    pub job_id: JobId,
    pub want: Option<Want>,
}

/// A mechanic's word: this is how it may be matched, or not at all.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Supply {
    pub mechanic_id: MechanicId,
    pub view: Option<View>,
}

impl Message for Survey {
    type Result = Availability;
}

impl Message for Nearest {
    type Result = Vec<(MechanicId, f64)>;
}

/// For operators and tests.
#[derive(Debug, Message)]
#[rtype(result = "DispatcherCounts")]
pub(crate) struct Count;
