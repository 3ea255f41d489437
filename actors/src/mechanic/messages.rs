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

/// Points from one of the mechanic's apps.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Located, Refusal>")]
pub(crate) struct Locate {
    pub pings: Vec<Ping>,
    pub source: PositionSource,
    pub received_at: DateTime<Utc>,
    /// Where the socket is read that they came over.
    pub socket: Option<SocketThread>,
}

/// Whether the mechanic wants offers; committed before it takes effect.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<(), Refusal>")]
pub(crate) struct SetAvailability {
    pub available: bool,
}

/// They wait at this place and want offers there; committed before it takes effect.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<(), Refusal>")]
pub(crate) struct Park {
    pub place: Point,
    /// What they call it.
    pub label: Option<String>,
}

/// They do not wait there any more; committed before it takes effect. Nothing happens if they did not.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Result<(), Refusal>")]
pub(crate) struct EndParking {
    pub why: ParkingEnd,
}

/// The dispatcher wants to reserve them for an offer; answers whether they are reserved.
#[derive(Debug, Clone, Message)]
#[rtype(result = "bool")]
pub(crate) struct Reserve {
    pub offer_id: OfferId,
    pub job_id: JobId,
}

/// The profile was changed in the database: load it again. Answered once the change has taken effect.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct ProfileChanged;

/// The dispatcher restarted, or missed something: report to it again.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Announce;

/// For operators, handlers and tests.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Option<Mechanic>")]
pub(crate) struct GetMechanic;
