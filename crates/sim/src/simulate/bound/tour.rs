//! What a mechanic can really do, one job after the other: the rules of the model, on the plane. Pure.

use super::{
    super::travel::{self, LEAST_TRIP_S, Motion, millis},
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
    /// Seconds on the road to pickups so far.
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

    /// After this job, served in time and begun at once; `None` where that can't be.
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
    seconds.max(LEAST_TRIP_S)
}

/// None where there is no way.
fn trip_s_to(day: &Day, from: Place, to: Place, departs: f64, noise: f64) -> f64 {
    if from == to { 0.0 } else { trip_s(day, from, to, departs, noise) }
}

/// How many of these jobs the mechanic serves in time, in this order, on the globe and in whole milliseconds, exactly as
/// the simulator moves people. Jobs that fail are left out.
pub fn verified(day: &Day, m: usize, jobs: &[usize]) -> Vec<usize> {
    let (scenario, person) = (&day.scenario, &day.people[m]);
    let Some((begins, ends)) = person.shift else { return Vec::new() };
    let (mut free, mut motion) = (begins, Motion::still(person.home));
    let mut served = Vec::with_capacity(jobs.len());
    for j in jobs.iter().copied() {
        let (call, pair) = (&day.calls[j], day.pair_of(m, j));
        let Some(sure) = pair.sure.filter(|_| pair.keeps) else { continue };
        let asked = free.max(call.at);
        let departs = asked + millis(sure.after_s);
        let offered_m = motion.at(asked + millis(sure.offered_after_s)).distance_m(call.pickup);
        let arrives = departs + person.trip(scenario, j, motion.at(departs), call.pickup, departs);
        let accepts =
            departs < ends && seconds(departs) < day.jobs[j].accept_by && offered_m <= sure.within_m;
        if !accepts || seconds(arrives) > day.jobs[j].in_time_by {
            continue;
        }
        served.push(j);
        free = arrives + millis(day.jobs[j].work_s);
        motion = Motion::still(call.ends_at);
        if let Some(to) = person.cruise(scenario, j).filter(|_| free < ends) {
            let rng = day.cruise_rng(j);
            let way = travel::trip(scenario, call.ends_at, to, free, rng);
            motion = Motion { from: call.ends_at, to, departs: free, arrives: free + way };
        }
    }
    served
}
