//! Questions to the dispatcher. What jobs and mechanics report to it is in [`crate::messages`].

use actix::prelude::*;

use super::queries::{Availability, AvailabilityQuery, DispatcherCounts, NearestQuery};
use crate::ids::MechanicId;

impl Message for AvailabilityQuery {
    type Result = Availability;
}

impl Message for NearestQuery {
    type Result = Vec<(MechanicId, f64)>;
}

/// For operators and tests.
#[derive(Debug, Message)]
#[rtype(result = "DispatcherCounts")]
pub(crate) struct Count;
