//! The settings of the engine. Plain data: the service fills it from its own settings and checks it there.

use std::{collections::BTreeSet, sync::Arc};

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{concern::Concern, named::named_enum, wire};

/// The configuration with which the engine starts.
#[derive(Debug, Clone)]
pub struct Settings {
    pub jobs: JobPolicy,
    pub fees: FeePolicy,
    pub presence: PresencePolicy,
    pub watch: WatchPolicy,
    pub matching: MatchingPolicy,
    pub limits: Limits,
}

/// The policy by which one job searches for mechanics. It is resolved per category when the job is created or
/// loaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchPolicy {
    /// The version of the dispatch settings from which the policy comes.
    pub version: i64,
    /// The radii around the pickup in metres, each larger than the one before; at least one.
    pub rings_m: Vec<f64>,
    /// The number of offers at once in round 1, 2, …; the last holds for every later round.
    pub round_widths: Vec<u32>,
    pub max_rounds: u32,
    #[serde(with = "wire::millis")]
    pub offer_ttl: TimeDelta,
    /// The time after expiry within which an answer still counts, by its time of receipt.
    #[serde(with = "wire::millis")]
    pub offer_grace: TimeDelta,
    #[serde(with = "wire::millis")]
    pub attempt_ttl: TimeDelta,
    /// The round at which accident and highway jobs begin.
    pub urgent_first_round: u32,
    /// The time after the call within which a mechanic's arrival is in time.
    #[serde(with = "wire::millis")]
    pub in_time: TimeDelta,
    /// The value of serving the job in time, in seconds of pickup time; see [`PricingPolicy`].
    pub worth_s: i64,
    /// The parts that the category sets itself, whatever the tuning.
    pub over: SearchOverrides,
}

/// The parts of a search policy that a category sets itself; the rest comes from the dispatch settings.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SearchOverrides {
    pub rings_m: Option<Vec<f64>>,
    pub round_widths: Option<Vec<u32>>,
    pub max_rounds: Option<u32>,
    #[serde(default, with = "wire::optional_millis")]
    pub offer_ttl: Option<TimeDelta>,
    #[serde(default, with = "wire::optional_millis")]
    pub attempt_ttl: Option<TimeDelta>,
    pub urgent_first_round: Option<u32>,
    #[serde(default, with = "wire::optional_millis")]
    pub in_time: Option<TimeDelta>,
    pub worth_s: Option<i64>,
}

/// The settings that can be changed while the engine runs.
#[derive(Debug, Clone)]
pub struct Tuning {
    /// The search of jobs whose category overrides nothing.
    pub search: SearchPolicy,
    pub matching: MatchingPolicy,
}

/// A search policy, shared by the jobs to which it applies.
pub type SharedSearchPolicy = Arc<SearchPolicy>;

/// Rules of a job's life after the search.
#[derive(Debug, Clone)]
pub struct JobPolicy {
    /// Whether starting needs the customer's four digits.
    pub start_code: bool,
    /// The number of wrong codes until starting is locked, and the time for which it is locked.
    pub wrong_start_codes: u32,
    pub start_code_lock: TimeDelta,
    pub arrival_radius_m: f64,
    /// The distance from its first place by which a customer may move the pickup, in metres.
    pub correction_radius_m: f64,
    pub no_show_after: TimeDelta,
    /// The time for which a job without a mechanic can be retried.
    pub no_mechanic_ttl: TimeDelta,
    /// The lifetime of an offer that has to wake a phone in a pocket, if that is longer than the lifetime of
    /// others.
    pub parked_offer_ttl: TimeDelta,
    /// The time after its completion within which a job can be disputed.
    pub dispute_window: TimeDelta,
}

/// The cost of cancelling, in paise.
#[derive(Debug, Clone)]
pub struct FeePolicy {
    pub free_after_accept: TimeDelta,
    pub flat_paise: i64,
    pub call_out_paise: i64,
    /// Cancelling is free again if the mechanic is this far past the promised time.
    pub late_grace: TimeDelta,
    /// Cancelling is free again if the mechanic has sent nothing for this long.
    pub dark_after: TimeDelta,
    /// Cancelling is free again if the mechanic has not moved for this long before arriving.
    pub stalled_after: TimeDelta,
}

/// When a mechanic counts as online, and how often their app is asked to send positions.
#[derive(Debug, Clone)]
pub struct PresencePolicy {
    pub fresh_position: TimeDelta,
    pub auto_off: TimeDelta,
    pub max_accuracy_m: f64,
    pub max_speed_mps: f64,
    /// The interval while an offer is open, or a customer watches the mechanic.
    pub fast_interval_s: u32,
    /// The interval on a job that nobody watches.
    pub unwatched_interval_s: u32,
    pub slow_interval_s: u32,
    /// The time for which a mechanic counts as being where they said that they wait, …
    pub parked_max: TimeDelta,
    /// … unless a position is farther from there than this, …
    pub parked_radius_m: f64,
    /// … or they let this many offers in a row expire.
    pub parked_unanswered_max: u32,
}

impl PresencePolicy {
    /// Returns whether a position of this accuracy is good enough to match by, and to prove anything.
    pub fn is_accurate(&self, accuracy_m: Option<f64>) -> bool {
        accuracy_m.is_none_or(|accuracy_m| accuracy_m <= self.max_accuracy_m)
    }
}

/// When a mechanic on the way to a pickup is a concern, and when which action follows.
#[derive(Debug, Clone)]
pub struct WatchPolicy {
    /// A mechanic is dark if no position came for this long.
    pub dark_after: TimeDelta,
    /// A mechanic is stalled if they stayed within `stalled_radius_m` for this long.
    pub stalled_after: TimeDelta,
    pub stalled_radius_m: f64,
    /// A mechanic moves away if they are this many metres farther from the pickup than at their nearest point
    /// within the window.
    pub away_m: f64,
    pub away_window: TimeDelta,
    /// A mechanic slips if they are expected this much later than promised.
    pub slip_after: TimeDelta,
    /// The distance from the pickup in metres within which only a dark mechanic loses the job.
    pub near_m: f64,
    /// The time for which a concern must hold before any action, and be over before it counts as over.
    pub debounce: TimeDelta,
    /// The time from the first nudge until the customer is informed.
    pub tell_after: TimeDelta,
    /// The time from then until the job is dispatched again.
    pub reassign_after: TimeDelta,
    /// The least time between two nudges.
    pub nudge_every: TimeDelta,
    /// While another app shows the mechanic the way, silence is expected until this long after they should have
    /// arrived …
    pub navigation_grace: TimeDelta,
    /// … and for at most this long.
    pub navigation_max: TimeDelta,
    /// The concerns for which the job is dispatched again.
    pub may_reassign: BTreeSet<Concern>,
}

named_enum! {
    /// The way in which waiting jobs and free mechanics are brought together.
    Strategy {
        /// Decides competing jobs together, as the assignment of least cost; each other job by itself, at once.
        Exact = "exact",
        /// Decides one job after another, oldest first: the nearest mechanic by ETA, one offer at a time.
        Nearest = "nearest",
        /// Decides one job after another, oldest first: every mechanic in the ring at once, up to the width of the
        /// round.
        Broadcast = "broadcast",
    }
}

/// The policy by which matches are made. Weights are in seconds of pickup time, so that a cost is a whole number of
/// seconds.
#[derive(Debug, Clone)]
pub struct MatchingPolicy {
    pub strategy: Strategy,
    /// Competing jobs are gathered until the demand of the oldest is this old; no other job waits.
    pub window: TimeDelta,
    /// The cost of leaving a job without a mechanic, before its priority.
    pub unserved_s: i64,
    /// The priority of a job per minute that it has waited, counting at most an hour.
    pub waiting_weight_s_per_min: i64,
    /// The priority of jobs beside a highway, and after an accident.
    pub highway_bonus_s: i64,
    pub accident_bonus_s: i64,
    /// The cost of one refused offer to the job: the time until the refusal is known.
    pub refusal_weight_s: i64,
    /// The credit per minute that a mechanic has been idle, counting at most an hour.
    pub idle_weight_s_per_min: i64,
    /// The extra cost of a mechanic who waits at a place: the time to see the offer, and to get to the vehicle.
    pub parked_cost_s: i64,
    /// The time for which supply changes are gathered before waiting jobs are matched again.
    pub rematch_after: TimeDelta,
    /// The number of pairs of job and mechanic up to which competing jobs are solved to the end, however long it
    /// takes.
    pub solve_exact_edges: usize,
    /// With more pairs, the search for the best answer ends after this many steps.
    pub solve_steps: u64,
    /// With more pairs than this, the dispatcher goes on with other jobs meanwhile. Has no effect if the engine
    /// runs on its caller's thread, because a run under virtual time must be repeatable.
    pub solve_inline_edges: usize,
    /// Whether decisions are explained to the journal.
    pub explain: bool,
    /// The pricing of mechanics' time; `None` if time has no price, so that only the pickup counts. Only with
    /// [`Strategy::Exact`].
    pub pricing: Option<PricingPolicy>,
}

/// The values of the time of mechanics and of customers when jobs and mechanics are matched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PricingPolicy {
    /// Whether matching uses the prices. If not, they are still computed and shown, so that they are right when
    /// matching uses them again: this allows comparing hours with and without prices.
    pub applies: bool,
    /// The value of a job served in time, in seconds of pickup time. Prices are jobs lost per hour, and this
    /// converts them to seconds.
    pub worth_s: i64,
    /// The part of that worth that is left when the mechanic comes late, in per cent.
    pub late_percent: i64,
    /// The standard deviation of the logarithm of a trip's time over its estimate.
    pub eta_sigma: f64,
    /// The length of the window of calls from which the expected calls are estimated.
    pub window: TimeDelta,
    /// Whether an accident may wait for a better mechanic, too.
    pub hold_accidents: bool,
    /// The idle time after which mechanics are advised where to wait; `None` turns advice off.
    pub advise_after: Option<TimeDelta>,
}

/// The bounds of queues and waits.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The number of messages that a mailbox holds before its senders wait.
    pub mailbox: usize,
    /// The time that a caller waits for an actor before the outcome counts as unknown.
    pub command_timeout: std::time::Duration,
}

impl SearchPolicy {
    /// Returns this policy for the jobs of a category with these overrides.
    pub fn with(&self, over: SearchOverrides) -> Self {
        let own = over.clone();
        Self {
            version: self.version,
            rings_m: own.rings_m.unwrap_or_else(|| self.rings_m.clone()),
            round_widths: own.round_widths.unwrap_or_else(|| self.round_widths.clone()),
            max_rounds: own.max_rounds.unwrap_or(self.max_rounds),
            offer_ttl: own.offer_ttl.unwrap_or(self.offer_ttl),
            offer_grace: self.offer_grace,
            attempt_ttl: own.attempt_ttl.unwrap_or(self.attempt_ttl),
            urgent_first_round: own.urgent_first_round.unwrap_or(self.urgent_first_round),
            in_time: own.in_time.unwrap_or(self.in_time),
            worth_s: own.worth_s.unwrap_or(self.worth_s),
            over,
        }
    }

    /// Returns the number of offers at once in `round` (from 1).
    pub fn width(&self, round: u32) -> usize {
        let index = (round.max(1) as usize - 1).min(self.round_widths.len().saturating_sub(1));
        self.round_widths.get(index).copied().unwrap_or(1) as usize
    }
}
