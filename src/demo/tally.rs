//! What is known of the city: counts, times and the last events, from what its people see of the public interface.
//! Pure: news and their time go in.

use std::collections::{BTreeMap, HashMap, VecDeque};

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    api::{Job, Status},
    takings::{Takings, Way, rupees},
};

/// Events that are kept for the board.
pub const EVENTS: usize = 10;
/// The newest so many times make the percentiles.
const SAMPLES: usize = 2_000;

/// Something that someone in the city saw or did.
#[derive(Debug, Clone)]
pub enum News {
    /// A mechanic was verified; so they are called from now on.
    Hired {
        profile: Uuid,
        name: String,
    },
    Online {
        profile: Uuid,
    },
    Offline {
        profile: Uuid,
    },
    Called {
        job: Job,
        customer: String,
        what: String,
        place: String,
    },
    /// A job as its customer sees it.
    Moved {
        job: Job,
    },
    Offered,
    Declined {
        profile: Uuid,
    },
    Ignored {
        profile: Uuid,
    },
    /// Accepted, but someone or something was faster.
    TooLate {
        profile: Uuid,
    },
    /// A customer asked once more.
    Retried {
        job: Uuid,
    },
    /// A customer agreed to a line item.
    Approved {
        customer: String,
        item: String,
    },
    /// A try to pay that failed.
    PayFailed {
        customer: String,
    },
    /// The service has heard that money changed hands.
    Paid {
        customer: String,
        way: Way,
        paise: i64,
    },
    /// A mechanic has money sent to the bank.
    Withdrew {
        profile: Uuid,
        paise: i64,
    },
    /// A call for help that found no customer free to make it.
    NobodyFree,
    Reconnected,
    /// Something that must not happen.
    Trouble {
        who: String,
        what: String,
    },
}

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
struct Hired {
    name: String,
    is_online: bool,
}

/// Times in milliseconds, the newest so many.
#[derive(Debug, Clone, Default)]
pub struct Times(VecDeque<i64>);

impl Times {
    fn note(&mut self, from: DateTime<Utc>, to: DateTime<Utc>) {
        if self.0.len() == SAMPLES {
            self.0.pop_front();
        }
        self.0.push_back((to - from).num_milliseconds().max(0));
    }

    /// The nearest-rank percentile, in milliseconds; none before the first time.
    pub fn percentile(&self, percent: usize) -> Option<i64> {
        let mut sorted: Vec<i64> = self.0.iter().copied().collect();
        sorted.sort_unstable();
        let rank = (sorted.len() * percent).div_ceil(100).max(1);
        sorted.get(rank - 1).copied()
    }
}

/// An event in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Counts all events, so that a reader knows which are new to it.
    pub number: u64,
    /// Since the show began.
    pub at: TimeDelta,
    pub text: String,
}

/// Counts, times and the last events.
#[derive(Debug, Clone)]
pub struct Tally {
    began: DateTime<Utc>,
    mechanics: HashMap<Uuid, Hired>,
    pub open: BTreeMap<Uuid, OpenJob>,
    pub called: u64,
    pub completed: u64,
    pub cancelled: u64,
    /// Searches that ended without a mechanic.
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
    /// From the call to an acceptance.
    pub to_assign: Times,
    /// From the acceptance to the arrival.
    pub to_arrive: Times,
    pub takings: Takings,
    pub events: VecDeque<Event>,
    events_so_far: u64,
}

impl Tally {
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
            takings: Takings::default(),
            events: VecDeque::new(),
            events_so_far: 0,
        }
    }

    /// How long the show has run.
    pub fn elapsed(&self, now: DateTime<Utc>) -> TimeDelta {
        (now - self.began).max(TimeDelta::zero())
    }

    pub fn mechanics_online(&self) -> usize {
        self.mechanics.values().filter(|hired| hired.is_online).count()
    }

    pub fn mechanics_busy(&self) -> usize {
        self.count(Status::is_served)
    }

    /// Open jobs whose status holds.
    pub fn count(&self, holds: impl Fn(Status) -> bool) -> usize {
        self.open.values().filter(|job| holds(job.status)).count()
    }

    /// Takes news in.
    pub fn apply(&mut self, at: DateTime<Utc>, news: News) {
        match news {
            News::Hired { profile, name } => {
                self.mechanics.insert(profile, Hired { name, is_online: false });
            }
            News::Online { profile } => self.set_online(at, profile, true),
            News::Offline { profile } => self.set_online(at, profile, false),
            News::Called { job, customer, what, place } => {
                self.called += 1;
                self.tell(at, format!("{customer} at {place} asks for {what}"));
                let (status, mechanic) = (Status::Pending, None);
                self.open.insert(job.id, OpenJob { customer, what, place, status, mechanic });
                self.moved(at, &job);
            }
            News::Moved { job } => self.moved(at, &job),
            News::Offered => self.offered += 1,
            News::Declined { profile } => {
                self.declined += 1;
                self.tell(at, format!("{} declines an offer", self.name(Some(profile))));
            }
            News::Ignored { profile } => {
                self.ignored += 1;
                self.tell(at, format!("{} lets an offer expire", self.name(Some(profile))));
            }
            News::TooLate { profile } => {
                self.too_late += 1;
                self.tell(at, format!("{} accepts too late", self.name(Some(profile))));
            }
            News::Retried { job } => {
                self.retried += 1;
                let who = self.open.get(&job).map_or("someone", |job| &job.customer);
                self.tell(at, format!("{who} asks once more"));
            }
            News::Approved { customer, item } => {
                self.takings.items += 1;
                self.tell(at, format!("{customer} agrees to {item}"));
            }
            News::PayFailed { customer } => {
                self.takings.failed += 1;
                self.tell(at, format!("{customer} tries to pay, and the bank refuses"));
            }
            News::Paid { customer, way, paise } => {
                self.takings.take(way, paise);
                let how = match way {
                    Way::Online => "online",
                    Way::Cash => "in cash",
                    Way::Fees => "for having cancelled",
                };
                self.tell(at, format!("{customer} pays {} {how}", rupees(paise)));
            }
            News::Withdrew { profile, paise } => {
                self.takings.withdrawn_paise += paise;
                self.tell(at, format!("{} withdraws {}", self.name(Some(profile)), rupees(paise)));
            }
            News::NobodyFree => self.nobody_free += 1,
            News::Reconnected => self.reconnected += 1,
            News::Trouble { who, what } => {
                self.troubles += 1;
                let text = format!("TROUBLE {who}: {what}");
                self.first_trouble.get_or_insert_with(|| text.clone());
                self.tell(at, text);
            }
        }
    }

    fn set_online(&mut self, at: DateTime<Utc>, profile: Uuid, is_online: bool) {
        let Some(hired) = self.mechanics.get_mut(&profile) else { return };
        if hired.is_online != is_online {
            hired.is_online = is_online;
            let text = format!("{} is {}", hired.name, if is_online { "online" } else { "offline" });
            self.tell(at, text);
        }
    }

    /// A job may be told in the same status more than once; each move counts once.
    fn moved(&mut self, at: DateTime<Utc>, job: &Job) {
        if job.status == Status::Paid {
            self.takings.job_paid(job.id);
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
                self.tell(at, format!("{} gives {customer} back", self.name(was_served_by)));
            }
            Status::Dispatching => {}
            Status::Accepted => {
                self.accepted += 1;
                if let Some(accepted_at) = job.accepted_at {
                    self.to_assign.note(job.created_at, accepted_at);
                }
                self.tell(at, format!("{mechanic} takes {what} for {customer}"));
            }
            Status::EnRoute => self.tell(at, format!("{mechanic} drives to {place}")),
            Status::Arrived => {
                if let (Some(accepted_at), Some(arrived_at)) = (job.accepted_at, job.arrived_at) {
                    self.to_arrive.note(accepted_at, arrived_at);
                }
                self.tell(at, format!("{mechanic} has reached {customer} at {place}"));
            }
            Status::InProgress => self.tell(at, format!("{mechanic} starts at {place}: {what}")),
            Status::Completed => {
                self.completed += 1;
                self.takings.job_completed(job.id);
                self.tell(at, format!("{mechanic} has helped {customer}: {what}"));
            }
            Status::Cancelled => {
                self.cancelled += 1;
                self.tell(at, format!("{customer} at {place} cancels"));
            }
            Status::NoMechanicFound => {
                self.unserved += 1;
                self.tell(at, format!("nobody was found for {customer} at {place}"));
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

    fn tell(&mut self, at: DateTime<Utc>, text: String) {
        if self.events.len() == EVENTS {
            self.events.pop_front();
        }
        self.events_so_far += 1;
        self.events.push_back(Event { number: self.events_so_far, at: self.elapsed(at), text });
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::demo) fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + second, 0).expect("a time")
    }

    pub(in crate::demo) fn job(status: Status) -> Job {
        let is_taken = status.is_served() || status == Status::Completed;
        Job {
            id: Uuid::from_u128(7),
            status,
            seq: 1,
            pickup_lat: 12.97,
            pickup_lng: 77.6,
            mechanic_profile_id: is_taken.then(|| Uuid::from_u128(1)),
            start_code: None,
            created_at: at(0),
            accepted_at: is_taken.then(|| at(4)),
            arrived_at: matches!(status, Status::Arrived | Status::InProgress | Status::Completed)
                .then(|| at(34)),
            cancellation_fee: None,
        }
    }

    /// One job until it has that status.
    pub(in crate::demo) fn story(until: Status) -> Tally {
        let mut tally = Tally::new(at(0));
        tally.apply(at(0), News::Hired { profile: Uuid::from_u128(1), name: "Ravi Kumar".into() });
        tally.apply(at(0), News::Online { profile: Uuid::from_u128(1) });
        let (customer, what, place) = ("Asha Rao".into(), "Towing".into(), "MG Road".into());
        tally.apply(at(0), News::Called { job: job(Status::Pending), customer, what, place });
        let life = [
            Status::Dispatching,
            Status::Accepted,
            Status::EnRoute,
            Status::Arrived,
            Status::InProgress,
            Status::Completed,
        ];
        for (second, status) in (1..).zip(life) {
            tally.apply(at(second), News::Moved { job: job(status) });
            if status == until {
                break;
            }
        }
        tally
    }

    #[test]
    fn a_job_is_counted_in_the_status_it_has_and_once_when_it_is_over() {
        let tally = story(Status::EnRoute);
        assert_eq!((tally.mechanics_online(), tally.mechanics_busy(), tally.open.len()), (1, 1, 1));
        let mut tally = story(Status::Completed);
        tally.apply(at(9), News::Moved { job: job(Status::Completed) });
        assert_eq!((tally.called, tally.completed, tally.mechanics_busy(), tally.open.len()), (1, 1, 0, 0));
        assert_eq!(tally.to_assign.percentile(50), Some(4_000));
        assert_eq!(tally.to_arrive.percentile(95), Some(30_000));
    }

    #[test]
    fn a_completed_job_is_owed_for_until_it_is_paid() {
        let mut tally = story(Status::Completed);
        let counts = |tally: &Tally| (tally.completed, tally.takings.paid, tally.takings.owing.len());
        assert_eq!(counts(&tally), (1, 0, 1));
        for _ in 0..2 {
            tally.apply(at(9), News::Moved { job: job(Status::Paid) });
        }
        assert_eq!(counts(&tally), (1, 1, 0));
        tally.apply(at(9), News::Paid { customer: "Asha Rao".into(), way: Way::Cash, paise: 29_900 });
        assert_eq!(
            tally.events.back().map(|event| event.text.as_str()),
            Some("Asha Rao pays 299.00 in cash")
        );
    }

    #[test]
    fn events_are_told_in_words_and_only_the_last_are_kept() {
        let mut tally = story(Status::Accepted);
        assert_eq!(
            tally.events.back().map(|event| event.text.as_str()),
            Some("Ravi Kumar takes Towing for Asha Rao")
        );
        for _ in 0..20 {
            tally.apply(at(60), News::Declined { profile: Uuid::from_u128(1) });
        }
        assert_eq!(tally.events.len(), EVENTS);
        assert_eq!(tally.events.back().map(|event| event.number), Some(23));
    }

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let mut times = Times::default();
        assert_eq!(times.percentile(50), None);
        for second in 1..=20 {
            times.note(at(0), at(second));
        }
        let found = [1, 50, 95, 100].map(|percent| times.percentile(percent));
        assert_eq!(found, [Some(1_000), Some(10_000), Some(19_000), Some(20_000)]);
    }

    #[test]
    fn the_first_trouble_is_kept() {
        let mut tally = Tally::new(at(0));
        for what in ["one", "two"] {
            tally.apply(at(1), News::Trouble { who: "Asha".into(), what: what.into() });
        }
        assert_eq!((tally.troubles, tally.first_trouble.as_deref()), (2, Some("TROUBLE Asha: one")));
    }
}
