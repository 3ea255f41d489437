//! The mechanic's state machine. Pure: time is an argument, nothing here awaits.

use std::collections::{BTreeSet, VecDeque};

use chrono::{DateTime, TimeDelta, Utc};

use super::skew::Skew;
use crate::{
    concern::Duty,
    geo::Point,
    ids::{CategoryId, JobId, MechanicId, OfferId, UserId},
    messages::Supply,
    offer::OfferCard,
    settings::PresencePolicy,
    status::OfferStatus,
    vehicle::VehicleType,
};

pub use crate::position::{Fix, Ping, TrailPoint};

/// Points remembered to tell a resend from news.
const REMEMBERED_POINTS: usize = 256;
/// A phone whose clock runs ahead by more than this is not believed at all.
const MAX_AHEAD: TimeDelta = TimeDelta::hours(24);
/// Points older than this are of no use to anyone.
const MAX_AGE: TimeDelta = TimeDelta::hours(24);
/// A move shorter than this may be noise of the receiver.
const MOVED_M: f64 = 50.0;
/// A reservation that no committed offer followed is let go after this.
pub(crate) const HOLD_TTL: TimeDelta = TimeDelta::seconds(10);

/// A mechanic as its actor knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mechanic {
    pub id: MechanicId,
    pub profile: Profile,
    /// The mechanic's wish to be offered jobs.
    pub available: bool,
    pub last: Option<Fix>,
    pub engagement: Engagement,
    /// Since when it is free, for fairness.
    pub idle_since: DateTime<Utc>,
    /// How it answered its last offers.
    pub history: History,
    /// Somebody is shown its position on the job it is on.
    pub is_watched: bool,
    pub(crate) sightings: Sightings,
}

/// What is needed of a profile to match.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub user_id: UserId,
    pub is_verified: bool,
    pub radius_m: f64,
    pub vehicle_types: BTreeSet<VehicleType>,
    pub categories: BTreeSet<CategoryId>,
}

/// How a mechanic answered its last offers, the oldest first; `true` is an acceptance.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History(pub VecDeque<bool>);

impl History {
    /// Answers remembered.
    pub const MAX: usize = 20;
    /// Answers that a mechanic is credited with before it gave any: 8 of 10 accepted.
    const PRIOR: (u32, u32) = (8, 10);

    /// Takes in how one more offer ended. One that was taken back says nothing of its mechanic.
    pub fn hear(&mut self, status: OfferStatus) {
        match status {
            OfferStatus::Accepted => self.note(true),
            OfferStatus::Declined | OfferStatus::Expired => self.note(false),
            OfferStatus::Pending | OfferStatus::Revoked => {}
        }
    }

    /// Takes in one more answer.
    pub fn note(&mut self, is_accepted: bool) {
        if self.0.len() >= Self::MAX {
            self.0.pop_front();
        }
        self.0.push_back(is_accepted);
    }

    /// The chance that the next offer is accepted, in thousandths: the mean of a Beta prior and the answers.
    pub fn acceptance_permille(&self) -> u32 {
        let accepted = self.0.iter().filter(|is_accepted| **is_accepted).count() as u32;
        let (good, all) = (Self::PRIOR.0 + accepted, Self::PRIOR.1 + self.0.len() as u32);
        good * 1000 / all
    }
}

/// What a mechanic is engaged in.
#[derive(Debug, Clone, PartialEq)]
pub enum Engagement {
    Free,
    /// Reserved for an offer that is not committed yet.
    Held {
        offer_id: OfferId,
        job_id: JobId,
        since: DateTime<Utc>,
    },
    Offered(Box<OfferCard>),
    Busy {
        job_id: JobId,
        pickup: Point,
        is_arrived: bool,
        /// `None` until the job's own word of the assignment.
        duty: Option<Duty>,
    },
}

impl Engagement {
    /// The job it is on.
    pub fn job(&self) -> Option<JobId> {
        match self {
            Self::Busy { job_id, .. } => Some(*job_id),
            Self::Free | Self::Held { .. } | Self::Offered(_) => None,
        }
    }

    /// The offer it may answer.
    pub fn offer(&self) -> Option<&OfferCard> {
        match self {
            Self::Offered(card) => Some(card),
            Self::Free | Self::Held { .. } | Self::Busy { .. } => None,
        }
    }
}

/// What became of the points of one message.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Located {
    pub accepted: u32,
    pub duplicates: u32,
    pub rejected: Vec<(i64, &'static str)>,
    /// The highest that is stored.
    pub last_seq: Option<i64>,
    pub next_interval_s: u32,
    /// Whether the current position is another one now.
    pub(crate) moved: bool,
    /// To be stored before anybody is told of it; then [`Mechanic::stored`], or [`Mechanic::forget`].
    pub(crate) trail: Vec<TrailPoint>,
}

/// What is remembered about the phone's points.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sightings {
    /// Those that are stored, or are not to be.
    seen: VecDeque<(i64, DateTime<Utc>)>,
    /// Those on their way to the journal, once for each message that waits for them: what the recorder has room for bounds them.
    under_way: Vec<TrailPoint>,
    skew: Skew,
    last_seq: Option<i64>,
    heard_at: Option<DateTime<Utc>>,
    moved_at: Option<(DateTime<Utc>, Point)>,
}

impl Mechanic {
    /// As loaded, with nothing known about its phone.
    pub fn new(id: MechanicId, profile: Profile, available: bool, now: DateTime<Utc>) -> Self {
        let (last, engagement, history) = (None, Engagement::Free, History::default());
        let (is_watched, sightings) = (false, Sightings::default());
        Self { id, profile, available, last, engagement, idle_since: now, history, is_watched, sightings }
    }

    /// As loaded, with what only the old memory knows: its phone, and a reservation that is not committed yet.
    pub(crate) fn with_memory_of(mut self, old: Option<Mechanic>, now: DateTime<Utc>) -> Self {
        let Some(old) = old else { return self };
        self.last = old.last.or(self.last);
        self.is_watched = old.is_watched;
        self.sightings = old.sightings;
        // A journal that keeps no answers leaves what was heard here.
        if self.history == History::default() {
            self.history = old.history;
        }
        self.idle_since = if old.engagement.job().is_some() && self.engagement == Engagement::Free {
            now
        } else {
            old.idle_since
        };
        if self.engagement.job() != old.engagement.job() {
            self.sightings.moved_at = None;
        }
        if self.engagement == Engagement::Free && matches!(old.engagement, Engagement::Held { .. }) {
            self.engagement = old.engagement;
        }
        self
    }

    /// What became of the offers in between, where the engagement was `before` and the words are missing.
    pub(crate) fn offer_words_since(&self, before: &Engagement, now: DateTime<Utc>) -> Vec<OfferCard> {
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

    /// These points of one message are stored: tells the highest number that is.
    pub(crate) fn stored(&mut self, points: &[TrailPoint]) -> Option<i64> {
        for point in points {
            self.sightings.has_ended(point);
            if !self.sightings.has_seen(&point.ping) {
                self.sightings.remember(&point.ping);
            }
        }
        self.sightings.last_seq
    }

    /// Points that were not stored are no duplicates when they come again.
    pub(crate) fn forget(&mut self, points: &[TrailPoint]) {
        points.iter().for_each(|point| self.sightings.has_ended(point));
    }

    /// It begins to work.
    pub(crate) fn begin_session(&mut self) {
        self.sightings.skew.begin_session();
    }

    /// Whether its offer is long over and the word of it was lost.
    pub(crate) fn has_outlived_its_offer(&self, now: DateTime<Utc>) -> bool {
        matches!(&self.engagement, Engagement::Offered(card) if now - card.expires_at > HOLD_TTL)
    }

    /// Available, and its position is fresh.
    pub fn is_online(&self, policy: &PresencePolicy, now: DateTime<Utc>) -> bool {
        self.available && self.last.is_some_and(|fix| now - fix.recorded_at <= policy.fresh_position)
    }

    /// What the dispatcher may know; `None` where the mechanic can't be matched: not verified, not online, or located
    /// too inaccurately.
    pub(crate) fn supply(&self, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<Supply> {
        let fix = self.last?;
        if !self.profile.is_verified || !self.is_online(policy, now) || !fix.is_exact(policy) {
            return None;
        }
        Some(Supply {
            point: fix.point,
            fresh_until: fix.recorded_at + policy.fresh_position,
            is_free: matches!(self.engagement, Engagement::Free),
            radius_m: self.profile.radius_m,
            vehicle_types: self.profile.vehicle_types.clone(),
            categories: self.profile.categories.clone(),
            idle_since: self.idle_since,
            acceptance_permille: self.history.acceptance_permille(),
        })
    }

    /// When the last position came, whatever it was good for.
    pub fn heard_at(&self) -> Option<DateTime<Utc>> {
        self.sightings.heard_at.max(self.last.map(|fix| fix.received_at))
    }

    /// When it last moved by more than the receiver's noise.
    pub fn moved_at(&self) -> Option<DateTime<Utc>> {
        self.sightings.moved_at.map(|(at, _)| at)
    }

    /// Metres to the pickup of its job, from a plausible and fresh position.
    pub fn distance_to_pickup(&self, policy: &PresencePolicy, now: DateTime<Utc>) -> Option<f64> {
        let Engagement::Busy { pickup, .. } = &self.engagement else { return None };
        let fix =
            self.last.filter(|fix| !fix.is_implausible && now - fix.recorded_at <= policy.fresh_position)?;
        fix.is_exact(policy).then(|| fix.point.distance_m(*pickup))
    }

    /// How often the app shall send: often while an offer is open or a customer watches, else less so on a job, and
    /// seldom otherwise.
    pub fn interval_s(&self, policy: &PresencePolicy) -> u32 {
        match self.engagement {
            Engagement::Free | Engagement::Held { .. } => policy.slow_interval_s,
            Engagement::Offered(_) => policy.fast_interval_s,
            Engagement::Busy { .. } if self.is_watched => policy.fast_interval_s,
            Engagement::Busy { .. } => policy.unwatched_interval_s,
        }
    }

    /// Takes the points of one message in, in order of their recording.
    pub fn locate(
        &mut self,
        mut pings: Vec<Ping>,
        policy: &PresencePolicy,
        received_at: DateTime<Utc>,
    ) -> Located {
        pings.sort_by_key(|ping| (ping.recorded_at, ping.seq));
        let mut located = Located::default();
        // A position stamped on its arrival (one that came without a time) tells nothing about the phone's clock.
        let is_telling = |at: &DateTime<Utc>| *at - received_at <= MAX_AHEAD && *at != received_at;
        let newest = pings.iter().map(|ping| ping.recorded_at).filter(is_telling).max();
        if let Some(newest) = newest {
            self.sightings.skew.observe(received_at - newest, received_at);
        }
        for ping in pings {
            self.take(ping, policy, received_at, &mut located);
        }
        located.last_seq = self.sightings.last_seq;
        located.next_interval_s = self.interval_s(policy);
        located
    }

    fn take(
        &mut self,
        ping: Ping,
        policy: &PresencePolicy,
        received_at: DateTime<Utc>,
        located: &mut Located,
    ) {
        if self.sightings.has_seen(&ping) {
            located.duplicates += 1;
            return;
        }
        if let Some(point) = self.sightings.on_its_way(&ping) {
            // Whether it will be stored is not known: it is stored once more, which is harmless, and this message told then.
            located.duplicates += 1;
            if !located.trail.contains(&point) {
                self.sightings.under_way.push(point);
                located.trail.push(point);
            }
            return;
        }
        if ping.recorded_at - received_at > MAX_AHEAD {
            return located.rejected.push((ping.seq, "recorded_in_the_future"));
        }
        let recorded_at = ping.recorded_at + self.sightings.skew.offset();
        if received_at - recorded_at > MAX_AGE {
            return located.rejected.push((ping.seq, "too_old"));
        }
        self.sightings.heard_at = self.sightings.heard_at.max(Some(received_at));
        located.accepted += 1;
        let is_implausible = ping.is_mock || self.is_too_fast(&ping, recorded_at, policy);
        if let Engagement::Busy { job_id, .. } = self.engagement {
            let mechanic_id = self.id;
            let point = TrailPoint { job_id, mechanic_id, ping, recorded_at, received_at, is_implausible };
            self.sightings.under_way.push(point);
            located.trail.push(point);
        } else {
            self.sightings.remember(&ping);
        }
        let is_newer = self.last.is_none_or(|last| (recorded_at, ping.seq) > (last.recorded_at, last.seq));
        let Ping { seq, point, accuracy_m, speed_mps, heading, .. } = ping;
        let fix =
            Fix { point, seq, accuracy_m, speed_mps, heading, recorded_at, received_at, is_implausible };
        // Knowing only roughly where somebody is does not undo knowing it well, while that is fresh.
        let is_good =
            |last: &Fix| last.is_exact(policy) && received_at - last.recorded_at <= policy.fresh_position;
        let is_better = fix.is_exact(policy) || !self.last.as_ref().is_some_and(is_good);
        if is_newer && is_better {
            self.sightings.note_move(&fix);
            self.last = Some(fix);
            located.moved = true;
        }
    }

    fn is_too_fast(&self, ping: &Ping, recorded_at: DateTime<Utc>, policy: &PresencePolicy) -> bool {
        let Some(last) = self.last else { return false };
        // Below a second the receiver's noise alone looks fast.
        let seconds = ((recorded_at - last.recorded_at).num_milliseconds().abs() as f64 / 1000.0).max(1.0);
        let noise = last.accuracy_m.unwrap_or(0.0).min(100.0) + ping.accuracy_m.unwrap_or(0.0).min(100.0);
        last.point.distance_m(ping.point) - noise > seconds * policy.max_speed_mps
    }

    /// Reserves the mechanic for one offer; refused while it is engaged otherwise.
    pub fn reserve(
        &mut self,
        offer_id: OfferId,
        job_id: JobId,
        policy: &PresencePolicy,
        now: DateTime<Utc>,
    ) -> bool {
        let is_free = match &self.engagement {
            Engagement::Free => true,
            Engagement::Held { since, .. } => now - *since >= HOLD_TTL,
            Engagement::Offered(_) | Engagement::Busy { .. } => false,
        };
        let holds = is_free && self.profile.is_verified && self.is_online(policy, now);
        if holds {
            self.engagement = Engagement::Held { offer_id, job_id, since: now };
        }
        holds
    }

    /// The offer was committed. `false` when the mechanic is on a job or has another offer (its actor was reloaded
    /// in between): the journal's guards decide then.
    pub fn offered(&mut self, card: OfferCard) -> bool {
        let fits = match &self.engagement {
            Engagement::Free | Engagement::Held { .. } => true,
            Engagement::Offered(held) => held.id == card.id,
            Engagement::Busy { .. } => false,
        };
        if fits {
            self.engagement = Engagement::Offered(Box::new(card));
        }
        fits
    }

    /// The reservation or offer ended. A late word about another one changes nothing.
    pub fn let_go(&mut self, offer_id: OfferId, now: DateTime<Utc>) -> Option<OfferCard> {
        match &self.engagement {
            Engagement::Held { offer_id: held, .. } if *held == offer_id => {
                self.engagement = Engagement::Free;
                None
            }
            Engagement::Offered(card) if card.id == offer_id => {
                let card = (**card).clone();
                self.engagement = Engagement::Free;
                self.idle_since = self.idle_since.min(now);
                Some(card)
            }
            Engagement::Free | Engagement::Held { .. } | Engagement::Offered(_) | Engagement::Busy { .. } => {
                None
            }
        }
    }

    /// It got the job.
    pub fn assign(&mut self, job_id: JobId, pickup: Point, is_arrived: bool) {
        self.engagement = Engagement::Busy { job_id, pickup, is_arrived, duty: None };
        // Progress is counted from here on: standing still before is no fault.
        self.sightings.moved_at = None;
    }

    /// The job ended for it. A late word about another job changes nothing.
    pub fn unassign(&mut self, job_id: JobId, now: DateTime<Utc>) -> bool {
        let holds =
            matches!(&self.engagement, Engagement::Busy { job_id: current, .. } if *current == job_id);
        if holds {
            self.engagement = Engagement::Free;
            self.idle_since = now;
        }
        holds
    }

    /// A reservation that nothing followed.
    pub fn stale_hold(&self, now: DateTime<Utc>) -> Option<OfferId> {
        match &self.engagement {
            Engagement::Held { offer_id, since, .. } if now - *since >= HOLD_TTL => Some(*offer_id),
            _ => None,
        }
    }

    /// Whether availability ends by itself: nothing was heard for too long, and no job is under way.
    pub fn is_forgotten(
        &self,
        policy: &PresencePolicy,
        available_since: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> bool {
        let heard = self.heard_at().map_or(available_since, |heard| heard.max(available_since));
        self.available && !matches!(self.engagement, Engagement::Busy { .. }) && now - heard > policy.auto_off
    }
}

impl Sightings {
    fn has_seen(&self, ping: &Ping) -> bool {
        self.seen.contains(&(ping.seq, ping.recorded_at))
    }

    /// The same point, of another message that is being stored.
    fn on_its_way(&self, ping: &Ping) -> Option<TrailPoint> {
        let key = (ping.seq, ping.recorded_at);
        self.under_way.iter().find(|point| (point.ping.seq, point.ping.recorded_at) == key).copied()
    }

    /// One message does not wait for this point any more.
    fn has_ended(&mut self, point: &TrailPoint) {
        if let Some(index) = self.under_way.iter().position(|other| other == point) {
            self.under_way.swap_remove(index);
        }
    }

    fn remember(&mut self, ping: &Ping) {
        if self.seen.len() == REMEMBERED_POINTS {
            self.seen.pop_front();
        }
        self.seen.push_back((ping.seq, ping.recorded_at));
        self.last_seq = Some(self.last_seq.map_or(ping.seq, |last| last.max(ping.seq)));
    }

    fn note_move(&mut self, fix: &Fix) {
        let far = self.moved_at.is_none_or(|(_, from)| from.distance_m(fix.point) >= MOVED_M);
        if far {
            self.moved_at = Some((fix.received_at, fix.point));
        }
    }
}
