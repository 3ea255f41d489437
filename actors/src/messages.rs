//! Messages between jobs, mechanics and the dispatcher, in a layer below all three, so that none has to know another's
//! actor.

use std::{collections::BTreeSet, sync::Arc};

use actix::prelude::*;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    concern::Duty,
    experience::Kind,
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, OfferId},
    offer::OfferCard,
    settings::SharedSearchPolicy,
    status::{OfferStatus, Urgency},
    vehicle::VehicleType,
};

/// A message from a job to a mechanic. Repeating a message is harmless.
#[derive(Debug, Clone, PartialEq, Message)]
#[rtype(result = "()")]
pub(crate) enum MechanicMessage {
    /// The offer is committed.
    Offered(Box<OfferCard>),
    /// The reservation or the offer ended this way.
    OfferEnded {
        offer_id: OfferId,
        status: OfferStatus,
    },
    Assigned {
        job_id: JobId,
        pickup: Point,
        is_arrived: bool,
        /// The destination of a loaded vehicle.
        delivers_to: Option<Point>,
        duty: Duty,
    },
    Unassigned {
        job_id: JobId,
    },
    /// They should wait elsewhere.
    Advised(Advice),
    /// The actor's copy and the journal disagree: load again.
    Reload,
}

/// Tells the dispatcher how many offers a job wants now; `None` if it wants none.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct DemandUpdate {
    pub job_id: JobId,
    pub demand: Option<Demand>,
}

/// The wishes of a job in search of a mechanic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Demand {
    pub attempt: u32,
    pub round: u32,
    /// The number of offers for which the round has room.
    pub offers: usize,
    /// Whether one of its offers can still be answered: the job is less urgent then than jobs without an offer.
    pub has_offer: bool,
    pub pickup: Point,
    pub vehicle_type: VehicleType,
    pub category_id: CategoryId,
    pub urgency: Urgency,
    /// Since when the customer has waited; for a scheduled job, since its dispatch began.
    pub waiting_since: DateTime<Utc>,
    pub excluded: BTreeSet<MechanicId>,
    pub search: SharedSearchPolicy,
}

impl Demand {
    pub(crate) fn kind(&self) -> Kind {
        Kind { category_id: self.category_id, vehicle_type: self.vehicle_type }
    }
}

/// Wakes the dispatcher: its feed has new reports of mechanics, and a job is unmatched.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub(crate) struct SupplyChanged;

/// An online mechanic, as the dispatcher sees them.
#[derive(Debug, Clone, PartialEq)]
pub struct Supply {
    pub point: Point,
    /// When the position ceases to count as fresh.
    pub fresh_until: DateTime<Utc>,
    /// Whether they wait at a place where only a push reaches them.
    pub is_parked: bool,
    /// Whether they are neither reserved, nor offered a job, nor on one.
    pub is_free: bool,
    pub radius_m: f64,
    pub vehicle_types: Arc<BTreeSet<VehicleType>>,
    pub categories: Arc<BTreeSet<CategoryId>>,
    pub idle_since: DateTime<Utc>,
    /// The chance that they accept an offer, in thousandths, by their recent answers.
    pub acceptance_permille: u32,
}

/// A mechanic's report to the dispatcher.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SupplyReport {
    /// They are elsewhere, or their position is fresh for longer; everything else is as they last reported.
    Moved { point: Point, fresh_until: DateTime<Utc> },
    /// `None` if they can't be matched.
    Changed(Option<Supply>),
}

impl SupplyReport {
    /// Adds a later report.
    pub(crate) fn follow_with(&mut self, later: Self) {
        match (&mut *self, later) {
            (Self::Changed(Some(supply)), Self::Moved { point, fresh_until }) => {
                (supply.point, supply.fresh_until) = (point, fresh_until);
            }
            (Self::Changed(None), Self::Moved { .. }) => {}
            (report, later) => *report = later,
        }
    }
}

impl Supply {
    /// Returns whether the mechanic could serve such a job at this distance, if they were free.
    pub(crate) fn could_serve(
        &self,
        vehicle_type: VehicleType,
        category_id: CategoryId,
        distance_m: f64,
        now: DateTime<Utc>,
    ) -> bool {
        now <= self.fresh_until
            && distance_m <= self.radius_m
            && self.vehicle_types.contains(&vehicle_type)
            && self.categories.contains(&category_id)
    }
}

/// Advice to a mechanic without a job on where to wait.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// The area: its middle and radius.
    pub centre: Point,
    pub radius_m: f64,
    /// The seconds of driving to the middle of the area.
    pub drive_s: u32,
    pub here: Surroundings,
    pub there: Surroundings,
    /// When the advice ceases to hold.
    pub until: DateTime<Utc>,
}

/// The expected calls and mechanics within 3 km of a place.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Surroundings {
    /// The calls that the mechanic can serve.
    pub calls_per_hour: f64,
    /// The other free mechanics who can serve some of these calls.
    pub mechanics: usize,
}

/// A test's way to end an actor.
#[cfg(any(test, feature = "simulation"))]
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub(crate) enum InjectedFault {
    /// Ends the actor as if the process had ended.
    Stop,
    Panic,
}

#[cfg(any(test, feature = "simulation"))]
impl InjectedFault {
    pub(crate) fn inject(self, ctx: &mut impl ActorContext) {
        match self {
            // `terminate` does not work here: if a cancelled timer is left, actix polls such a context forever.
            Self::Stop => ctx.stop(),
            Self::Panic => panic!("a planned panic"),
        }
    }
}
