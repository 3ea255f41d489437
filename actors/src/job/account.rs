//! Jobs that an organisation ordered and pays for on account, up to a cover. Pure.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    items::{ItemStatus, LineItem},
    model::Job,
};
use crate::refusal::Refusal;

/// The order of an organisation, which pays for the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnAccount {
    /// The organisation's case, to which the job belongs.
    pub case_id: Uuid,
    /// The largest amount that the organisation pays; `None` for any amount. The person who was helped pays the rest.
    pub cover_paise: Option<i64>,
}

impl OnAccount {
    /// Returns the part of a price that the organisation pays, if it ordered this much: at most the cover, and never
    /// more than the price.
    pub fn part_of(self, price_paise: i64, ordered_paise: i64) -> i64 {
        ordered_paise.min(self.cover_paise.unwrap_or(i64::MAX)).min(price_paise).max(0)
    }
}

impl Job {
    /// Returns the part of the price so far that an organisation pays. The organisation ordered the estimate and the
    /// items that it approved.
    pub fn account_paise(&self) -> i64 {
        let part =
            |account: OnAccount| account.part_of(self.price_paise(), self.ordered_paise(self.is_towed()));
        self.spec.on_account.map_or(0, part)
    }

    /// Returns the sum of the items that an organisation approved on its account.
    pub fn extra_on_account_paise(&self) -> i64 {
        let is_towed = self.is_towed();
        self.ordered_paise(is_towed) - self.sum_of(is_towed, |_| false)
    }

    fn ordered_paise(&self, is_towed: bool) -> i64 {
        self.sum_of(is_towed, |item| item.is_on_account)
    }

    /// Returns whether the person who is helped has to decide about the item: it exceeds what the organisation pays.
    pub fn awaits_driver(&self, item: &LineItem) -> bool {
        let is_beyond_cover = self.spec.on_account.is_some() && self.check_cover(item).is_err();
        is_beyond_cover && item.status == ItemStatus::Proposed
    }

    /// Checks that an organisation may approve the item: beyond the cover the person who is helped would pay for it, so
    /// they decide about it.
    pub(super) fn check_cover(&self, item: &LineItem) -> Result<(), Refusal> {
        let left_paise = match self.spec.on_account {
            Some(OnAccount { cover_paise: None, .. }) => return Ok(()),
            Some(OnAccount { cover_paise: Some(cover), .. }) => (cover - self.ordered_paise(true)).max(0),
            None => 0,
        };
        if item.terms.total_paise() <= left_paise { Ok(()) } else { Err(Refusal::BeyondCover { left_paise }) }
    }
}
