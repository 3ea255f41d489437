//! The mechanics' phones in a run: what they send, and what gets lost on the way.

use roadcall_actors::{
    ids::{MechanicId, TrackerId},
    mechanic::state::{Ping, PositionSource},
};

use super::{queue::Step, run::Run, travel::millis};
use crate::rng::Purpose;

/// The time after which a phone that may have missed something asks for its state.
pub(super) const REFRESH_AFTER_S: f64 = 20.0;
/// The accuracy of every position, in metres.
const ACCURACY_M: f64 = 10.0;

impl Run {
    /// Sends a position and asks for offers.
    pub(super) async fn go_available(&mut self, m: usize) {
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

    /// Makes the phone ask for its state.
    pub(super) fn refresh_after(&mut self, m: usize, after_s: f64) {
        self.queue.plan(self.now + millis(after_s), Step::Refresh(m));
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
