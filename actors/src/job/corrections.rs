//! Corrections that a customer makes before a mechanic is on the way: to the job's details and, within limits, its
//! place. Pure data; `decide/corrections.rs` has the rules.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    geo::Point,
    ids::{MechanicId, OfferId},
    offer::JobSummary,
    refusal::{Refusal, Wanted},
    status::Status,
    wire,
};

/// The number of times that a job may be corrected.
pub const MAX_CORRECTIONS: u32 = 20;

/// The changes that a customer asks for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Correction {
    /// The number of corrections of the job that had been read when this one was prepared.
    pub seen_corrections: u32,
    pub details: DetailChanges,
    /// Set if the offers have to show something else.
    pub summary: Option<Arc<JobSummary>>,
    pub pickup: Option<NewPickup>,
    pub time: Option<NewTime>,
    /// The price that the customer agreed to pay; if they named none, the estimate counts.
    pub quoted_price_paise: Option<i64>,
}

/// Details that the engine passes on without using them. Fields that are `None` stay unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DetailChanges {
    pub pickup_address: Option<String>,
    #[serde(default, with = "wire::change")]
    pub description: Option<Option<String>>,
    pub photo_urls: Option<Vec<String>>,
    pub contact: Option<ContactDetails>,
}

/// The person whom the mechanic contacts. The fields change together, so that there is never a preference without
/// its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactDetails {
    pub beneficiary_name: Option<String>,
    pub beneficiary_phone: Option<String>,
    pub preference: String,
}

/// A new place, with its consequences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct NewPickup {
    pub point: Point,
    pub travel_price_paise: i64,
    /// The mechanic on the job from whom price and time were computed; `None` if there was none.
    pub mechanic: Option<MechanicId>,
    /// The seconds that this mechanic needs to get there, if they are known.
    pub eta_s: Option<u32>,
}

/// Another time for help to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewTime {
    /// `None` means as soon as possible.
    pub scheduled_for: Option<DateTime<Utc>>,
    /// When dispatch begins.
    pub begin_at: DateTime<Utc>,
}

/// The search that starts again at another place.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSearch {
    pub ends_at: DateTime<Utc>,
    pub round: u32,
    /// Offers that showed the old place.
    pub revoked: Vec<(OfferId, MechanicId)>,
}

/// Checks whether a job may be corrected in this status, after this many corrections.
pub fn may_correct(status: Status, corrections: u32) -> Result<(), Refusal> {
    if !status.allowed().contains(&"correct") {
        return Err(Refusal::InvalidTransition { from: status, wanted: Wanted::Correct });
    }
    if corrections >= MAX_CORRECTIONS { Err(Refusal::TooManyCorrections) } else { Ok(()) }
}
