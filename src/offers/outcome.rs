//! The outcome of an offer that its mechanic accepted.

use uuid::Uuid;

use crate::platform::error::{ApiError, Code};

/// The mechanic's part in the job now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The mechanic has the job through this offer; it is under way or over.
    StillOnIt,
    /// The mechanic has the job again, through a later offer or an admin.
    AgainOnIt,
    /// The job was released or reassigned, and another mechanic has it.
    AnothersNow,
    /// The job was released, and is cancelled.
    CancelledSince,
    /// The job was released and is searching for a mechanic again, or found none.
    Released,
}

/// The mechanic who has the job now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holder {
    pub mechanic_profile_id: Uuid,
    /// The offer through which they got it; `None` if an admin assigned the job.
    pub offer_id: Option<Uuid>,
}

impl Outcome {
    /// Returns the outcome of the offer that this mechanic accepted.
    pub(super) fn of(
        offer_id: Uuid,
        mechanic_profile_id: Uuid,
        holder: Option<Holder>,
        is_cancelled: bool,
    ) -> Self {
        match holder {
            Some(holder) if holder.mechanic_profile_id != mechanic_profile_id => Self::AnothersNow,
            Some(holder) if holder.offer_id == Some(offer_id) => Self::StillOnIt,
            Some(_) => Self::AgainOnIt,
            None if is_cancelled => Self::CancelledSince,
            None => Self::Released,
        }
    }

    fn explanation(self) -> &'static str {
        match self {
            Self::StillOnIt => "The job is yours.",
            Self::AgainOnIt => "The job was released since and is now yours by another offer or an admin.",
            Self::AnothersNow => "The job was released since, and another mechanic has it now.",
            Self::CancelledSince => "The job was released since and is cancelled.",
            Self::Released => "The job was released since and is no longer yours.",
        }
    }

    /// Builds the refusal of a repeated acceptance after the job was lost.
    pub(super) fn refuse_repeat(self) -> ApiError {
        let message = format!("You accepted this offer. {}", self.explanation());
        ApiError::new(Code::InvalidTransition, message)
    }

    /// Builds the refusal to decline an accepted offer.
    pub(super) fn refuse_decline(self) -> ApiError {
        let message = match self {
            Self::StillOnIt => {
                "You accepted this offer and the job is yours. Release the job to give it back.".to_owned()
            }
            lost => format!("You accepted this offer, so you can't decline it. {}", lost.explanation()),
        };
        ApiError::new(Code::InvalidTransition, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MECHANIC: Uuid = Uuid::from_u128(1);
    const OFFER: Uuid = Uuid::from_u128(2);

    #[test]
    fn the_outcome_follows_from_the_jobs_present_holder() {
        let other = Uuid::from_u128(3);
        let held = |mechanic_profile_id, offer_id| {
            Outcome::of(OFFER, MECHANIC, Some(Holder { mechanic_profile_id, offer_id }), false)
        };
        assert_eq!(held(MECHANIC, Some(OFFER)), Outcome::StillOnIt);
        assert_eq!(held(MECHANIC, Some(other)), Outcome::AgainOnIt);
        assert_eq!(held(MECHANIC, None), Outcome::AgainOnIt, "by an admin");
        assert_eq!(held(other, Some(other)), Outcome::AnothersNow);
        assert_eq!(Outcome::of(OFFER, MECHANIC, None, false), Outcome::Released);
        assert_eq!(Outcome::of(OFFER, MECHANIC, None, true), Outcome::CancelledSince);
    }

    #[test]
    fn every_refusal_says_that_the_offer_was_accepted() {
        for outcome in [
            Outcome::AgainOnIt,
            Outcome::AnothersNow,
            Outcome::CancelledSince,
            Outcome::Released,
            Outcome::StillOnIt,
        ] {
            for error in [outcome.refuse_repeat(), outcome.refuse_decline()] {
                assert_eq!(error.code, Code::InvalidTransition);
                assert!(error.message.starts_with("You accepted this offer"), "{}", error.message);
            }
        }
    }
}
