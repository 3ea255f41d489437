//! The reasons why a command was not executed. The interface shows most of these texts to people.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    named::named_enum,
    status::{ItemStatus, Status},
};

named_enum! {
    /// The reason why dispatch would leave out a mechanic whom an admin wants to assign.
    BrokenRule {
        VehicleType = "vehicle_type",
        ServiceCategory = "service_category",
        /// The mechanic is not available, or has no recent and exact position.
        Offline = "offline",
        OutsideOwnRadius = "outside_own_radius",
        /// They declined the job, let its offers expire, gave it back or were taken off it.
        Excluded = "excluded",
    }
}

impl BrokenRule {
    /// Returns a text that continues "this mechanic …".
    pub fn text(self) -> &'static str {
        match self {
            Self::VehicleType => "does not serve this type of vehicle",
            Self::ServiceCategory => "does not offer this kind of help",
            Self::Offline => "is not online with a recent position",
            Self::OutsideOwnRadius => "is farther away than they are willing to come",
            Self::Excluded => "declined this job, gave it back or was taken off it",
        }
    }
}

named_enum! {
    /// The action that a caller wanted to take with a job.
    Wanted {
        Assign = "assign",
        SetOut = "set_out",
        DriveToIt = "drive_to_it",
        ReportArrival = "report_arrival",
        StartWork = "start_work",
        Load = "load",
        Complete = "complete",
        Release = "release",
        TakeBack = "take_back",
        ReportNoShow = "report_no_show",
        ContestNoShow = "contest_no_show",
        DecideNoShow = "decide_no_show",
        Reassign = "reassign",
        Cancel = "cancel",
        Retry = "retry",
        Correct = "correct",
        MoveInTime = "move_in_time",
        AddItem = "add_item",
        AmendItem = "amend_item",
        WithdrawItem = "withdraw_item",
        ApproveItem = "approve_item",
        RejectItem = "reject_item",
        SendMessages = "send_messages",
        RecordPayment = "record_payment",
        Pay = "pay",
        Dispute = "dispute",
        Resolve = "resolve",
    }
}

impl Wanted {
    /// Returns a text that continues "you can't …".
    pub fn text(self) -> &'static str {
        match self {
            Self::Assign => "assign it",
            Self::SetOut => "set out for it",
            Self::DriveToIt => "drive to it",
            Self::ReportArrival => "report your arrival",
            Self::StartWork => "start the work",
            Self::Load => "load its vehicle",
            Self::Complete => "complete it",
            Self::Release => "release it",
            Self::TakeBack => "take it back",
            Self::ReportNoShow => "report a no-show",
            Self::ContestNoShow => "contest its no-show",
            Self::DecideNoShow => "decide about its no-show",
            Self::Reassign => "reassign it",
            Self::Cancel => "cancel it",
            Self::Retry => "retry it",
            Self::Correct => "correct it",
            Self::MoveInTime => "move it to another time",
            Self::AddItem => "add a line item",
            Self::AmendItem => "amend a line item",
            Self::WithdrawItem => "withdraw a line item",
            Self::ApproveItem => "approve a line item",
            Self::RejectItem => "reject a line item",
            Self::SendMessages => "send messages about it",
            Self::RecordPayment => "record a payment for it",
            Self::Pay => "pay it",
            Self::Dispute => "dispute it",
            Self::Resolve => "resolve it",
        }
    }
}

named_enum! {
    /// The reason why a mechanic can't take any job.
    Ineligibility {
        NotVerified = "not_verified",
        ProfileNotLoaded = "profile_not_loaded",
    }
}

impl Ineligibility {
    /// Returns a text that continues "this mechanic can't take jobs: …".
    pub fn text(self) -> &'static str {
        match self {
            Self::NotVerified => "they are not verified",
            Self::ProfileNotLoaded => "their profile could not be loaded",
        }
    }
}

named_enum! {
    /// The reason why a job can't be completed with this outcome.
    TowFault {
        /// The job was to end as towed, although no vehicle was loaded.
        NotLoaded = "not_loaded",
        /// The job was to end otherwise, although the vehicle is loaded.
        IsLoaded = "is_loaded",
        NoPhotos = "no_photos",
        NoReceiver = "no_receiver",
    }
}

impl TowFault {
    /// Returns a whole sentence.
    pub fn text(self) -> &'static str {
        match self {
            Self::NotLoaded => "A job is towed once its vehicle is loaded.",
            Self::IsLoaded => "The vehicle is loaded, so this job can only end as towed.",
            Self::NoPhotos => "Show the vehicle at its destination with at least one photo.",
            Self::NoReceiver => "Name who received the vehicle.",
        }
    }
}

/// The reason why a command was not executed.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize)]
pub enum Refusal {
    #[error("This job does not exist.")]
    NotFound,
    #[error("This job is not assigned to this mechanic.")]
    NotYours,
    #[error("{}", invalid_transition(*from, *wanted))]
    InvalidTransition { from: Status, wanted: Wanted },
    #[error("Another mechanic has already taken this job.")]
    OfferTaken,
    #[error("This offer is no longer open.")]
    OfferExpired,
    /// A mechanic has at most one active job, by the journal's constraint.
    #[error("This mechanic already has an active job, which has to end first.")]
    MechanicBusy,
    /// A vehicle has at most one open job, by the journal's constraint.
    #[error("This vehicle already has an open job. Cancel it, or wait until it ends.")]
    VehicleBusy,
    #[error(
        "You have {most} open jobs, which is the most at a time. Finish or cancel one of them, or ask us for more."
    )]
    TooManyOpenJobs { most: u32 },
    #[error("This vehicle was deleted. Choose another one.")]
    VehicleGone,
    #[error("Help of this category is no longer offered. Choose another one.")]
    CategoryGone,
    #[error("This case is not open any more, so it takes no job.")]
    CaseNotOpen,
    #[error("Only active customers can create jobs.")]
    NotACustomer,
    #[error("This mechanic can't take jobs: {}.", .0.text())]
    NotEligible(Ineligibility),
    #[error("This mechanic {}.", .0.iter().map(|rule| rule.text()).collect::<Vec<_>>().join(", "))]
    RulesBroken(Vec<BrokenRule>),
    #[error("Cancelling now costs {fee_paise} paise. Accept the fee to cancel.")]
    FeeChanged { fee_paise: i64 },
    #[error("You have cancelled too often for this to be free. Look at the fee and decide again.")]
    FreeCancellationsUsed,
    #[error(
        "This job can't be changed any more. Cancel it and create a new one, or tell your mechanic in the chat once you \
         have one."
    )]
    TooManyCorrections,
    #[error("Of the cover, {left_paise} paise are left: the person who is helped decides about this item.")]
    BeyondCover { left_paise: i64 },
    /// The job changed after it was read, so what was decided then may be wrong now.
    #[error("This job changed in the meantime. Look at it and try again.")]
    JobChanged,
    #[error(
        "You can move the pickup by at most {limit_m:.0} m. If you are farther away, cancel this job and create a new one."
    )]
    MovedTooFar { limit_m: f64 },
    /// The price of the whole job at the new place.
    #[error("At the new place this job costs {price_paise} paise. Confirm that price.")]
    PriceChanged { price_paise: i64 },
    #[error("The start code is wrong. Tries left: {left}.")]
    WrongStartCode { left: u32 },
    #[error("Too many wrong start codes. Try again in {wait_s} s.")]
    StartLocked { wait_s: u64 },
    #[error(
        "Your last plausible position is not within {limit_m:.0} m of the pickup. Go closer, or give a reason why \
         you have arrived all the same."
    )]
    TooFar { distance_m: Option<f64>, limit_m: f64 },
    #[error(
        "Your last plausible position is not within {limit_m:.0} m of the destination. Take the vehicle there, or give a reason \
         why it is delivered all the same."
    )]
    NotDelivered { distance_m: Option<f64>, limit_m: f64 },
    /// The mechanic has no recent position.
    #[error("Your position is not known yet. Let this app use your location, and try again.")]
    NoPosition,
    /// The mechanic's phone is not at the place where they say that they wait.
    #[error(
        "Your phone is {distance_m:.0} m from this place. Choose a place within {limit_m:.0} m of where you are."
    )]
    NotAtPlace { distance_m: f64, limit_m: f64 },
    #[error(
        "You no longer offer this kind of help for this type of vehicle, so you can't take this job back."
    )]
    NoLongerFits,
    #[error("You can report a no-show from {from} on.")]
    TooEarly { from: DateTime<Utc> },
    #[error("This could be contested until {until}.")]
    TooLate { until: DateTime<Utc> },
    #[error("This line item does not exist.")]
    NoSuchItem,
    #[error("This line item is already {}, so it can't be changed.", .0.as_str())]
    ItemDecided(ItemStatus),
    /// The item was amended after the customer saw it.
    #[error(
        "This line item is now version {version} and comes to {total_paise} paise. Check it and decide again."
    )]
    ItemChanged { version: i64, total_paise: i64 },
    /// The job has as many line items, or as long a log of them, as it may have.
    #[error("This job can't take any more changes to its line items.")]
    TooManyItems,
    #[error("With this the job would cost less than nothing, or more than can be charged.")]
    PriceOutOfRange,
    #[error("The discount is larger than what is approved so far. Approve other line items first.")]
    DiscountTooLarge,
    /// A tow's price follows from its destination.
    #[error("The price of a tow follows from its destination. Withdraw it and propose another one.")]
    TowIsFixed,
    #[error(
        "The price of a tow follows from its destination. Propose the tow with the place where the vehicle goes."
    )]
    TowWithoutDestination,
    #[error("This job has a destination already.")]
    HasDestination,
    #[error("The customer has yet to decide about a tow. Withdraw it first to propose another one.")]
    TowUndecided,
    #[error("This job has no destination. Propose a tow first.")]
    NoDestination,
    #[error("The vehicle is loaded. Take it to its destination and complete the job there as towed.")]
    VehicleLoaded,
    #[error("{}", .0.text())]
    NotTowed(TowFault),
    #[error("The customer has to decide on all line items first. Undecided: {undecided}.")]
    PendingApproval { undecided: usize },
    /// Internal: the proposal is for a dispatch round that is over.
    #[error("the proposal is stale")]
    StaleProposal,
    /// Internal: the finding is about an assignment, or a concern, that is over.
    #[error("the finding is stale")]
    StaleFinding,
    /// Internal: no deadline has passed.
    #[error("nothing is due")]
    NothingDue,
    /// The same command succeeded before: the caller gets the same answer again.
    #[error("already done")]
    AlreadyDone,
    /// Nothing was changed; the caller may try again.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// The commit may have happened.
    #[error("outcome unknown: {0}")]
    OutcomeUnknown(String),
}

fn invalid_transition(from: Status, wanted: Wanted) -> String {
    let state = match from {
        Status::Pending => "Dispatch has not begun for this job",
        Status::Dispatching => "A mechanic is being sought for this job",
        Status::Accepted => "A mechanic has accepted this job",
        Status::EnRoute => "The mechanic is on the way",
        Status::Arrived => "The mechanic has arrived",
        Status::InProgress => "The work is in progress",
        Status::Completed => "This job is already completed",
        Status::Paid => "This job is already paid",
        Status::Cancelled => "This job is already cancelled",
        Status::NoMechanicFound => "No mechanic was found for this job",
        Status::Disputed => "This job is already disputed",
        Status::Resolved => "The dispute about this job is already resolved",
    };
    let says_it_all = matches!(
        (from, wanted),
        (Status::Cancelled, Wanted::Cancel)
            | (Status::Completed, Wanted::Complete)
            | (Status::Paid, Wanted::Pay)
            | (Status::Disputed, Wanted::Dispute)
            | (Status::Resolved, Wanted::Resolve)
    );
    if says_it_all {
        return format!("{state}.");
    }
    let wanted = wanted.text();
    match from.allowed() {
        [] => format!("{state}, so you can't {wanted}."),
        allowed => format!("{state}, so you can't {wanted}. Possible now: {}.", allowed.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_transition_says_why_and_what_is_possible() {
        let text = |from, wanted| Refusal::InvalidTransition { from, wanted }.to_string();
        assert_eq!(text(Status::Cancelled, Wanted::Cancel), "This job is already cancelled.");
        assert_eq!(
            text(Status::Cancelled, Wanted::StartWork),
            "This job is already cancelled, so you can't start the work."
        );
        assert_eq!(
            text(Status::EnRoute, Wanted::StartWork),
            "The mechanic is on the way, so you can't start the work. Possible now: arrive, navigating, release, reassign, cancel."
        );
    }
}
