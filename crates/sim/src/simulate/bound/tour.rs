//! A mechanic's real day, one job after the other: the rules of the model, on the plane. Pure.

use super::{
    super::travel::{self, MIN_TRIP_S, Millis, Motion, millis},
    day::{Day, seconds},
    plane::Place,
};

/// A mechanic with nothing to do: since when, and where they are on the way on which they cruise.
#[derive(Debug, Clone, Copy)]
pub struct Free {
    pub at: f64,
    from: Place,
    to: Place,
    arrives: f64,
    /// The seconds on the road to pickups so far.
    pub trips_s: f64,
}

impl Free {
    pub fn at_home(day: &Day, m: usize) -> Self {
        let worker = day.workers[m];
        Self { at: worker.from, from: worker.home, to: worker.home, arrives: worker.from, trips_s: 0.0 }
    }

    fn place(&self, at: f64) -> Place {
        match self.arrives - self.at {
            whole if whole > 0.0 => self.from.toward(self.to, ((at - self.at) / whole).clamp(0.0, 1.0)),
            _ => self.to,
        }
    }

    /// Returns whether everything that follows is the same from both states.
    pub fn is_like(&self, other: &Free) -> bool {
        (self.at, self.arrives, self.from, self.to) == (other.at, other.arrives, other.from, other.to)
    }

    /// Returns the state after this job, served in time and begun at once; `None` where that is impossible.
    pub fn after(&self, day: &Day, m: usize, j: usize) -> Option<Free> {
        let (job, worker) = (&day.jobs[j], &day.workers[m]);
        let pair = day.pair_of(m, j);
        let sure = pair.sure.filter(|_| pair.keeps)?;
        let asked = self.at.max(job.at);
        let departs = asked + sure.after_s;
        if departs >= job.accept_by.min(worker.to) {
            return None;
        }
        let stretch = day.plane.stretch;
        let offered = self.place(asked + sure.offered_after_s);
        if offered.distance_m(job.pickup) * stretch > sure.within_m {
            return None;
        }
        let trip_s = trip_s(day, self.place(departs), job.pickup, departs, pair.noise);
        let arrives = departs + trip_s;
        if arrives >= job.in_time_by {
            return None;
        }
        let at = arrives + job.work_s;
        let to = pair.cruise.filter(|_| at < worker.to).unwrap_or(job.ends_at);
        let way_s = trip_s_to(day, job.ends_at, to, at, job.cruise_noise);
        let trips_s = self.trips_s + trip_s;
        Some(Free { at, from: job.ends_at, to, arrives: at + way_s, trips_s })
    }
}

fn trip_s(day: &Day, from: Place, to: Place, departs: f64, noise: f64) -> f64 {
    let seconds = from.distance_m(to) * day.plane.stretch / day.speed_by_hour[day.hour(departs)] * noise;
    seconds.max(MIN_TRIP_S)
}

/// Returns the seconds of a trip, or 0 where there is no way to go.
fn trip_s_to(day: &Day, from: Place, to: Place, departs: f64, noise: f64) -> f64 {
    if from == to { 0.0 } else { trip_s(day, from, to, departs, noise) }
}

/// Returns the jobs that the mechanic serves in time, in this order, on the globe and in whole milliseconds, exactly as the
/// simulator moves people. Leaves out jobs that fail.
pub fn verified(day: &Day, m: usize, jobs: &[usize]) -> Vec<usize> {
    let Some(mut driver) = Driver::at_home(day, m) else { return Vec::new() };
    let mut served = Vec::with_capacity(jobs.len());
    for j in jobs.iter().copied() {
        if let Some((next, true)) = driver.after(day, m, j, 0) {
            driver = next;
            served.push(j);
        }
    }
    served
}

/// A mechanic with nothing to do, on the globe.
#[derive(Debug, Clone, Copy)]
pub struct Driver {
    free: Millis,
    motion: Motion,
}

impl Driver {
    /// Returns the mechanic at home at the beginning of the shift; `None` on their day off.
    pub fn at_home(day: &Day, m: usize) -> Option<Self> {
        let person = &day.people[m];
        person.shift.map(|(begins, _)| Self { free: begins, motion: Motion::still(person.home) })
    }

    /// Returns the state after this job, which is offered to them `waits` after it could be, and whether they arrived in time.
    /// Returns `None` where they do not get the job, or the customer gives up before they arrive.
    pub fn after(&self, day: &Day, m: usize, j: usize, waits: Millis) -> Option<(Self, bool)> {
        let (scenario, person) = (&day.scenario, &day.people[m]);
        let (call, pair, (_, ends)) = (&day.calls[j], day.pair_of(m, j), person.shift?);
        let sure = pair.sure.filter(|_| pair.keeps)?;
        let asked = self.free.max(call.at) + waits;
        let departs = asked + millis(sure.after_s);
        let offered_m = self.motion.at(asked + millis(sure.offered_after_s)).distance_m(call.pickup);
        let arrives = departs + person.trip(scenario, j, self.motion.at(departs), call.pickup, departs);
        let accepts =
            departs < ends && seconds(departs) < day.jobs[j].accept_by && offered_m <= sure.within_m;
        if !accepts || seconds(arrives) >= day.jobs[j].arrive_by {
            return None;
        }
        let free = arrives + millis(day.jobs[j].work_s);
        let mut motion = Motion::still(call.ends_at);
        if let Some(to) = person.cruise(scenario, j).filter(|_| free < ends) {
            let way = travel::trip(scenario, call.ends_at, to, free, day.cruise_rng(j));
            motion = Motion { from: call.ends_at, to, departs: free, arrives: free + way };
        }
        Some((Self { free, motion }, seconds(arrives) <= day.jobs[j].in_time_by))
    }
}
