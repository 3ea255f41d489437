//! The statuses of jobs, offers and line items, and the urgency of a job, by the names of the interface.

use crate::named::named_enum;

named_enum! {
    /// The status of a job (contract 3.1).
    Status {
        Pending = "pending",
        Dispatching = "dispatching",
        Accepted = "accepted",
        EnRoute = "en_route",
        Arrived = "arrived",
        InProgress = "in_progress",
        Completed = "completed",
        Paid = "paid",
        Cancelled = "cancelled",
        NoMechanicFound = "no_mechanic_found",
        Disputed = "disputed",
        Resolved = "resolved",
    }
}

impl Status {
    /// Returns whether the status is pending … in_progress, in which the vehicle has its one open job.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Dispatching) || self.is_active()
    }

    /// Returns whether the status is accepted … in_progress, in which the mechanic has their one active job.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Accepted | Self::EnRoute | Self::Arrived | Self::InProgress)
    }

    /// Returns whether the status is pending … in_progress or no_mechanic_found, in which something may still happen
    /// to the job by itself.
    pub fn is_unfinished(self) -> bool {
        self.is_open() || matches!(self, Self::NoMechanicFound)
    }

    /// Returns what may be done with a job in this status, by the names of the interface.
    pub fn allowed(self) -> &'static [&'static str] {
        match self {
            Self::Pending => &["correct", "cancel"],
            Self::Dispatching => &["accept", "assign", "correct", "cancel"],
            Self::Accepted => &["en-route", "navigating", "correct", "release", "reassign", "cancel"],
            Self::EnRoute => &["arrive", "navigating", "release", "reassign", "cancel"],
            Self::Arrived => &["start", "line items", "no-show", "release", "reassign", "cancel"],
            Self::InProgress => &["line items", "complete", "cancel (admin)"],
            Self::NoMechanicFound => &["retry", "correct", "cancel"],
            Self::Completed => &["pay", "dispute"],
            Self::Paid => &["dispute"],
            Self::Disputed => &["resolve (admin)"],
            Self::Cancelled | Self::Resolved => &[],
        }
    }
}

named_enum! {
    /// The status of an offer. All but pending are final.
    OfferStatus {
        Pending = "pending",
        Accepted = "accepted",
        Declined = "declined",
        Expired = "expired",
        Revoked = "revoked",
    }
}

named_enum! {
    /// The status of a line item.
    ItemStatus {
        Proposed = "proposed",
        Approved = "approved",
        Rejected = "rejected",
        /// The job no longer has the item; only the item's last event shows this status.
        Withdrawn = "withdrawn",
    }
}

named_enum! {
    /// The reason why help is urgent. Accident and highway jobs skip the first, narrow dispatch round.
    Urgency {
        Normal = "normal",
        Highway = "highway",
        Accident = "accident",
    }
}
