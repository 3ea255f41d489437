//! Line items, which add to a job's price beyond base and travel. The mechanic at the vehicle proposes, the
//! customer approves. Pure data; `decide/items.rs` has the rules.
//!
//! ```text
//!  propose             approve
//! ────────▶ proposed ──────────▶ approved    counts in the final price
//!    amend ↺   │  └───────────▶ rejected
//!              ▼     reject
//!          withdrawn
//! ```
//!
//! Items belong to one mechanic's work: when a mechanic loses the job, their items go too.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{destination::Destination, event_name::EventName};
use crate::{
    ids::{LineItemId, MechanicId},
    named::named_enum,
    refusal::Refusal,
    wire,
};

pub use crate::status::ItemStatus;

/// The largest number of items that a job may have at once, in any status.
pub const MAX_ITEMS: usize = 50;
/// The `seq` from which no item is proposed, amended or withdrawn, so that a job's log stays short enough to be
/// replayed.
pub const LAST_SEQ_OF_ITEMS: i64 = 800;
/// The highest price of a job, and of any item of it, in paise: the largest amount that the interface accepts. It
/// keeps all sums of a job's amounts far from an overflow.
pub const MAX_PRICE_PAISE: i64 = 1_000_000_000;

named_enum! {
    /// The kind of thing that an item charges for.
    ItemKind {
        Labour = "labour",
        Part = "part",
        Travel = "travel",
        Tow = "tow",
        Fee = "fee",
        /// A discount reduces the price.
        Discount = "discount",
    }
}

/// The terms that the mechanic proposes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemTerms {
    pub kind: ItemKind,
    pub description: String,
    pub quantity: u32,
    /// Above zero, even for a discount. Tax included.
    pub unit_price_paise: i64,
    pub photo_url: Option<String>,
}

impl ItemTerms {
    /// Returns what the item adds to the price: an amount below zero for a discount.
    pub fn total_paise(&self) -> i64 {
        let amount = self.unit_price_paise.saturating_mul(i64::from(self.quantity));
        match self.kind {
            ItemKind::Discount => -amount,
            ItemKind::Labour | ItemKind::Part | ItemKind::Travel | ItemKind::Tow | ItemKind::Fee => amount,
        }
    }

    pub(super) fn check(&self) -> Result<(), Refusal> {
        let is_sound = self.quantity > 0 && self.unit_price_paise > 0;
        if is_sound && self.total_paise().abs() <= MAX_PRICE_PAISE {
            Ok(())
        } else {
            Err(Refusal::PriceOutOfRange)
        }
    }
}

/// One item of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineItem {
    pub id: LineItemId,
    pub terms: ItemTerms,
    /// The destination of the vehicle if the customer approves. The item is a tow then, and its price follows from
    /// the destination.
    pub destination: Option<Arc<Destination>>,
    pub status: ItemStatus,
    /// Whether an organisation approved the item, and so pays for it.
    #[serde(default)]
    pub is_on_account: bool,
    /// Starts at 1 when the item is proposed, and grows by one with each change.
    pub version: i64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl LineItem {
    pub(super) fn moved(&self, status: ItemStatus, now: DateTime<Utc>) -> Self {
        Self { status, version: self.version + 1, updated_at: now, ..self.clone() }
    }
}

/// Changes to an item. Fields that are `None` stay unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ItemPatch {
    pub kind: Option<ItemKind>,
    pub description: Option<String>,
    pub quantity: Option<u32>,
    pub unit_price_paise: Option<i64>,
    #[serde(default, with = "wire::change")]
    pub photo_url: Option<Option<String>>,
}

impl ItemPatch {
    pub(super) fn over(&self, terms: &ItemTerms) -> ItemTerms {
        ItemTerms {
            kind: self.kind.unwrap_or(terms.kind),
            description: self.description.clone().unwrap_or_else(|| terms.description.clone()),
            quantity: self.quantity.unwrap_or(terms.quantity),
            unit_price_paise: self.unit_price_paise.unwrap_or(terms.unit_price_paise),
            photo_url: self.photo_url.clone().unwrap_or_else(|| terms.photo_url.clone()),
        }
    }
}

/// The version and price of an item that the customer was shown when they decided. They must still match the item:
/// the mechanic may amend it while the customer reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemQuote {
    pub version: i64,
    pub total_paise: Option<i64>,
}

impl ItemQuote {
    pub(super) fn check(self, item: &LineItem) -> Result<(), Refusal> {
        let (version, total_paise) = (item.version, item.terms.total_paise());
        let is_same = self.version == version && self.total_paise.is_none_or(|shown| shown == total_paise);
        if is_same { Ok(()) } else { Err(Refusal::ItemChanged { version, total_paise }) }
    }
}

/// A command about a job's items. Commands with a `mechanic_id` come from the mechanic, the others from the
/// customer or the organisation that pays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ItemCommand {
    Propose {
        mechanic_id: MechanicId,
        id: LineItemId,
        terms: ItemTerms,
        /// See [`LineItem`].
        destination: Option<Arc<Destination>>,
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
        /// Whether an organisation approves the item. The side that approves an item pays for it.
        #[serde(default)]
        on_account: bool,
    },
    Reject {
        id: LineItemId,
        quote: ItemQuote,
        /// Whether an organisation rejects the item.
        #[serde(default)]
        on_account: bool,
    },
}

impl ItemCommand {
    /// Returns the id of the item.
    pub fn item(&self) -> LineItemId {
        match self {
            Self::Propose { id, .. }
            | Self::Amend { id, .. }
            | Self::Withdraw { id, .. }
            | Self::Approve { id, .. }
            | Self::Reject { id, .. } => *id,
        }
    }
}

/// A change of an item.
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

    /// Returns the event's name in the log.
    pub fn name(self) -> EventName {
        match self {
            Self::Proposed => EventName::LineItemProposed,
            Self::Amended => EventName::LineItemAmended,
            Self::Withdrawn => EventName::LineItemWithdrawn,
            Self::Approved => EventName::LineItemApproved,
            Self::Rejected => EventName::LineItemRejected,
        }
    }

    /// Returns the same name as text.
    pub fn kind(self) -> &'static str {
        self.name().as_str()
    }
}

/// Returns whether an event of this name in the log is about a line item.
pub fn is_item_event(kind: &str) -> bool {
    ItemChange::ALL.iter().any(|how| how.kind() == kind)
}
