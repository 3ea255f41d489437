//! Statistics of the demo: counts, times and the last events, from what its people see of the public interface. Pure.

use std::collections::{BTreeMap, HashMap, VecDeque};

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    api_client::{Job, Status},
    news::News,
    revenue::{PaymentKind, Revenue, rupees},
};

/// The number of events that are kept for the board.
pub const EVENTS: usize = 10;
/// The number of newest times over which percentiles are computed.
const SAMPLES: usize = 2_000;

/// A job that is not over.
#[derive(Debug, Clone)]
pub struct OpenJob {
    pub customer: String,
    pub what: String,
    pub place: String,
    pub status: Status,
    pub mechanic: Option<Uuid>,
}

#[derive(Debug, Clone)]
struct Registered {
    name: String,
    is_online: bool,
}

/// The newest times, in milliseconds.
#[derive(Debug, Clone, Default)]
pub struct Times(VecDeque<i64>);

impl Times {
    fn note(&mut self, from: DateTime<Utc>, to: DateTime<Utc>) {
        if self.0.len() == SAMPLES {
            self.0.pop_front();
        }
        self.0.push_back((to - from).num_milliseconds().max(0));
    }

    /// Returns the nearest-rank percentile in milliseconds, or `None` before the first time.
    pub fn percentile(&self, percent: usize) -> Option<i64> {
        let mut sorted: Vec<i64> = self.0.iter().copied().collect();
        sorted.sort_unstable();
        let rank = (sorted.len() * percent).div_ceil(100).max(1);
        sorted.get(rank - 1).copied()
    }
}

/// An event as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The number of the event among all, so that a reader knows which events are new to it.
    pub number: u64,
    /// The time since the demo began.
    pub at: TimeDelta,
    pub text: String,
}

/// Counts, times and the last events.
#[derive(Debug, Clone)]
pub struct Stats {
    began: DateTime<Utc>,
    mechanics: HashMap<Uuid, Registered>,
    pub open: BTreeMap<Uuid, OpenJob>,
    pub called: u64,
    pub completed: u64,
    pub cancelled: u64,
    /// The number of searches that ended without a mechanic.
    pub unserved: u64,
    pub retried: u64,
    pub nobody_free: u64,
    pub offered: u64,
    pub accepted: u64,
    pub declined: u64,
    pub ignored: u64,
    pub too_late: u64,
    pub reconnected: u64,
    pub troubles: u64,
    pub first_trouble: Option<String>,
    /// The times from the call to an acceptance.
    pub to_assign: Times,
    /// The times from the acceptance to the arrival.
    pub to_arrive: Times,
    pub revenue: Revenue,
    pub events: VecDeque<Event>,
    events_so_far: u64,
}

impl Stats {
    pub fn new(began: DateTime<Utc>) -> Self {
        Self {
            began,
            mechanics: HashMap::new(),
            open: BTreeMap::new(),
            called: 0,
            completed: 0,
            cancelled: 0,
            unserved: 0,
            retried: 0,
            nobody_free: 0,
            offered: 0,
            accepted: 0,
            declined: 0,
            ignored: 0,
            too_late: 0,
            reconnected: 0,
            troubles: 0,
            first_trouble: None,
            to_assign: Times::default(),
            to_arrive: Times::default(),
            revenue: Revenue::default(),
            events: VecDeque::new(),
            events_so_far: 0,
        }
    }

    /// Returns how long the demo has run.
    pub fn elapsed(&self, now: DateTime<Utc>) -> TimeDelta {
        (now - self.began).max(TimeDelta::zero())
    }

    pub fn mechanics_online(&self) -> usize {
        self.mechanics.values().filter(|hired| hired.is_online).count()
    }

    pub fn mechanics_busy(&self) -> usize {
        self.count(Status::is_served)
    }

    /// Returns how many open jobs have such a status.
    pub fn count(&self, holds: impl Fn(Status) -> bool) -> usize {
        self.open.values().filter(|job| holds(job.status)).count()
    }

    /// Counts the news, and adds events for people to read.
    pub fn apply(&mut self, at: DateTime<Utc>, news: News) {
        match news {
            News::Registered { profile, name } => {
                self.mechanics.insert(profile, Registered { name, is_online: false });
            }
            News::Online { profile } => self.set_online(at, profile, true),
            News::Offline { profile } => self.set_online(at, profile, false),
            News::Called { job, customer, what, place } => {
                self.called += 1;
                self.add_event(at, format!("{customer} at {place} asks for {what}"));
                let (status, mechanic) = (Status::Pending, None);
                self.open.insert(job.id, OpenJob { customer, what, place, status, mechanic });
                self.moved(at, &job);
            }
            News::Moved { job } => self.moved(at, &job),
            News::Offered => self.offered += 1,
            News::Declined { profile } => {
                self.declined += 1;
                self.add_event(at, format!("{} declines an offer", self.name(Some(profile))));
            }
            News::Ignored { profile } => {
                self.ignored += 1;
                self.add_event(at, format!("{} lets an offer expire", self.name(Some(profile))));
            }
            News::TooLate { profile } => {
                self.too_late += 1;
                self.add_event(at, format!("{} accepts too late", self.name(Some(profile))));
            }
            News::Retried { job } => {
                self.retried += 1;
                let who = self.open.get(&job).map_or("someone", |job| &job.customer);
                self.add_event(at, format!("{who} asks once more"));
            }
            News::Approved { customer, item } => {
                self.revenue.items += 1;
                self.add_event(at, format!("{customer} agrees to {item}"));
            }
            News::PayFailed { customer } => {
                self.revenue.failed += 1;
                self.add_event(at, format!("{customer} tries to pay, and the bank refuses"));
            }
            News::Paid { customer, kind, paise } => {
                self.revenue.add(kind, paise);
                let how = match kind {
                    PaymentKind::Online => "online",
                    PaymentKind::Cash => "in cash",
                    PaymentKind::Fees => "for having cancelled",
                };
                self.add_event(at, format!("{customer} pays {} {how}", rupees(paise)));
            }
            News::Withdrew { profile, paise } => {
                self.revenue.withdrawn_paise += paise;
                self.add_event(at, format!("{} withdraws {}", self.name(Some(profile)), rupees(paise)));
            }
            News::NobodyFree => self.nobody_free += 1,
            News::Reconnected => self.reconnected += 1,
            News::Trouble { who, what } => {
                self.troubles += 1;
                let text = format!("TROUBLE {who}: {what}");
                self.first_trouble.get_or_insert_with(|| text.clone());
                self.add_event(at, text);
            }
        }
    }

    fn set_online(&mut self, at: DateTime<Utc>, profile: Uuid, is_online: bool) {
        let Some(hired) = self.mechanics.get_mut(&profile) else { return };
        if hired.is_online != is_online {
            hired.is_online = is_online;
            let text = format!("{} is {}", hired.name, if is_online { "online" } else { "offline" });
            self.add_event(at, text);
        }
    }

    /// Counts each change of a job's status once, although the same status may be reported more than once.
    fn moved(&mut self, at: DateTime<Utc>, job: &Job) {
        if job.status == Status::Paid {
            self.revenue.job_paid(job.id);
        }
        let Some(open) = self.open.get_mut(&job.id) else { return };
        if open.status == job.status {
            return;
        }
        open.status = job.status;
        let was_served_by = open.mechanic;
        open.mechanic = job.mechanic_profile_id;
        let open = open.clone();
        let (mechanic, OpenJob { customer, what, place, .. }) = (self.name(open.mechanic), &open);
        match job.status {
            Status::Pending | Status::Paid | Status::Disputed | Status::Resolved => {}
            Status::Dispatching if was_served_by.is_some() => {
                self.add_event(at, format!("{} gives {customer} back", self.name(was_served_by)));
            }
            Status::Dispatching => {}
            Status::Accepted => {
                self.accepted += 1;
                if let Some(accepted_at) = job.accepted_at {
                    self.to_assign.note(job.created_at, accepted_at);
                }
                self.add_event(at, format!("{mechanic} takes {what} for {customer}"));
            }
            Status::EnRoute => self.add_event(at, format!("{mechanic} drives to {place}")),
            Status::Arrived => {
                if let (Some(accepted_at), Some(arrived_at)) = (job.accepted_at, job.arrived_at) {
                    self.to_arrive.note(accepted_at, arrived_at);
                }
                self.add_event(at, format!("{mechanic} has reached {customer} at {place}"));
            }
            Status::InProgress => self.add_event(at, format!("{mechanic} starts at {place}: {what}")),
            Status::Completed => {
                self.completed += 1;
                self.revenue.job_completed(job.id);
                self.add_event(at, format!("{mechanic} has helped {customer}: {what}"));
            }
            Status::Cancelled => {
                self.cancelled += 1;
                self.add_event(at, format!("{customer} at {place} cancels"));
            }
            Status::NoMechanicFound => {
                self.unserved += 1;
                self.add_event(at, format!("nobody was found for {customer} at {place}"));
            }
        }
        if job.status.is_over() {
            self.open.remove(&job.id);
        }
    }

    fn name(&self, profile: Option<Uuid>) -> String {
        let hired = profile.and_then(|profile| self.mechanics.get(&profile));
        hired.map_or_else(|| "a mechanic".to_owned(), |hired| hired.name.clone())
    }

    fn add_event(&mut self, at: DateTime<Utc>, text: String) {
        if self.events.len() == EVENTS {
            self.events.pop_front();
        }
        self.events_so_far += 1;
        self.events.push_back(Event { number: self.events_so_far, at: self.elapsed(at), text });
    }
}

#[cfg(test)]
pub(super) mod tests;
