//! The names of events, and which of these events the participants of a job see.

use crate::named::named_enum;

named_enum! {
    /// The names of events in a job's log, in its timeline and in frames.
    EventName {
        Created = "created",
        Dispatching = "dispatching",
        OffersMade = "offers_made",
        OfferDeclined = "offer_declined",
        OfferRevoked = "offer_revoked",
        OffersExpired = "offers_expired",
        Accepted = "accepted",
        NoMechanicFound = "no_mechanic_found",
        Retried = "retried",
        EnRoute = "en_route",
        Navigating = "navigating",
        BackInApp = "back_in_app",
        Delayed = "delayed",
        Recovered = "recovered",
        Arrived = "arrived",
        WrongStartCode = "wrong_start_code",
        InProgress = "in_progress",
        Loaded = "loaded",
        Completed = "completed",
        Released = "released",
        Cancelled = "cancelled",
        NoShowContested = "no_show_contested",
        NoShowDecided = "no_show_decided",
        Corrected = "corrected",
        LineItemProposed = "line_item_proposed",
        LineItemAmended = "line_item_amended",
        LineItemWithdrawn = "line_item_withdrawn",
        LineItemApproved = "line_item_approved",
        LineItemRejected = "line_item_rejected",
        Payment = "payment",
        Message = "message",
        Call = "call",
        Paid = "paid",
        Disputed = "disputed",
        Resolved = "resolved",
    }
}

impl EventName {
    /// Returns whether every participant of the job may see the event; only these events count in `seq`.
    pub const fn is_public(self) -> bool {
        match self {
            Self::OffersMade
            | Self::OfferDeclined
            | Self::OfferRevoked
            | Self::OffersExpired
            | Self::WrongStartCode => false,
            Self::Created
            | Self::Dispatching
            | Self::Accepted
            | Self::NoMechanicFound
            | Self::Retried
            | Self::EnRoute
            | Self::Navigating
            | Self::BackInApp
            | Self::Delayed
            | Self::Recovered
            | Self::Arrived
            | Self::InProgress
            | Self::Loaded
            | Self::Completed
            | Self::Released
            | Self::Cancelled
            | Self::NoShowContested
            | Self::NoShowDecided
            | Self::Corrected
            | Self::LineItemProposed
            | Self::LineItemAmended
            | Self::LineItemWithdrawn
            | Self::LineItemApproved
            | Self::LineItemRejected
            | Self::Payment
            | Self::Message
            | Self::Call
            | Self::Paid
            | Self::Disputed
            | Self::Resolved => true,
        }
    }
}
