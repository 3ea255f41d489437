//! The best plan that can be found: large neighbourhood search on real days of the mechanics. Pure.
//!
//! The search begins with the best days of the relaxation, without the parts that break the rules. Then, a fixed number of times,
//! it takes out some neighbouring jobs and puts them back one by one where they cost the least driving; a plan that is not worse,
//! or only a little worse in the beginning (simulated annealing), replaces the previous one.

use super::{day::Day, tour::Free};
use crate::rng::{Purpose, Rng};

/// The seconds of driving that a job in time is worth.
const JOB_WORTH_S: f64 = 3600.0;
/// Differences that count as little at the beginning and at the end.
const WARM_S: f64 = 2500.0;
const COLD_S: f64 = 30.0;
/// The maximum number of jobs taken out at a time.
const MAX_OUT: usize = 6;
/// Jobs that are called within this of each other are neighbours.
const NEAR_S: f64 = 5400.0;
/// A place is passed over now and then, so that the cheapest is not always taken.
const PASSED_OVER: f64 = 0.02;

/// A plan: jobs by mechanic, in order.
#[derive(Debug, Clone)]
pub struct Schedule {
    tours: Vec<Tour>,
    /// The mechanic who has each job, by job.
    by: Vec<Option<usize>>,
    served: usize,
    trips_s: f64,
}

#[derive(Debug, Clone)]
struct Tour {
    jobs: Vec<usize>,
    /// The mechanic's state before each job, and after the last.
    free: Vec<Free>,
}

/// A place for a job in a mechanic's day, and its cost.
#[derive(Debug, Clone, Copy)]
struct Gap {
    m: usize,
    place: usize,
    cost_s: f64,
}

impl Schedule {
    fn empty(day: &Day) -> Self {
        let tour = |m| Tour { jobs: Vec::new(), free: vec![Free::at_home(day, m)] };
        Self {
            tours: (0..day.workers.len()).map(tour).collect(),
            by: vec![None; day.jobs.len()],
            served: 0,
            trips_s: 0.0,
        }
    }

    /// Returns the jobs by mechanic.
    pub fn days(&self) -> impl Iterator<Item = &[usize]> {
        self.tours.iter().map(|tour| tour.jobs.as_slice())
    }

    fn cost_s(&self) -> f64 {
        self.trips_s - JOB_WORTH_S * self.served as f64
    }

    /// Gives the mechanic these jobs, and leaves out those that are impossible.
    fn set(&mut self, day: &Day, m: usize, jobs: Vec<usize>) {
        let tour = &mut self.tours[m];
        let trips_s = |tour: &Tour| tour.free.last().map_or(0.0, |free| free.trips_s);
        self.trips_s -= trips_s(tour);
        self.served -= tour.jobs.len();
        tour.jobs.iter().for_each(|job| self.by[*job] = None);
        tour.jobs.clear();
        tour.free.truncate(1);
        for job in jobs {
            let next = tour.free.last().and_then(|free| free.after(day, m, job));
            if let Some(next) = next.filter(|_| self.by[job].is_none()) {
                tour.jobs.push(job);
                tour.free.push(next);
                self.by[job] = Some(m);
            }
        }
        self.trips_s += trips_s(tour);
        self.served += tour.jobs.len();
    }

    fn insert(&mut self, day: &Day, job: usize, gap: Gap) {
        let mut jobs = std::mem::take(&mut self.tours[gap.m].jobs);
        // `set` subtracts the jobs that it takes away.
        self.served -= jobs.len();
        jobs.iter().for_each(|job| self.by[*job] = None);
        jobs.insert(gap.place, job);
        self.set(day, gap.m, jobs);
    }

    fn restore(&mut self, day: &Day, mut kept: Vec<(usize, Vec<usize>)>) {
        kept.retain(|(m, jobs)| self.tours[*m].jobs != *jobs);
        // All jobs are taken out first, because a job may have changed hands.
        kept.iter().for_each(|(m, _)| self.set(day, *m, Vec::new()));
        kept.into_iter().for_each(|(m, jobs)| self.set(day, m, jobs));
    }

    /// Returns the total seconds on the road if the mechanic is in this state before the job at `place`; `None` where a job
    /// fails.
    fn rest_s(&self, day: &Day, m: usize, place: usize, mut now: Free) -> Option<f64> {
        let Tour { jobs, free } = &self.tours[m];
        for (next, before) in jobs[place..].iter().zip(&free[place..]) {
            if now.is_like(before) {
                return Some(now.trips_s + free.last()?.trips_s - before.trips_s);
            }
            now = now.after(day, m, *next)?;
        }
        Some(now.trips_s)
    }

    /// Returns the cheapest place for a job on this mechanic's day.
    fn gap(&self, day: &Day, m: usize, job: usize, rng: Rng) -> Option<Gap> {
        let Tour { jobs, free } = &self.tours[m];
        let (made, accept_by) = (day.jobs[job].at, day.jobs[job].accept_by);
        let before_s = free.last()?.trips_s;
        let mut best: Option<Gap> = None;
        for (place, start) in free.iter().enumerate() {
            if start.at >= accept_by {
                break;
            }
            // The next job can't wait until this one is made and done.
            let is_early = jobs.get(place).is_some_and(|next| day.jobs[*next].accept_by <= made);
            if is_early || rng.number(place as u64).chance(PASSED_OVER) {
                continue;
            }
            let Some(cost_s) = start.after(day, m, job).and_then(|first| self.rest_s(day, m, place, first))
            else {
                continue;
            };
            let cost_s = cost_s - before_s;
            if best.is_none_or(|best| cost_s < best.cost_s) {
                best = Some(Gap { m, place, cost_s });
            }
        }
        best
    }
}

/// Returns the best plan after so many steps, starting from these days.
pub fn plan(day: &Day, from: &[Vec<usize>], prices: &[f64], steps: usize) -> Schedule {
    let mut current = Schedule::empty(day);
    for (m, jobs) in from.iter().enumerate() {
        current.set(day, m, jobs.clone());
    }
    let fitting: Vec<Vec<usize>> = (0..day.jobs.len()).map(|job| fitting(day, job)).collect();
    let rng = Rng::new(day.seed).on(Purpose::Engine);
    let mut order: Vec<usize> = (0..day.jobs.len()).collect();
    // Where prices are high, many mechanics are wanted elsewhere, so the cheap jobs come first.
    order.sort_by(|one, other| prices[*one].total_cmp(&prices[*other]).then(one.cmp(other)));
    put_in(day, &mut current, &fitting, &order, None, rng.number(0));
    let mut best = current.clone();
    for step in 1..=steps {
        let rng = rng.number(step as u64);
        let done = step as f64 / steps as f64;
        let warmth_s = WARM_S * (COLD_S / WARM_S).powf(done);
        let before = current.cost_s();
        let change = Change::draw(day, &current, &fitting, rng);
        let kept: Vec<(usize, Vec<usize>)> = change.touched(&current);
        change.make(day, &mut current, &fitting, rng);
        let limit = before - warmth_s * (1.0 - rng.number(1).share()).ln();
        if current.cost_s() > limit {
            current.restore(day, kept);
        } else if current.cost_s() < best.cost_s() - 1e-6 {
            best = current.clone();
        }
    }
    best
}

/// Returns the mechanics who would serve this job.
fn fitting(day: &Day, job: usize) -> Vec<usize> {
    let can = |m: &usize| {
        let (pair, worker) = (day.pair_of(*m, job), &day.workers[*m]);
        let overlaps = worker.from < day.jobs[job].accept_by && worker.to > day.jobs[job].at;
        pair.sure.is_some() && pair.keeps && overlaps
    };
    (0..day.workers.len()).filter(can).collect()
}

/// Puts jobs in one by one, each where it costs the least, with a mechanic who may take it in this change.
fn put_in(
    day: &Day,
    schedule: &mut Schedule,
    fitting: &[Vec<usize>],
    jobs: &[usize],
    change: Option<&Change>,
    rng: Rng,
) {
    for job in jobs.iter().copied().filter(|job| !fitting[*job].is_empty()) {
        if schedule.by[job].is_some() {
            continue;
        }
        let rng = rng.number(job as u64);
        let may = |m: &&usize| change.is_none_or(|change| change.may_take(**m, job));
        let gaps = fitting[job].iter().filter(may);
        let gaps = gaps.filter_map(|m| schedule.gap(day, *m, job, rng.number(*m as u64)));
        if let Some(gap) = gaps.reduce(|one, other| if other.cost_s < one.cost_s { other } else { one }) {
            schedule.insert(day, job, gap);
        }
    }
}

/// The jobs to take out, and the mechanics whose days change by that.
#[derive(Debug)]
struct Change {
    out: Vec<usize>,
    /// The jobs that are taken out or were not served before, in the order in which they are put in.
    to_put_in: Vec<usize>,
    losers: Vec<usize>,
    /// Mechanics whose days may change: the losers and those who can take a job that is taken out.
    changing: Vec<usize>,
}

impl Change {
    fn draw(day: &Day, schedule: &Schedule, fitting: &[Vec<usize>], rng: Rng) -> Self {
        let rng = rng.number(2);
        let seed = ((rng.number(0).share() * day.jobs.len() as f64) as usize).min(day.jobs.len() - 1);
        let centre = &day.jobs[seed];
        let near = |job: &usize| (day.jobs[*job].at - centre.at).abs() <= NEAR_S;
        // The jobs are in order of time.
        let first = day.jobs.partition_point(|job| job.at < centre.at - NEAR_S);
        let around: Vec<usize> = (first..day.jobs.len()).take_while(near).collect();
        let mut served: Vec<(f64, usize)> = around
            .iter()
            .filter(|job| schedule.by[**job].is_some())
            .map(|job| {
                let far_s = day.jobs[*job].pickup.distance_m(centre.pickup) / 5.0;
                let noise = 0.3 + rng.number(1).number(*job as u64).share();
                (((day.jobs[*job].at - centre.at).abs() + far_s) * noise, *job)
            })
            .collect();
        served.sort_by(|one, other| one.0.total_cmp(&other.0));
        let count = 2 + (rng.number(2).share() * (MAX_OUT - 2) as f64) as usize;
        let out: Vec<usize> = served.iter().take(count).map(|(_, job)| *job).collect();
        let mut losers: Vec<usize> = out.iter().filter_map(|job| schedule.by[*job]).collect();
        let mut changing = losers.clone();
        changing.extend(out.iter().flat_map(|job| fitting[*job].iter().copied()));
        for list in [&mut losers, &mut changing] {
            list.sort_unstable();
            list.dedup();
        }
        let unserved = around.iter().copied().filter(|job| schedule.by[*job].is_none());
        let mut to_put_in: Vec<usize> = out.iter().copied().chain(unserved).collect();
        let kind = rng.number(3).share();
        let key = |job: usize| match kind {
            kind if kind < 0.4 => rng.number(4).number(job as u64).share(),
            kind if kind < 0.6 => day.jobs[job].work_s,
            kind if kind < 0.8 => fitting[job].len() as f64,
            _ => day.jobs[job].at,
        };
        to_put_in.sort_by(|one, other| key(*one).total_cmp(&key(*other)).then(one.cmp(other)));
        Self { out, to_put_in, losers, changing }
    }

    fn touched(&self, schedule: &Schedule) -> Vec<(usize, Vec<usize>)> {
        self.changing.iter().map(|m| (*m, schedule.tours[*m].jobs.clone())).collect()
    }

    fn may_take(&self, m: usize, job: usize) -> bool {
        self.losers.binary_search(&m).is_ok() || self.out.contains(&job)
    }

    fn make(&self, day: &Day, schedule: &mut Schedule, fitting: &[Vec<usize>], rng: Rng) {
        for m in &self.losers {
            let jobs = schedule.tours[*m].jobs.iter().copied().filter(|job| !self.out.contains(job));
            let jobs = jobs.collect();
            schedule.set(day, *m, jobs);
        }
        put_in(day, schedule, fitting, &self.to_put_in, Some(self), rng.number(3));
    }
}
