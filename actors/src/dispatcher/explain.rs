//! The record of one decision: why each mechanic was, or was not, offered a job. Pure data.

use chrono::{DateTime, Utc};

use crate::{
    eta::EtaSource,
    ids::{JobId, MechanicId},
    named::named_enum,
};

/// The largest number of mechanics in one record: first those who were offered the job, then the nearest.
pub const MAX_CONSIDERED: usize = 50;
/// The largest value of a term, one day, which keeps sums of costs far from overflowing.
pub const MAX_TERM_S: i64 = 86_400;

/// One decision about one waiting job.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    pub job_id: JobId,
    pub attempt: u32,
    pub round: u32,
    pub at: DateTime<Utc>,
    /// The radius around the pickup in metres at which the search of this decision ended.
    pub ring_m: f64,
    /// The number of offers that the round had room for.
    pub wanted: u32,
    /// Seconds subtracted from every cost for the job's waiting time and urgency: its weight against other jobs.
    pub priority_s: i64,
    /// The number of waiting jobs that were decided together because they share candidates, including this one.
    pub competing_jobs: u32,
    pub method: Method,
    /// Nearest first.
    pub considered: Vec<Considered>,
    /// The number of further mechanics within the ring that this record leaves out. Where there are hundreds, it
    /// includes some just outside the ring.
    pub omitted: u32,
}

/// The way in which a decision was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// No other job had the same first choice.
    Alone,
    /// The minimum-cost assignment of all competing jobs.
    Exact,
    /// The problem was too large to solve exactly within the budget: the total is at most this many seconds of cost
    /// above the optimum.
    Bounded { gap_s: i64 },
    /// A policy that looks at one job at a time.
    Greedy,
}

/// A mechanic who was looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Considered {
    pub mechanic_id: MechanicId,
    /// The straight-line distance in metres.
    pub distance_m: u32,
    pub verdict: Verdict,
}

/// The decision about a mechanic.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Offered(Terms),
    Passed(Terms, Passed),
    Unfit(Unfit),
}

/// The reason why a mechanic who fits was not offered the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    /// Other mechanics cost less.
    CostsMore,
    /// They serve another waiting job better.
    MatchedWith(JobId),
    /// Another waiting job could use them, and this one has its first offer.
    KeptForOthers,
    /// Their own actor refused the reservation: the dispatcher's state was out of date.
    NotReserved,
    /// Their time is worth more elsewhere than it is here, given the chance to arrive in time.
    HeldBack,
}

named_enum! {
    /// The reason why a mechanic near the pickup may not be offered the job. The dispatcher does not know mechanics
    /// who are offline, not verified or too inexactly located.
    Unfit {
        /// They are reserved, offered a job, or on a job.
        Engaged = "engaged",
        StalePosition = "stale_position",
        VehicleType = "vehicle_type",
        Category = "service_category",
        OutsideOwnRadius = "outside_own_radius",
        /// They declined, let two offers expire, released or were taken off this job, or are its customer.
        Excluded = "excluded",
    }
}

/// The parts of a cost, in seconds of pickup time. `cost_s` is their sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    pub eta_s: u32,
    pub eta_source: EtaSource,
    /// The expected cost of a refusal.
    pub refusal_s: i64,
    /// Subtracted for idle time: negative or zero.
    pub idle_s: i64,
    /// Added for a mechanic who waits at a place where only a push reaches them, else 0.
    pub parked_s: i64,
    /// The further cost of the mechanic's time and of a late arrival; `None` if prices are off.
    pub foresight: Option<Foresight>,
    pub cost_s: i64,
}

/// The cost of sending a mechanic away for this job, and of their possibly late arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foresight {
    /// The thousandths of a job that are lost for each hour that this mechanic is away.
    pub price_per_hour_milli: i64,
    /// The price of an hour of a mechanic of their class who has just become free: it falls while they wait.
    pub class_price_per_hour_milli: i64,
    /// The seconds that they would be away: for the trip and the work.
    pub busy_s: i64,
    /// The price of that time, in seconds of pickup time.
    pub price_s: i64,
    /// The part of `price_s` that is for the work alone.
    pub on_site_price_s: i64,
    /// The chance that they arrive in time, in thousandths.
    pub chance_permille: i64,
    /// The expected cost of being late, in seconds of pickup time.
    pub late_s: i64,
    /// The value of serving the job in time, in seconds of pickup time.
    pub worth_s: i64,
}

macro_rules! names {
    ($kind:ty { $($variant:pat => $name:literal),+ $(,)? }) => {
        impl $kind {
            /// Returns the value on the wire and in rows.
            pub fn as_str(self) -> &'static str {
                match self { $($variant => $name),+ }
            }
        }
    };
}

names! { Method {
    Self::Alone => "alone", Self::Exact => "exact", Self::Bounded { .. } => "bounded", Self::Greedy => "greedy",
} }
names! { Passed {
    Self::CostsMore => "costs_more",
    Self::MatchedWith(_) => "matched_with_another_job",
    Self::KeptForOthers => "kept_for_other_jobs",
    Self::NotReserved => "not_reserved",
    Self::HeldBack => "held_back",
} }
