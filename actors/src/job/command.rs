//! The commands to a job. Pure data.

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

/// The issuer of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Actor {
    Customer(UserId),
    Mechanic(UserId),
    Admin(UserId),
    /// An organisation, by the account in whose name its jobs are.
    Partner(UserId),
    System,
}

impl Actor {
    /// Returns the account of the issuer; `None` for the service itself.
    pub fn user(self) -> Option<UserId> {
        match self {
            Self::Customer(user) | Self::Mechanic(user) | Self::Admin(user) | Self::Partner(user) => {
                Some(user)
            }
            Self::System => None,
        }
    }
}

/// A command to a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// Does what is due after time has passed.
    Tick,
    /// Offers the job to mechanics whom the dispatcher reserved.
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
    /// Withdraws the offer of a mechanic who can no longer serve the job.
    Revoke {
        offer_id: OfferId,
        mechanic_id: MechanicId,
    },
    /// Assigns a mechanic whom an admin chose, without an offer.
    Assign {
        mechanic_id: MechanicId,
        eta_s: u32,
        start_code: String,
        overridden: Option<Override>,
    },
    EnRoute {
        mechanic_id: MechanicId,
    },
    /// Notes that another app shows the mechanic the way from now on, or that they are back in the app.
    Navigate {
        mechanic_id: MechanicId,
        is_elsewhere: bool,
    },
    /// Gives the job back to a mechanic who lost it because their phone was silent.
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
    /// Notes that the vehicle is on the truck.
    Load {
        mechanic_id: MechanicId,
        photo_urls: Vec<String>,
    },
    Complete {
        mechanic_id: MechanicId,
        outcome: Outcome,
        notes: Option<String>,
        photo_urls: Vec<String>,
        /// The person who took the vehicle at its destination.
        received_by: Option<String>,
        /// Absent if a server of an earlier release sent the command.
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
    /// Reports what the watch over this mechanic found in this attempt.
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
        /// How often the customer may still use the free time; `None` means always.
        free_cancellations: Option<FreeCancellationAllowance>,
    },
    Retry {
        /// See [`JobDetails`](super::model::JobDetails).
        most_open_jobs: Option<u32>,
    },
    /// Contests a no-show that was reported of the customer.
    ContestNoShow,
    /// Sets what a customer pays for a reported no-show, as an admin decided.
    DecideNoShow {
        fee_paise: i64,
    },
    /// Corrects a mistake of the customer's in the job.
    Correct(Box<Correction>),
    Item(ItemCommand),
    /// Shows watchers that a payment of the job, or of its cancellation fee, has changed.
    NotePayment {
        payment_id: Uuid,
    },
    /// Notes a message from the customer to this mechanic, or from the mechanic to the customer.
    NoteMessage {
        message_id: Uuid,
        mechanic_id: MechanicId,
    },
    /// Shows watchers that a call between the job's two sides has changed.
    NoteCall {
        call_id: Uuid,
    },
    /// Marks the job as paid, because everything due is paid.
    Pay,
    /// Contests the work or its price, for the customer or the mechanic.
    Dispute,
    /// Settles the dispute, as an admin decided.
    Resolve,
}

/// Evidence from the mechanic's actor that the mechanic is at the pickup.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The metres from the last plausible, fresh position to the pickup; `None` without such a position.
    pub distance_m: Option<f64>,
}

/// The evidence about the trip of a vehicle that is handed over. The engine fills in what the mechanic's actor
/// knows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DropOff {
    /// The metres from the last plausible, fresh position to the destination; `None` without such a position.
    pub distance_m: Option<f64>,
    /// The least metres driven with the vehicle: between positions in straight lines. `None` if no position came
    /// since it was loaded.
    pub driven_m: Option<f64>,
    /// Why the vehicle is delivered although no position shows it.
    pub override_reason: Option<String>,
}

/// The result of a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// `None` if the same command had succeeded before.
    pub event: Option<Event>,
    /// The current job.
    pub job: Job,
}
