//! A mechanic who waits at a place and is reached by push, although nothing comes from their phone. Pure.
//!
//! A fresh position always counts before the place. Their word for it ends by itself: after a while, once a position shows that they
//! have left, and when offers stay unanswered. During a job it counts for nothing, and ends nothing.

use chrono::{DateTime, Utc};

use super::state::{Fix, Mechanic, Ping};
use crate::{
    geo::Point,
    named::named_enum,
    position::PositionSource,
    refusal::{Ineligibility, Refusal},
    settings::PresencePolicy,
    status::OfferStatus,
};

/// Where a mechanic said that they wait.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parked {
    pub place: Point,
    pub since: DateTime<Utc>,
    pub until: DateTime<Utc>,
    /// Offers that they let expire since, or since their last answer.
    pub unanswered: u32,
}

named_enum! {
    /// Why a mechanic is not parked any more.
    ParkingEnd {
        /// They said so.
        OwnWish = "own_wish",
        /// It has lasted as long as it may.
        Over = "over",
        /// A position shows that they are elsewhere.
        Left = "left",
        /// They let too many offers in a row expire.
        Unanswered = "unanswered",
    }
}

/// Where a mechanic is, as far as matching goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whereabouts {
    pub point: Point,
    pub until: DateTime<Utc>,
    /// They are where they said, and nothing fresh came from their phone.
    pub is_parked: bool,
}

impl Mechanic {
    /// Whether they may wait at this place; a phone that is elsewhere contradicts them.
    pub fn decide_parking(
        &self,
        place: Point,
        policy: &PresencePolicy,
        now: DateTime<Utc>,
    ) -> Result<Parked, Refusal> {
        if !self.profile.is_verified {
            return Err(Refusal::NotEligible(Ineligibility::NotVerified));
        }
        let (limit_m, fix) = (policy.parked_radius_m, self.fresh_fix(policy, now));
        match fix.map(|fix| (fix.distance_beyond(limit_m, place), fix.point.distance_m(place))) {
            Some((beyond, distance_m)) if beyond > 0.0 => Err(Refusal::NotAtPlace { distance_m, limit_m }),
            _ => Ok(Parked { place, since: now, until: now + policy.parked_max, unanswered: 0 }),
        }
    }

    /// Why they are not parked any more, if there is a reason. Only what came since they said where they are contradicts them.
    pub fn parking_end(&self, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<ParkingEnd> {
        let parked = self.parked?;
        if self.engagement.job().is_some() {
            return None;
        }
        let shows_more = |fix: &Fix| {
            fix.recorded_at > parked.since && !fix.is_implausible && fix.source != PositionSource::Parked
        };
        let seen = self.last.filter(|fix| shows_more(fix) && fix.is_accurate(policy));
        if seen.is_some_and(|fix| fix.distance_beyond(policy.parked_radius_m, parked.place) > 0.0) {
            Some(ParkingEnd::Left)
        } else if parked.unanswered >= policy.parked_unanswered_max {
            Some(ParkingEnd::Unanswered)
        } else if now >= parked.until {
            Some(ParkingEnd::Over)
        } else {
            None
        }
    }

    /// Where they wait, while their word for it counts.
    pub(super) fn waits_at(&self, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<Parked> {
        self.parked.filter(|_| self.engagement.job().is_none() && self.parking_end(policy, now).is_none())
    }

    /// Where they are: by a fresh and accurate position, else where they said that they wait.
    pub fn whereabouts(&self, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<Whereabouts> {
        let seen = self.fresh_fix(policy, now).map(|fix| Whereabouts {
            point: fix.point,
            until: fix.recorded_at + policy.fresh_position,
            is_parked: false,
        });
        let waits = || {
            let parked = self.waits_at(policy, now)?;
            Some(Whereabouts { point: parked.place, until: parked.until, is_parked: true })
        };
        seen.or_else(waits)
    }

    /// An offer to them ended this way.
    pub(super) fn note_answer(&mut self, status: OfferStatus) {
        let Some(parked) = &mut self.parked else { return };
        match status {
            OfferStatus::Expired => parked.unanswered = parked.unanswered.saturating_add(1),
            OfferStatus::Accepted | OfferStatus::Declined => parked.unanswered = 0,
            OfferStatus::Pending | OfferStatus::Revoked => {}
        }
    }

    /// They get a job where they wait: the place is their first position, unless a fresh one is known. It proves nothing.
    pub(super) fn set_out_from_place(&mut self, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<Fix> {
        let from = self.whereabouts(policy, now).filter(|from| from.is_parked)?;
        let fix = Fix {
            point: from.point,
            seq: Ping::UNNUMBERED,
            accuracy_m: None,
            speed_mps: None,
            heading: None,
            recorded_at: now,
            received_at: now,
            is_implausible: true,
            source: PositionSource::Parked,
        };
        self.last = Some(fix);
        Some(fix)
    }

    fn fresh_fix(&self, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<Fix> {
        self.last.filter(|fix| now - fix.recorded_at <= policy.fresh_position && fix.is_accurate(policy))
    }
}

impl Fix {
    /// By how many metres it is surely farther from a place than `limit_m`.
    fn distance_beyond(&self, limit_m: f64, place: Point) -> f64 {
        self.point.distance_m(place) - self.accuracy_m.unwrap_or(0.0) - limit_m
    }
}
