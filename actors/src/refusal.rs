//! Why a command was not carried out. Every variant is one that the interface can show.

use chrono::{DateTime, Utc};

use crate::status::{ItemStatus, Status};

/// Why a command was not carried out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error("no such job")]
    NotFound,
    #[error("the job is not this mechanic's")]
    NotYours,
    #[error("a job in {} can't {wanted}; allowed: {}", from.as_str(), listed(from.allowed()))]
    InvalidTransition { from: Status, wanted: &'static str },
    #[error("another mechanic took the job")]
    OfferTaken,
    #[error("the offer is no longer open")]
    OfferExpired,
    /// The mechanic's one active job, by the journal's constraint.
    #[error("the mechanic has an active job")]
    MechanicBusy,
    /// The vehicle's one open job, by the journal's constraint.
    #[error("the vehicle has an open job")]
    VehicleBusy,
    #[error("the vehicle was deleted")]
    VehicleGone,
    #[error("help of this category is not offered any more")]
    CategoryGone,
    #[error("jobs are for active customers")]
    NotACustomer,
    #[error("the mechanic can't be assigned: {0}")]
    NotEligible(&'static str),
    #[error("the fee is now {fee_paise} paise")]
    FeeChanged { fee_paise: i64 },
    #[error("the start code is wrong, {left} tries left")]
    WrongStartCode { left: u32 },
    #[error("too many wrong start codes, locked for another {wait_s} s")]
    StartLocked { wait_s: u64 },
    #[error("no arrival without a plausible position within {limit_m:.0} m of the pickup")]
    TooFar { distance_m: Option<f64>, limit_m: f64 },
    #[error("a no-show can be reported from {from}")]
    TooEarly { from: DateTime<Utc> },
    #[error("a job can be disputed until {until}")]
    TooLate { until: DateTime<Utc> },
    #[error("no such line item")]
    NoSuchItem,
    #[error("a line item that is {} can't be changed any more", .0.as_str())]
    ItemDecided(ItemStatus),
    /// It was amended since the customer looked.
    #[error("the line item now comes to {total_paise} paise")]
    ItemChanged { total_paise: i64 },
    /// The job has as many line items, or as long a log of them, as it may.
    #[error("the job takes no more line items")]
    TooManyItems,
    #[error("the job would cost less than nothing, or more than can be asked for")]
    PriceOutOfRange,
    #[error("the discount is larger than what is approved so far")]
    DiscountTooLarge,
    #[error("{undecided} line items wait for the customer's decision")]
    PendingApproval { undecided: usize },
    /// For the engine alone: the proposal is for a round that is over.
    #[error("the proposal is stale")]
    StaleProposal,
    /// For the engine alone: it was found out about an assignment, or a concern, that is over.
    #[error("the finding is stale")]
    StaleFinding,
    /// For the engine alone: no deadline has passed.
    #[error("nothing is due")]
    NothingDue,
    /// The same command succeeded before: the caller is told so again.
    #[error("already done")]
    AlreadyDone,
    /// Nothing was changed; try again.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// The commit may have happened.
    #[error("outcome unknown: {0}")]
    OutcomeUnknown(String),
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
