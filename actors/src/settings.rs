//! What can be tuned in the engine. Plain data: the service fills it from its own settings and checks it there.

use std::sync::Arc;

use chrono::TimeDelta;

/// Everything the engine is told at start.
#[derive(Debug, Clone)]
pub struct Settings {
    pub jobs: JobPolicy,
    pub fees: FeePolicy,
    pub presence: PresencePolicy,
    pub matching: MatchingPolicy,
    pub limits: Limits,
}

/// How one job is searched for. Resolved per category when the job is made or loaded.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchPolicy {
    /// Radii around the pickup in metres, each larger than the one before; at least one.
    pub rings_m: Vec<f64>,
    /// Offers at once in round 1, 2, …; the last holds for every later round.
    pub round_widths: Vec<u32>,
    pub max_rounds: u32,
    pub offer_ttl: TimeDelta,
    /// An answer stamped this late after expiry still counts.
    pub offer_grace: TimeDelta,
    pub attempt_ttl: TimeDelta,
    /// The round at which accident and highway jobs begin.
    pub urgent_first_round: u32,
}

/// Shared by the jobs it holds for.
pub type SharedSearchPolicy = Arc<SearchPolicy>;

/// Rules of a job's life after the search.
#[derive(Debug, Clone)]
pub struct JobPolicy {
    /// Whether starting needs the customer's four digits.
    pub start_code: bool,
    /// Wrong codes until starting is locked, and for how long.
    pub wrong_start_codes: u32,
    pub start_code_lock: TimeDelta,
    pub arrival_radius_m: f64,
    pub no_show_after: TimeDelta,
    /// How long a job without a mechanic can be retried.
    pub no_mechanic_ttl: TimeDelta,
}

/// What cancelling costs, in paise.
#[derive(Debug, Clone)]
pub struct FeePolicy {
    pub free_after_accept: TimeDelta,
    pub flat_paise: i64,
    pub call_out_paise: i64,
    /// Free again when the mechanic is this far past the promised time,
    pub late_grace: TimeDelta,
    /// sent nothing for this long,
    pub dark_after: TimeDelta,
    /// or has not moved for this long before arriving.
    pub stalled_after: TimeDelta,
}

/// When a mechanic counts as online, and how often its app is asked to send.
#[derive(Debug, Clone)]
pub struct PresencePolicy {
    pub fresh_position: TimeDelta,
    pub auto_off: TimeDelta,
    pub max_accuracy_m: f64,
    pub max_speed_mps: f64,
    pub fast_interval_s: u32,
    pub slow_interval_s: u32,
}

/// The weights of a match, in seconds of pickup time.
#[derive(Debug, Clone)]
pub struct MatchingPolicy {
    pub waiting_weight_s_per_min: i64,
    pub idle_weight_s_per_min: i64,
    /// Supply changes are gathered this long before waiting jobs are matched again.
    pub rematch_after: TimeDelta,
}

/// Bounds of queues and waits.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Messages a mailbox holds before its senders wait.
    pub mailbox: usize,
    /// How long a caller waits for an actor before the outcome counts as unknown.
    pub command_timeout: std::time::Duration,
}

impl SearchPolicy {
    /// Offers at once in `round` (from 1).
    pub fn width(&self, round: u32) -> usize {
        let index = (round.max(1) as usize - 1).min(self.round_widths.len().saturating_sub(1));
        self.round_widths.get(index).copied().unwrap_or(1) as usize
    }
}
