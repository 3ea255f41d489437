//! The mechanics' actions in a run: their shifts, their phones and their answers. Their actions on a job are in
//! `mechanic_jobs.rs`.

use std::collections::HashMap;

use chrono::TimeDelta;
use roadcall_actors::{
    geo::Point,
    ids::{JobId, MechanicId, OfferId, TrackerId, UserId},
    job::state::{Actor as By, Command, Refusal},
    mechanic::state::{Engagement, Ping, PositionSource},
    protocol::Accept,
};

use super::{
    mechanic_jobs::Engaged,
    mechanic_profiles::{self, Answer},
    policy::Kind,
    queue::Step,
    run::Run,
    travel::{self, Millis, Motion, millis},
};
use crate::rng::{Purpose, Rng};

/// The time after which a phone that may have missed something asks for its state.
pub(super) const REFRESH_AFTER_S: f64 = 20.0;
/// The accuracy of every position, in metres.
const ACCURACY_M: f64 = 10.0;

/// The state of a mechanic.
#[derive(Debug)]
pub struct Worker {
    pub id: MechanicId,
    pub person: mechanic_profiles::Mechanic,
    pub motion: Motion,
    /// The job that they believe they are on.
    pub engaged: Option<Engaged>,
    /// The number of engagements so far: steps of an earlier one are void.
    pub engagements: u32,
    /// The metres driven on the road to pickups.
    pub driven_m: f64,
    /// The metres driven without a job, and how often they went to a place where the service advised them to wait.
    pub idle_m: f64,
    pub followed: u64,
    pub interval_s: u32,
    /// Whether the time is between the beginning and the end of their shift, breaks included.
    pub is_on_shift: bool,
    /// Whether they want offers.
    pub is_available: bool,
    is_offline: bool,
    /// Whether another app is on their screen until they arrive: nothing comes from this one, and nothing reaches it.
    pub is_navigating: bool,
    /// The offer on the screen, with the answer to come.
    offer: Option<(OfferId, JobId, Answer)>,
    /// The number of offers of each customer's job so far.
    asked: HashMap<usize, u32>,
    next_ping: Option<Millis>,
    seq: i64,
    messages: u64,
}

/// Returns the user behind a mechanic.
pub fn user_of(id: MechanicId) -> UserId {
    UserId(id.0)
}

impl Worker {
    pub fn new(id: MechanicId, person: mechanic_profiles::Mechanic, interval_s: u32) -> Self {
        Self {
            id,
            motion: Motion::still(person.home),
            person,
            engaged: None,
            engagements: 0,
            driven_m: 0.0,
            followed: 0,
            idle_m: 0.0,
            interval_s,
            is_on_shift: false,
            is_available: false,
            is_offline: false,
            is_navigating: false,
            offer: None,
            asked: HashMap::new(),
            next_ping: None,
            seq: 0,
            messages: 0,
        }
    }
}

impl Run {
    pub(super) async fn begin_shift(&mut self, m: usize) {
        let worker = &mut self.workers[m];
        worker.is_on_shift = true;
        if let Some(place) = worker.person.place_at(self.now).filter(|_| worker.engaged.is_none()) {
            worker.motion = Motion::still(place);
        }
        self.go_available(m).await;
    }

    /// Ends the shift; a job under way is finished first.
    pub(super) async fn end_shift(&mut self, m: usize) {
        self.workers[m].is_on_shift = false;
        if self.workers[m].engaged.is_none() {
            self.go_unavailable(m).await;
        }
    }

    pub(super) async fn end_break(&mut self, m: usize) {
        if self.workers[m].is_on_shift && self.workers[m].engaged.is_none() {
            self.go_available(m).await;
        }
    }

    /// Sends a position and asks for offers.
    async fn go_available(&mut self, m: usize) {
        let worker = &mut self.workers[m];
        worker.is_available = true;
        let id = worker.id;
        if self.is_lost(m) {
            return self.refresh_after(m, REFRESH_AFTER_S);
        }
        self.send_position(m).await;
        if self.service.engine.set_availability(id, true).await.is_err() {
            self.refresh_after(m, REFRESH_AFTER_S);
        }
        if self.workers[m].next_ping.is_none() {
            self.plan_ping(m);
        }
    }

    pub(super) async fn go_unavailable(&mut self, m: usize) {
        self.workers[m].is_available = false;
        let id = self.workers[m].id;
        if self.is_lost(m) || self.service.engine.set_availability(id, false).await.is_err() {
            self.refresh_after(m, REFRESH_AFTER_S);
        }
    }

    pub(super) fn lose_connection(&mut self, m: usize, nth: u32) {
        let scenario = self.plan.scenario.clone();
        let share = scenario.phones.dark_percent / 100.0 + self.plan.faults.dark_phones;
        let person = &self.workers[m].person;
        let (this, next) =
            (person.connection(&scenario, share, nth), person.connection(&scenario, share, nth + 1));
        let (Some((_, lost)), Some((connected, _))) = (this, next) else { return };
        self.workers[m].is_offline = true;
        self.queue.plan(self.now + lost, Step::Reconnect(m));
        self.queue.plan(self.now + lost + connected, Step::LoseConnection(m, nth + 1));
    }

    pub(super) async fn reconnect(&mut self, m: usize) {
        self.workers[m].is_offline = false;
        // The engine may have made the mechanic unavailable meanwhile.
        if self.workers[m].is_available {
            self.go_available(m).await;
        }
        self.refresh(m).await;
    }

    /// Returns the position that a phone sends now, if it is due, and plans the next one.
    pub(super) fn ping(&mut self, m: usize) -> Option<(usize, MechanicId, Ping, PositionSource)> {
        let worker = &mut self.workers[m];
        if worker.next_ping.is_none_or(|at| at > self.now) {
            return None;
        }
        worker.next_ping = None;
        if !worker.is_available && worker.engaged.is_none() {
            return None;
        }
        self.plan_ping(m);
        let source = self.source(m);
        if self.is_lost_from(m, source) {
            return None;
        }
        let ping = self.position(m);
        Some((m, self.workers[m].id, ping, source))
    }

    /// Returns what sends their position: while another app shows the way, only a tracker.
    fn source(&self, m: usize) -> PositionSource {
        let worker = &self.workers[m];
        match worker.is_navigating && worker.person.has_tracker(self.plan.faults.trackers) {
            true => PositionSource::Tracker(TrackerId(worker.id.0)),
            false => PositionSource::App,
        }
    }

    /// Plans the next position on a full second, so that many phones send at the same moment: each moment costs the run a step.
    fn plan_ping(&mut self, m: usize) {
        let worker = &mut self.workers[m];
        let at = (self.now / 1_000 + u64::from(worker.interval_s.max(1))) * 1_000;
        worker.next_ping = Some(at);
        self.queue.plan(at, Step::Ping(m));
    }

    pub(super) async fn send_position(&mut self, m: usize) {
        let (ping, id) = (self.position(m), self.workers[m].id);
        self.service.engine.watch(self.workers[m].engaged.map(|engaged| engaged.job));
        if self.service.engine.locate(id, vec![ping], PositionSource::App, self.service.now()).await.is_err()
        {
            self.refresh_after(m, REFRESH_AFTER_S);
        }
    }

    fn position(&mut self, m: usize) -> Ping {
        let recorded_at = self.service.now();
        let worker = &mut self.workers[m];
        worker.seq += 1;
        let (seq, point) = (worker.seq, worker.motion.at(self.now));
        let (accuracy_m, speed_mps, heading, is_mock) = (Some(ACCURACY_M), None, None, false);
        Ping { seq, point, accuracy_m, speed_mps, heading, recorded_at, is_mock }
    }

    pub(super) fn on_location_rate(&mut self, m: usize, interval_s: u32) {
        if self.workers[m].interval_s != interval_s {
            self.workers[m].interval_s = interval_s;
            if self.workers[m].next_ping.is_some() {
                self.plan_ping(m);
            }
        }
    }

    pub(super) fn on_offer(&mut self, m: usize, offer: OfferId, job: JobId, c: usize, distance_m: u32) {
        if self.is_lost(m) {
            return;
        }
        let scenario = self.plan.scenario.clone();
        let worker = &mut self.workers[m];
        let nth = worker.asked.entry(c).or_default();
        let (answer, reaction) = worker.person.answer(&scenario, c, *nth, f64::from(distance_m));
        *nth += 1;
        worker.offer = Some((offer, job, answer));
        if answer != Answer::Ignore {
            self.queue.plan(self.now + reaction, Step::Answer(m, offer));
        }
    }

    pub(super) fn on_offer_over(&mut self, m: usize, offer: OfferId) {
        let shown = self.workers[m].offer.is_some_and(|(shown, ..)| shown == offer);
        if shown && !self.is_lost(m) {
            self.workers[m].offer = None;
        }
    }

    pub(super) async fn answer(&mut self, m: usize, offer: OfferId) {
        let shown = self.workers[m].offer.filter(|(shown, ..)| *shown == offer);
        let Some((_, job, answer)) = shown else { return };
        self.workers[m].offer = None;
        if !self.workers[m].is_on_shift || self.workers[m].engaged.is_some() {
            return;
        }
        if self.is_lost(m) {
            return self.refresh_after(m, REFRESH_AFTER_S);
        }
        let (mechanic_id, user) = (self.workers[m].id, user_of(self.workers[m].id));
        let engine = &self.service.engine;
        let answered = match answer {
            Answer::Accept => {
                let (command, logged_under) = (engine.new_command(), None);
                let (mechanic, answered_ago) = (mechanic_id, TimeDelta::zero());
                let accept = Accept { command, logged_under, job, offer, mechanic, user, answered_ago };
                accept.carry_out(engine).await
            }
            Answer::Decline | Answer::Ignore => {
                let decline = Command::Decline { offer_id: offer, mechanic_id, reason: None };
                engine.order(engine.new_command(), job, By::Mechanic(user), decline).await
            }
        };
        match (answer, answered, self.customer(job)) {
            // The answer may be lost on its way back.
            (Answer::Accept, Ok(_), Some(c)) if !self.is_lost(m) => self.engage(m, job, c),
            (Answer::Accept, Ok(_), _) => self.refresh_after(m, REFRESH_AFTER_S),
            (_, Err(Refusal::Unavailable(_) | Refusal::OutcomeUnknown(_)), _) => {
                self.refresh_after(m, REFRESH_AFTER_S)
            }
            _ => {}
        }
    }

    /// Makes the phone ask for its state.
    pub(super) fn refresh_after(&mut self, m: usize, after_s: f64) {
        self.queue.plan(self.now + millis(after_s), Step::Refresh(m));
    }

    /// Adopts the service's state. A phone without a connection asks when it has one again.
    pub(super) async fn refresh(&mut self, m: usize) {
        if self.is_offline(m) {
            return;
        }
        let id = self.workers[m].id;
        let Some(mechanic) = self.service.engine.mechanic(id).await else {
            return self.refresh_after(m, REFRESH_AFTER_S);
        };
        match mechanic.engagement {
            Engagement::Busy { job_id, .. } => {
                if let Some(c) = self.customer(job_id) {
                    self.engage(m, job_id, c);
                }
            }
            Engagement::Offered(card) => {
                let is_new = self.workers[m].offer.is_none_or(|(shown, ..)| shown != card.id);
                if let (true, Some(c)) = (is_new, self.customer(card.job_id)) {
                    self.on_offer(m, card.id, card.job_id, c, card.distance_m);
                }
            }
            Engagement::Free | Engagement::Reserved { .. } => {
                if let Some(job) = self.workers[m].engaged.map(|engaged| engaged.job) {
                    self.leave(m, job);
                }
            }
        }
        let wants = self.workers[m].is_on_shift && self.workers[m].is_available;
        if mechanic.available != wants && self.workers[m].engaged.is_none() {
            match wants {
                true => self.go_available(m).await,
                false => self.go_unavailable(m).await,
            }
        }
    }

    /// Drives to a place where calls come from, or stays.
    pub(super) fn cruise(&mut self, m: usize, c: usize) {
        if let Some(to) = self.workers[m].person.cruise(&self.plan.scenario, c) {
            self.go_and_wait(m, to, Rng::new(self.plan.seed).on(Purpose::Cruise).number(c as u64));
        }
    }

    /// Drives to the place where the service advises to wait, if this mechanic follows such advice.
    pub(super) fn on_wait_advised(&mut self, m: usize, to: Point) {
        let follows = self.plan.policy.kind == Kind::Advised
            && self.workers[m].person.follows(self.plan.follow_percent)
            && !self.is_lost(m);
        let worker = &mut self.workers[m];
        if follows && worker.engaged.is_none() && worker.is_available {
            worker.followed += 1;
            let rng = Rng::new(self.plan.seed).on(Purpose::Follow).number(m as u64).number(worker.followed);
            self.go_and_wait(m, to, rng);
        }
    }

    /// Drives somewhere without a job; `rng` is the trip's own.
    fn go_and_wait(&mut self, m: usize, to: Point, rng: Rng) {
        self.count_idle_way(m);
        let now = self.now;
        let worker = &mut self.workers[m];
        let from = worker.motion.at(now);
        let arrives = now + travel::trip(&self.plan.scenario, from, to, now, rng);
        worker.motion = Motion { from, to, departs: now, arrives };
    }

    /// Adds the part driven so far of a way without a job.
    pub(super) fn count_idle_way(&mut self, m: usize) {
        let worker = &mut self.workers[m];
        if worker.engaged.is_none() {
            let whole_m = travel::road_m(&self.plan.scenario, worker.motion.from, worker.motion.to);
            worker.idle_m += whole_m * worker.motion.progress(self.now);
        }
    }

    /// Returns whether a message from or to this phone gets lost.
    pub(super) fn is_lost(&mut self, m: usize) -> bool {
        self.is_lost_from(m, PositionSource::App)
    }

    fn is_lost_from(&mut self, m: usize, source: PositionSource) -> bool {
        let worker = &mut self.workers[m];
        worker.messages += 1;
        let rng = self.rng.on(Purpose::Lost).number(m as u64).number(worker.messages);
        let is_hidden = worker.is_navigating && source == PositionSource::App;
        worker.is_offline || is_hidden || rng.chance(self.plan.faults.lost_messages)
    }

    pub(super) fn is_offline(&self, m: usize) -> bool {
        self.workers[m].is_offline || self.workers[m].is_navigating
    }
}
