//! Decides the outcome of a job on account and the amount that its partner pays by the contract. Pure; amounts in paise.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::job::state::Outcome;

use crate::http::text_enum;

text_enum! {
    /// The outcome of a job on account, as far as contracts distinguish outcomes.
    OutcomeKind {
        Completed = "completed",
        /// The mechanic was there in time, and nobody else was.
        GoneOnArrival = "gone_on_arrival",
        /// The mechanic could not help.
        Unsuccessful = "unsuccessful",
        /// The vehicle was taken elsewhere, because its destination was closed or refused it.
        DestinationRefused = "destination_refused",
        CancelledByPartner = "cancelled_by_partner",
        CancelledByUs = "cancelled_by_us",
        /// The mechanic was not there by the promised time, extensions included.
        PromiseMissed = "promise_missed",
        NoMechanic = "no_mechanic",
    }
}

/// The whole in hundredths of a percent.
const WHOLE_BPS: i32 = 10_000;

/// The end of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobEnd {
    Completed(Outcome),
    /// A position shows that the vehicle was not handed over at its destination.
    TowedElsewhere,
    /// A position or an admin confirms that nobody was there.
    NoShow,
    CancelledByPartner,
    CancelledByUs,
    NoMechanic,
}

/// The figures from which the outcome of a job follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    pub end: JobEnd,
    /// The partner's part if the whole job is payable.
    pub covered_paise: i64,
    pub accepted_at: Option<DateTime<Utc>>,
    /// The promised time of arrival with all extensions, unless nothing is promised.
    pub promised_at: Option<DateTime<Utc>>,
    pub arrived_at: Option<DateTime<Utc>>,
    pub ended_at: DateTime<Utc>,
}

/// The terms of a contract about outcomes: the payable shares in hundredths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct OutcomeTerms {
    pub gone_on_arrival_bps: i32,
    pub unsuccessful_bps: i32,
    pub destination_refused_bps: i32,
    pub cancelled_bps: i32,
    pub promise_missed_bps: i32,
    /// How long after the acceptance a cancellation costs nothing.
    pub free_cancellation_minutes: i32,
}

/// Returns the outcome of a job, and what its partner pays. A partner never pays more for a late arrival than for the same end in
/// time.
pub fn decide(facts: &Facts, terms: &OutcomeTerms) -> (OutcomeKind, i64) {
    let (kind, share_bps) = in_time(facts, terms);
    let (kind, share_bps) = match share_bps > 0 && facts.is_late() {
        true => (OutcomeKind::PromiseMissed, share_bps.min(terms.promise_missed_bps)),
        false => (kind, share_bps),
    };
    (kind, share_of(facts.covered_paise, share_bps))
}

/// Returns the outcome, with the payable share, of a job to which the mechanic came in time.
fn in_time(facts: &Facts, terms: &OutcomeTerms) -> (OutcomeKind, i32) {
    match facts.end {
        JobEnd::Completed(Outcome::Fixed | Outcome::Temporary | Outcome::Towed) => {
            (OutcomeKind::Completed, WHOLE_BPS)
        }
        JobEnd::Completed(Outcome::NeedsTow | Outcome::NotFixable) => {
            (OutcomeKind::Unsuccessful, terms.unsuccessful_bps)
        }
        JobEnd::TowedElsewhere => (OutcomeKind::DestinationRefused, terms.destination_refused_bps),
        JobEnd::NoShow => (OutcomeKind::GoneOnArrival, terms.gone_on_arrival_bps),
        JobEnd::CancelledByPartner if facts.is_free_to_cancel(terms) => (OutcomeKind::CancelledByPartner, 0),
        JobEnd::CancelledByPartner => (OutcomeKind::CancelledByPartner, terms.cancelled_bps),
        JobEnd::CancelledByUs => (OutcomeKind::CancelledByUs, 0),
        JobEnd::NoMechanic => (OutcomeKind::NoMechanic, 0),
    }
}

impl Facts {
    /// Returns whether the mechanic came after the promised time, or had not come by then when the job ended.
    fn is_late(&self) -> bool {
        self.promised_at.is_some_and(|promised_at| self.arrived_at.unwrap_or(self.ended_at) > promised_at)
    }

    fn is_free_to_cancel(&self, terms: &OutcomeTerms) -> bool {
        let free = TimeDelta::minutes(i64::from(terms.free_cancellation_minutes));
        self.accepted_at.is_none_or(|accepted_at| self.ended_at <= accepted_at + free)
    }
}

/// Returns a share of an amount, rounded half up.
fn share_of(paise: i64, share_bps: i32) -> i64 {
    let (paise, whole) = (i128::from(paise), i128::from(WHOLE_BPS));
    i64::try_from((2 * paise * i128::from(share_bps) + whole) / (2 * whole)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
