//! Line items: what a job costs beyond base and travel. The mechanic at the vehicle proposes, the customer approves.
//! Pure.
//!
//! ```text
//!  propose             approve
//! ────────▶ proposed ──────────▶ approved    counts in the final price
//!    amend ↺   │  └───────────▶ rejected
//!              ▼     reject
//!          withdrawn
//! ```
//!
//! They belong to one mechanic's work: when a mechanic loses the job, their items go too.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::model::{Job, Stage};
use crate::{
    ids::{LineItemId, MechanicId},
    named::named_enum,
    refusal::Refusal,
};

use super::event::Event;
pub use crate::status::ItemStatus;

/// The most items that a job may have at once, in any status.
pub const MAX_ITEMS: usize = 50;
/// From this `seq` on, no item is proposed, amended or withdrawn: a job's log stays short enough to be replayed.
pub const LAST_SEQ_OF_ITEMS: i64 = 800;
/// What a job, and any item of it, may cost at most, in paise: the largest amount that the interface accepts. It keeps all
/// sums of a job's amounts far from an overflow.
pub const MAX_PRICE_PAISE: i64 = 1_000_000_000;

named_enum! {
    /// What an item is for.
    ItemKind {
        Labour = "labour",
        Part = "part",
        Travel = "travel",
        Tow = "tow",
        Fee = "fee",
        /// Reduces the price.
        Discount = "discount",
    }
}

/// What the mechanic proposes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemTerms {
    pub kind: ItemKind,
    pub description: String,
    pub quantity: u32,
    /// Above zero, for a discount too. Tax included.
    pub unit_price_paise: i64,
    pub photo_url: Option<String>,
}

impl ItemTerms {
    /// What the item adds to the price: below zero for a discount.
    pub fn total_paise(&self) -> i64 {
        let amount = self.unit_price_paise.saturating_mul(i64::from(self.quantity));
        match self.kind {
            ItemKind::Discount => -amount,
            ItemKind::Labour | ItemKind::Part | ItemKind::Travel | ItemKind::Tow | ItemKind::Fee => amount,
        }
    }

    fn check(&self) -> Result<(), Refusal> {
        let is_sound = self.quantity > 0 && self.unit_price_paise > 0;
        if is_sound && self.total_paise().abs() <= MAX_PRICE_PAISE {
            Ok(())
        } else {
            Err(Refusal::PriceOutOfRange)
        }
    }
}

/// One item of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineItem {
    pub id: LineItemId,
    pub terms: ItemTerms,
    pub status: ItemStatus,
    /// 1 when it is proposed, and one more with each change.
    pub version: i64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl LineItem {
    fn moved(&self, status: ItemStatus, now: DateTime<Utc>) -> Self {
        Self { status, version: self.version + 1, updated_at: now, ..self.clone() }
    }
}

/// Changes to an item; fields that are `None` stay as they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemPatch {
    pub kind: Option<ItemKind>,
    pub description: Option<String>,
    pub quantity: Option<u32>,
    pub unit_price_paise: Option<i64>,
    pub photo_url: Option<Option<String>>,
}

impl ItemPatch {
    fn over(&self, terms: &ItemTerms) -> ItemTerms {
        ItemTerms {
            kind: self.kind.unwrap_or(terms.kind),
            description: self.description.clone().unwrap_or_else(|| terms.description.clone()),
            quantity: self.quantity.unwrap_or(terms.quantity),
            unit_price_paise: self.unit_price_paise.unwrap_or(terms.unit_price_paise),
            photo_url: self.photo_url.clone().unwrap_or_else(|| terms.photo_url.clone()),
        }
    }
}

/// What the customer was shown of an item when they decided. It must still match the item: the mechanic may amend it
/// while the customer reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemQuote {
    pub version: i64,
    pub total_paise: Option<i64>,
}

impl ItemQuote {
    fn check(self, item: &LineItem) -> Result<(), Refusal> {
        let (version, total_paise) = (item.version, item.terms.total_paise());
        let is_same = self.version == version && self.total_paise.is_none_or(|shown| shown == total_paise);
        if is_same { Ok(()) } else { Err(Refusal::ItemChanged { version, total_paise }) }
    }
}

/// What can be done with a job's items. Commands with a `mechanic_id` are the mechanic's, the others the customer's.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemCommand {
    Propose {
        mechanic_id: MechanicId,
        id: LineItemId,
        terms: ItemTerms,
        /// An idempotency mark that the commit completes with the item's id.
        idempotency: Option<Uuid>,
    },
    Amend {
        mechanic_id: MechanicId,
        id: LineItemId,
        patch: ItemPatch,
    },
    Withdraw {
        mechanic_id: MechanicId,
        id: LineItemId,
    },
    Approve {
        id: LineItemId,
        quote: ItemQuote,
    },
    Reject {
        id: LineItemId,
        quote: ItemQuote,
    },
}

/// What happened to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemChange {
    Proposed,
    Amended,
    Withdrawn,
    Approved,
    Rejected,
}

impl ItemChange {
    /// Every value, in the order of declaration.
    pub const ALL: [ItemChange; 5] =
        [Self::Proposed, Self::Amended, Self::Withdrawn, Self::Approved, Self::Rejected];

    /// The event's name in the log.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Proposed => "line_item_proposed",
            Self::Amended => "line_item_amended",
            Self::Withdrawn => "line_item_withdrawn",
            Self::Approved => "line_item_approved",
            Self::Rejected => "line_item_rejected",
        }
    }
}

/// Whether an event of this name in the log is about a line item.
pub fn is_item_event(kind: &str) -> bool {
    ItemChange::ALL.iter().any(|how| how.kind() == kind)
}

impl Job {
    /// What the job costs so far: base, travel and what the customer approved.
    pub fn price_paise(&self) -> i64 {
        let approved = self.items.iter().filter(|item| item.status == ItemStatus::Approved);
        self.spec.estimated_price_paise() + approved.map(|item| item.terms.total_paise()).sum::<i64>()
    }

    /// Items that the customer has yet to decide.
    pub fn undecided(&self) -> usize {
        self.items.iter().filter(|item| item.status == ItemStatus::Proposed).count()
    }

    pub(super) fn decide_item(&self, command: &ItemCommand, now: DateTime<Utc>) -> Result<Event, Refusal> {
        match command {
            ItemCommand::Propose { mechanic_id, id, terms, idempotency: _ } => {
                self.propose(*mechanic_id, *id, terms, now)
            }
            ItemCommand::Amend { mechanic_id, id, patch } => {
                let item = self.own_item(*mechanic_id, *id, "amend a line item")?;
                let terms = patch.over(&item.terms);
                if terms == item.terms {
                    return Err(Refusal::AlreadyDone);
                }
                self.check_price(Some(*id), &terms)?;
                self.check_log()?;
                let item = LineItem { terms, ..item.moved(item.status, now) };
                Ok(Event::ItemChanged { how: ItemChange::Amended, item })
            }
            ItemCommand::Withdraw { mechanic_id, id } => {
                let item = self.own_item(*mechanic_id, *id, "withdraw a line item")?;
                self.check_log()?;
                let item = item.moved(ItemStatus::Withdrawn, now);
                Ok(Event::ItemChanged { how: ItemChange::Withdrawn, item })
            }
            ItemCommand::Approve { id, quote } => self.approve(*id, *quote, now),
            ItemCommand::Reject { id, quote } => {
                let item = self.item(*id)?;
                self.at_work("reject a line item")?;
                match item.status {
                    ItemStatus::Proposed => {
                        quote.check(item)?;
                        let item = item.moved(ItemStatus::Rejected, now);
                        Ok(Event::ItemChanged { how: ItemChange::Rejected, item })
                    }
                    ItemStatus::Rejected => Err(Refusal::AlreadyDone),
                    ItemStatus::Approved | ItemStatus::Withdrawn => Err(Refusal::ItemDecided(item.status)),
                }
            }
        }
    }

    /// Applies what [`Self::decide_item`] decided. Items stay in the order in which they were proposed.
    pub(super) fn apply_item(&mut self, how: ItemChange, item: &LineItem) {
        self.items.retain(|kept| kept.id != item.id);
        match how {
            ItemChange::Withdrawn => {}
            ItemChange::Proposed | ItemChange::Amended | ItemChange::Approved | ItemChange::Rejected => {
                self.items.push(item.clone());
                self.items.sort_by_key(|item| (item.created_at, item.id));
            }
        }
    }

    fn propose(
        &self,
        mechanic_id: MechanicId,
        id: LineItemId,
        terms: &ItemTerms,
        now: DateTime<Utc>,
    ) -> Result<Event, Refusal> {
        self.at_work_by(mechanic_id, "add a line item")?;
        if self.item(id).is_ok() {
            return Err(Refusal::AlreadyDone);
        }
        if self.items.len() >= MAX_ITEMS {
            return Err(Refusal::TooManyItems);
        }
        self.check_log()?;
        self.check_price(None, terms)?;
        let (terms, status) = (terms.clone(), ItemStatus::Proposed);
        let item = LineItem { id, terms, status, version: 1, created_at: now, updated_at: now };
        Ok(Event::ItemChanged { how: ItemChange::Proposed, item })
    }

    fn approve(&self, id: LineItemId, quote: ItemQuote, now: DateTime<Utc>) -> Result<Event, Refusal> {
        let item = self.item(id)?;
        self.at_work("approve a line item")?;
        match item.status {
            ItemStatus::Proposed => {}
            ItemStatus::Approved => return Err(Refusal::AlreadyDone),
            ItemStatus::Rejected | ItemStatus::Withdrawn => return Err(Refusal::ItemDecided(item.status)),
        }
        quote.check(item)?;
        // The amounts that it reduces have to be approved first.
        if self.price_paise() + item.terms.total_paise() < 0 {
            return Err(Refusal::DiscountTooLarge);
        }
        Ok(Event::ItemChanged { how: ItemChange::Approved, item: item.moved(ItemStatus::Approved, now) })
    }

    fn item(&self, id: LineItemId) -> Result<&LineItem, Refusal> {
        self.items.iter().find(|item| item.id == id).ok_or(Refusal::NoSuchItem)
    }

    /// An undecided item of the mechanic on the job.
    fn own_item(&self, by: MechanicId, id: LineItemId, wanted: &'static str) -> Result<&LineItem, Refusal> {
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

    fn at_work_by(&self, mechanic_id: MechanicId, wanted: &'static str) -> Result<(), Refusal> {
        self.is_of(mechanic_id)?;
        self.at_work(wanted)
    }

    /// Items are proposed and decided while the mechanic is at the vehicle.
    fn at_work(&self, wanted: &'static str) -> Result<(), Refusal> {
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

    /// Keeps the price within its bounds whichever items are approved: with all of them it is not below zero, and without
    /// any discount it is not above [`MAX_PRICE_PAISE`].
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
