//! The status of a mechanic's profile, and its changes. Pure: no clock, no rows, no requests.
//!
//! ```text
//!                                            verify again
//!                                              ┌───┐
//!            register                 verify   │   ▼     suspend
//!   (none) ───────────▶ pending ─────────────▶ verified ◀─────────▶ suspended
//!                        ▲   │ reject                     reinstate
//!       register (again) │   ▼
//!                       rejected
//! ```
//!
//! The mechanic registers; an admin does everything else.

use roadcall_accounts::auth::{MechanicStatus, UserStatus};

/// A profile's status with its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProfileStatus {
    PendingVerification,
    Verified,
    Rejected { reason: String },
    Suspended { reason: String },
}

/// A command for a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProfileCommand {
    /// The mechanic registers again after a rejection.
    Resubmit,
    /// The documents prove this name.
    Verify {
        name: String,
    },
    /// The documents prove this name now.
    VerifyAgain {
        name: String,
    },
    Reject {
        reason: String,
    },
    Suspend {
        reason: String,
    },
    Reinstate,
}

/// A change of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProfileEvent {
    Resubmitted,
    Verified { name: String },
    VerifiedAgain { name: String },
    Rejected { reason: String },
    Suspended { reason: String },
    Reinstated,
}

/// Why a command was refused: this transition does not exist.
#[derive(Debug, Clone, PartialEq, Eq, derive_more::Display)]
#[display("This profile is {from} and can't become {to} this way. Possible now: {}.", allowed(self.from))]
pub struct ProfileTransitionError {
    pub from: MechanicStatus,
    pub to: MechanicStatus,
}

impl ProfileStatus {
    pub fn status(&self) -> MechanicStatus {
        match self {
            ProfileStatus::PendingVerification => MechanicStatus::PendingVerification,
            ProfileStatus::Verified => MechanicStatus::Verified,
            ProfileStatus::Rejected { .. } => MechanicStatus::Rejected,
            ProfileStatus::Suspended { .. } => MechanicStatus::Suspended,
        }
    }

    /// Returns the event that the command leads to.
    pub fn decide(&self, command: ProfileCommand) -> Result<ProfileEvent, ProfileTransitionError> {
        use ProfileStatus::{PendingVerification, Rejected, Suspended, Verified};
        let to = command.target();
        match (self, command) {
            (PendingVerification, ProfileCommand::Verify { name }) => Ok(ProfileEvent::Verified { name }),
            (Verified, ProfileCommand::VerifyAgain { name }) => Ok(ProfileEvent::VerifiedAgain { name }),
            (PendingVerification, ProfileCommand::Reject { reason }) => Ok(ProfileEvent::Rejected { reason }),
            (Rejected { .. }, ProfileCommand::Resubmit) => Ok(ProfileEvent::Resubmitted),
            (Verified, ProfileCommand::Suspend { reason }) => Ok(ProfileEvent::Suspended { reason }),
            (Suspended { .. }, ProfileCommand::Reinstate) => Ok(ProfileEvent::Reinstated),
            (
                PendingVerification,
                ProfileCommand::Resubmit
                | ProfileCommand::VerifyAgain { .. }
                | ProfileCommand::Suspend { .. }
                | ProfileCommand::Reinstate,
            )
            | (
                Rejected { .. },
                ProfileCommand::Verify { .. }
                | ProfileCommand::VerifyAgain { .. }
                | ProfileCommand::Reject { .. }
                | ProfileCommand::Suspend { .. }
                | ProfileCommand::Reinstate,
            )
            | (
                Verified,
                ProfileCommand::Resubmit
                | ProfileCommand::Verify { .. }
                | ProfileCommand::Reject { .. }
                | ProfileCommand::Reinstate,
            )
            | (
                Suspended { .. },
                ProfileCommand::Resubmit
                | ProfileCommand::Verify { .. }
                | ProfileCommand::VerifyAgain { .. }
                | ProfileCommand::Reject { .. }
                | ProfileCommand::Suspend { .. },
            ) => Err(ProfileTransitionError { from: self.status(), to }),
        }
    }

    /// Returns the status after the event.
    pub fn apply(self, event: &ProfileEvent) -> Self {
        match event {
            ProfileEvent::Resubmitted => ProfileStatus::PendingVerification,
            ProfileEvent::Verified { .. } | ProfileEvent::VerifiedAgain { .. } | ProfileEvent::Reinstated => {
                ProfileStatus::Verified
            }
            ProfileEvent::Rejected { reason } => ProfileStatus::Rejected { reason: reason.clone() },
            ProfileEvent::Suspended { reason } => ProfileStatus::Suspended { reason: reason.clone() },
        }
    }
}

impl ProfileCommand {
    /// Returns the status that the command asks for.
    fn target(&self) -> MechanicStatus {
        match self {
            ProfileCommand::Resubmit => MechanicStatus::PendingVerification,
            ProfileCommand::Verify { .. }
            | ProfileCommand::VerifyAgain { .. }
            | ProfileCommand::Reinstate => MechanicStatus::Verified,
            ProfileCommand::Reject { .. } => MechanicStatus::Rejected,
            ProfileCommand::Suspend { .. } => MechanicStatus::Suspended,
        }
    }
}

/// Names the possible changes from a status, for the refusal's message.
fn allowed(from: MechanicStatus) -> &'static str {
    match from {
        MechanicStatus::PendingVerification => "verified (verify), rejected (reject)",
        MechanicStatus::Verified => "suspended (suspend), verified (verify, with a verified_name)",
        MechanicStatus::Rejected => "pending_verification (the mechanic registers again)",
        MechanicStatus::Suspended => "verified (reinstate)",
    }
}

/// Checks whether a mechanic may be given jobs; the error says what to do first.
pub fn may_serve(account: UserStatus, profile: MechanicStatus) -> Result<(), &'static str> {
    match (account, profile) {
        (UserStatus::Deleted, _) => Err("is not a mechanic"),
        (UserStatus::Suspended, _) => Err("has a suspended account: reinstate it first"),
        (UserStatus::Active, MechanicStatus::Suspended) => Err("is suspended: reinstate them first"),
        (UserStatus::Active, MechanicStatus::PendingVerification) => {
            Err("is not verified: verify them first")
        }
        (UserStatus::Active, MechanicStatus::Rejected) => {
            Err("was rejected: the mechanic must register again first")
        }
        (UserStatus::Active, MechanicStatus::Verified) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_verified_mechanic_with_an_active_account_may_serve() {
        use MechanicStatus::{PendingVerification, Rejected, Suspended, Verified};
        let cases = [
            (UserStatus::Active, Verified, None),
            (UserStatus::Active, PendingVerification, Some("verify them")),
            (UserStatus::Active, Rejected, Some("register again")),
            (UserStatus::Active, Suspended, Some("reinstate them")),
            (UserStatus::Suspended, Verified, Some("reinstate it")),
            (UserStatus::Deleted, Suspended, Some("not a mechanic")),
        ];
        for (account, profile, expected) in cases {
            let why = may_serve(account, profile).err();
            let is_as_expected = match expected {
                None => why.is_none(),
                Some(part) => why.is_some_and(|why| why.contains(part)),
            };
            assert!(is_as_expected, "{account} {profile}: {why:?}");
        }
    }

    fn standings() -> [ProfileStatus; 4] {
        let reason = || "why".to_owned();
        [
            ProfileStatus::PendingVerification,
            ProfileStatus::Verified,
            ProfileStatus::Rejected { reason: reason() },
            ProfileStatus::Suspended { reason: reason() },
        ]
    }

    fn name() -> String {
        "Asha Rao".to_owned()
    }

    fn commands() -> [ProfileCommand; 6] {
        let reason = || "because".to_owned();
        [
            ProfileCommand::Resubmit,
            ProfileCommand::Verify { name: name() },
            ProfileCommand::VerifyAgain { name: name() },
            ProfileCommand::Reject { reason: reason() },
            ProfileCommand::Suspend { reason: reason() },
            ProfileCommand::Reinstate,
        ]
    }

    #[test]
    fn only_the_six_moves_exist_and_lead_to_their_status() {
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
            (Verified, Verified),
            (Verified, Suspended),
            (Rejected, PendingVerification),
            (Suspended, Verified),
        ];
        assert_eq!(moves, expected);
    }

    #[test]
    fn a_refusal_names_both_statuses_and_the_possible_changes() {
        let refused = ProfileStatus::Verified
            .decide(ProfileCommand::Verify { name: name() })
            .expect_err("refused")
            .to_string();
        for word in ["is verified", "become verified", "suspended (suspend)"] {
            assert!(refused.contains(word), "{word} is missing in: {refused}");
        }
    }

    #[test]
    fn a_reason_is_kept_only_with_its_status() {
        let rejected =
            ProfileStatus::PendingVerification.decide(ProfileCommand::Reject { reason: "blurred".into() });
        let rejected = ProfileStatus::PendingVerification.apply(&rejected.expect("allowed"));
        assert_eq!(rejected, ProfileStatus::Rejected { reason: "blurred".into() });
        let again = rejected.decide(ProfileCommand::Resubmit).expect("allowed");
        assert_eq!(rejected.apply(&again), ProfileStatus::PendingVerification);
    }
}
