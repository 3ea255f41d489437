//! The figures of a run, from the committed events and from the distances that mechanics drove.

use std::collections::BTreeMap;

use roadcall_actors::{
    concern::Concern,
    dispatcher::pricing::Market,
    experience::{Calibration, HoldCounts},
    ids::MechanicId,
    job::state::Event,
    simulation::journal::Committed,
};

use super::{
    groups::Zone,
    roster::PricesOfDay,
    run::Run,
    stats::{gini, quantile},
    travel::Millis,
};

/// The time within which an arrival is in time.
pub const IN_TIME_S: f64 = 1800.0;

/// A run as it ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    pub jobs: Vec<JobOutcome>,
    pub mechanics: Vec<MechanicOutcome>,
    /// The service's calibration of promises at the end.
    pub calibration: Calibration,
    /// The prices of the day; empty without `--roster`.
    pub prices: PricesOfDay,
    /// The counts of holds, since the service last started.
    pub holds: HoldCounts,
    pub beside_held: BesideHeld,
}

/// The share of the online mechanics who were free beside jobs that were held back from them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BesideHeld {
    sum: f64,
    looks: f64,
}

impl BesideHeld {
    /// Adds a look at the markets.
    pub fn look(&mut self, markets: &[Market]) {
        let online: f64 = markets.iter().map(|market| market.guard.online()).sum();
        let beside = markets.iter().map(|market| market.guard.idle_beside_held() * market.guard.online());
        if online > 0.0 {
            self.sum += beside.sum::<f64>() / online;
            self.looks += 1.0;
        }
    }

    /// Returns the mean in percent; NaN if there was no look.
    fn mean_percent(&self) -> f64 {
        100.0 * self.sum / self.looks
    }
}

/// The outcome of one job; times in seconds from its creation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JobOutcome {
    /// The time of the first acceptance.
    pub assigned_s: Option<f64>,
    /// The time of the arrival that led to the work.
    pub arrived_s: Option<f64>,
    pub is_completed: bool,
    /// The end of the search that brought no mechanic: `no_mechanic_found` of the last attempt, or the customer's own
    /// cancellation during it. `None` if the job had a mechanic in the end.
    pub given_up_s: Option<f64>,
    /// Whether the last search had found no mechanic when the customer gave up.
    pub is_unfound: bool,
    pub offers: u32,
    pub accepted: u32,
    pub declined: u32,
    pub expired: u32,
    pub revoked: u32,
    pub released: u32,
    /// How often the job was taken from a mechanic whose phone was silent, and how often that mechanic took it back.
    pub silent: u32,
    pub taken_back: u32,
    /// The chance to be in time that the customer was shown first, in thousandths.
    pub promised: Option<u32>,
    /// The category's place in the scenario's list.
    pub category: usize,
    pub zone: Zone,
}

/// A mechanic's totals in the run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MechanicOutcome {
    pub jobs: u32,
    pub shift_s: f64,
    /// The seconds from acceptances to the ends of the jobs.
    pub busy_s: f64,
    /// The metres driven to pickups.
    pub driven_m: f64,
    /// The metres driven without a job.
    pub idle_m: f64,
}

/// Seconds that a mechanic spent on jobs, and the number of jobs that they completed.
type Busy = BTreeMap<MechanicId, (f64, u32)>;

pub(super) fn of(run: &Run) -> Outcome {
    let mut busy = Busy::new();
    let jobs = run.customers.iter().map(|customer| {
        let events = customer.job.map(|job| run.service.journal.events(job)).unwrap_or_default();
        let call = &customer.call;
        let zone = Zone::of(&run.plan.scenario.city, call.pickup);
        let promised = customer.job.and_then(|job| run.service.outbound.promised(job));
        JobOutcome { category: call.category, zone, promised, ..job_outcome(&events, &mut busy) }
    });
    let jobs = jobs.collect();
    let end = run.now;
    let mechanics = run.workers.iter().map(|worker| {
        let (busy_s, jobs) = busy.get(&worker.id).copied().unwrap_or_default();
        let seconds = |at: Millis| at.min(end) as f64 / 1000.0;
        let shifts = worker.person.shifts().into_iter();
        let shift_s = shifts.map(|(from, to)| seconds(to) - seconds(from)).sum();
        MechanicOutcome { jobs, busy_s, driven_m: worker.driven_m, idle_m: worker.idle_m, shift_s }
    });
    let engine = &run.service.engine;
    Outcome {
        jobs,
        mechanics: mechanics.collect(),
        calibration: engine.calibration(),
        prices: run.prices.clone(),
        holds: engine.holds().ended,
        beside_held: run.beside_held,
    }
}

fn job_outcome(events: &[Committed], busy: &mut Busy) -> JobOutcome {
    let mut job = JobOutcome::default();
    let Some(created) = events.first().map(|event| event.at) else { return job };
    let since = |event: &Committed| (event.at - created).num_milliseconds() as f64 / 1000.0;
    let mut on_it: Option<(MechanicId, f64)> = None;
    for event in events {
        let at_s = since(event);
        job.count(event, at_s);
        let is_completed = matches!(event.event, Event::Completed { .. });
        if let Event::Accepted { assignment, .. } = &event.event {
            on_it = Some((assignment.mechanic_id, at_s));
            job.given_up_s = None;
        } else if (is_completed || matches!(event.event, Event::Released { .. } | Event::Cancelled { .. }))
            && let Some((mechanic, from_s)) = on_it.take()
        {
            let (busy_s, jobs) = busy.entry(mechanic).or_default();
            *busy_s += at_s - from_s;
            *jobs += u32::from(is_completed);
        } else {
            job.given_up_s = match &event.event {
                Event::Exhausted { .. } | Event::Cancelled { .. } => job.given_up_s.or(Some(at_s)),
                Event::Retried { .. } => None,
                _ => job.given_up_s,
            };
        }
    }
    job
}

impl JobOutcome {
    fn count(&mut self, event: &Committed, at_s: f64) {
        let many = |offers: usize| u32::try_from(offers).unwrap_or(u32::MAX);
        match &event.event {
            Event::OffersMade { offers } => self.offers += many(offers.len()),
            Event::OfferDeclined { .. } => self.declined += 1,
            Event::OfferRevoked { .. } => self.revoked += 1,
            Event::OffersExpired { offers } => self.expired += many(offers.len()),
            Event::Accepted { assignment, revoked, .. } => {
                self.taken_back += u32::from(assignment.is_taken_back);
                self.assigned_s = self.assigned_s.or(Some(at_s));
                self.accepted += 1;
                self.is_unfound = false;
                self.revoked += many(revoked.len());
            }
            Event::Cancelled { revoked, .. } => self.revoked += many(revoked.len()),
            Event::Corrected { search, .. } => {
                self.revoked += many(search.as_ref().map_or(0, |search| search.revoked.len()));
            }
            Event::Exhausted { .. } => self.is_unfound = true,
            Event::Arrived { .. } => self.arrived_s = Some(at_s),
            Event::Released { reason_code, .. } => {
                self.silent += u32::from(reason_code == Concern::Dark.reassign_reason());
                self.arrived_s = None;
                self.released += 1;
            }
            Event::Completed { .. } => self.is_completed = true,
            Event::Created { .. }
            | Event::Began { .. }
            | Event::Retried { .. }
            | Event::NoShowContested
            | Event::NoShowDecided { .. }
            | Event::WentEnRoute
            | Event::HandedOver
            | Event::CameBack
            | Event::Delayed(_)
            | Event::Recovered { .. }
            | Event::WrongCodeEntered { .. }
            | Event::Started
            | Event::Loaded { .. }
            | Event::ItemChanged { .. }
            | Event::PaymentChanged { .. }
            | Event::MessageSent { .. }
            | Event::CallChanged { .. }
            | Event::Paid
            | Event::Disputed
            | Event::Resolved => {}
        }
    }
}

/// The meaning of a figure, and which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measure {
    /// The name in JSON.
    pub name: &'static str,
    /// The title in tables.
    pub title: &'static str,
    pub unit: Unit,
    pub better: Better,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Percent,
    Seconds,
    Count,
    Ratio,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    Higher,
    Lower,
    /// Neither is better by itself.
    Neither,
}

const fn measure(name: &'static str, title: &'static str, unit: Unit, better: Better) -> Measure {
    Measure { name, title, unit, better }
}

/// The places of the three measures in [`MEASURES`] that only together say how good a policy is.
pub const IN_TIME: usize = 0;
pub const SERVED: usize = 1;
pub const NOBODY_FOUND: usize = 2;

/// The figures of a run, in the order of [`Outcome::figures`]. The first is the main one.
pub const MEASURES: [Measure; 23] = [
    measure("in_time_percent", "served in time (30 min)", Unit::Percent, Better::Higher),
    measure("served_percent", "served", Unit::Percent, Better::Higher),
    measure("lost_percent", "nobody found", Unit::Percent, Better::Lower),
    measure("cancelled_percent", "cancelled by waiting customers", Unit::Percent, Better::Lower),
    measure("assign_p50_s", "time to assign, p50", Unit::Seconds, Better::Lower),
    measure("assign_p90_s", "time to assign, p90", Unit::Seconds, Better::Lower),
    measure("assign_p99_s", "time to assign, p99", Unit::Seconds, Better::Lower),
    measure("arrive_p50_s", "time to arrive, p50", Unit::Seconds, Better::Lower),
    measure("arrive_p90_s", "time to arrive, p90", Unit::Seconds, Better::Lower),
    measure("arrive_p99_s", "time to arrive, p99", Unit::Seconds, Better::Lower),
    measure("given_up_p50_s", "search in vain ended after, p50", Unit::Seconds, Better::Lower),
    measure("given_up_p90_s", "search in vain ended after, p90", Unit::Seconds, Better::Lower),
    measure("offers_per_job", "offers per job", Unit::Ratio, Better::Lower),
    measure("refused_percent", "offers declined or expired", Unit::Percent, Better::Lower),
    measure("revoked_percent", "offers taken back", Unit::Percent, Better::Lower),
    measure("km_per_job", "km driven to pickups per served job", Unit::Ratio, Better::Lower),
    measure("idle_km_per_job", "km driven without a job per served job", Unit::Ratio, Better::Lower),
    measure("utilisation_percent", "mechanics' time on jobs", Unit::Percent, Better::Neither),
    measure("gini", "Gini of jobs per mechanic hour", Unit::Ratio, Better::Lower),
    measure("beside_held_percent", "mechanics free beside held jobs", Unit::Percent, Better::Lower),
    measure("wasted_percent", "holds that were in vain", Unit::Percent, Better::Lower),
    measure("offers_decided", "offers decided", Unit::Count, Better::Neither),
    measure("jobs", "jobs", Unit::Count, Better::Neither),
];

impl Outcome {
    /// Returns the figures in the order of [`MEASURES`]. Shares are of all jobs made; a quantile of nothing is NaN.
    pub fn figures(&self) -> [f64; MEASURES.len()] {
        let count = |holds: fn(&JobOutcome) -> bool| self.jobs.iter().filter(|job| holds(job)).count() as f64;
        let sum = |of: fn(&JobOutcome) -> u32| self.jobs.iter().map(|job| f64::from(of(job))).sum::<f64>();
        let all = self.jobs.len() as f64;
        let (served, offers) = (count(|job| job.is_completed), sum(|job| job.offers));
        let assigned = sorted(self.jobs.iter().filter_map(|job| job.assigned_s));
        let arrived = self.arrivals();
        let given_up = sorted(self.jobs.iter().filter_map(|job| job.given_up_s));
        let total = |of: fn(&MechanicOutcome) -> f64| self.mechanics.iter().map(of).sum::<f64>();
        let decided = |job: &JobOutcome| job.accepted + job.declined + job.expired + job.revoked;
        let worked = self.mechanics.iter().filter(|mechanic| mechanic.shift_s > 0.0);
        let rates = worked.map(|mechanic| f64::from(mechanic.jobs) / (mechanic.shift_s / 3600.0));
        [
            100.0 * count(JobOutcome::is_in_time) / all,
            100.0 * served / all,
            100.0 * count(|job| !job.is_completed && job.is_unfound) / all,
            100.0 * count(|job| !job.is_completed && !job.is_unfound) / all,
            quantile(&assigned, 0.5),
            quantile(&assigned, 0.9),
            quantile(&assigned, 0.99),
            quantile(&arrived, 0.5),
            quantile(&arrived, 0.9),
            quantile(&arrived, 0.99),
            quantile(&given_up, 0.5),
            quantile(&given_up, 0.9),
            offers / all,
            100.0 * sum(|job| job.declined + job.expired) / offers,
            100.0 * sum(|job| job.revoked) / offers,
            total(|mechanic| mechanic.driven_m) / 1000.0 / served,
            total(|mechanic| mechanic.idle_m) / 1000.0 / served,
            100.0 * total(|mechanic| mechanic.busy_s) / total(|mechanic| mechanic.shift_s),
            gini(&rates.collect::<Vec<_>>()),
            self.beside_held.mean_percent(),
            100.0 * self.holds.wasted as f64 / self.holds.sum() as f64,
            self.jobs.iter().map(|job| f64::from(decided(job))).sum(),
            all,
        ]
    }

    /// Returns the seconds to the arrivals, in order.
    pub fn arrivals(&self) -> Vec<f64> {
        sorted(self.jobs.iter().filter_map(|job| job.arrived_s))
    }
}

impl JobOutcome {
    pub fn is_in_time(&self) -> bool {
        self.arrived_s.is_some_and(|seconds| seconds <= IN_TIME_S)
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};
    use roadcall_actors::{ids::CommandId, job::state::Assignment};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn figures_equal_a_count_by_hand() {
        let served = |assigned_s: f64, arrived_s: f64| JobOutcome {
            assigned_s: Some(assigned_s),
            arrived_s: Some(arrived_s),
            is_completed: true,
            offers: 2,
            accepted: 1,
            declined: 1,
            ..JobOutcome::default()
        };
        let unfound =
            JobOutcome { is_unfound: true, offers: 4, expired: 3, revoked: 1, ..JobOutcome::default() };
        let unfound = JobOutcome { given_up_s: Some(400.0), ..unfound };
        let cancelled =
            JobOutcome { assigned_s: Some(50.0), accepted: 1, offers: 1, ..JobOutcome::default() };
        let jobs = vec![served(10.0, 600.0), served(30.0, 2400.0), unfound, cancelled];
        let worker = |jobs, busy_s| MechanicOutcome {
            jobs,
            shift_s: 7200.0,
            busy_s,
            driven_m: 6_000.0,
            idle_m: 500.0,
        };
        let outcome =
            Outcome { jobs, mechanics: vec![worker(2, 3600.0), worker(0, 0.0)], ..Outcome::default() };
        let holds = HoldCounts { justified: 2, free: 1, wasted: 1 };
        let outcome = Outcome { holds, beside_held: BesideHeld { sum: 0.3, looks: 6.0 }, ..outcome };
        let expected = [
            25.0,
            50.0,
            25.0,
            25.0,
            30.0,
            50.0,
            50.0,
            600.0,
            2400.0,
            2400.0,
            400.0,
            400.0,
            2.25,
            100.0 * 5.0 / 9.0,
            100.0 / 9.0,
            6.0,
            0.5,
            25.0,
            0.5,
            5.0,
            25.0,
            9.0,
            4.0,
        ];
        for ((measure, figure), expected) in MEASURES.iter().zip(outcome.figures()).zip(expected) {
            assert!((figure - expected).abs() < 1e-9, "{}: {figure}, not {expected}", measure.name);
        }
    }

    fn committed(at_s: i64, event: Event) -> Committed {
        let (command_id, at) = (CommandId(Uuid::nil()), DateTime::UNIX_EPOCH + TimeDelta::seconds(at_s));
        Committed { version: 1, seq: None, command_id, event, at }
    }

    fn accepted() -> Event {
        let at = DateTime::UNIX_EPOCH;
        let assignment = Assignment {
            mechanic_id: MechanicId(Uuid::nil()),
            offer_id: None,
            accepted_at: at,
            promised_at: at,
            en_route_at: None,
            arrived_at: None,
            arrival_is_unproven: false,
            arrival_concern: None,
            started_at: None,
            loaded_at: None,
            start_code: None,
            wrong_codes: 0,
            locked_until: None,
            delay: None,
            navigating_since: None,
            is_taken_back: false,
        };
        Event::Accepted { assignment, revoked: Vec::new(), answered_at: at, overridden: None }
    }

    fn released() -> Event {
        Event::Released {
            mechanic_id: MechanicId(Uuid::nil()),
            reason_code: String::new(),
            by_mechanic: true,
            ends_at: DateTime::UNIX_EPOCH,
            round: 1,
        }
    }

    #[test]
    fn a_failed_search_ends_when_the_service_says_so_or_the_customer_gives_up() {
        let made = Event::Created { details: Box::default() };
        let (until, ends_at) = (DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH);
        let exhausted = || Event::Exhausted { until };
        let retried = || Event::Retried { ends_at, round: 1, most_open_jobs: None };
        let cancelled = || {
            let (reason_code, reason) = (String::new(), None);
            let revoked = Vec::new();
            Event::Cancelled {
                fee_paise: 0,
                reason_code,
                reason,
                revoked,
                uses_free: None,
                claimed_paise: None,
            }
        };
        let given_up = |events: Vec<(i64, Event)>| {
            let events = [(0, made.clone())].into_iter().chain(events);
            let events: Vec<Committed> = events.map(|(at_s, event)| committed(at_s, event)).collect();
            job_outcome(&events, &mut Busy::new()).given_up_s
        };
        assert_eq!(given_up(vec![(180, exhausted()), (220, cancelled())]), Some(180.0));
        let twice = vec![(180, exhausted()), (220, retried()), (400, exhausted()), (440, cancelled())];
        assert_eq!(given_up(twice), Some(400.0));
        assert_eq!(given_up(vec![(180, exhausted()), (220, retried()), (300, cancelled())]), Some(300.0));
        assert_eq!(given_up(vec![(90, cancelled())]), Some(90.0));
        assert_eq!(given_up(vec![(90, accepted()), (900, cancelled())]), None);
        assert_eq!(given_up(vec![(180, exhausted()), (220, retried()), (230, accepted())]), None);
        let again = vec![(90, accepted()), (200, released()), (380, exhausted()), (420, cancelled())];
        assert_eq!(given_up(again), Some(380.0));
    }
}
