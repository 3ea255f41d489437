//! Computes what a mechanic's time and a late arrival cost one job, and whether a pickup is worth it. Pure.
//!
//! The chance to arrive in time follows from the ETA, whose error is lognormal: P = 1 - Φ(ln((eta + refusal) /
//! left) / σ), where `left` is the rest of the time in which a customer counts as served in time. The trip and this
//! chance, like the load, are computed not from the bare ETA but from how long trips have taken compared with their
//! ETAs ([`crate::experience::WorkTimes::trip_ratio`]), so all of them use one clock.

use chrono::{DateTime, Utc};

use super::{
    explain::{Foresight, MAX_TERM_S},
    pricing::{Price, Prices},
};
use crate::{
    messages::Demand,
    settings::{MatchingPolicy, PricingPolicy, Strategy},
    status::Urgency,
};

/// The seconds between a decision and the mechanic's answer.
const ANSWER_S: f64 = 8.0;
/// The chance, in thousandths, above which a job is not held back.
const LIKELY_PERMILLE: i64 = 500;

/// Returns the chance to arrive within `left_s`, by an ETA whose logarithm is off by a standard deviation of
/// `sigma`.
pub fn chance_in_time(eta_s: f64, left_s: f64, sigma: f64) -> f64 {
    if left_s <= 0.0 {
        return 0.0;
    }
    if eta_s <= 0.0 {
        return 1.0;
    }
    1.0 - normal_cdf((eta_s / left_s).ln() / sigma.max(1e-6))
}

/// Computes the normal distribution function by Abramowitz and Stegun 26.2.17. The error is below 7.5e-8.
fn normal_cdf(x: f64) -> f64 {
    const B: [f64; 5] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let sum = B.iter().rev().fold(0.0, |sum, b| (sum + b) * t);
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * sum;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

/// The values that weigh a mechanic's time and the customer's against each other for one job.
#[derive(Debug, Clone, Copy)]
pub struct Worth<'a> {
    policy: &'a PricingPolicy,
    /// The value of serving this job in time, in seconds of pickup time.
    worth_s: i64,
    on_site_s: f64,
    /// The duration of trips as a multiple of their ETAs.
    trip_ratio: f64,
    /// The seconds until this job is late, less the time for an answer.
    left_s: f64,
    may_hold: bool,
}

impl<'a> Worth<'a> {
    /// Returns the values, or `None` if prices are off or the policy only looks for the nearest.
    pub fn of(
        demand: &Demand,
        policy: &'a MatchingPolicy,
        prices: &Prices,
        now: DateTime<Utc>,
    ) -> Option<Self> {
        let pricing = policy.pricing.as_ref()?;
        if !pricing.applies || policy.strategy != Strategy::Exact {
            return None;
        }
        let waited_s = (now - demand.waiting_since).num_milliseconds().max(0) as f64 / 1000.0;
        Some(Self {
            policy: pricing,
            worth_s: demand.search.worth_s.clamp(0, MAX_TERM_S),
            on_site_s: prices.work.on_site_s(demand.category_id),
            trip_ratio: prices.work.trip_ratio(),
            left_s: demand.search.in_time.num_seconds() as f64 - waited_s - ANSWER_S,
            may_hold: pricing.hold_accidents || demand.urgency != Urgency::Accident,
        })
    }

    /// Returns the cost, beyond the trip, of sending a mechanic who has been free for this long.
    pub fn foresight(&self, price: &Price, free_s: f64, eta_s: u32, refusal_s: i64) -> Foresight {
        let (trip_s, refusal_s) = (f64::from(eta_s) * self.trip_ratio, refusal_s as f64);
        let busy_s = trip_s + self.on_site_s;
        let chance = chance_in_time(trip_s + refusal_s, self.left_s, self.policy.eta_sigma);
        let late = self.worth_s as f64 * (1.0 - self.policy.late_percent as f64 / 100.0) * (1.0 - chance);
        let class_price = price.per_hour;
        let price = price.after(free_s);
        let price_of = |seconds: f64| whole(self.policy.worth_s as f64 * price * seconds / 3600.0);
        Foresight {
            price_per_hour_milli: whole(price * 1000.0),
            class_price_per_hour_milli: whole(class_price * 1000.0),
            busy_s: whole(busy_s),
            price_s: price_of(busy_s),
            on_site_price_s: price_of(self.on_site_s),
            chance_permille: whole(chance * 1000.0),
            late_s: whole(late),
            worth_s: self.worth_s,
        }
    }

    /// Returns whether a pickup is not worth the mechanic's time now. A pickup that is likely to be in time always
    /// is, since only the estimate of the work's duration would speak against it.
    pub fn holds(&self, foresight: &Foresight) -> bool {
        let is_likely = foresight.chance_permille > LIKELY_PERMILLE;
        self.may_hold && !is_likely && foresight.price_s + foresight.late_s >= foresight.worth_s
    }
}

/// Rounds to whole seconds within the limit of a term.
fn whole(value: f64) -> i64 {
    // Casts of floats saturate, and turn NaN into 0.
    (value.round() as i64).clamp(0, MAX_TERM_S)
}
