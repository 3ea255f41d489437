//! Where a mechanic's profile stands, and who may move it. Pure: no clock, no rows, no requests.
//!
//! ```text
//!            register                 verify              suspend
//!   (none) ───────────▶ pending ─────────────▶ verified ◀─────────▶ suspended
//!                        ▲   │ reject                     reinstate
//!       register (again) │   ▼
//!                       rejected
//! ```
//!
//! Registering is the mechanic's, everything else an admin's.

use std::fmt;

use crate::accounts::auth::MechanicStatus;

/// A profile's status with what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    PendingVerification,
    Verified,
    Rejected { reason: String },
    Suspended { reason: String },
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Register again after a rejection.
    Resubmit,
    Verify,
    Reject {
        reason: String,
    },
    Suspend {
        reason: String,
    },
    Reinstate,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Resubmitted,
    Verified,
    Rejected { reason: String },
    Suspended { reason: String },
    Reinstated,
}

/// Why nothing happened: that way does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalMove {
    pub from: MechanicStatus,
    pub to: MechanicStatus,
}

impl Standing {
    pub fn status(&self) -> MechanicStatus {
        match self {
            Standing::PendingVerification => MechanicStatus::PendingVerification,
            Standing::Verified => MechanicStatus::Verified,
            Standing::Rejected { .. } => MechanicStatus::Rejected,
            Standing::Suspended { .. } => MechanicStatus::Suspended,
        }
    }

    /// What the command comes to here.
    pub fn decide(&self, command: Command) -> Result<Event, IllegalMove> {
        use Standing::{PendingVerification, Rejected, Suspended, Verified};
        let to = command.target();
        match (self, command) {
            (PendingVerification, Command::Verify) => Ok(Event::Verified),
            (PendingVerification, Command::Reject { reason }) => Ok(Event::Rejected { reason }),
            (Rejected { .. }, Command::Resubmit) => Ok(Event::Resubmitted),
            (Verified, Command::Suspend { reason }) => Ok(Event::Suspended { reason }),
            (Suspended { .. }, Command::Reinstate) => Ok(Event::Reinstated),
            (PendingVerification, Command::Resubmit | Command::Suspend { .. } | Command::Reinstate)
            | (
                Rejected { .. },
                Command::Verify | Command::Reject { .. } | Command::Suspend { .. } | Command::Reinstate,
            )
            | (Verified, Command::Resubmit | Command::Verify | Command::Reject { .. } | Command::Reinstate)
            | (
                Suspended { .. },
                Command::Resubmit | Command::Verify | Command::Reject { .. } | Command::Suspend { .. },
            ) => Err(IllegalMove { from: self.status(), to }),
        }
    }

    /// The standing after what happened.
    pub fn apply(self, event: &Event) -> Self {
        match event {
            Event::Resubmitted => Standing::PendingVerification,
            Event::Verified | Event::Reinstated => Standing::Verified,
            Event::Rejected { reason } => Standing::Rejected { reason: reason.clone() },
            Event::Suspended { reason } => Standing::Suspended { reason: reason.clone() },
        }
    }
}

impl Command {
    /// The status that it asks for.
    fn target(&self) -> MechanicStatus {
        match self {
            Command::Resubmit => MechanicStatus::PendingVerification,
            Command::Verify | Command::Reinstate => MechanicStatus::Verified,
            Command::Reject { .. } => MechanicStatus::Rejected,
            Command::Suspend { .. } => MechanicStatus::Suspended,
        }
    }
}

/// What can be done from a status, for the refusal's message.
fn allowed(from: MechanicStatus) -> &'static str {
    match from {
        MechanicStatus::PendingVerification => "verified (verify), rejected (reject)",
        MechanicStatus::Verified => "suspended (suspend)",
        MechanicStatus::Rejected => "pending_verification (the mechanic registers again)",
        MechanicStatus::Suspended => "verified (reinstate)",
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to } = self;
        write!(f, "the profile is {from} and can't become {to} this way; allowed: {}", allowed(*from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings() -> [Standing; 4] {
        let reason = || "why".to_owned();
        [
            Standing::PendingVerification,
            Standing::Verified,
            Standing::Rejected { reason: reason() },
            Standing::Suspended { reason: reason() },
        ]
    }

    fn commands() -> [Command; 5] {
        let reason = || "because".to_owned();
        [
            Command::Resubmit,
            Command::Verify,
            Command::Reject { reason: reason() },
            Command::Suspend { reason: reason() },
            Command::Reinstate,
        ]
    }

    #[test]
    fn exactly_the_five_moves_exist_and_end_where_they_say() {
        use MechanicStatus::{PendingVerification, Rejected, Suspended, Verified};
        let mut moves = Vec::new();
        for standing in standings() {
            for command in commands() {
                let target = command.target();
                if let Ok(event) = standing.decide(command) {
                    let after = standing.clone().apply(&event);
                    assert_eq!(after.status(), target, "{standing:?} after {event:?}");
                    moves.push((standing.status(), target));
                }
            }
        }
        let expected = [
            (PendingVerification, Verified),
            (PendingVerification, Rejected),
            (Verified, Suspended),
            (Rejected, PendingVerification),
            (Suspended, Verified),
        ];
        assert_eq!(moves, expected);
    }

    #[test]
    fn a_refusal_names_from_to_and_what_is_allowed() {
        let refused = Standing::Verified.decide(Command::Verify).expect_err("refused").to_string();
        for word in ["is verified", "become verified", "suspended (suspend)"] {
            assert!(refused.contains(word), "{word} is missing in: {refused}");
        }
    }

    #[test]
    fn a_reason_stays_with_the_standing_it_explains() {
        let rejected = Standing::PendingVerification.decide(Command::Reject { reason: "blurred".into() });
        let rejected = Standing::PendingVerification.apply(&rejected.expect("allowed"));
        assert_eq!(rejected, Standing::Rejected { reason: "blurred".into() });
        let again = rejected.decide(Command::Resubmit).expect("allowed");
        assert_eq!(rejected.apply(&again), Standing::PendingVerification);
    }
}
