//! The states of a call: it rings, is answered or not, and ends. Pure. `availability.rs` decides when the job ends it.
//!
//! ```text
//!            accept                    hang up, job over, too long
//! ringing ───────────▶ accepted ──────────────────────────────────▶ ended
//!    │ reject, hang-up of the callee   ▶ rejected
//!    │ hang-up of the caller, job over ▶ cancelled
//!    └ nobody answered in time         ▶ missed
//! ```
//!
//! Every decision first applies what time and the job have changed ([`CallCommand::Expire`],
//! [`CallCommand::EndByJob`]): the moment at which a call rings out is the same for everybody, however late it is
//! noticed.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::http::text_enum;

text_enum! {
    /// The state of a call.
    CallStatus {
        Ringing = "ringing",
        Accepted = "accepted",
        /// The callee declined it.
        Rejected = "rejected",
        /// Nobody answered in time.
        Missed = "missed",
        /// The call ended before it was answered, but the callee did not decline it.
        Cancelled = "cancelled",
        /// The call was answered, and is over.
        Ended = "ended",
    }
}

text_enum! {
    /// Why a call is over.
    EndReason {
        CallerHungUp = "caller_hung_up",
        CalleeHungUp = "callee_hung_up",
        Declined = "declined",
        NoAnswer = "no_answer",
        /// The job was completed or cancelled.
        JobOver = "job_over",
        /// Another mechanic has the job, or no mechanic.
        Reassigned = "reassigned",
        /// The call reached its maximum length.
        MaxLength = "max_length",
    }
}

text_enum! {
    /// The people on the called side whom a call rings.
    CallReach {
        /// The person with the account.
        Account = "account",
        /// The guests of links to the job, in place of its customer.
        Guests = "guests",
        /// The customer and the guests.
        Both = "both",
    }
}

impl CallReach {
    pub fn has_account(self) -> bool {
        self != Self::Guests
    }

    pub fn has_guests(self) -> bool {
        self != Self::Account
    }
}

/// A side of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Caller,
    Callee,
}

/// A device of one of the two sides: a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallDevice {
    pub side: Side,
    pub session_id: Uuid,
}

/// The state of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallStage {
    Ringing { until: DateTime<Utc> },
    Accepted { callee_session_id: Uuid, answered_at: DateTime<Utc>, until: DateTime<Utc> },
    Over { status: CallStatus },
}

/// A command for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallCommand {
    Accept(CallDevice),
    Reject(CallDevice),
    HangUp(CallDevice),
    /// Time has passed.
    Expire,
    /// The job has changed, so that nobody may talk about it any longer.
    EndByJob(EndReason),
}

/// A change of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallEvent {
    /// The callee answered on this device; the call may last until then.
    Accepted {
        callee_session_id: Uuid,
        until: DateTime<Utc>,
    },
    Over {
        status: CallStatus,
        reason: EndReason,
    },
}

/// Why a command was not carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallRefusal {
    /// The same command succeeded before: the caller gets the call.
    #[error("already done")]
    AlreadyDone,
    /// No deadline has passed. Only the service sees this.
    #[error("nothing is due")]
    NothingDue,
    #[error("Only the person who is called can answer or reject a call.")]
    NotCalled,
    #[error("This call was answered on another device.")]
    Elsewhere,
    #[error("This call is already {0}.")]
    Is(CallStatus),
}

/// The receiver of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// Every device of the callee: none has answered yet.
    EveryDevice,
    Device(Uuid),
}

impl CallStage {
    pub fn status(&self) -> CallStatus {
        match self {
            CallStage::Ringing { .. } => CallStatus::Ringing,
            CallStage::Accepted { .. } => CallStatus::Accepted,
            CallStage::Over { status } => *status,
        }
    }

    /// Decides about a command, and changes nothing. `max_length` counts from the answer.
    pub fn decide(
        &self,
        command: CallCommand,
        max_length: TimeDelta,
        now: DateTime<Utc>,
    ) -> Result<CallEvent, CallRefusal> {
        let over = |status, reason| Ok(CallEvent::Over { status, reason });
        match (self, command) {
            (_, CallCommand::Accept(device) | CallCommand::Reject(device)) if device.side == Side::Caller => {
                Err(CallRefusal::NotCalled)
            }

            (CallStage::Ringing { until }, CallCommand::Accept(_)) if now >= *until => {
                Err(CallRefusal::Is(CallStatus::Missed))
            }
            (CallStage::Ringing { .. }, CallCommand::Accept(device)) => {
                Ok(CallEvent::Accepted { callee_session_id: device.session_id, until: now + max_length })
            }
            (CallStage::Accepted { callee_session_id, .. }, CallCommand::Accept(device)) => {
                let is_same = *callee_session_id == device.session_id;
                Err(if is_same { CallRefusal::AlreadyDone } else { CallRefusal::Elsewhere })
            }
            (CallStage::Over { status }, CallCommand::Accept(_)) => Err(CallRefusal::Is(*status)),

            (CallStage::Ringing { .. }, CallCommand::Reject(_)) => {
                over(CallStatus::Rejected, EndReason::Declined)
            }
            (CallStage::Accepted { .. }, CallCommand::Reject(_)) => {
                Err(CallRefusal::Is(CallStatus::Accepted))
            }
            (CallStage::Over { status: CallStatus::Rejected }, CallCommand::Reject(_)) => {
                Err(CallRefusal::AlreadyDone)
            }
            (CallStage::Over { status }, CallCommand::Reject(_)) => Err(CallRefusal::Is(*status)),

            (CallStage::Ringing { .. }, CallCommand::HangUp(device)) => match device.side {
                Side::Caller => over(CallStatus::Cancelled, EndReason::CallerHungUp),
                Side::Callee => over(CallStatus::Rejected, EndReason::Declined),
            },
            (CallStage::Accepted { .. }, CallCommand::HangUp(device)) => match device.side {
                Side::Caller => over(CallStatus::Ended, EndReason::CallerHungUp),
                Side::Callee => over(CallStatus::Ended, EndReason::CalleeHungUp),
            },
            // Hanging up again changes nothing.
            (CallStage::Over { .. }, CallCommand::HangUp(_)) => Err(CallRefusal::AlreadyDone),

            (CallStage::Ringing { until }, CallCommand::Expire) if now >= *until => {
                over(CallStatus::Missed, EndReason::NoAnswer)
            }
            (CallStage::Accepted { until, .. }, CallCommand::Expire) if now >= *until => {
                over(CallStatus::Ended, EndReason::MaxLength)
            }
            (_, CallCommand::Expire) => Err(CallRefusal::NothingDue),

            (CallStage::Ringing { .. }, CallCommand::EndByJob(reason)) => over(CallStatus::Cancelled, reason),
            (CallStage::Accepted { .. }, CallCommand::EndByJob(reason)) => over(CallStatus::Ended, reason),
            (CallStage::Over { .. }, CallCommand::EndByJob(_)) => Err(CallRefusal::NothingDue),
        }
    }

    /// Returns the stage after `event`. Never fails.
    pub fn apply(&self, event: CallEvent, now: DateTime<Utc>) -> CallStage {
        match event {
            CallEvent::Accepted { callee_session_id, until } => {
                CallStage::Accepted { callee_session_id, answered_at: now, until }
            }
            CallEvent::Over { status, .. } => CallStage::Over { status },
        }
    }

    /// Returns the receiver of this device's signals. `caller_session_id` is the calling device. The callee can't signal before
    /// they answer, because signals contain the addresses of their phone.
    pub fn route(&self, by: CallDevice, caller_session_id: Uuid) -> Result<Route, CallRefusal> {
        let own = |session_id: Uuid| by.session_id == session_id;
        match (self, by.side) {
            (CallStage::Over { status }, _) => Err(CallRefusal::Is(*status)),
            (_, Side::Caller) if !own(caller_session_id) => Err(CallRefusal::Elsewhere),
            (CallStage::Ringing { .. }, Side::Caller) => Ok(Route::EveryDevice),
            (CallStage::Ringing { .. }, Side::Callee) => Err(CallRefusal::Is(CallStatus::Ringing)),
            (CallStage::Accepted { callee_session_id, .. }, Side::Caller) => {
                Ok(Route::Device(*callee_session_id))
            }
            (CallStage::Accepted { callee_session_id, .. }, Side::Callee) if !own(*callee_session_id) => {
                Err(CallRefusal::Elsewhere)
            }
            (CallStage::Accepted { .. }, Side::Callee) => Ok(Route::Device(caller_session_id)),
        }
    }
}

#[cfg(test)]
mod tests;
