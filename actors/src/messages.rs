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

/// From a job to a mechanic. Repeating one is harmless.
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
        /// Where they take the vehicle that is loaded.
        delivers_to: Option<Point>,
        duty: Duty,
    },
    Unassigned {
        job_id: JobId,
    },
    /// They had better wait elsewhere.
    Advised(Advice),
    /// The actor's copy and the journal disagree: load again.
    Reload,
}

/// From a job to the dispatcher: how many offers it wants now; `None` if it wants none.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct DemandUpdate {
    pub job_id: JobId,
    pub demand: Option<Demand>,
}

/// What a job in search of a mechanic wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Demand {
    pub attempt: u32,
    pub round: u32,
    /// How many offers the round has room for.
    pub offers: usize,
    /// Whether one of its offers can still be answered: it is less urgent than jobs without one.
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

/// A mechanic that is online, as the dispatcher sees them.
#[derive(Debug, Clone, PartialEq)]
pub struct Supply {
    pub point: Point,
    /// Until when the position counts as fresh.
    pub fresh_until: DateTime<Utc>,
    /// They wait at a place where only a push reaches them.
    pub is_parked: bool,
    /// Neither reserved, nor offered a job, nor on one.
    pub is_free: bool,
    pub radius_m: f64,
    pub vehicle_types: Arc<BTreeSet<VehicleType>>,
    pub categories: Arc<BTreeSet<CategoryId>>,
    pub idle_since: DateTime<Utc>,
    /// The chance that they accept an offer, in thousandths, by their recent answers.
    pub acceptance_permille: u32,
}

impl Supply {
    /// Whether the mechanic could serve such a job at this distance, if they were free.
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

/// Where a mechanic without a job had better wait.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// The area: its middle and radius.
    pub centre: Point,
    pub radius_m: f64,
    /// Seconds of driving to its middle.
    pub drive_s: u32,
    pub here: Surroundings,
    pub there: Surroundings,
    /// Until when it holds.
    pub until: DateTime<Utc>,
}

/// What to expect within 3 km of a place.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Surroundings {
    /// Calls that the mechanic can serve.
    pub calls_per_hour: f64,
    /// Other free mechanics who can serve some of these.
    pub mechanics: usize,
}

/// How a test ends an actor.
#[cfg(any(test, feature = "simulation"))]
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub(crate) enum InjectedFault {
    /// As if the process had ended.
    Stop,
    Panic,
}

#[cfg(any(test, feature = "simulation"))]
impl InjectedFault {
    pub(crate) fn inject(self, ctx: &mut impl ActorContext) {
        match self {
            // Not `terminate`: if a cancelled timer is left, actix polls such a context forever.
            Self::Stop => ctx.stop(),
            Self::Panic => panic!("a planned panic"),
        }
    }
}
