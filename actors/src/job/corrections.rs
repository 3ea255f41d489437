//! Corrections that a customer makes before a mechanic is on the way: to the job's details and, within limits, its
//! place. Pure.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    event::Event,
    model::{Job, JobSummary, Stage},
};
use crate::{
    geo::Point,
    ids::{MechanicId, OfferId},
    refusal::Refusal,
    settings::JobPolicy,
    status::Status,
};

/// How often one job may be corrected.
pub const MAX_CORRECTIONS: u32 = 20;

/// What should change.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Correction {
    /// How often the job had been corrected when this correction was prepared, based on what was read then.
    pub seen_corrections: u32,
    pub details: DetailChanges,
    /// Set if the offers have to show something else.
    pub summary: Option<Arc<JobSummary>>,
    pub pickup: Option<NewPickup>,
    pub time: Option<NewTime>,
    /// What the customer agreed to pay; if they named nothing, the estimate counts.
    pub quoted_price_paise: Option<i64>,
}

/// What the engine passes on without using it; `None` stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DetailChanges {
    pub pickup_address: Option<String>,
    pub description: Option<Option<String>>,
    pub photo_urls: Option<Vec<String>>,
    pub contact: Option<ContactDetails>,
}

/// Whom the mechanic contacts; changed as a whole, so that there is never a preference without its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactDetails {
    pub beneficiary_name: Option<String>,
    pub beneficiary_phone: Option<String>,
    pub preference: String,
}

/// A new place, with what follows from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewPickup {
    pub point: Point,
    pub travel_price_paise: i64,
    /// The mechanic on the job from whom price and time were computed; `None` if there was none.
    pub mechanic: Option<MechanicId>,
    /// How long that mechanic needs to get there, if that is known.
    pub eta_s: Option<u32>,
}

/// Another time for help to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewTime {
    /// `None`: as soon as possible.
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

/// Whether a job may be corrected in this status, after this many corrections.
pub fn may_correct(status: Status, corrections: u32) -> Result<(), Refusal> {
    if !status.allowed().contains(&"correct") {
        return Err(Refusal::InvalidTransition { from: status, wanted: "correct it" });
    }
    if corrections >= MAX_CORRECTIONS { Err(Refusal::TooManyCorrections) } else { Ok(()) }
}

impl Job {
    /// What a correction leads to, in a stage that allows one.
    pub(super) fn decide_correction(
        &self,
        correction: &Correction,
        policy: &JobPolicy,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        may_correct(self.status(), self.corrections)?;
        // A search that has begun goes on.
        if correction.time.is_some() && self.stage != Stage::Pending {
            return Err(self.cannot("move it to another time"));
        }
        if self.has_changed_since(correction) {
            return Err(Refusal::JobChanged);
        }
        let pickup = correction.pickup.map(|pickup| self.priced(pickup));
        if let Some(pickup) = &pickup {
            self.check_move(pickup, correction.quoted_price_paise, policy)?;
        }
        Ok(Event::Corrected {
            details: Box::new(correction.details.clone()),
            summary: correction.summary.clone(),
            pickup,
            time: correction.time,
            search: pickup.and_then(|_| self.new_search(now)),
        })
    }

    /// Whether somebody else corrected the job, or its mechanic changed, after the correction was prepared.
    fn has_changed_since(&self, correction: &Correction) -> bool {
        let mechanic = self.assignment().map(|assignment| assignment.mechanic_id);
        self.corrections != correction.seen_corrections
            || correction.pickup.is_some_and(|pickup| pickup.mechanic != mechanic)
    }

    /// A move never makes the job cheaper: its mechanic accepted it at that price, and a mechanic who holds an offer of it does not
    /// count as near.
    fn priced(&self, pickup: NewPickup) -> NewPickup {
        let travel_price_paise = pickup.travel_price_paise.max(self.spec.travel_price_paise);
        NewPickup { travel_price_paise, ..pickup }
    }

    fn check_move(
        &self,
        pickup: &NewPickup,
        quoted_price_paise: Option<i64>,
        policy: &JobPolicy,
    ) -> Result<(), Refusal> {
        let limit_m = policy.correction_radius_m;
        if self.original_pickup().distance_m(pickup.point) > limit_m {
            return Err(Refusal::MovedTooFar { limit_m });
        }
        let price_paise = self.spec.base_price_paise + pickup.travel_price_paise;
        let agreed_paise = quoted_price_paise.unwrap_or(self.spec.estimated_price_paise());
        if price_paise > agreed_paise { Err(Refusal::PriceChanged { price_paise }) } else { Ok(()) }
    }

    fn new_search(&self, now: DateTime<Utc>) -> Option<NewSearch> {
        let Stage::Dispatching(search) = &self.stage else { return None };
        let revoked = search.offers.iter().map(|offer| (offer.id, offer.mechanic_id)).collect();
        Some(NewSearch { ends_at: self.attempt_end(now), round: self.first_round(), revoked })
    }

    /// Where the pickup was at creation.
    pub fn original_pickup(&self) -> Point {
        self.moved_from.unwrap_or(self.spec.pickup)
    }

    pub(super) fn correct(
        &mut self,
        summary: Option<&Arc<JobSummary>>,
        pickup: Option<NewPickup>,
        time: Option<NewTime>,
        search: Option<&NewSearch>,
        now: DateTime<Utc>,
    ) {
        self.corrections += 1;
        if let Some(time) = time {
            self.spec.begin_at = time.begin_at;
        }
        if let Some(summary) = summary {
            self.spec.summary = summary.clone();
        }
        if let Some(pickup) = pickup {
            self.move_to(pickup, now);
        }
        if let Some(search) = search {
            self.restart_search(search.ends_at, search.round);
        }
    }

    fn move_to(&mut self, pickup: NewPickup, now: DateTime<Utc>) {
        self.moved_from = Some(self.original_pickup());
        self.spec.pickup = pickup.point;
        self.spec.travel_price_paise = pickup.travel_price_paise;
        if let (Stage::Accepted(assignment), Some(eta_s)) = (&mut self.stage, pickup.eta_s) {
            assignment.promised_at = now + TimeDelta::seconds(i64::from(eta_s));
        }
    }
}
