//! Fields of jobs that have a fixed set of values.

use std::borrow::Cow;

use roadcall_actors::{
    concern::Concern,
    job::state::{
        Actor, EventName, LeaveReason as EngineLeaveReason, NO_MECHANIC_FOUND, NO_SHOW,
        Outcome as EngineOutcome, Status, Urgency as EngineUrgency,
    },
};
use serde::Serialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};

pub use crate::fleet::eta::EtaSourceName as EtaSource;
use crate::{
    http::{closed_list, text_enum},
    wire::Named,
};

pub type JobStatus = Named<Status>;

text_enum! {
    /// The people whom the mechanic calls.
    ContactPreference { Booker = "booker", Beneficiary = "beneficiary", Both = "both", }
}

impl ContactPreference {
    /// Returns the error if the mechanic is to contact the beneficiary but their number is missing.
    pub fn fault(self, beneficiary_phone: Option<&str>) -> Option<(&'static str, &'static str)> {
        let names_beneficiary = matches!(self, Self::Beneficiary | Self::Both);
        (names_beneficiary && beneficiary_phone.is_none())
            .then_some(("beneficiary_phone", "is required if the mechanic is to contact the beneficiary"))
    }
}

pub type Urgency = Named<EngineUrgency>;

pub type Outcome = Named<EngineOutcome>;

text_enum! {
    /// The reason why a customer cancels.
    CancelReason {
        ChangedMind = "changed_mind",
        FoundOtherHelp = "found_other_help",
        WaitTooLong = "wait_too_long",
        MechanicAskedToCancel = "mechanic_asked_to_cancel",
        WrongDetails = "wrong_details",
        Other = "other",
    }
}

/// The reason code of a cancellation by an admin.
pub const BY_ADMIN: &str = "admin";

/// The reason why a job was cancelled: the customer's, an admin's or the service's.
#[derive(Debug, Clone, Serialize)]
pub struct CancelReasonCode(pub String);

impl PartialSchema for CancelReasonCode {
    fn schema() -> RefOr<Schema> {
        let customers = CancelReason::ALL.iter().map(|reason| reason.as_str());
        closed_list(
            customers.chain([BY_ADMIN, NO_MECHANIC_FOUND, NO_SHOW]),
            "Why a job was cancelled: the customer's reason; `admin`, for the reason that an admin wrote down; `no_mechanic_found`, if nobody \
             came and the customer did not search again; or `customer_no_show`.",
        )
    }
}

impl ToSchema for CancelReasonCode {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("CancelReasonCode")
    }
}

/// The name of an event that every participant of a job sees in its timeline.
#[derive(Debug, Clone, Serialize)]
pub struct TimelineEvent(pub String);

impl PartialSchema for TimelineEvent {
    fn schema() -> RefOr<Schema> {
        // Messages are shown in the chat.
        let is_shown = |event: &EventName| event.is_public() && *event != EventName::Message;
        closed_list(
            EventName::ALL.into_iter().filter(is_shown).map(EventName::as_str),
            "What happened to a job.",
        )
    }
}

impl ToSchema for TimelineEvent {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("TimelineEvent")
    }
}

text_enum! {
    /// The reason why a mechanic gives a job back.
    ReleaseReason {
        VehicleTrouble = "vehicle_trouble",
        CannotReach = "cannot_reach",
        MissingParts = "missing_parts",
        WrongSkill = "wrong_skill",
        Personal = "personal",
        Other = "other",
    }
}

pub type JobConcern = Named<Concern>;

pub type LeaveReason = Named<EngineLeaveReason>;

text_enum! {
    /// The concern that a list of jobs is limited to; `any` means any concern.
    ConcernFilter {
        Any = "any",
        Dark = "dark",
        Stalled = "stalled",
        MovingAway = "moving_away",
        Slipping = "slipping",
    }
}

impl ConcernFilter {
    pub fn concerns(self) -> Vec<JobConcern> {
        match self {
            Self::Any => Concern::ALL.map(Named).to_vec(),
            Self::Dark => vec![Named(Concern::Dark)],
            Self::Stalled => vec![Named(Concern::Stalled)],
            Self::MovingAway => vec![Named(Concern::MovingAway)],
            Self::Slipping => vec![Named(Concern::Slipping)],
        }
    }
}

text_enum! {
    /// The kind of person that acted on a job, or the system.
    ActorKind {
        Customer = "customer",
        Mechanic = "mechanic",
        Admin = "admin",
        /// The organisation that ordered the job.
        Partner = "partner",
        System = "system",
    }
}

impl From<Actor> for ActorKind {
    fn from(actor: Actor) -> Self {
        match actor {
            Actor::Customer(_) => Self::Customer,
            Actor::Mechanic(_) => Self::Mechanic,
            Actor::Admin(_) => Self::Admin,
            Actor::Partner(_) => Self::Partner,
            Actor::System => Self::System,
        }
    }
}

text_enum! {
    /// The stage of the work at which a photo was taken.
    PhotoStage { Before = "before", During = "during", After = "after", }
}

text_enum! {
    /// The role in which the caller's jobs are listed.
    ListRole { Customer = "customer", Mechanic = "mechanic", }
}
