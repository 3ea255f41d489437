//! The events of a job. Pure data.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    command::DropOff,
    corrections::{DetailChanges, NewPickup, NewSearch, NewTime},
    event_name::EventName,
    fee::FreeCancellationAllowance,
    items::{ItemChange, LineItem},
    model::{Assignment, JobDetails, JobSummary, LiveOffer, Outcome},
};
use crate::{
    concern::{Concern, Delay},
    ids::{MechanicId, OfferId},
    refusal::BrokenRule,
    status::OfferStatus,
};

/// The name of [`Event::PaymentChanged`] in the log.
pub const PAYMENT_EVENT: &str = EventName::Payment.as_str();
/// The name of [`Event::MessageSent`] in the log.
pub const MESSAGE_EVENT: &str = EventName::Message.as_str();
/// The name of [`Event::CallChanged`] in the log.
pub const CALL_EVENT: &str = EventName::Call.as_str();

/// Rules that an admin overrode to assign a mechanic, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Override {
    pub rules: Vec<BrokenRule>,
    pub reason: String,
}

/// An event of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    Created {
        details: Box<JobDetails>,
    },
    Began {
        ends_at: DateTime<Utc>,
        round: u32,
    },
    OffersMade {
        offers: Vec<LiveOffer>,
    },
    OfferDeclined {
        offer_id: OfferId,
        mechanic_id: MechanicId,
        reason: Option<String>,
    },
    OfferRevoked {
        offer_id: OfferId,
        mechanic_id: MechanicId,
    },
    OffersExpired {
        offers: Vec<(OfferId, MechanicId)>,
    },
    Accepted {
        assignment: Assignment,
        revoked: Vec<(OfferId, MechanicId)>,
        answered_at: DateTime<Utc>,
        overridden: Option<Override>,
    },
    Exhausted {
        until: DateTime<Utc>,
    },
    Retried {
        ends_at: DateTime<Utc>,
        round: u32,
        most_open_jobs: Option<u32>,
    },
    WentEnRoute,
    /// Another app shows the mechanic the way, and their positions may stop.
    HandedOver,
    /// The mechanic is back in the app.
    CameBack,
    /// The watch has a concern about the mechanic on the way.
    Delayed(Delay),
    /// The concern is over.
    Recovered {
        concern: Concern,
    },
    Arrived {
        distance_m: Option<f64>,
        override_reason: Option<String>,
    },
    WrongCodeEntered {
        locked_until: Option<DateTime<Utc>>,
    },
    Started,
    /// The vehicle is on the truck; the mechanic drives to the destination.
    Loaded {
        photo_urls: Vec<String>,
    },
    Completed {
        outcome: Outcome,
        notes: Option<String>,
        photo_urls: Vec<String>,
        received_by: Option<String>,
        final_price_paise: i64,
        /// Set for a vehicle that was towed. It has a reason only if no position shows that the vehicle is at its
        /// destination.
        drop_off: Option<DropOff>,
    },
    Released {
        mechanic_id: MechanicId,
        reason_code: String,
        by_mechanic: bool,
        ends_at: DateTime<Utc>,
        round: u32,
    },
    Cancelled {
        fee_paise: i64,
        reason_code: String,
        reason: Option<String>,
        revoked: Vec<(OfferId, MechanicId)>,
        /// Set if the customer used the free time once more.
        uses_free: Option<FreeCancellationAllowance>,
        /// The fee in paise that the mechanic claims for a no-show that they reported. If a position proves the
        /// arrival, it is due; otherwise nothing is due until an admin decides so. The customer can contest either.
        claimed_paise: Option<i64>,
    },
    /// The customer contests a no-show: nothing is due until an admin has decided.
    NoShowContested,
    /// An admin has decided about a no-show.
    NoShowDecided {
        fee_paise: i64,
    },
    Corrected {
        details: Box<DetailChanges>,
        summary: Option<Arc<JobSummary>>,
        pickup: Option<NewPickup>,
        time: Option<NewTime>,
        /// Set if the pickup was moved during a search.
        search: Option<NewSearch>,
    },
    /// The item as it is afterwards.
    ItemChanged {
        how: ItemChange,
        item: LineItem,
    },
    PaymentChanged {
        payment_id: Uuid,
    },
    MessageSent {
        message_id: Uuid,
    },
    CallChanged {
        call_id: Uuid,
    },
    Paid,
    Disputed,
    Resolved,
}

impl Event {
    /// Returns the event's name in the log, the timeline and the frames.
    pub fn name(&self) -> EventName {
        match self {
            Event::Created { .. } => EventName::Created,
            Event::Began { .. } => EventName::Dispatching,
            Event::OffersMade { .. } => EventName::OffersMade,
            Event::OfferDeclined { .. } => EventName::OfferDeclined,
            Event::OfferRevoked { .. } => EventName::OfferRevoked,
            Event::OffersExpired { .. } => EventName::OffersExpired,
            Event::Accepted { .. } => EventName::Accepted,
            Event::Exhausted { .. } => EventName::NoMechanicFound,
            Event::Retried { .. } => EventName::Retried,
            Event::WentEnRoute => EventName::EnRoute,
            Event::HandedOver => EventName::Navigating,
            Event::CameBack => EventName::BackInApp,
            Event::Delayed(_) => EventName::Delayed,
            Event::Recovered { .. } => EventName::Recovered,
            Event::Arrived { .. } => EventName::Arrived,
            Event::WrongCodeEntered { .. } => EventName::WrongStartCode,
            Event::Started => EventName::InProgress,
            Event::Loaded { .. } => EventName::Loaded,
            Event::Completed { .. } => EventName::Completed,
            Event::Released { .. } => EventName::Released,
            Event::Cancelled { .. } => EventName::Cancelled,
            Event::NoShowContested => EventName::NoShowContested,
            Event::NoShowDecided { .. } => EventName::NoShowDecided,
            Event::Corrected { .. } => EventName::Corrected,
            Event::ItemChanged { how, .. } => how.name(),
            Event::PaymentChanged { .. } => EventName::Payment,
            Event::MessageSent { .. } => EventName::Message,
            Event::CallChanged { .. } => EventName::Call,
            Event::Paid => EventName::Paid,
            Event::Disputed => EventName::Disputed,
            Event::Resolved => EventName::Resolved,
        }
    }

    /// Returns the same name as text.
    pub fn kind(&self) -> &'static str {
        self.name().as_str()
    }

    /// Returns whether every participant of the job may see the event; only these events count in `seq`.
    pub fn is_public(&self) -> bool {
        self.name().is_public()
    }

    /// Returns the pending offers that the event ends, except the accepted one, and how they end.
    pub fn ended_offers(&self) -> (Vec<OfferId>, OfferStatus) {
        let ids = |offers: &[(OfferId, MechanicId)]| offers.iter().map(|(id, _)| *id).collect();
        match self {
            Event::OfferDeclined { offer_id, .. } => (vec![*offer_id], OfferStatus::Declined),
            Event::OfferRevoked { offer_id, .. } => (vec![*offer_id], OfferStatus::Revoked),
            Event::OffersExpired { offers } => (ids(offers), OfferStatus::Expired),
            Event::Accepted { revoked, .. } | Event::Cancelled { revoked, .. } => {
                (ids(revoked), OfferStatus::Revoked)
            }
            Event::Corrected { search, .. } => {
                let revoked = search.as_ref().map(|search| ids(&search.revoked));
                (revoked.unwrap_or_default(), OfferStatus::Revoked)
            }
            Event::Created { .. }
            | Event::NoShowContested
            | Event::NoShowDecided { .. }
            | Event::Began { .. }
            | Event::OffersMade { .. }
            | Event::Exhausted { .. }
            | Event::Retried { .. }
            | Event::WentEnRoute
            | Event::HandedOver
            | Event::CameBack
            | Event::Delayed(_)
            | Event::Recovered { .. }
            | Event::Arrived { .. }
            | Event::WrongCodeEntered { .. }
            | Event::Started
            | Event::Loaded { .. }
            | Event::Completed { .. }
            | Event::Released { .. }
            | Event::ItemChanged { .. }
            | Event::PaymentChanged { .. }
            | Event::MessageSent { .. }
            | Event::CallChanged { .. }
            | Event::Paid
            | Event::Disputed
            | Event::Resolved => (Vec::new(), OfferStatus::Revoked),
        }
    }
}
