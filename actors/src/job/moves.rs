//! What can be asked of a job, and what can happen to it. Pure data.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{
    fee::Progress,
    items::{ItemChange, ItemCommand, LineItem},
    model::{Assignment, Job, JobDetails, LiveOffer, Outcome, Proposal},
};
use crate::{
    concern::{Concern, Delay, Finding},
    ids::{MechanicId, OfferId, UserId},
    status::OfferStatus,
};

/// The name of [`Event::PaymentChanged`] in the log.
pub const PAYMENT_EVENT: &str = "payment";
/// The name of [`Event::MessageSent`] in the log.
pub const MESSAGE_EVENT: &str = "message";
/// The name of [`Event::CallChanged`] in the log.
pub const CALL_EVENT: &str = "call";

/// Who gave a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    Customer(UserId),
    Mechanic(UserId),
    Admin(UserId),
    System,
}

/// What can be asked of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Time has passed: do what is due.
    Tick,
    /// The dispatcher reserved these mechanics.
    Offer {
        attempt: u32,
        round: u32,
        proposals: Vec<Proposal>,
    },
    Accept {
        offer_id: OfferId,
        mechanic_id: MechanicId,
        answered_at: DateTime<Utc>,
        start_code: String,
    },
    Decline {
        offer_id: OfferId,
        mechanic_id: MechanicId,
        reason: Option<String>,
    },
    /// The mechanic may not serve any more.
    Revoke {
        offer_id: OfferId,
        mechanic_id: MechanicId,
    },
    /// An admin's choice, past the offers.
    Assign {
        mechanic_id: MechanicId,
        eta_s: u32,
        start_code: String,
    },
    EnRoute {
        mechanic_id: MechanicId,
    },
    Arrive {
        mechanic_id: MechanicId,
        evidence: Evidence,
        override_reason: Option<String>,
    },
    Start {
        mechanic_id: MechanicId,
        code: Option<String>,
    },
    Complete {
        mechanic_id: MechanicId,
        outcome: Outcome,
        notes: Option<String>,
        photo_urls: Vec<String>,
    },
    Release {
        mechanic_id: MechanicId,
        reason_code: String,
    },
    NoShow {
        mechanic_id: MechanicId,
    },
    Reassign {
        reason: String,
    },
    /// What the watch over this mechanic on its way found out in this attempt.
    Watch {
        mechanic_id: MechanicId,
        attempt: u32,
        finding: Finding,
    },
    Cancel {
        by_admin: bool,
        reason_code: String,
        reason: Option<String>,
        quoted_fee_paise: Option<i64>,
        progress: Progress,
    },
    Retry,
    Item(ItemCommand),
    /// A payment of the job, or of its cancellation fee, has moved: those who watch shall see it.
    NotePayment {
        payment_id: Uuid,
    },
    /// The customer wrote to this mechanic, or it to the customer.
    NoteMessage {
        message_id: Uuid,
        mechanic_id: MechanicId,
    },
    /// A call between the job's two sides has moved: those who watch shall see it.
    NoteCall {
        call_id: Uuid,
    },
    /// Everything due is paid.
    Pay,
    /// The customer or the mechanic contests the work or its price.
    Dispute,
    /// An admin settles the dispute.
    Resolve,
}

/// What the mechanic's actor knows about being at the pickup.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// Metres from the last plausible, fresh position to the pickup; `None` without one.
    pub distance_m: Option<f64>,
}

/// What a command led to.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// `None` where the same command had succeeded before.
    pub event: Option<Event>,
    /// The job as it is now.
    pub job: Job,
}

/// What happened.
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
    },
    Exhausted {
        until: DateTime<Utc>,
    },
    Retried {
        ends_at: DateTime<Utc>,
        round: u32,
    },
    WentEnRoute,
    /// Something is wrong with the mechanic on its way.
    Delayed(Delay),
    /// It no longer is.
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
    Completed {
        outcome: Outcome,
        notes: Option<String>,
        photo_urls: Vec<String>,
        final_price_paise: i64,
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
    },
    /// The item as it stands afterwards.
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
    /// The event's name in the log, the timeline and the frames.
    pub fn kind(&self) -> &'static str {
        match self {
            Event::Created { .. } => "created",
            Event::Began { .. } => "dispatching",
            Event::OffersMade { .. } => "offers_made",
            Event::OfferDeclined { .. } => "offer_declined",
            Event::OfferRevoked { .. } => "offer_revoked",
            Event::OffersExpired { .. } => "offers_expired",
            Event::Accepted { .. } => "accepted",
            Event::Exhausted { .. } => "no_mechanic_found",
            Event::Retried { .. } => "retried",
            Event::WentEnRoute => "en_route",
            Event::Delayed(_) => "delayed",
            Event::Recovered { .. } => "recovered",
            Event::Arrived { .. } => "arrived",
            Event::WrongCodeEntered { .. } => "wrong_start_code",
            Event::Started => "in_progress",
            Event::Completed { .. } => "completed",
            Event::Released { .. } => "released",
            Event::Cancelled { .. } => "cancelled",
            Event::ItemChanged { how, .. } => how.kind(),
            Event::PaymentChanged { .. } => PAYMENT_EVENT,
            Event::MessageSent { .. } => MESSAGE_EVENT,
            Event::CallChanged { .. } => CALL_EVENT,
            Event::Paid => "paid",
            Event::Disputed => "disputed",
            Event::Resolved => "resolved",
        }
    }

    /// Whether every participant of the job may see it; only these count in `seq`.
    pub fn is_public(&self) -> bool {
        match self {
            Event::OffersMade { .. }
            | Event::OfferDeclined { .. }
            | Event::OfferRevoked { .. }
            | Event::OffersExpired { .. }
            | Event::WrongCodeEntered { .. } => false,
            Event::Created { .. }
            | Event::Began { .. }
            | Event::Accepted { .. }
            | Event::Exhausted { .. }
            | Event::Retried { .. }
            | Event::WentEnRoute
            | Event::Delayed(_)
            | Event::Recovered { .. }
            | Event::Arrived { .. }
            | Event::Started
            | Event::Completed { .. }
            | Event::Released { .. }
            | Event::Cancelled { .. }
            | Event::ItemChanged { .. }
            | Event::PaymentChanged { .. }
            | Event::MessageSent { .. }
            | Event::CallChanged { .. }
            | Event::Paid
            | Event::Disputed
            | Event::Resolved => true,
        }
    }

    /// Pending offers that the event ends, save the accepted one, and how they end.
    pub fn ended_offers(&self) -> (Vec<OfferId>, OfferStatus) {
        let ids = |offers: &[(OfferId, MechanicId)]| offers.iter().map(|(id, _)| *id).collect();
        match self {
            Event::OfferDeclined { offer_id, .. } => (vec![*offer_id], OfferStatus::Declined),
            Event::OfferRevoked { offer_id, .. } => (vec![*offer_id], OfferStatus::Revoked),
            Event::OffersExpired { offers } => (ids(offers), OfferStatus::Expired),
            Event::Accepted { revoked, .. } | Event::Cancelled { revoked, .. } => {
                (ids(revoked), OfferStatus::Revoked)
            }
            Event::Created { .. }
            | Event::Began { .. }
            | Event::OffersMade { .. }
            | Event::Exhausted { .. }
            | Event::Retried { .. }
            | Event::WentEnRoute
            | Event::Delayed(_)
            | Event::Recovered { .. }
            | Event::Arrived { .. }
            | Event::WrongCodeEntered { .. }
            | Event::Started
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
