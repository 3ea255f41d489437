//! Requests to a mechanic's actor.

use actix::prelude::*;
use chrono::{DateTime, Utc};

use super::state::{Located, Mechanic, ParkingEnd, Ping};
use crate::{
    geo::Point,
    ids::{JobId, OfferId},
    placement::SocketThread,
    position::PositionSource,
    refusal::Refusal,
};

/// Takes in points from one of the mechanic's apps.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Located, Refusal>")]
pub(crate) struct Locate {
    pub pings: Vec<Ping>,
    pub source: PositionSource,
    pub received_at: DateTime<Utc>,
    /// The thread that reads the socket over which the points came.
    pub socket: Option<SocketThread>,
}

/// Sets whether the mechanic wants offers; committed before it takes effect.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<(), Refusal>")]
pub(crate) struct SetAvailability {
    pub available: bool,
}

/// Sets that they wait at this place and want offers there; committed before it takes effect.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<(), Refusal>")]
pub(crate) struct Park {
    pub place: Point,
    /// The mechanic's own name for the place.
    pub label: Option<String>,
}

/// Sets that they no longer wait there; committed before it takes effect. Does nothing if they did not.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Result<(), Refusal>")]
pub(crate) struct EndParking {
    pub why: ParkingEnd,
}

/// Reserves them for an offer of the dispatcher; answers whether they are reserved.
#[derive(Debug, Clone, Message)]
#[rtype(result = "bool")]
pub(crate) struct Reserve {
    pub offer_id: OfferId,
    pub job_id: JobId,
}

/// Loads the profile again, which was changed in the database. Answered once the change has taken effect.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct ProfileChanged;

/// Has the mechanic report again, because the dispatcher restarted or missed something.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Announce;

/// Asks for the mechanic, for operators, handlers and tests.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Option<Mechanic>")]
pub(crate) struct GetMechanic;
