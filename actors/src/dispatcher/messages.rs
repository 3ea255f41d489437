//! Questions to the dispatcher. The reports of jobs and mechanics to it are in [`crate::messages`].

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

/// Asks for both [`Count`] and [`PricesQuery`].
#[derive(Debug, Message)]
#[rtype(result = "(DispatcherCounts, Vec<Market>)")]
pub(crate) struct Survey;

impl Message for AdviceQuery {
    type Result = Option<Advice>;
}

impl Message for OutlookQuery {
    type Result = Outlook;
}

/// Asks for both an [`AvailabilityQuery`] and an [`OutlookQuery`].
#[derive(Debug, Message)]
#[rtype(result = "(Availability, Outlook)")]
pub(crate) struct Expectation {
    pub supply: AvailabilityQuery,
    pub outlook: OutlookQuery,
}

/// Asks for the figures for operators and tests.
#[derive(Debug, Message)]
#[rtype(result = "DispatcherCounts")]
pub(crate) struct Count;
