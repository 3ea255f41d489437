//! One day as plain tables: everything that chance decides about its calls, its mechanics and every pair of them. Pure.
//!
//! Times are in seconds since the run began, places in metres on a plane.

use roadcall_actors::geo::Point;

use super::{
    super::{
        demand::{self, Call},
        mechanic_profiles::{self, Answer, GREETING_S, Mechanic},
        outcome::IN_TIME_S,
        policy::ServiceSettings,
        scenario::{Scenario, vehicle_type},
        travel::{self, Millis},
    },
    plane::{Place, Plane},
};
use crate::rng::{Purpose, Rng};

/// The number of times that a job may be offered to the same mechanic: a decline excludes them, and so does a second expiry.
const OFFERS: u32 = 2;
/// An offer is shown once more at most for each time that a phone gets its connection back, and for each time that another
/// mechanic accepts the job and loses it. With more such times than this, the mechanic counts as one who accepts.
const MAX_SHOWN: u32 = 12;
/// The maximum number of times without a connection of one phone; beyond it, the rest of the day counts as one.
const MAX_GAPS: u32 = 20_000;

/// A phone that has a connection again is no longer silent after the watch's debounce and this, while it looks.
const LOOKS_S: f64 = 90.0;

/// The beginnings and ends of the times in which a phone has no connection, in order.
pub type Gaps = Vec<(f64, f64)>;

/// A day with everything that is drawn for it.
#[derive(Debug)]
pub struct Day {
    pub scenario: Scenario,
    pub seed: u64,
    pub plane: Plane,
    pub calls: Vec<Call>,
    pub people: Vec<Mechanic>,
    pub jobs: Vec<Job>,
    pub workers: Vec<Worker>,
    /// The pairs by mechanic, then by job.
    pairs: Vec<Pair>,
    /// The times in which a mechanic's phone has no connection, by mechanic.
    pub gaps: Vec<Gaps>,
    /// The speed in metres a second along a straight line, by hour of the day, without noise.
    pub speed_by_hour: [f64; 24],
}

/// A call for help.
#[derive(Debug, Clone, Copy)]
pub struct Job {
    pub at: f64,
    pub pickup: Place,
    pub ends_at: Place,
    /// The seconds from the arrival to the completion.
    pub work_s: f64,
    /// The mechanic's speed while they tow.
    pub tow_mps: f64,
    /// Until when the customer waits for a mechanic to accept, and to arrive.
    pub accept_by: f64,
    pub arrive_by: f64,
    /// Until when the ceiling lets mechanics accept: those who arrive in time, and all. Where a mechanic may have had the job and
    /// lost it, the customer's patience for an accept no longer counts.
    pub asked_until: f64,
    pub asked_late_until: f64,
    /// The latest arrival that is in time.
    pub in_time_by: f64,
    /// The noise of the way on which a mechanic cruises afterwards.
    pub cruise_noise: f64,
}

/// A mechanic on shift.
#[derive(Debug, Clone, Copy)]
pub struct Worker {
    pub home: Place,
    pub from: f64,
    pub to: f64,
}

/// A mechanic's behaviour with a job.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// Whether they can do the job, and would accept some offer of it.
    pub accepts: bool,
    /// Whether they would not give it back on the way.
    pub keeps: bool,
    pub noise: f64,
    /// The greatest distance, in metres, at which they accept any of the offers that they may get, and their shortest reaction.
    pub within_m: f64,
    pub reaction_s: f64,
    /// The first offer that they accept, on which a plan may count.
    pub sure: Option<Acceptance>,
    pub cruise: Option<Place>,
}

/// The offer that is accepted.
#[derive(Debug, Clone, Copy)]
pub struct Acceptance {
    /// The seconds from the first offer to the answer.
    pub after_s: f64,
    /// The seconds from the first offer to the accepted one.
    pub offered_after_s: f64,
    pub within_m: f64,
}

impl Day {
    /// Draws the day of this seed at this load.
    pub fn new(scenario: &Scenario, settings: &ServiceSettings, load: f64, seed: u64) -> Self {
        let rng = Rng::new(seed);
        let calls = demand::calls(scenario, load, rng);
        let people = mechanic_profiles::mechanics(scenario, rng);
        Self::of(scenario, settings, seed, calls, people)
    }

    fn of(
        scenario: &Scenario,
        settings: &ServiceSettings,
        seed: u64,
        calls: Vec<Call>,
        people: Vec<Mechanic>,
    ) -> Self {
        let centre = Point::new(scenario.city.lat, scenario.city.lng);
        let points = calls.iter().flat_map(|call| [call.pickup, call.ends_at]);
        let points = points.chain(people.iter().map(|person| person.home));
        let plane = Plane::around(centre, scenario.city.radius_km * 1000.0, points);
        let traffic = &scenario.traffic;
        let rng = Rng::new(seed);
        let mut day = Self {
            jobs: calls.iter().enumerate().map(|(c, call)| job(scenario, &plane, rng, c, call)).collect(),
            workers: people.iter().map(|person| worker(&plane, person)).collect(),
            pairs: Vec::with_capacity(calls.len() * people.len()),
            gaps: Vec::new(),
            speed_by_hour: traffic.by_hour.map(|factor| traffic.speed_kmh / 3.6 * factor / traffic.detour),
            scenario: scenario.clone(),
            seed,
            plane,
            calls: Vec::new(),
            people: Vec::new(),
        };
        day.gaps = people.iter().map(|person| gaps(scenario, person, settings)).collect();
        let over_after_s = settings.engine.watch.debounce.num_milliseconds() as f64 / 1000.0 + LOOKS_S;
        let silences: Vec<_> = day.gaps.iter().map(|gaps| silences(gaps, over_after_s)).collect();
        let mut losers = Vec::with_capacity(calls.len());
        for (c, call) in calls.iter().enumerate() {
            let many = |by| day.losers(settings, (&people, &silences), (c, call), by);
            let Job { in_time_by, arrive_by, .. } = day.jobs[c];
            let (soon, late) = (many(in_time_by), many(arrive_by));
            let job = &mut day.jobs[c];
            job.asked_until = if soon > 0 { arrive_by } else { job.accept_by };
            job.asked_late_until = if late > 0 { arrive_by } else { job.accept_by };
            losers.push(late);
        }
        for (m, person) in people.iter().enumerate() {
            for (c, call) in calls.iter().enumerate() {
                day.pairs.push(day.pair(settings, person, (m, losers[c]), c, call));
            }
        }
        Self { calls, people, ..day }
    }

    pub fn pair_of(&self, m: usize, j: usize) -> &Pair {
        &self.pairs[m * self.jobs.len() + j]
    }

    /// Returns the draw for the way on which a mechanic cruises after this job.
    pub fn cruise_rng(&self, j: usize) -> Rng {
        Rng::new(self.seed).on(Purpose::Cruise).number(j as u64)
    }

    /// Returns the hour of the day, 0 to 23.
    pub fn hour(&self, at_s: f64) -> usize {
        travel::hour_of_day(&self.scenario, travel::millis(at_s))
    }

    /// Returns the greatest of the speeds between two times.
    pub fn fastest(&self, from_s: f64, to_s: f64) -> f64 {
        let hours = ((to_s - from_s) / 3600.0).ceil().clamp(0.0, 24.0) as usize + 1;
        let speeds = (0..=hours).map(|n| self.speed_by_hour[self.hour(from_s + 3600.0 * n as f64)]);
        speeds.fold(0.0, f64::max)
    }

    /// Counts the mechanics who might accept this job and lose it again until `by`: they give it back, or their phone is silent
    /// for so long that the service takes it from them.
    fn losers(
        &self,
        settings: &ServiceSettings,
        (people, silences): (&[Mechanic], &[Gaps]),
        (c, call): (usize, &Call),
        by: f64,
    ) -> u32 {
        let (scenario, at) = (&self.scenario, self.jobs[c].at);
        let (watch, phones) = (&settings.engine.watch, &scenario.phones);
        let taken_after = watch.dark_after + watch.debounce + watch.tell_after + watch.reassign_after;
        let taken_after_s = taken_after.num_milliseconds() as f64 / 1000.0;
        // The last position may be older than the gap.
        let before_s = f64::from(phones.fast_interval_s.max(phones.slow_interval_s));
        let is_taken = |silence: &(f64, f64)| {
            let taken_at = at.max(silence.0 - before_s) + taken_after_s;
            taken_at <= by && taken_at <= silence.1
        };
        let may_lose = people.iter().zip(silences).filter(|(person, silences)| {
            let meets = |(from, to)| seconds(from) <= by && seconds(to) >= at;
            let loses = || person.release(scenario, c).is_some() || silences.iter().any(is_taken);
            person.shift.is_some_and(meets) && is_fit(scenario, person.crew, call) && loses()
        });
        u32::try_from(may_lose.count()).unwrap_or(u32::MAX)
    }

    fn pair(
        &self,
        settings: &ServiceSettings,
        person: &Mechanic,
        (m, losers): (usize, u32),
        c: usize,
        call: &Call,
    ) -> Pair {
        let (scenario, job) = (&self.scenario, &self.jobs[c]);
        let fits = person.shift.is_some() && is_fit(scenario, person.crew, call);
        let most_m = person.radius_m.min(settings.search.rings_m.iter().copied().fold(0.0, f64::max));
        let until = job.asked_until.max(job.asked_late_until).max(job.in_time_by);
        let lost = self.gaps[m].iter().filter(|(from, to)| *from <= until && *to >= job.at).count();
        let again = u32::try_from(lost).unwrap_or(u32::MAX).saturating_add(losers);
        let shown = OFFERS + again.min(MAX_SHOWN);
        let accepted = (0..shown).filter_map(|nth| {
            let within_m = person.accepts_within_m(scenario, c, nth)?;
            Some((within_m.min(most_m), reaction_s(scenario, person, c, nth)))
        });
        let (mut within_m, mut reaction_s) = (f64::NEG_INFINITY, f64::INFINITY);
        if fits && again > MAX_SHOWN {
            (within_m, reaction_s) = (most_m, 0.0);
        } else if fits {
            accepted.for_each(|(metres, seconds)| {
                within_m = within_m.max(metres);
                reaction_s = reaction_s.min(seconds);
            });
        }
        Pair {
            accepts: within_m >= 0.0,
            keeps: person.release(scenario, c).is_none(),
            noise: person.trip_noise(scenario, c),
            within_m,
            reaction_s,
            sure: acceptance(scenario, settings, person, c)
                .filter(|_| fits)
                .map(|sure| Acceptance { within_m: sure.within_m.min(most_m), ..sure }),
            cruise: person.cruise(scenario, c).map(|point| self.plane.place(point)),
        }
    }
}

fn job(scenario: &Scenario, plane: &Plane, rng: Rng, c: usize, call: &Call) -> Job {
    let at = seconds(call.at);
    let (pickup, ends_at) = (plane.place(call.pickup), plane.place(call.ends_at));
    let arrive_by = at + seconds(call.arrival_patience);
    Job {
        at,
        pickup,
        ends_at,
        work_s: GREETING_S + seconds(call.work),
        tow_mps: pickup.distance_m(ends_at) / (seconds(call.work) / 2.0).max(1.0),
        accept_by: at + seconds(call.patience).min(seconds(call.arrival_patience)),
        arrive_by,
        asked_until: arrive_by,
        asked_late_until: arrive_by,
        in_time_by: arrive_by.min(at + IN_TIME_S),
        cruise_noise: travel::noise(scenario, rng.on(Purpose::Cruise).number(c as u64)),
    }
}

fn worker(plane: &Plane, person: &Mechanic) -> Worker {
    let (from, to) = person.shift.map_or((0.0, 0.0), |(from, to)| (seconds(from), seconds(to)));
    Worker { home: plane.place(person.home), from, to }
}

fn is_fit(scenario: &Scenario, crew: usize, call: &Call) -> bool {
    let crew = &scenario.crews[crew];
    let does = crew.categories.contains(&scenario.categories[call.category].name);
    does && crew.vehicle_types.iter().any(|name| vehicle_type(name) == call.vehicle_type)
}

fn reaction_s(scenario: &Scenario, person: &Mechanic, c: usize, nth: u32) -> f64 {
    seconds(person.answer(scenario, c, nth, 0.0).1)
}

/// Returns the acceptance of the first offer, or of the second where the first expires, which excludes no one.
fn acceptance(
    scenario: &Scenario,
    settings: &ServiceSettings,
    person: &Mechanic,
    c: usize,
) -> Option<Acceptance> {
    let seconds_of = |time: chrono::TimeDelta| time.num_milliseconds() as f64 / 1000.0;
    let answer_s = seconds_of(settings.search.offer_ttl);
    let offer_s = answer_s + seconds_of(settings.search.offer_grace);
    let accepted = |nth: u32, before_s: f64| {
        let (within_m, after_s) =
            (person.accepts_within_m(scenario, c, nth)?, reaction_s(scenario, person, c, nth));
        let sure = Acceptance { after_s: before_s + after_s, offered_after_s: before_s, within_m };
        (after_s < answer_s).then_some(sure)
    };
    let first = accepted(0, 0.0);
    // The answer of a mechanic so far away that the chance is 0 shows whether they would let the offer expire.
    let expires = person.answer(scenario, c, 0, f64::MAX).0 == Answer::Ignore
        || reaction_s(scenario, person, c, 0) > offer_s;
    first.or_else(|| accepted(1, offer_s).filter(|_| expires))
}

/// Draws the times in which a phone has no connection.
fn gaps(scenario: &Scenario, person: &Mechanic, settings: &ServiceSettings) -> Gaps {
    let share = scenario.phones.dark_percent / 100.0;
    // Later times concern no job of the day.
    let end = scenario.hours * 3600.0 + 86_400.0 + settings.search.offer_ttl.num_seconds() as f64;
    let mut gaps = Gaps::new();
    let mut at = 0.0;
    for nth in 0..MAX_GAPS {
        let Some((connected, lost)) = person.connection(scenario, share, nth) else { return gaps };
        at += seconds(connected);
        gaps.push((at, at + seconds(lost)));
        at += seconds(lost);
        if at > end {
            return gaps;
        }
    }
    gaps.push((at, f64::INFINITY));
    gaps
}

/// Merges gaps where the time between them is short.
fn silences(gaps: &[(f64, f64)], over_after_s: f64) -> Gaps {
    let mut silences = Gaps::new();
    for gap in gaps {
        match silences.last_mut() {
            Some(last) if gap.0 - last.1 <= over_after_s => last.1 = gap.1,
            _ => silences.push(*gap),
        }
    }
    silences
}

pub fn seconds(at: Millis) -> f64 {
    at as f64 / 1000.0
}
