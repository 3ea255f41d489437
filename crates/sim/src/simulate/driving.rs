//! Drives mechanics who have no job.

use roadcall_actors::geo::Point;

use super::{
    policy::Kind,
    run::Run,
    travel::{self, Motion},
};
use crate::rng::{Purpose, Rng};

impl Run {
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
}
