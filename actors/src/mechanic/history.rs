//! A mechanic's answers to their last offers. Pure.

use std::collections::VecDeque;

use crate::status::OfferStatus;

/// A mechanic's answers to their last offers, the oldest first; `true` is an acceptance.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History(pub VecDeque<bool>);

impl History {
    /// The number of answers remembered.
    pub const MAX: usize = 20;
    /// The answers with which a mechanic is credited before they gave any: 8 of 10 accepted.
    const PRIOR: (u32, u32) = (8, 10);

    /// Records how an offer ended. A revoked offer says nothing about its mechanic.
    pub fn record_outcome(&mut self, status: OfferStatus) {
        match status {
            OfferStatus::Accepted => self.record(true),
            OfferStatus::Declined | OfferStatus::Expired => self.record(false),
            OfferStatus::Pending | OfferStatus::Revoked => {}
        }
    }

    /// Records one more answer.
    pub fn record(&mut self, is_accepted: bool) {
        if self.0.len() >= Self::MAX {
            self.0.pop_front();
        }
        self.0.push_back(is_accepted);
    }

    /// Returns the chance that the next offer is accepted, in thousandths: the mean of a Beta prior and the
    /// answers.
    pub fn acceptance_permille(&self) -> u32 {
        let accepted = self.0.iter().filter(|is_accepted| **is_accepted).count() as u32;
        let (good, all) = (Self::PRIOR.0 + accepted, Self::PRIOR.1 + self.0.len() as u32);
        good * 1000 / all
    }
}
