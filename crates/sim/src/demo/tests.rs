//! Hours of the built-in city under virtual time: its demand meets its mechanics, the nearest free one first.

use chrono::TimeDelta;
use roadcall_actors::geo::Point;

use super::scenario::{BENGALURU, MechanicSpec, Scenario};
use crate::{
    city,
    rng::{Rng, Stream},
    scenario::ScenarioFile,
};

/// How long an unanswered offer lasts.
const OFFER_S: f64 = 20.0;
/// The seconds from the arrival until the work begins.
const CODE_S: f64 = 5.0;
const MINUTES: usize = 120;

struct Worker<'a> {
    spec: &'a MechanicSpec,
    home: Point,
    at: Point,
    busy_until: f64,
}

struct Waiting {
    at: Point,
    category: String,
    vehicle_type: String,
    since: f64,
    asks_at: f64,
    refused_by: Vec<usize>,
}

/// The state at the end of a minute.
#[derive(Debug, Clone, Copy)]
struct Minute {
    free: usize,
    waiting: usize,
    longest_wait_s: f64,
}

struct Hours<'a> {
    scenario: &'a Scenario,
    random: Stream,
    workers: Vec<Worker<'a>>,
    waiting: Vec<Waiting>,
    calls: usize,
}

impl<'a> Hours<'a> {
    fn new(scenario: &'a Scenario, seed: u64) -> Self {
        let random = Stream::new(Rng::new(seed));
        let worker = |spec: &'a MechanicSpec| {
            let home = scenario.place(&spec.home).expect("a home").point();
            let home = city::near(home, 150.0, random.draw());
            Worker { spec, home, at: home, busy_until: 0.0 }
        };
        let workers = scenario.mechanics.iter().map(worker).collect();
        Self { scenario, random, workers, waiting: Vec::new(), calls: 0 }
    }

    fn play(mut self) -> (Vec<Minute>, usize) {
        let (mut minutes, mut next_call) = (Vec::new(), 0.0);
        for second in 0..MINUTES * 60 {
            let now = second as f64;
            while next_call <= now {
                self.may_break_down(now);
                let elapsed = TimeDelta::seconds(second as i64);
                next_call += self.random.gap(self.scenario.demand.rate(elapsed)).as_secs_f64();
            }
            for worker in self.workers.iter_mut().filter(|worker| worker.busy_until <= now) {
                worker.at = city::toward(worker.at, worker.home, worker.spec.speed_kmh / 3.6);
            }
            let waiting = std::mem::take(&mut self.waiting);
            let left = waiting.into_iter().filter_map(|job| self.offer(job, now)).collect();
            self.waiting = left;
            if second % 60 == 59 {
                minutes.push(self.minute(now));
            }
        }
        (minutes, self.calls)
    }

    fn free(&self, now: f64) -> usize {
        self.workers.iter().filter(|worker| worker.busy_until <= now).count()
    }

    fn may_break_down(&mut self, now: f64) {
        let (demand, random) = (&self.scenario.demand, &self.random);
        let jobs = self.waiting.len() + self.workers.len() - self.free(now);
        if !demand.can_be_served(jobs, self.workers.len()) {
            return;
        }
        let place = random.pick(&self.scenario.places).expect("a place").point();
        let category = random.draw().weighted(demand.mix_percent.values().copied());
        let vehicle_type = random.pick(&self.scenario.customers.vehicle_types).expect("a vehicle");
        self.waiting.push(Waiting {
            at: city::near(place, demand.spread_m, random.draw()),
            category: demand.mix_percent.keys().nth(category).expect("a category").clone(),
            vehicle_type: vehicle_type.clone(),
            since: now,
            asks_at: now,
            refused_by: Vec::new(),
        });
        self.calls += 1;
    }

    /// Asks the nearest mechanic who is free and fits; returns the job if it goes on waiting.
    fn offer(&mut self, mut job: Waiting, now: f64) -> Option<Waiting> {
        if job.asks_at > now {
            return Some(job);
        }
        let fits = |(index, worker): &(usize, &Worker<'_>)| {
            let spec = worker.spec;
            worker.busy_until <= now
                && !job.refused_by.contains(index)
                && spec.vehicle_types.contains(&job.vehicle_type)
                && spec.categories.as_ref().is_none_or(|slugs| slugs.contains(&job.category))
                && worker.at.distance_m(job.at) <= spec.radius_km * 1000.0
        };
        let candidates = self.workers.iter().enumerate().filter(fits);
        let distances = candidates.map(|(index, worker)| (index, worker.at.distance_m(job.at)));
        let nearest = distances.min_by(|(_, one), (_, other)| one.total_cmp(other));
        let Some((index, _)) = nearest else { return Some(job) };
        let (work, random) = (&self.scenario.work, &self.random);
        let worker = &mut self.workers[index];
        let (answer, think) = (random.draw().share(), random.seconds(work.think_s).as_secs_f64());
        if answer < worker.spec.accept_share {
            let way = worker.at.distance_m(job.at) / (worker.spec.speed_kmh / 3.6);
            worker.busy_until = now + think + way + CODE_S + random.seconds(work.repair_s).as_secs_f64();
            worker.at = job.at;
            return None;
        }
        let is_ignored = answer < worker.spec.accept_share + worker.spec.ignore_share;
        worker.busy_until = now + if is_ignored { OFFER_S } else { think };
        job.asks_at = worker.busy_until;
        job.refused_by.push(index);
        Some(job)
    }

    fn minute(&self, now: f64) -> Minute {
        let longest_wait_s = self.waiting.iter().map(|job| now - job.since).fold(0.0, f64::max);
        Minute { free: self.free(now), waiting: self.waiting.len(), longest_wait_s }
    }
}

fn played(scenario: &Scenario, seed: u64) -> (Vec<Minute>, usize) {
    Hours::new(scenario, seed).play()
}

#[test]
fn the_built_in_city_does_not_fill_up() {
    let scenario = Scenario::parse(BENGALURU).expect("sound");
    for seed in 0..8 {
        let (minutes, calls) = played(&scenario, seed);
        for (minute, shown) in minutes.iter().enumerate() {
            let holds = shown.free >= 10 && shown.waiting <= 5 && shown.longest_wait_s <= 180.0;
            assert!(holds, "seed {seed}, minute {minute}: {shown:?}");
        }
        assert!(calls > MINUTES * 2, "seed {seed}: {calls} calls in {MINUTES} minutes are no city");
    }
}

/// Shows that the test above can fail: the city had this demand before.
#[test]
fn a_city_that_asks_for_more_than_it_has_fills_up() {
    let mut scenario = Scenario::parse(BENGALURU).expect("sound");
    scenario.demand.jobs_per_minute = 7.0;
    (scenario.demand.course, scenario.demand.most_busy_share) = (Vec::new(), None);
    let (minutes, _) = played(&scenario, 0);
    assert!(minutes.iter().any(|shown| shown.free < 3 && shown.waiting > 10));
}

#[test]
fn more_is_asked_for_in_some_minutes_than_in_others() {
    let demand = Scenario::parse(BENGALURU).expect("sound").demand;
    let at = |minutes| demand.rate(TimeDelta::minutes(minutes));
    assert!(at(0) < at(16) && at(16) <= demand.jobs_per_minute && at(60) == at(0));
    assert!(demand.can_be_served(33, 48 + 1) && !demand.can_be_served(34, 48));
}
