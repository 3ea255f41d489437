//! Decisions about line items. Pure.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::{
    ids::{LineItemId, MechanicId},
    job::{
        destination::Destination,
        event::Event,
        items::{
            ItemChange, ItemCommand, ItemKind, ItemQuote, ItemStatus, ItemTerms, LAST_SEQ_OF_ITEMS, LineItem,
            MAX_ITEMS, MAX_PRICE_PAISE,
        },
        model::{Job, Stage},
    },
    refusal::{Refusal, Wanted},
};

impl Job {
    pub(super) fn decide_item(&self, command: &ItemCommand, now: DateTime<Utc>) -> Result<Event, Refusal> {
        match command {
            ItemCommand::Propose { mechanic_id, id, terms, destination, idempotency: _ } => {
                self.propose(*mechanic_id, *id, (terms, destination.as_ref()), now)
            }
            ItemCommand::Amend { mechanic_id, id, patch } => {
                let item = self.own_item(*mechanic_id, *id, Wanted::AmendItem)?;
                if item.destination.is_some() {
                    return Err(Refusal::TowIsFixed);
                }
                let terms = patch.over(&item.terms);
                if terms == item.terms {
                    return Err(Refusal::AlreadyDone);
                }
                if terms.kind == ItemKind::Tow {
                    return Err(Refusal::TowWithoutDestination);
                }
                self.check_price(Some(*id), &terms)?;
                self.check_log()?;
                let item = LineItem { terms, ..item.moved(item.status, now) };
                Ok(Event::ItemChanged { how: ItemChange::Amended, item })
            }
            ItemCommand::Withdraw { mechanic_id, id } => {
                let item = self.own_item(*mechanic_id, *id, Wanted::WithdrawItem)?;
                self.check_log()?;
                let item = item.moved(ItemStatus::Withdrawn, now);
                Ok(Event::ItemChanged { how: ItemChange::Withdrawn, item })
            }
            ItemCommand::Approve { id, quote, on_account } => self.approve(*id, *quote, *on_account, now),
            ItemCommand::Reject { id, quote, on_account } => {
                let item = self.item(*id)?;
                self.at_work(Wanted::RejectItem)?;
                match item.status {
                    ItemStatus::Proposed => {
                        quote.check(item)?;
                        if *on_account {
                            self.check_cover(item)?;
                        }
                        let item = item.moved(ItemStatus::Rejected, now);
                        Ok(Event::ItemChanged { how: ItemChange::Rejected, item })
                    }
                    ItemStatus::Rejected => Err(Refusal::AlreadyDone),
                    ItemStatus::Approved | ItemStatus::Withdrawn => Err(Refusal::ItemDecided(item.status)),
                }
            }
        }
    }

    fn propose(
        &self,
        mechanic_id: MechanicId,
        id: LineItemId,
        (terms, destination): (&ItemTerms, Option<&Arc<Destination>>),
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        self.at_work_by(mechanic_id, Wanted::AddItem)?;
        if self.item(id).is_ok() {
            return Err(Refusal::AlreadyDone);
        }
        if self.items.len() >= MAX_ITEMS {
            return Err(Refusal::TooManyItems);
        }
        self.check_log()?;
        if destination.is_some() {
            self.check_tow()?;
        } else if terms.kind == ItemKind::Tow {
            return Err(Refusal::TowWithoutDestination);
        }
        self.check_price(None, terms)?;
        let (terms, status, destination) = (terms.clone(), ItemStatus::Proposed, destination.cloned());
        let item = LineItem {
            id,
            terms,
            destination,
            status,
            is_on_account: false,
            version: 1,
            created_at: now,
            updated_at: now,
        };
        Ok(Event::ItemChanged { how: ItemChange::Proposed, item })
    }

    fn approve(
        &self,
        id: LineItemId,
        quote: ItemQuote,
        on_account: bool,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        let item = self.item(id)?;
        self.at_work(Wanted::ApproveItem)?;
        match item.status {
            ItemStatus::Proposed => {}
            ItemStatus::Approved => return Err(Refusal::AlreadyDone),
            ItemStatus::Rejected | ItemStatus::Withdrawn => return Err(Refusal::ItemDecided(item.status)),
        }
        quote.check(item)?;
        // The amounts that the discount reduces have to be approved first.
        if self.price_paise() + item.terms.total_paise() < 0 {
            return Err(Refusal::DiscountTooLarge);
        }
        if on_account {
            self.check_cover(item)?;
        }
        let item = LineItem { is_on_account: on_account, ..item.moved(ItemStatus::Approved, now) };
        Ok(Event::ItemChanged { how: ItemChange::Approved, item })
    }

    fn item(&self, id: LineItemId) -> Result<&LineItem, Refusal> {
        self.items.iter().find(|item| item.id == id).ok_or(Refusal::NoSuchItem)
    }

    /// Returns an undecided item of the mechanic on the job.
    fn own_item(&self, by: MechanicId, id: LineItemId, wanted: Wanted) -> Result<&LineItem, Refusal> {
        self.is_of(by)?;
        let item = self.item(id)?;
        self.at_work(wanted)?;
        match item.status {
            ItemStatus::Proposed => Ok(item),
            ItemStatus::Approved | ItemStatus::Rejected | ItemStatus::Withdrawn => {
                Err(Refusal::ItemDecided(item.status))
            }
        }
    }

    fn is_of(&self, mechanic_id: MechanicId) -> Result<(), Refusal> {
        let is_own = self.assignment().is_some_and(|a| a.mechanic_id == mechanic_id);
        if is_own { Ok(()) } else { Err(Refusal::NotYours) }
    }

    fn at_work_by(&self, mechanic_id: MechanicId, wanted: Wanted) -> Result<(), Refusal> {
        self.is_of(mechanic_id)?;
        self.at_work(wanted)
    }

    /// Checks that the mechanic is at the vehicle, where items are proposed and decided.
    fn at_work(&self, wanted: Wanted) -> Result<(), Refusal> {
        match &self.stage {
            Stage::Arrived(_) | Stage::InProgress(_) => Ok(()),
            Stage::Pending
            | Stage::Dispatching(_)
            | Stage::Accepted(_)
            | Stage::EnRoute(_)
            | Stage::Completed(_)
            | Stage::NoMechanicFound { .. }
            | Stage::Cancelled(_)
            | Stage::Paid(_)
            | Stage::Disputed(_)
            | Stage::Resolved(_) => Err(self.cannot(wanted)),
        }
    }

    fn check_log(&self) -> Result<(), Refusal> {
        if self.seq < LAST_SEQ_OF_ITEMS { Ok(()) } else { Err(Refusal::TooManyItems) }
    }

    /// Keeps the price within its bounds whichever items are approved: with all of them it is not below zero, and
    /// without any discount it is not above [`MAX_PRICE_PAISE`].
    fn check_price(&self, replaced: Option<LineItemId>, terms: &ItemTerms) -> Result<(), Refusal> {
        terms.check()?;
        let counts = |item: &&LineItem| {
            Some(item.id) != replaced && matches!(item.status, ItemStatus::Proposed | ItemStatus::Approved)
        };
        let others = self.items.iter().filter(counts).map(|item| item.terms.total_paise());
        let totals: Vec<i64> = others.chain([terms.total_paise()]).collect();
        let base = self.spec.estimated_price_paise();
        let most = base + totals.iter().filter(|total| **total > 0).sum::<i64>();
        let is_price = base + totals.iter().sum::<i64>() >= 0 && most <= MAX_PRICE_PAISE;
        if is_price { Ok(()) } else { Err(Refusal::PriceOutOfRange) }
    }
}
