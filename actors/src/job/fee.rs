//! Computes the cancellation fee at a given moment. Pure.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::model::{Job, Stage};
use crate::{
    concern::Concern,
    named::named_enum,
    refusal::{Refusal, Wanted},
    settings::FeePolicy,
};

/// The mechanic's progress as their actor knows it, for the fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MechanicProgress {
    /// When the last position came; `None` when no position is known.
    pub last_contact_at: Option<DateTime<Utc>>,
    /// When they last moved.
    pub last_moved_at: Option<DateTime<Utc>>,
}

named_enum! {
    /// The reason for the amount of a cancellation fee.
    FeeReason {
        NotAccepted = "not_accepted",
        WithinFreeTime = "within_free_time",
        /// The cancellation is within the free time, but the customer has used it too often of late.
        FreeCancellationsUsed = "free_cancellations_used",
        MechanicDark = "mechanic_dark",
        MechanicStalled = "mechanic_stalled",
        MechanicMovingAway = "mechanic_moving_away",
        MechanicLate = "mechanic_late",
        OnTheWay = "on_the_way",
        Arrived = "arrived",
        StoppedByAdmin = "stopped_by_admin",
    }
}

/// How often a customer may use the free time after an acceptance: at most this many times since that moment,
/// counted over all accounts with this key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeCancellationAllowance {
    pub most: u32,
    pub since: DateTime<Utc>,
    pub used: u32,
    pub person_key: Uuid,
}

impl FreeCancellationAllowance {
    /// Returns how many uses are left.
    pub fn left(self) -> u32 {
        self.most.saturating_sub(self.used)
    }
}

/// A quoted fee in paise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeQuote {
    pub fee_paise: i64,
    pub reason: FeeReason,
    /// When cancelling ceases to be free, if that is still to come.
    pub free_until: Option<DateTime<Utc>>,
}

/// The fee at which a cancellation goes ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AcceptedFee {
    /// The quoted fee, in paise; a lower fee is no reason to ask again.
    UpTo(i64),
    /// Any fee.
    Any,
}

impl AcceptedFee {
    /// The customer agreed to no fee: the cancellation has to be free.
    pub const NONE: Self = Self::UpTo(0);

    pub(super) fn covers(self, fee_paise: i64) -> bool {
        match self {
            Self::UpTo(most_paise) => fee_paise <= most_paise,
            Self::Any => true,
        }
    }
}

/// The customer's fee if an admin stops work in progress, which the customer can't stop.
pub(super) const STOPPED: FeeQuote =
    FeeQuote { fee_paise: 0, reason: FeeReason::StoppedByAdmin, free_until: None };

/// Returns the customer's fee if an admin cancels `job` at `now`, or why the admin can't.
pub fn quote_by_admin(
    job: &Job,
    policy: &FeePolicy,
    progress: MechanicProgress,
    now: DateTime<Utc>,
) -> Result<FeeQuote, Refusal> {
    match &job.stage {
        Stage::InProgress(_) => Ok(STOPPED),
        _ => quote(job, policy, progress, None, now),
    }
}

/// Returns the fee for cancelling `job` at `now`, or why its customer can't cancel it. The free time after the
/// acceptance is a promise: it holds wherever the mechanic is, but only as often as `free_cancellations` allows, or
/// always without it. An arrival that no position proves costs no more than the trip.
pub fn quote(
    job: &Job,
    policy: &FeePolicy,
    progress: MechanicProgress,
    free_cancellations: Option<FreeCancellationAllowance>,
    now: DateTime<Utc>,
) -> Result<FeeQuote, Refusal> {
    let free = |reason, free_until| Ok(FeeQuote { fee_paise: 0, reason, free_until });
    let has_free = free_cancellations.is_none_or(|free| free.left() > 0);
    match &job.stage {
        Stage::Pending | Stage::Dispatching(_) | Stage::NoMechanicFound { .. } => {
            free(FeeReason::NotAccepted, None)
        }
        Stage::Accepted(assignment) | Stage::EnRoute(assignment) | Stage::Arrived(assignment) => {
            let free_until = assignment.accepted_at + policy.free_after_accept;
            let is_early = now <= free_until;
            let due = |fee_paise, reason| {
                let reason = if is_early { FeeReason::FreeCancellationsUsed } else { reason };
                Ok(FeeQuote { fee_paise, reason, free_until: None })
            };
            let over = |since: Option<DateTime<Utc>>, limit: TimeDelta| {
                now - since.unwrap_or(assignment.accepted_at).max(assignment.accepted_at) > limit
            };
            // Another app shows the mechanic the way, so their silence means nothing until they are late.
            let is_silence_expected = assignment
                .navigating_since
                .is_some_and(|since| now <= assignment.promise().unwrap_or(since) + policy.late_grace);
            if is_early && has_free {
                free(FeeReason::WithinFreeTime, Some(free_until))
            } else if matches!(job.stage, Stage::Arrived(_)) && !assignment.arrival_is_unproven {
                due(policy.call_out_paise, FeeReason::Arrived)
            } else if let Some(delay) = assignment.delay {
                // A customer who knows of a delay may cancel for free.
                free(reason_of(delay.concern), None)
            } else if let Some(concern) = assignment.arrival_concern {
                free(reason_of(concern), None)
            } else if !is_silence_expected && over(progress.last_contact_at, policy.dark_after) {
                free(FeeReason::MechanicDark, None)
            } else if !is_silence_expected
                && progress.last_moved_at.is_some()
                && over(progress.last_moved_at, policy.stalled_after)
            {
                // Without any known move, only silence counts.
                free(FeeReason::MechanicStalled, None)
            } else if assignment.promise().is_some_and(|promised_at| now > promised_at + policy.late_grace) {
                free(FeeReason::MechanicLate, None)
            } else {
                due(policy.flat_paise, FeeReason::OnTheWay)
            }
        }
        Stage::InProgress(_)
        | Stage::Completed(_)
        | Stage::Cancelled(_)
        | Stage::Paid(_)
        | Stage::Disputed(_)
        | Stage::Resolved(_) => Err(job.cannot(Wanted::Cancel)),
    }
}

fn reason_of(concern: Concern) -> FeeReason {
    match concern {
        Concern::Dark => FeeReason::MechanicDark,
        Concern::Stalled => FeeReason::MechanicStalled,
        Concern::MovingAway => FeeReason::MechanicMovingAway,
        Concern::Slipping => FeeReason::MechanicLate,
    }
}
