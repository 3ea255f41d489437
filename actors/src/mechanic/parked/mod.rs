//! Mechanics who wait at a place and are reached by push, although nothing comes from their phone. Pure.
//!
//! A fresh position always takes precedence over the place. The mechanic's word for the place ceases to count by
//! itself: after a while, once a position shows that they have left, and when offers stay unanswered. During a job
//! it does not count, and nothing ends it.

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

/// The place where a mechanic said that they wait.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parked {
    pub place: Point,
    pub since: DateTime<Utc>,
    pub until: DateTime<Utc>,
    /// The offers that they let expire since they wait there, or since their last answer.
    pub unanswered: u32,
}

named_enum! {
    /// The reason why a mechanic is no longer parked.
    ParkingEnd {
        /// The mechanic ended it.
        OwnWish = "own_wish",
        /// The longest time is over.
        Over = "over",
        /// A position shows that they are elsewhere.
        Left = "left",
        /// They let too many offers in a row expire.
        Unanswered = "unanswered",
    }
}

/// A mechanic's place for matching.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whereabouts {
    pub point: Point,
    pub until: DateTime<Utc>,
    /// Whether they are where they said, and nothing fresh came from their phone.
    pub is_parked: bool,
}

impl Mechanic {
    /// Decides whether they may wait at this place. A phone that is elsewhere contradicts them.
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

    /// Returns why they are no longer parked, if there is a reason. Only positions from after they named the place
    /// contradict them.
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

    /// Returns where they wait, while their word for it counts.
    pub(super) fn waits_at(&self, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<Parked> {
        self.parked.filter(|_| self.engagement.job().is_none() && self.parking_end(policy, now).is_none())
    }

    /// Returns where they are, by a fresh and accurate position, or else where they said that they wait.
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

    /// Counts how an offer to them ended.
    pub(super) fn note_answer(&mut self, status: OfferStatus) {
        let Some(parked) = &mut self.parked else { return };
        match status {
            OfferStatus::Expired => parked.unanswered = parked.unanswered.saturating_add(1),
            OfferStatus::Accepted | OfferStatus::Declined => parked.unanswered = 0,
            OfferStatus::Pending | OfferStatus::Revoked => {}
        }
    }

    /// Returns the place where they wait as their first position on a job, unless a fresh position is known. It
    /// proves nothing.
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
    /// Returns by how many metres the position is surely farther from a place than `limit_m`.
    fn distance_beyond(&self, limit_m: f64, place: Point) -> f64 {
        self.point.distance_m(place) - self.accuracy_m.unwrap_or(0.0) - limit_m
    }
}

#[cfg(test)]
mod tests;
