//! Questions to the dispatcher. What jobs and mechanics report to it is in [`crate::messages`].

use actix::prelude::*;

use super::{
    pricing::Market,
    queries::{
        AdviceQuery, Availability, AvailabilityQuery, CandidatesQuery, DispatcherCounts, Fleet, FleetQuery,
        NearbyMechanic, NearestQuery, OutlookQuery, PricesQuery,
    },
};
use crate::{ids::MechanicId, messages::Advice, outbound::Outlook};

impl Message for AvailabilityQuery {
    type Result = Availability;
}

impl Message for NearestQuery {
    type Result = Vec<(MechanicId, f64)>;
}

impl Message for PricesQuery {
    type Result = Vec<Market>;
}

impl Message for CandidatesQuery {
    type Result = Vec<NearbyMechanic>;
}

impl Message for FleetQuery {
    type Result = Fleet;
}

/// [`Count`] and [`PricesQuery`] in one.
#[derive(Debug, Message)]
#[rtype(result = "(DispatcherCounts, Vec<Market>)")]
pub(crate) struct Survey;

impl Message for AdviceQuery {
    type Result = Option<Advice>;
}

impl Message for OutlookQuery {
    type Result = Outlook;
}

/// For operators and tests.
#[derive(Debug, Message)]
#[rtype(result = "DispatcherCounts")]
pub(crate) struct Count;
