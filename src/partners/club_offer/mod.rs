//! The stages of a club's offer, and how its case shows them. Pure.
//!
//! ```text
//!            ask for a call          accept               confirm
//! waiting ──────────────▶ call_asked ──────▶ accepted ───────────▶ confirmed
//!    │ accept ────────────────────────────────▲  │
//!    └───────────┴── refuse ─▶ refused           │   waiting, call_asked and accepted:
//!                                                │     withdraw ▶ withdrawn
//!                                                └     too late ▶ expired
//!                                                    confirmed, and no job by the promised time ▶ expired
//! ```
//!
//! Every decision first looks at the time: an offer ends at the same moment for everybody, however late that is noticed.

mod dto;

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

pub use dto::OfferSnapshot;

use crate::http::text_enum;

text_enum! {
    /// How far a club's offer is.
    ClubStage {
        /// The offer has no answer.
        Waiting = "waiting",
        /// A dispatcher has asked the club to call, and can still answer.
        CallAsked = "call_asked",
        /// A dispatcher has promised a time of arrival, which the club has to confirm.
        Accepted = "accepted",
        /// The club has confirmed that time, so that the case has a job.
        Confirmed = "confirmed",
        Refused = "refused",
        /// The time for an answer, or for the confirmation, is over, or the job could not be made by the promised time.
        Expired = "expired",
        /// The club has withdrawn it.
        Withdrawn = "withdrawn",
    }
}

text_enum! {
    /// Why an offer of a club is refused.
    ClubRefusalReason {
        OutsideArea = "outside_area",
        NoMechanicFree = "no_mechanic_free",
        NoEquipment = "no_equipment",
        VehicleTooHeavy = "vehicle_too_heavy",
        /// The contract does not pay for this.
        Terms = "terms",
        Other = "other",
    }
}

impl ClubStage {
    /// Returns whether the offer can still change.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Waiting | Self::CallAsked | Self::Accepted)
    }
}

/// An offer of a club, and the answer to it, as its case keeps them. The moment at which it expires is a column.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct ClubOffer {
    /// The job that is asked for, as it was sent.
    pub job: serde_json::Value,
    /// The time for an answer, and again for its confirmation.
    pub answer_within_s: i64,
    pub stage: ClubStage,
    pub call_asked_at: Option<DateTime<Utc>>,
    /// The minutes until the arrival, as they were promised.
    pub eta_min: Option<i64>,
    /// The promised time of arrival.
    pub promised_at: Option<DateTime<Utc>>,
    pub refusal_reason: Option<ClubRefusalReason>,
}

/// Written by hand: addresses must not be logged.
impl fmt::Debug for ClubOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClubOffer").field("stage", &self.stage).finish_non_exhaustive()
    }
}

/// A step of an offer: by the club, by a dispatcher or by the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClubCommand {
    Accept {
        eta_min: i64,
    },
    Refuse(ClubRefusalReason),
    AskForCall,
    /// The club agrees to the promised minutes.
    Confirm {
        eta_min: i64,
    },
    Withdraw,
    Expire,
}

/// Why a command changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClubUnchanged {
    /// An earlier command had the same effect.
    AlreadyDone,
    /// Its time is over, although no worker has noticed.
    TooLate,
    /// The offer is at a stage in which this can't be done.
    Is(ClubStage),
    /// Other minutes were promised.
    OtherMinutes(i64),
    /// Its time is not over.
    NothingDue,
}

impl ClubOffer {
    pub fn new(job: serde_json::Value, answer_within_s: i64) -> Self {
        Self {
            job,
            answer_within_s,
            stage: ClubStage::Waiting,
            call_asked_at: None,
            eta_min: None,
            promised_at: None,
            refusal_reason: None,
        }
    }

    /// Returns the moment until which somebody can act who learns of the offer now.
    pub fn until(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + TimeDelta::seconds(self.answer_within_s)
    }

    /// Returns the stage to which a command leads. `until` is the moment at which the offer expires. A confirmed one expires at the
    /// promised time if it has no job, which the caller knows.
    pub fn decide(
        &self,
        command: ClubCommand,
        until: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<ClubStage, ClubUnchanged> {
        let is_over = self.stage.is_open() && now >= until;
        match (command, self.stage) {
            (ClubCommand::Expire, _) if is_over => Ok(ClubStage::Expired),
            (ClubCommand::Expire, ClubStage::Confirmed) if self.promised_at.is_some_and(|at| now >= at) => {
                Ok(ClubStage::Expired)
            }
            (ClubCommand::Expire, _) => Err(ClubUnchanged::NothingDue),
            _ if is_over => Err(ClubUnchanged::TooLate),
            (ClubCommand::Accept { .. }, ClubStage::Waiting | ClubStage::CallAsked) => {
                Ok(ClubStage::Accepted)
            }
            (ClubCommand::Refuse(_), ClubStage::Waiting | ClubStage::CallAsked) => Ok(ClubStage::Refused),
            (ClubCommand::AskForCall, ClubStage::Waiting) => Ok(ClubStage::CallAsked),
            (ClubCommand::Withdraw, stage) if stage.is_open() => Ok(ClubStage::Withdrawn),
            (ClubCommand::Confirm { eta_min }, ClubStage::Accepted) => self.confirmed(eta_min),
            (command, _) if self.has_done(command) => Err(ClubUnchanged::AlreadyDone),
            (_, stage) => Err(ClubUnchanged::Is(stage)),
        }
    }

    fn confirmed(&self, eta_min: i64) -> Result<ClubStage, ClubUnchanged> {
        match self.eta_min {
            Some(told) if told != eta_min => Err(ClubUnchanged::OtherMinutes(told)),
            Some(_) | None => Ok(ClubStage::Confirmed),
        }
    }

    /// Returns whether the offer is as it would be after this command.
    fn has_done(&self, command: ClubCommand) -> bool {
        match (command, self.stage) {
            (ClubCommand::Accept { eta_min }, ClubStage::Accepted)
            | (ClubCommand::Confirm { eta_min }, ClubStage::Confirmed) => self.eta_min == Some(eta_min),
            (ClubCommand::Refuse(reason), ClubStage::Refused) => self.refusal_reason == Some(reason),
            (ClubCommand::AskForCall, ClubStage::CallAsked)
            | (ClubCommand::Withdraw, ClubStage::Withdrawn) => true,
            _ => false,
        }
    }

    /// Returns the offer after a command that led to this stage, and the moment at which it then expires.
    pub fn apply(
        self,
        command: ClubCommand,
        stage: ClubStage,
        until: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> (Self, DateTime<Utc>) {
        let renewed = self.until(now);
        let next = Self { stage, ..self };
        match command {
            ClubCommand::Accept { eta_min } => {
                let promised_at = Some(now + TimeDelta::minutes(eta_min));
                (Self { eta_min: Some(eta_min), promised_at, ..next }, renewed)
            }
            ClubCommand::AskForCall => (Self { call_asked_at: Some(now), ..next }, renewed),
            ClubCommand::Refuse(reason) => (Self { refusal_reason: Some(reason), ..next }, until),
            ClubCommand::Confirm { .. } | ClubCommand::Withdraw | ClubCommand::Expire => (next, until),
        }
    }
}

#[cfg(test)]
mod tests;
