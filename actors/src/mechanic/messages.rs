//! What a mechanic's actor is told and asked.

use actix::prelude::*;
use chrono::{DateTime, Utc};

use super::state::{Located, Mechanic, Ping};
use crate::{
    ids::{JobId, OfferId},
    refusal::Refusal,
};

/// Points from the phone.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<Located, Refusal>")]
pub(crate) struct Locate {
    pub pings: Vec<Ping>,
    pub received_at: DateTime<Utc>,
}

/// The mechanic's wish; committed before it counts.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Result<(), Refusal>")]
pub(crate) struct SetAvailability {
    pub available: bool,
}

/// The dispatcher wants it for an offer; answered with whether it is reserved.
#[derive(Debug, Clone, Message)]
#[rtype(result = "bool")]
pub(crate) struct Reserve {
    pub offer_id: OfferId,
    pub job_id: JobId,
}

/// The profile was changed in the database: read it again. Answered when that counts.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct ProfileChanged;

/// The dispatcher starts anew: say where you stand.
#[derive(Debug, Clone, Message)]
#[rtype(result = "()")]
pub(crate) struct Announce;

/// For operators, handlers and tests.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Option<Mechanic>")]
pub(crate) struct Look;
