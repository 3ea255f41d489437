//! The mechanic's state machine. Pure: time is an argument, nothing here awaits.

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};

use crate::{
    concern::Duty,
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, OfferId, UserId},
    messages::{Supply, SupplyReport},
    offer::OfferCard,
    refusal::BrokenRule,
    settings::PresencePolicy,
    status::OfferStatus,
    vehicle::VehicleType,
};

pub use super::{
    history::History,
    parked::{Parked, ParkingEnd, Whereabouts},
    received::{Located, PointFault, ReceivedPoints},
};
pub use crate::position::{Fix, Ping, PositionSource, TrailPoint};

/// The time after which a reservation ends, unless a committed offer follows.
pub(crate) const RESERVATION_TTL: TimeDelta = TimeDelta::seconds(10);

/// A mechanic as its actor knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mechanic {
    pub id: MechanicId,
    pub profile: Profile,
    /// Whether the mechanic wants to be offered jobs.
    pub available: bool,
    pub last: Option<Fix>,
    /// The place where they said that they wait, if they did.
    pub parked: Option<Parked>,
    pub engagement: Engagement,
    /// Since when they have been free, for fairness.
    pub idle_since: DateTime<Utc>,
    /// How they answered their last offers.
    pub history: History,
    /// Whether someone is shown their position on their job.
    pub is_watched: bool,
    pub(crate) received: ReceivedPoints,
}

/// The parts of a profile that matching needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub user_id: UserId,
    pub is_verified: bool,
    pub radius_m: f64,
    // These are shared with the report to the dispatcher at every position.
    pub vehicle_types: Arc<BTreeSet<VehicleType>>,
    pub categories: Arc<BTreeSet<CategoryId>>,
}

/// A mechanic's engagement.
#[derive(Debug, Clone, PartialEq)]
pub enum Engagement {
    Free,
    /// Reserved for an offer that is not committed yet.
    Reserved {
        offer_id: OfferId,
        job_id: JobId,
        since: DateTime<Utc>,
    },
    Offered(Box<OfferCard>),
    Busy {
        job_id: JobId,
        pickup: Point,
        is_arrived: bool,
        /// The place to which they take a loaded vehicle.
        delivers_to: Option<Point>,
        /// `None` until the job itself reports the assignment.
        duty: Option<Duty>,
    },
}

impl Engagement {
    /// Returns the job they are on.
    pub fn job(&self) -> Option<JobId> {
        match self {
            Self::Busy { job_id, .. } => Some(*job_id),
            Self::Free | Self::Reserved { .. } | Self::Offered(_) => None,
        }
    }

    /// Returns the offer they may answer.
    pub fn offer(&self) -> Option<&OfferCard> {
        match self {
            Self::Offered(card) => Some(card),
            Self::Free | Self::Reserved { .. } | Self::Busy { .. } => None,
        }
    }
}

impl Mechanic {
    /// Creates a mechanic as loaded, with nothing known about their phone.
    pub fn new(id: MechanicId, profile: Profile, available: bool, now: DateTime<Utc>) -> Self {
        let (last, engagement, history) = (None, Engagement::Free, History::default());
        let (is_watched, received) = (false, ReceivedPoints::default());
        let parked = None;
        Self {
            id,
            profile,
            available,
            last,
            parked,
            engagement,
            idle_since: now,
            history,
            is_watched,
            received,
        }
    }

    /// Returns the loaded mechanic with what only the old copy knows: the phone, and a reservation that is not
    /// committed yet.
    pub(crate) fn keeping_memory_of(mut self, old: Option<Mechanic>, now: DateTime<Utc>) -> Self {
        let Some(old) = old else { return self };
        self.last = old.last.or(self.last);
        self.is_watched = old.is_watched;
        self.received = old.received;
        // A journal that keeps no answers must not erase those recorded here.
        if self.history == History::default() {
            self.history = old.history;
        }
        self.idle_since = if old.engagement.job().is_some() && self.engagement == Engagement::Free {
            now
        } else {
            old.idle_since
        };
        if self.engagement.job() != old.engagement.job() {
            self.received.restart_progress();
        }
        if self.engagement == Engagement::Free && matches!(old.engagement, Engagement::Reserved { .. }) {
            self.engagement = old.engagement;
        }
        self
    }

    /// Returns how offers changed since the engagement was `before`, if the messages about them were lost.
    pub(crate) fn offer_changes_since(&self, before: &Engagement, now: DateTime<Utc>) -> Vec<OfferCard> {
        let (old, new) = (before.offer(), self.engagement.offer());
        if old.map(|card| card.id) == new.map(|card| card.id) {
            return Vec::new();
        }
        let ended = old.map(|card| {
            let status = if self.engagement.job() == Some(card.job_id) {
                OfferStatus::Accepted
            } else if now >= card.expires_at {
                OfferStatus::Expired
            } else {
                OfferStatus::Revoked
            };
            OfferCard { status, ..card.clone() }
        });
        ended.into_iter().chain(new.cloned()).collect()
    }

    /// Returns whether their offer is long over and the message about that was lost.
    pub(crate) fn has_overdue_offer(&self, now: DateTime<Utc>) -> bool {
        matches!(&self.engagement, Engagement::Offered(card) if now - card.expires_at > RESERVATION_TTL)
    }

    /// Returns whether they are available, with a fresh position or at a place where they said that they wait.
    pub fn is_online(&self, policy: &PresencePolicy, now: DateTime<Utc>) -> bool {
        let is_seen = self.last.is_some_and(|fix| now - fix.recorded_at <= policy.fresh_position);
        self.available && (is_seen || self.waits_at(policy, now).is_some())
    }

    /// Returns where the dispatcher may take them to be, or `None` if the mechanic can't be matched: not verified, not
    /// online, or located too inaccurately.
    pub(crate) fn matched_at(&self, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<Whereabouts> {
        self.whereabouts(policy, now).filter(|_| self.profile.is_verified && self.available)
    }

    /// Returns what the dispatcher may know of a mechanic who can be matched at this place.
    pub(crate) fn supply(&self, place: &Whereabouts) -> Supply {
        Supply {
            point: place.point,
            fresh_until: place.until,
            is_parked: place.is_parked,
            is_free: matches!(self.engagement, Engagement::Free),
            radius_m: self.profile.radius_m,
            vehicle_types: self.profile.vehicle_types.clone(),
            categories: self.profile.categories.clone(),
            idle_since: self.idle_since,
            acceptance_permille: self.history.acceptance_permille(),
        }
    }

    /// Returns what is new since the last report, and brings that up to date; `None` if nothing is. `place` is where they
    /// can be matched. Most positions change the place alone, which takes nothing but the place to report.
    pub(crate) fn report(
        &self,
        place: Option<Whereabouts>,
        reported: &mut Option<Supply>,
    ) -> Option<SupplyReport> {
        if let (Some(place), Some(last)) = (&place, reported.as_mut())
            && self.differs_by_place(last, place)
        {
            let (point, fresh_until) = (place.point, place.until);
            if (last.point, last.fresh_until) == (point, fresh_until) {
                return None;
            }
            (last.point, last.fresh_until) = (point, fresh_until);
            return Some(SupplyReport::Moved { point, fresh_until });
        }
        let supply = place.map(|place| self.supply(&place));
        if supply == *reported {
            return None;
        }
        reported.clone_from(&supply);
        Some(SupplyReport::Changed(supply))
    }

    /// Returns whether their supply at this place differs from the other one by the place at most.
    fn differs_by_place(&self, other: &Supply, place: &Whereabouts) -> bool {
        other.is_parked == place.is_parked
            && other.is_free == matches!(self.engagement, Engagement::Free)
            && other.radius_m == self.profile.radius_m
            && other.vehicle_types == self.profile.vehicle_types
            && other.categories == self.profile.categories
            && other.idle_since == self.idle_since
            && other.acceptance_permille == self.history.acceptance_permille()
    }

    /// Returns why dispatch would leave them out for a vehicle of this type that needs this help at this place.
    /// Whether they are verified and free is checked elsewhere.
    pub fn broken_rules(
        &self,
        (vehicle_type, category_id, pickup): (VehicleType, CategoryId, Point),
        policy: &PresencePolicy,
        now: DateTime<Utc>,
    ) -> Vec<BrokenRule> {
        let place = self.whereabouts(policy, now).filter(|_| self.available);
        let known = place.map(|place| place.point).or(self.last.map(|fix| fix.point));
        let is_in_radius = |point: Point| point.distance_m(pickup) <= self.profile.radius_m;
        let rules = [
            (self.profile.vehicle_types.contains(&vehicle_type), BrokenRule::VehicleType),
            (self.profile.categories.contains(&category_id), BrokenRule::ServiceCategory),
            (place.is_some(), BrokenRule::Offline),
            (known.is_none_or(is_in_radius), BrokenRule::OutsideOwnRadius),
        ];
        rules.into_iter().filter(|(holds, _)| !holds).map(|(_, rule)| rule).collect()
    }

    /// Returns the metres to the pickup of their job, from a plausible and fresh position.
    pub fn distance_to_pickup(&self, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<f64> {
        let Engagement::Busy { pickup, .. } = &self.engagement else { return None };
        self.distance_to(*pickup, policy, now)
    }

    /// Returns the metres to a place, from a plausible and fresh position.
    pub fn distance_to(&self, place: Point, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<f64> {
        let fix =
            self.last.filter(|fix| !fix.is_implausible && now - fix.recorded_at <= policy.fresh_position)?;
        fix.is_accurate(policy).then(|| fix.point.distance_m(place))
    }

    /// Returns a lower bound of the metres driven from the pickup with the loaded vehicle, or `None` if no position came
    /// since.
    pub fn driven_m(&self) -> Option<f64> {
        self.received.haul.map(|haul| haul.driven_m)
    }

    /// Returns how often the app should send positions: often while an offer is open or a customer watches, less
    /// often on any other job, and seldom otherwise.
    pub fn interval_s(&self, policy: &PresencePolicy) -> u32 {
        match self.engagement {
            Engagement::Free | Engagement::Reserved { .. } => policy.slow_interval_s,
            Engagement::Offered(_) => policy.fast_interval_s,
            Engagement::Busy { .. } if self.is_watched => policy.fast_interval_s,
            Engagement::Busy { .. } => policy.unwatched_interval_s,
        }
    }

    /// Reserves the mechanic for one offer; refused while they are engaged otherwise.
    pub fn reserve(
        &mut self,
        offer_id: OfferId,
        job_id: JobId,
        policy: &PresencePolicy,
        now: DateTime<Utc>,
    ) -> bool {
        let is_free = match &self.engagement {
            Engagement::Free => true,
            Engagement::Reserved { since, .. } => now - *since >= RESERVATION_TTL,
            Engagement::Offered(_) | Engagement::Busy { .. } => false,
        };
        let is_reserved = is_free && self.profile.is_verified && self.is_online(policy, now);
        if is_reserved {
            self.engagement = Engagement::Reserved { offer_id, job_id, since: now };
        }
        is_reserved
    }

    /// Takes over a committed offer. Returns `false` if the mechanic is on a job or has another offer (their actor
    /// was reloaded in between): the journal's guards decide then.
    pub fn offered(&mut self, card: OfferCard) -> bool {
        let is_free = match &self.engagement {
            Engagement::Free | Engagement::Reserved { .. } => true,
            Engagement::Offered(held) => held.id == card.id,
            Engagement::Busy { .. } => false,
        };
        if is_free {
            self.engagement = Engagement::Offered(Box::new(card));
        }
        is_free
    }

    /// Ends the reservation or offer. A late message about another offer changes nothing.
    pub fn end_offer(&mut self, offer_id: OfferId, now: DateTime<Utc>) -> Option<OfferCard> {
        match &self.engagement {
            Engagement::Reserved { offer_id: held, .. } if *held == offer_id => {
                self.engagement = Engagement::Free;
                None
            }
            Engagement::Offered(card) if card.id == offer_id => {
                let card = (**card).clone();
                self.engagement = Engagement::Free;
                self.idle_since = self.idle_since.min(now);
                Some(card)
            }
            Engagement::Free
            | Engagement::Reserved { .. }
            | Engagement::Offered(_)
            | Engagement::Busy { .. } => None,
        }
    }

    /// Puts the mechanic on the job.
    pub fn assign(&mut self, job_id: JobId, pickup: Point, is_arrived: bool) {
        self.engagement = Engagement::Busy { job_id, pickup, is_arrived, delivers_to: None, duty: None };
        // Time without a move before this does not count.
        self.received.restart_progress();
    }

    /// Takes the mechanic off the job. A late message about another job changes nothing.
    pub fn unassign(&mut self, job_id: JobId, now: DateTime<Utc>) -> bool {
        let was_on_it =
            matches!(&self.engagement, Engagement::Busy { job_id: current, .. } if *current == job_id);
        if was_on_it {
            self.engagement = Engagement::Free;
            self.idle_since = now;
        }
        was_on_it
    }

    /// Returns a reservation that no offer followed in time.
    pub fn expired_reservation(&self, now: DateTime<Utc>) -> Option<OfferId> {
        match &self.engagement {
            Engagement::Reserved { offer_id, since, .. } if now - *since >= RESERVATION_TTL => {
                Some(*offer_id)
            }
            _ => None,
        }
    }

    /// Returns whether availability ends by itself: their phone was quiet for too long, no job is under way, and
    /// they are not parked.
    pub fn should_go_offline(&self, policy: &PresencePolicy, quiet: TimeDelta) -> bool {
        self.available
            && self.parked.is_none()
            && !matches!(self.engagement, Engagement::Busy { .. })
            && quiet > policy.auto_off
    }
}
