//! Replays a recorded stretch of a service's log: `file.rs` reads it, `learning.rs` makes a scenario of what it shows, and this
//! file draws what it does not show.

mod file;
mod learning;

use std::{f64::consts::TAU, path::Path, sync::Arc};

use roadcall_actors::{geo::Point, job::state::Urgency};

use super::{
    demand::Call,
    mechanic_profiles::{Answer, Answers, Mechanic, Played, Shift},
    places,
    scenario::{Scenario, vehicle_type},
    travel::millis,
};
use crate::{
    city,
    rng::{Purpose, Rng},
};
use file::{Given, Job, Place, Recording, Side};

/// With this many answers, a mechanic's own answers count as much as the scenario's chance.
const PRIOR_ANSWERS: f64 = 10.0;
/// Longer waits and longer work are cut to this: somebody forgot to close the job.
const MAX_WAIT_S: f64 = 6.0 * 3600.0;
const MAX_WORK_S: f64 = 6.0 * 3600.0;
/// The number of draws of a wait until one is at least as long as the customer is known to have waited.
const TRIES: u64 = 8;

/// A recording, ready to be replayed once for each seed.
#[derive(Debug)]
pub struct Replay {
    recording: Recording,
    crews: Vec<usize>,
    /// The recorded answers, by mechanic like the next field.
    answers: Vec<Arc<Answers>>,
    answered: Vec<Answered>,
}

/// The totals of a mechanic's answers.
#[derive(Debug, Clone, Copy, Default)]
struct Answered {
    count: f64,
    accepted: f64,
    /// The sum of the straight lines to the pickups.
    km: f64,
}

impl Place {
    fn point(&self) -> Point {
        Point::new(self.lat, self.lng)
    }
}

impl Replay {
    pub fn load(path: &Path) -> Result<Self, String> {
        Recording::load(path).map(Self::new)
    }

    fn new(recording: Recording) -> Self {
        let mut answers = vec![Answers::new(); recording.mechanics.len()];
        let mut answered = vec![Answered::default(); recording.mechanics.len()];
        for given in &recording.answers {
            let answer = match given.answer {
                Given::Accepted => Answer::Accept,
                Given::Declined => Answer::Decline,
                Given::Expired => Answer::Ignore,
            };
            let sums = &mut answered[given.mechanic];
            sums.count += 1.0;
            sums.accepted += if answer == Answer::Accept { 1.0 } else { 0.0 };
            sums.km += given.distance_m / 1000.0;
            answers[given.mechanic].insert((given.job, given.nth), (answer, given.reaction_s.map(millis)));
        }
        let crews = learning::crews(&recording).0;
        let answers = answers.into_iter().map(Arc::new).collect();
        Self { recording, crews, answers, answered }
    }

    /// Returns the base scenario, with everything that the recording shows instead.
    pub fn scenario(&self, base: &Scenario) -> Scenario {
        learning::scenario(base, &self.recording)
    }

    /// Returns the recorded calls; `scenario` is the replay's scenario.
    pub fn calls(&self, scenario: &Scenario, rng: Rng) -> Vec<Call> {
        let rng = rng.on(Purpose::Customer);
        let jobs = self.recording.jobs.iter().enumerate();
        jobs.map(|(n, job)| call(scenario, job, rng.number(n as u64))).collect()
    }

    /// Returns the recorded mechanics.
    pub fn mechanics(&self, scenario: &Scenario, rng: Rng) -> Vec<Mechanic> {
        let rng = rng.on(Purpose::Mechanic);
        (0..self.crews.len()).map(|m| self.mechanic(scenario, m, rng.number(m as u64))).collect()
    }

    fn mechanic(&self, scenario: &Scenario, m: usize, rng: Rng) -> Mechanic {
        let recorded = &self.recording.mechanics[m];
        let last = recorded.last.map(|place| place.point());
        let elsewhere = || places::demand_place(scenario, rng.on(Purpose::Home));
        let shifts = recorded.online.iter().enumerate().map(|(n, span)| {
            let place = match span.place {
                Some(place) => {
                    let turn = rng.on(Purpose::Home).number(n as u64).share() * TAU;
                    city::offset(place.point(), span.off_m * turn.cos(), span.off_m * turn.sin())
                }
                None => last.unwrap_or_else(elsewhere),
            };
            Shift { from: millis(span.from_s), to: millis(span.to_s), place }
        });
        let shifts: Vec<Shift> = shifts.collect();
        let drawn = rng.on(Purpose::Accept).between(scenario.behaviour.accept);
        Mechanic::played(Played {
            home: shifts.first().map_or_else(elsewhere, |shift| shift.place),
            crew: self.crews[m],
            radius_m: recorded.radius_km * 1000.0,
            accept: self.accept(scenario, m, drawn),
            shifts,
            answers: self.answers[m].clone(),
            rng,
        })
    }

    /// Returns the mechanic's own chance to accept an offer at no distance, drawn towards `drawn` where they answered few offers.
    fn accept(&self, scenario: &Scenario, m: usize, drawn: f64) -> f64 {
        let Answered { count, accepted, km } = self.answered[m];
        let own = accepted + scenario.behaviour.accept_loss_per_km * km;
        ((own + drawn * PRIOR_ANSWERS) / (count + PRIOR_ANSWERS)).clamp(0.0, 1.0)
    }
}

fn call(scenario: &Scenario, job: &Job, rng: Rng) -> Call {
    let customers = &scenario.customers;
    let waited = |until_s: Option<f64>| until_s.map_or(0.0, |at_s| (at_s - job.at_s).clamp(0.0, MAX_WAIT_S));
    let wait = |of: Purpose, minutes: f64, least_s: f64| {
        let draw = |n: u64| {
            let rng = if n == 0 { rng.on(of) } else { rng.on(of).number(n) };
            rng.lognormal(minutes * 60.0, customers.patience_sigma).clamp(60.0, MAX_WAIT_S)
        };
        (0..TRIES).map(draw).find(|drawn_s| *drawn_s >= least_s).unwrap_or(least_s)
    };
    let gave_up = job.arrived_s.is_none() && job.cancelled_by == Some(Side::Customer);
    let (accepted_s, ended_s) = (job.accepted_s, job.arrived_s.or(job.cancelled_s));
    let patience_s = match accepted_s {
        None if gave_up => waited(job.cancelled_s).max(1.0),
        None => wait(Purpose::Patience, customers.patience_min, waited(ended_s)),
        Some(_) => wait(Purpose::Patience, customers.patience_min, waited(accepted_s)),
    };
    let arrival_patience_s = match accepted_s {
        Some(_) if gave_up => waited(job.cancelled_s).max(1.0),
        _ => wait(Purpose::ArrivalPatience, customers.arrival_patience_min, waited(ended_s)),
    };
    let category_s = scenario.categories[job.category].minutes * 60.0;
    let pickup = job.pickup.point();
    Call {
        at: millis(job.at_s),
        pickup,
        category: job.category,
        vehicle_type: vehicle_type(&job.vehicle_type),
        urgency: Urgency::parse(&job.urgency).expect("a checked recording names only known urgencies"),
        patience: millis(patience_s),
        arrival_patience: millis(arrival_patience_s),
        tries_again: rng.on(Purpose::Retry).percent(customers.retry_percent),
        work: millis(job.work_s.unwrap_or(category_s).clamp(1.0, MAX_WORK_S)),
        ends_at: job.ends.map_or(pickup, |place| place.point()),
    }
}

#[cfg(test)]
mod tests;
