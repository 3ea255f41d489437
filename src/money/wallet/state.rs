//! The state machine of a UPI account's verification, and who may move it. Pure.
//!
//! ```text
//!   (added) ──▶ pending ──the names fit──────▶ verified
//!                 ▲ │ ├──they do not──▶ name_mismatch ──approve──▶ manually_approved
//!                 │ │ └──no such address──▶ invalid │ └──reject──▶ rejected
//!                 └─┴───────ask again (owner)───────┘
//!
//!   verified, name_mismatch, manually_approved ──another name was verified──▶ verified or name_mismatch
//! ```
//!
//! The provider answers, the account's owner asks again, and admins approve or reject. An answer moves only a pending
//! account, so a late or repeated answer changes nothing.

use std::fmt;

use crate::http::text_enum;

text_enum! {
    /// The progress of a UPI account's verification.
    VerificationStatus {
        /// The provider was asked, and has not answered yet.
        Pending = "pending",
        Verified = "verified",
        /// The address is registered to a name that does not match the profile's, or no provider knows the name: an
        /// admin decides.
        NameMismatch = "name_mismatch",
        /// The address does not exist.
        Invalid = "invalid",
        ManuallyApproved = "manually_approved",
        Rejected = "rejected",
    }
}

/// The verdict on a provider's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameCheck {
    Fits,
    DoesNotFit,
    NoSuchAddress,
}

/// A command to the state machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpiCommand {
    RecordCheck(NameCheck),
    AskAgain,
    Approve,
    Reject,
    /// The mechanic's verified name has changed.
    MatchAgain {
        fits: bool,
    },
}

/// A move that is not allowed. Its text names the status, the move, and the statuses from which the move is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalUpiMove {
    pub from: VerificationStatus,
    pub command: UpiCommand,
}

impl VerificationStatus {
    /// Returns the status to which the command leads.
    pub fn decide(self, command: UpiCommand) -> Result<Self, IllegalUpiMove> {
        match (command, self) {
            (UpiCommand::RecordCheck(NameCheck::Fits), Self::Pending) => Ok(Self::Verified),
            (UpiCommand::RecordCheck(NameCheck::DoesNotFit), Self::Pending) => Ok(Self::NameMismatch),
            (UpiCommand::RecordCheck(NameCheck::NoSuchAddress), Self::Pending) => Ok(Self::Invalid),
            (UpiCommand::AskAgain, Self::Pending | Self::NameMismatch | Self::Invalid) => Ok(Self::Pending),
            (UpiCommand::Approve, Self::NameMismatch) => Ok(Self::ManuallyApproved),
            (UpiCommand::Reject, Self::NameMismatch) => Ok(Self::Rejected),
            (
                UpiCommand::MatchAgain { fits },
                Self::Verified | Self::NameMismatch | Self::ManuallyApproved,
            ) => Ok(if fits { Self::Verified } else { Self::NameMismatch }),
            (
                UpiCommand::RecordCheck(_),
                Self::Verified | Self::NameMismatch | Self::Invalid | Self::ManuallyApproved | Self::Rejected,
            )
            | (UpiCommand::MatchAgain { .. }, Self::Pending | Self::Invalid | Self::Rejected)
            | (UpiCommand::AskAgain, Self::Verified | Self::ManuallyApproved | Self::Rejected)
            | (
                UpiCommand::Approve | UpiCommand::Reject,
                Self::Pending | Self::Verified | Self::Invalid | Self::ManuallyApproved | Self::Rejected,
            ) => Err(IllegalUpiMove { from: self, command }),
        }
    }

    /// Returns whether money may be sent to the account, once its waiting time is over.
    pub fn is_usable(self) -> bool {
        match self {
            Self::Verified | Self::ManuallyApproved => true,
            Self::Pending | Self::NameMismatch | Self::Invalid | Self::Rejected => false,
        }
    }
}

impl fmt::Display for IllegalUpiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (to, allowed) = match self.command {
            UpiCommand::RecordCheck(_) => ("answered", "from pending"),
            UpiCommand::AskAgain => ("checked again", "from pending, name_mismatch or invalid"),
            UpiCommand::Approve => ("approved", "from name_mismatch"),
            UpiCommand::Reject => ("rejected", "from name_mismatch"),
            UpiCommand::MatchAgain { .. } => {
                ("matched again", "from verified, name_mismatch or manually_approved")
            }
        };
        write!(f, "A UPI account that is {} can't be {to}; allowed: {allowed}.", self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        VerificationStatus::{Invalid, ManuallyApproved, NameMismatch, Pending, Rejected, Verified},
        *,
    };

    #[test]
    fn each_command_makes_only_its_allowed_moves() {
        let judge = UpiCommand::RecordCheck;
        let moves = [
            (judge(NameCheck::Fits), Pending, Verified),
            (judge(NameCheck::DoesNotFit), Pending, NameMismatch),
            (judge(NameCheck::NoSuchAddress), Pending, Invalid),
            (UpiCommand::AskAgain, Pending, Pending),
            (UpiCommand::AskAgain, NameMismatch, Pending),
            (UpiCommand::AskAgain, Invalid, Pending),
            (UpiCommand::Approve, NameMismatch, ManuallyApproved),
            (UpiCommand::Reject, NameMismatch, Rejected),
            (UpiCommand::MatchAgain { fits: true }, Verified, Verified),
            (UpiCommand::MatchAgain { fits: true }, NameMismatch, Verified),
            (UpiCommand::MatchAgain { fits: true }, ManuallyApproved, Verified),
            (UpiCommand::MatchAgain { fits: false }, Verified, NameMismatch),
            (UpiCommand::MatchAgain { fits: false }, NameMismatch, NameMismatch),
            (UpiCommand::MatchAgain { fits: false }, ManuallyApproved, NameMismatch),
        ];
        let commands = [
            judge(NameCheck::Fits),
            judge(NameCheck::DoesNotFit),
            judge(NameCheck::NoSuchAddress),
            UpiCommand::AskAgain,
            UpiCommand::Approve,
            UpiCommand::Reject,
            UpiCommand::MatchAgain { fits: true },
            UpiCommand::MatchAgain { fits: false },
        ];
        for command in commands {
            for from in VerificationStatus::ALL.iter().copied() {
                let leads = moves.iter().find(|(by, start, _)| *by == command && *start == from);
                let expected = leads.map(|(_, _, to)| *to).ok_or(IllegalUpiMove { from, command });
                assert_eq!(from.decide(command), expected, "{command:?} from {from}");
            }
        }
    }

    #[test]
    fn only_verified_and_approved_accounts_are_usable() {
        let usable: Vec<_> = VerificationStatus::ALL.iter().filter(|status| status.is_usable()).collect();
        assert_eq!(usable, [&Verified, &ManuallyApproved]);
        let refusal = Verified.decide(UpiCommand::Approve).expect_err("refused").to_string();
        assert!(refusal.contains("verified") && refusal.contains("name_mismatch"), "{refusal}");
    }
}
