//! What can be asked of a job. Pure data.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    corrections::Correction,
    event::{Event, Override},
    fee::{AcceptedFee, FreeCancellationAllowance, MechanicProgress},
    items::ItemCommand,
    model::{Job, Outcome, Proposal},
};
use crate::{
    concern::Finding,
    ids::{MechanicId, OfferId, UserId},
};

/// Who issues a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Actor {
    Customer(UserId),
    Mechanic(UserId),
    Admin(UserId),
    System,
}

/// What can be asked of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// The mechanic can no longer serve the job.
    Revoke {
        offer_id: OfferId,
        mechanic_id: MechanicId,
    },
    /// An admin chooses the mechanic, without an offer.
    Assign {
        mechanic_id: MechanicId,
        eta_s: u32,
        start_code: String,
        overridden: Option<Override>,
    },
    EnRoute {
        mechanic_id: MechanicId,
    },
    /// Another app shows the mechanic the way from now on, or they are back in the app.
    Navigate {
        mechanic_id: MechanicId,
        is_elsewhere: bool,
    },
    /// The mechanic who lost the job because their phone was silent is there again.
    TakeBack {
        mechanic_id: MechanicId,
        eta_s: u32,
        start_code: String,
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
    /// The vehicle is on the truck.
    Load {
        mechanic_id: MechanicId,
        photo_urls: Vec<String>,
    },
    Complete {
        mechanic_id: MechanicId,
        outcome: Outcome,
        notes: Option<String>,
        photo_urls: Vec<String>,
        /// Who took the vehicle at its destination.
        received_by: Option<String>,
        /// A server of an earlier release leaves it out.
        #[serde(default)]
        drop_off: DropOff,
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
    /// What the watch over this mechanic found in this attempt.
    Watch {
        mechanic_id: MechanicId,
        attempt: u32,
        finding: Finding,
    },
    Cancel {
        by_admin: bool,
        reason_code: String,
        reason: Option<String>,
        accepted_fee: AcceptedFee,
        progress: MechanicProgress,
        /// How often the customer may still use the free time; `None`: always.
        free_cancellations: Option<FreeCancellationAllowance>,
    },
    Retry {
        /// As in [`JobDetails`](super::model::JobDetails).
        most_open_jobs: Option<u32>,
    },
    /// The customer who is said not to have shown up contests it.
    ContestNoShow,
    /// An admin decides what a customer pays who is said not to have shown up.
    DecideNoShow {
        fee_paise: i64,
    },
    /// The customer corrects a mistake in the job.
    Correct(Box<Correction>),
    Item(ItemCommand),
    /// A payment of the job, or of its cancellation fee, has changed: watchers are shown it.
    NotePayment {
        payment_id: Uuid,
    },
    /// The customer wrote to this mechanic, or the mechanic to the customer.
    NoteMessage {
        message_id: Uuid,
        mechanic_id: MechanicId,
    },
    /// A call between the job's two sides has changed: watchers are shown it.
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Metres from the last plausible, fresh position to the pickup; `None` without one.
    pub distance_m: Option<f64>,
}

/// What is known of the way of a vehicle that is handed over. The engine fills in what the mechanic's actor knows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DropOff {
    /// Metres from the last plausible, fresh position to the destination; `None` without one.
    pub distance_m: Option<f64>,
    /// Metres driven with it, at least: between positions in straight lines. `None` if no position came since it was loaded.
    pub driven_m: Option<f64>,
    /// Why it is delivered although no position shows it.
    pub override_reason: Option<String>,
}

/// What a command led to.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// `None` if the same command had succeeded before.
    pub event: Option<Event>,
    /// The job as it is now.
    pub job: Job,
}
