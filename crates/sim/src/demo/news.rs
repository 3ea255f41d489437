//! The reports of the demo's people to the statistics.

use uuid::Uuid;

use super::{api_client::Job, revenue::PaymentKind};

/// Something that a person in the demo saw or did.
#[derive(Debug, Clone)]
pub enum News {
    /// A mechanic was verified.
    Registered {
        profile: Uuid,
        name: String,
    },
    Online {
        profile: Uuid,
    },
    Offline {
        profile: Uuid,
    },
    Called {
        job: Job,
        customer: String,
        what: String,
        place: String,
    },
    /// A job as its customer sees it.
    Moved {
        job: Job,
    },
    Offered,
    Declined {
        profile: Uuid,
    },
    Ignored {
        profile: Uuid,
    },
    /// The mechanic accepted an offer that was gone.
    TooLate {
        profile: Uuid,
    },
    /// A customer asked once more after no mechanic was found.
    Retried {
        job: Uuid,
    },
    /// A customer agreed to a line item.
    Approved {
        customer: String,
        item: String,
    },
    /// A payment failed.
    PayFailed {
        customer: String,
    },
    /// The service shows a payment as captured.
    Paid {
        customer: String,
        kind: PaymentKind,
        paise: i64,
    },
    /// A mechanic asked for a payout.
    Withdrew {
        profile: Uuid,
        paise: i64,
    },
    /// A breakdown for which no customer was free.
    NobodyFree,
    Reconnected,
    /// Something that must not happen.
    Trouble {
        who: String,
        what: String,
    },
}
