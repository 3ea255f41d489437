//! Jobs on the wire.

use chrono::{DateTime, TimeDelta, Utc};
use deserr::Deserr;
use roadcall_actors::{
    concern::Concern,
    engine::{AcceptedFee, CancellationQuote as FeeQuote, FeeReason},
    job::state::{
        Actor, JobDetails, LeaveReason as EngineLeaveReason, Outcome as EngineOutcome, Status,
        Urgency as EngineUrgency,
    },
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    JobCallback, Outlook,
    people::{JobContact, JobVehicle},
    queries::{JobPhotoRow, LostJobRow, PhotoRow},
};
use crate::{
    accounts::uploads::{FileRef, FileUrl, JobPhotoFile},
    catalogue::vehicles::{VehicleKind, VehicleRow},
    http::{
        CsvRow, DescribedEnum, Id, Items, Latitude, Longitude, Money, Name, Named, Param, Phone, Several,
        Text, Timestamp, ValidationErrors, Whole, text_enum,
    },
};

pub type JobStatus = Named<Status>;

impl DescribedEnum for Status {
    const SCHEMA: &'static str = "JobStatus";
    const DESCRIPTION: Option<&'static str> = Some("Contract 3.1.");
}

text_enum! {
    /// Whom the mechanic calls.
    ContactPreference { Booker = "booker", Beneficiary = "beneficiary", Both = "both", }
}

impl ContactPreference {
    /// The error if the mechanic is to contact the beneficiary but their number is missing.
    pub fn fault(self, beneficiary_phone: Option<&str>) -> Option<(&'static str, &'static str)> {
        let names_beneficiary = matches!(self, Self::Beneficiary | Self::Both);
        (names_beneficiary && beneficiary_phone.is_none())
            .then_some(("beneficiary_phone", "is required if the mechanic is to contact the beneficiary"))
    }
}

pub type Urgency = Named<EngineUrgency>;

impl DescribedEnum for EngineUrgency {
    const SCHEMA: &'static str = "Urgency";
    const DESCRIPTION: Option<&'static str> =
        Some("Accident and highway jobs are offered to several mechanics from the start.");
}

pub type Outcome = Named<EngineOutcome>;

impl DescribedEnum for EngineOutcome {
    const SCHEMA: &'static str = "Outcome";
    const DESCRIPTION: Option<&'static str> = Some("How the work ended.");
}

text_enum! {
    /// Why a customer cancels.
    CancelReason {
        ChangedMind = "changed_mind",
        FoundOtherHelp = "found_other_help",
        WaitTooLong = "wait_too_long",
        MechanicAskedToCancel = "mechanic_asked_to_cancel",
        WrongDetails = "wrong_details",
        Other = "other",
    }
}

text_enum! {
    /// Why a mechanic gives a job back.
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

impl DescribedEnum for Concern {
    const SCHEMA: &'static str = "JobConcern";
    const DESCRIPTION: Option<&'static str> = Some(
        "What is wrong with the mechanic on its way: nothing is heard of it, it stands still, it gets farther away, or it\nwill be late.",
    );
}

pub type LeaveReason = Named<EngineLeaveReason>;

impl DescribedEnum for EngineLeaveReason {
    const SCHEMA: &'static str = "LeaveReason";
    const DESCRIPTION: Option<&'static str> = Some(
        "Why a mechanic left a job. They gave it back (vehicle_trouble, cannot_reach, missing_parts, wrong_skill, personal, other), or\nit was taken from them: nothing came from their phone (silent), they stood still (stalled), got farther away (moving_away) or\nwould have been late (late), or an admin did it (reassigned).",
    );
}

text_enum! {
    /// Jobs with this concern, or with any.
    ConcernFilter {
        Any = "any",
        Dark = "dark",
        Stalled = "stalled",
        MovingAway = "moving_away",
        Slipping = "slipping",
    }
}

text_enum! {
    /// Who did something to a job.
    ActorKind { Customer = "customer", Mechanic = "mechanic", Admin = "admin", System = "system", }
}

impl From<Actor> for ActorKind {
    fn from(actor: Actor) -> Self {
        match actor {
            Actor::Customer(_) => Self::Customer,
            Actor::Mechanic(_) => Self::Mechanic,
            Actor::Admin(_) => Self::Admin,
            Actor::System => Self::System,
        }
    }
}

text_enum! {
    /// When a photo was taken.
    PhotoStage { Before = "before", During = "during", After = "after", }
}

/// A job (contract 2.3). Every field is always present; it is null if it is empty or not meant for this reader.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Job {
    pub id: Uuid,
    pub customer_id: Uuid,
    pub vehicle_id: Uuid,
    pub vehicle_type: VehicleKind,
    pub vehicle: JobVehicle,
    pub service_category_id: Uuid,
    /// As it was when the job was created; it stays even if the category is deleted. So does the slug.
    pub service_category_name: String,
    pub service_category_slug: String,
    pub status: JobStatus,
    /// Number of the last event in the job's log that this includes.
    pub seq: i64,
    pub pickup_address: String,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    pub description: Option<String>,
    pub photo_urls: Vec<String>,
    pub beneficiary_name: Option<String>,
    /// Null for mechanics.
    pub beneficiary_phone: Option<String>,
    pub contact_preference: ContactPreference,
    /// Null for the mechanic once the job is over.
    pub customer_first_name: Option<String>,
    /// Only for the mechanic, from acceptance until the job is over.
    pub contact: Option<JobContact>,
    pub urgency: Urgency,
    pub scheduled_for: Option<Timestamp>,
    /// The unit of all amounts.
    #[schema(example = "INR")]
    pub currency: String,
    pub base_price: Money,
    pub travel_price: Money,
    pub estimated_price: Money,
    pub final_price: Option<Money>,
    pub cancellation_fee: Option<Money>,
    /// What the customer can expect while a mechanic is sought (pending once due, dispatching, no_mechanic_found). Only in
    /// `GET /jobs/{id}`, for the customer and admins; null elsewhere, where it is no news: `dispatch.outlook` frames are.
    pub outlook: Option<Outlook>,
    /// The customer's request to be called. Only in answers to GET, for the customer and admins; null elsewhere, and in the frames of
    /// a socket, where it is no news.
    pub callback: Option<JobCallback>,
    /// More about the mechanic: GET /mechanics/{id}.
    pub mechanic_profile_id: Option<Uuid>,
    pub mechanic_first_name: Option<String>,
    /// Four digits that the mechanic needs to start work; only for the customer, from accepted to arrived.
    pub start_code: Option<String>,
    /// The room in which the customer and the present mechanic talk; null until one of them asks for a token.
    pub hms_room_id: Option<String>,
    pub outcome: Option<Outcome>,
    pub outcome_notes: Option<String>,
    pub cancel_reason_code: Option<String>,
    pub cancel_reason: Option<String>,
    pub accepted_at: Option<Timestamp>,
    /// When the mechanic was expected at acceptance.
    pub promised_at: Option<Timestamp>,
    /// The problem with the mechanic on the way that the customer was notified of. Null once it is over or the mechanic
    /// has arrived. While it is set, cancelling is free.
    pub concern: Option<JobConcern>,
    /// Since when there is a reason for it, e.g. when the mechanic last reported.
    pub concern_since: Option<Timestamp>,
    /// Since when another app shows the mechanic the way: their position may not be shared until they are back in this one.
    /// Null otherwise.
    pub navigating_since: Option<Timestamp>,
    /// Why the job has no mechanic although it had one. For the customer and admins, while another one is sought and after
    /// that was in vain; else null.
    pub mechanic_left: Option<MechanicLeft>,
    pub en_route_at: Option<Timestamp>,
    pub arrived_at: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub completed_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
    pub disputed_at: Option<Timestamp>,
    pub resolved_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Why and when the last mechanic of a job left it.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct MechanicLeft {
    pub reason: LeaveReason,
    pub at: Timestamp,
}

/// Whether another app shows the mechanic the way from now on.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Navigating {
    /// False: they are back in this app. True if not given.
    #[deserr(default)]
    pub is_elsewhere: Option<bool>,
}

/// A job that the caller lost because nothing came from their phone, and that nobody else has taken. No more is shown of it
/// than in an offer.
#[derive(Debug, Serialize, ToSchema)]
pub struct LostJob {
    pub job_id: Uuid,
    pub service_category_name: String,
    pub service_category_slug: String,
    pub vehicle_type: VehicleKind,
    pub vehicle_make: String,
    pub vehicle_model: String,
    /// When it was lost.
    pub left_at: Timestamp,
}

impl From<LostJobRow> for LostJob {
    fn from(row: LostJobRow) -> Self {
        Self {
            job_id: row.id,
            service_category_name: row.service_category_name,
            service_category_slug: row.service_category_slug,
            vehicle_type: row.vehicle_type,
            vehicle_make: row.vehicle_make,
            vehicle_model: row.vehicle_model,
            left_at: row.left_at.into(),
        }
    }
}

impl Job {
    /// Removes what helps to find the vehicle and to reach its people.
    pub(super) fn without_contact(self) -> Self {
        let vehicle = JobVehicle { registration_number: None, ..self.vehicle };
        Self { vehicle, contact: None, customer_first_name: None, ..self }
    }
}

impl CsvRow for Job {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "customer_id",
        "vehicle_id",
        "vehicle_type",
        "vehicle",
        "service_category_id",
        "service_category_name",
        "service_category_slug",
        "status",
        "seq",
        "pickup_address",
        "pickup_lat",
        "pickup_lng",
        "description",
        "photo_urls",
        "beneficiary_name",
        "beneficiary_phone",
        "contact_preference",
        "customer_first_name",
        "contact",
        "urgency",
        "scheduled_for",
        "currency",
        "base_price",
        "travel_price",
        "estimated_price",
        "final_price",
        "cancellation_fee",
        "outlook",
        "callback",
        "mechanic_profile_id",
        "mechanic_first_name",
        "start_code",
        "hms_room_id",
        "outcome",
        "outcome_notes",
        "cancel_reason_code",
        "cancel_reason",
        "accepted_at",
        "promised_at",
        "concern",
        "concern_since",
        "navigating_since",
        "mechanic_left",
        "en_route_at",
        "arrived_at",
        "started_at",
        "completed_at",
        "cancelled_at",
        "disputed_at",
        "resolved_at",
        "created_at",
        "updated_at",
    ];
}

/// What a job would cost.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct EstimateRequest {
    pub vehicle_id: Id,
    pub service_category_id: Id,
    pub pickup_lat: Latitude,
    pub pickup_lng: Longitude,
}

/// What help would cost, and how soon it could come.
#[derive(Debug, Serialize, ToSchema)]
pub struct Estimate {
    pub base_price: Money,
    pub travel_price: Money,
    pub estimated_price: Money,
    pub currency: String,
    pub breakdown: Vec<PricePart>,
    /// Minimum and maximum minutes until a mechanic arrives: the wait of `outlook`, and half as much again. Null without one.
    pub eta_range_min: Option<[u32; 2]>,
    /// Source of the nearest free mechanic's travel time, if one is asked: straight_line, straight_line_learned, osrm, osrm_learned.
    pub eta_source: Option<&'static str>,
    /// How many mechanics are free for this call: 0 if those who are free are kept for other jobs.
    pub available_mechanics: usize,
    /// What to expect of a call here and now; null if the engine is too busy to say.
    pub outlook: Option<Outlook>,
    /// No mechanic can come, and none who works for the service was last seen where this is within their reach, online or not: a job
    /// here would find nobody, however long it waits.
    pub is_outside_area: bool,
    /// What the customer owes for cancelled jobs.
    pub unpaid_fees: Money,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PricePart {
    #[schema(example = "base_price")]
    pub name: String,
    pub amount: Money,
}

/// Why help can't be scheduled for that time; `None` if it can.
pub(super) fn schedule_fault(at: Timestamp, horizon: TimeDelta, now: DateTime<Utc>) -> Option<String> {
    if at.0 <= now {
        Some("must be in the future".to_owned())
    } else {
        (at.0 - now > horizon).then(|| format!("must be within {} days", horizon.num_days()))
    }
}

/// When dispatch begins for help at that time, or at once.
pub(super) fn begins_at(
    scheduled_for: Option<DateTime<Utc>>,
    lead: TimeDelta,
    now: DateTime<Utc>,
) -> DateTime<Utc> {
    scheduled_for.map_or(now, |at| (at - lead).max(now))
}

/// A call for help.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewJob {
    pub vehicle_id: Id,
    pub service_category_id: Id,
    pub pickup_address: Text<1, 500>,
    pub pickup_lat: Latitude,
    pub pickup_lng: Longitude,
    #[deserr(default)]
    pub description: Option<Text<1, 2000>>,
    #[deserr(default)]
    #[schema(value_type = Option<Vec<FileUrl>>, max_items = 10)]
    pub photo_urls: Option<Items<FileUrl, 0, 10>>,
    /// Who is served, if not the caller.
    #[deserr(default)]
    pub beneficiary_name: Option<Name<100>>,
    /// Their number. `POST /jobs/{id}/share` sends the link to the job there if asked to (`send_to`). Mechanics see the
    /// number only if `contact_preference` names the beneficiary and the operator shows numbers at all.
    #[deserr(default)]
    pub beneficiary_phone: Option<Phone>,
    /// Whom the mechanic writes to and calls. The beneficiary is reached through a link that allows it (`may_contact`).
    /// Default booker; the other values need `beneficiary_phone`.
    #[deserr(default)]
    pub contact_preference: Option<ContactPreference>,
    #[deserr(default)]
    pub urgency: Option<Urgency>,
    /// When help should come; dispatch begins some time before. If left out: now.
    #[deserr(default)]
    pub scheduled_for: Option<Timestamp>,
}

impl NewJob {
    /// What the types of the fields can't check. Help can be scheduled up to `horizon` ahead.
    pub fn faults(&self, horizon: TimeDelta, now: DateTime<Utc>) -> ValidationErrors {
        let mut faults = ValidationErrors::default();
        let phone = self.beneficiary_phone.as_ref().map(|phone| phone.0.as_str());
        if let Some((field, why)) = self.contact_preference.and_then(|preference| preference.fault(phone)) {
            faults.add(field, why);
        }
        if let Some(why) = self.scheduled_for.and_then(|at| schedule_fault(at, horizon, now)) {
            faults.add("scheduled_for", why);
        }
        faults
    }

    /// The details that the engine passes on, for this vehicle.
    pub fn details(self, vehicle: &VehicleRow, photos: Vec<FileRef<JobPhotoFile>>) -> JobDetails {
        JobDetails {
            pickup_address: self.pickup_address.0,
            description: self.description.map(|text| text.0),
            photo_urls: photos.into_iter().map(FileRef::into_url).collect(),
            beneficiary_name: self.beneficiary_name.map(|name| name.0),
            beneficiary_phone: self.beneficiary_phone.map(|phone| phone.0),
            contact_preference: self.contact_preference.unwrap_or(ContactPreference::Booker).to_string(),
            vehicle_color: vehicle.color.clone(),
            vehicle_registration_number: vehicle.registration_number.clone(),
            scheduled_for: self.scheduled_for.map(|at| at.0),
            most_open_jobs: None,
        }
    }
}

/// Why the caller cancels, and the fee that they accept.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Cancel {
    pub reason_code: CancelReason,
    #[deserr(default)]
    pub reason: Option<Text<1, 500>>,
    /// The fee that the caller was shown; FEE_CHANGED if it has risen since. If a fee is due, this or `accept_fee` is
    /// required.
    #[deserr(default)]
    pub quoted_fee: Option<Money>,
    /// Whether to cancel whatever the fee. Ignored if `quoted_fee` is given.
    #[deserr(default)]
    #[schema(required = false, default = false)]
    pub accept_fee: bool,
}

impl Cancel {
    pub fn accepted_fee(&self) -> AcceptedFee {
        match self.quoted_fee {
            Some(Money(paise)) => AcceptedFee::UpTo(paise),
            None if self.accept_fee => AcceptedFee::Any,
            None => AcceptedFee::NONE,
        }
    }
}

/// What cancelling would cost now.
#[derive(Debug, Serialize, ToSchema)]
pub struct CancellationQuote {
    pub cancellation_fee: Money,
    /// Why it is this much.
    #[schema(value_type = String, example = "within_free_time")]
    pub reason: Named<FeeReason>,
    /// Until when cancelling is free, if that is in the future.
    pub free_until: Option<Timestamp>,
    /// How often this customer may still cancel for free soon after an acceptance; null for admins, whom nothing limits.
    pub free_cancellations: Option<FreeCancellations>,
}

/// Cancellations that are free because they come soon after the acceptance.
#[derive(Debug, Serialize, ToSchema)]
pub struct FreeCancellations {
    /// With this one, if it is one.
    pub left: u32,
    pub most: u32,
    /// For how many days one counts.
    pub days: i64,
}

impl From<FeeQuote> for CancellationQuote {
    fn from(quote: FeeQuote) -> Self {
        Self {
            cancellation_fee: Money(quote.fee_paise),
            reason: Named(quote.reason),
            free_until: quote.free_until.map(Into::into),
            free_cancellations: None,
        }
    }
}

/// `override_reason` accepts an arrival without a plausible position near the pickup; the timeline shows it. Such an arrival makes no
/// cancellation dearer, and an admin decides about a no-show after it.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Arrive {
    #[deserr(default)]
    pub override_reason: Option<Text<3, 200>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct StartWork {
    /// The customer's four digits.
    #[deserr(default)]
    pub start_code: Option<Text<1, 10>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct CompleteWork {
    pub outcome: Outcome,
    #[deserr(default)]
    pub notes: Option<Text<1, 2000>>,
    #[deserr(default)]
    #[schema(value_type = Option<Vec<FileUrl>>, max_items = 10)]
    pub photo_urls: Option<Items<FileUrl, 0, 10>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Release {
    pub reason_code: ReleaseReason,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewPhoto {
    pub stage: PhotoStage,
    pub file_url: FileUrl,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Photo {
    pub id: Uuid,
    #[schema(value_type = String)]
    pub stage: PhotoStage,
    pub file_url: String,
    pub created_at: Timestamp,
}

/// A photo, with the job that it shows.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobPhoto {
    #[schema(example = "019ceb77-7340-7b20-9e32-6d1f5aab2c01")]
    pub job_id: Uuid,
    #[serde(flatten)]
    pub photo: Photo,
}

impl From<JobPhotoRow> for JobPhoto {
    fn from(row: JobPhotoRow) -> Self {
        Self { job_id: row.job_id, photo: row.photo.into() }
    }
}

impl From<PhotoRow> for Photo {
    fn from(row: PhotoRow) -> Self {
        let PhotoRow { id, stage, file_url, created_at } = row;
        Self { id, stage, file_url, created_at: created_at.into() }
    }
}

/// What happened, as every participant may see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TimelineEntry {
    pub seq: i64,
    /// The event: created, dispatching, accepted, delayed, recovered, released …
    #[schema(example = "accepted")]
    pub event: String,
    /// The job's status after it.
    pub status: JobStatus,
    /// customer, mechanic, admin or system
    #[schema(value_type = String)]
    pub by: ActorKind,
    /// What the event says beyond that, e.g. why an arrival was overridden, or the `concern` behind a delay and since
    /// when there is a reason for it.
    #[schema(value_type = Object)]
    pub data: serde_json::Value,
    pub at: Timestamp,
}

/// Which mechanic to assign, bypassing the offers.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Assign {
    pub mechanic_profile_id: Id,
    /// Why this mechanic, although dispatch would leave them out: they don't serve the type of vehicle or offer the
    /// kind of help, are offline, too far away, or gave the job back. It goes into the audit log and onto the timeline,
    /// which the customer and the mechanic read.
    #[deserr(default)]
    pub override_reason: Option<Text<3, 200>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct AdminReason {
    pub reason: Text<3, 500>,
}

/// Parameters of `GET /jobs`.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct JobListParams {
    #[deserr(default)]
    pub status: Option<Several<JobStatus>>,
    #[deserr(default)]
    pub role: Option<Param<ListRole>>,
    #[deserr(default)]
    pub from: Option<Timestamp>,
    #[deserr(default)]
    pub to: Option<Timestamp>,
    #[deserr(default)]
    pub page: Option<Param<Whole>>,
    #[deserr(default)]
    pub limit: Option<Param<Whole>>,
}

text_enum! {
    /// As whom the caller's jobs are listed.
    ListRole { Customer = "customer", Mechanic = "mechanic", }
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
