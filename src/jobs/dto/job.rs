//! A job as its readers see it.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{CancelReasonCode, ContactPreference, JobConcern, JobStatus, LeaveReason, Outcome, Urgency};
use crate::{
    catalogue::vehicles::VehicleKind,
    fleet::mechanics::first_name,
    http::{CsvRow, Money, Timestamp},
    jobs::{
        callbacks::JobCallback,
        on_account::{JobPartner, ShownPrices},
        outlook::Outlook,
        people::{JobContact, JobVehicle},
        queries::LostJobRow,
        shown::ShownJob,
        towing::JobDestination,
        visibility::JobVisibility,
    },
};

/// A job (contract 2.3). Every field is always present; it is null if it is empty or not meant for this reader.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Job {
    pub id: Uuid,
    pub customer_id: Uuid,
    /// The customer's vehicle.
    pub vehicle_id: Uuid,
    pub vehicle_type: VehicleKind,
    pub vehicle: JobVehicle,
    pub service_category_id: Uuid,
    /// The category's name when the job was created. The name and the slug stay even if the category is deleted.
    pub service_category_name: String,
    pub service_category_slug: String,
    pub status: JobStatus,
    /// The number of the last event in the job's log that this includes.
    pub seq: i64,
    pub pickup_address: String,
    /// Degrees north (WGS 84) of where the vehicle stands.
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    /// The place to which the vehicle is towed; null if it is not towed.
    pub destination: Option<JobDestination>,
    pub description: Option<String>,
    /// Photos of the damage that the customer sent.
    pub photo_urls: Vec<String>,
    pub beneficiary_name: Option<String>,
    /// The beneficiary's number; null for mechanics.
    pub beneficiary_phone: Option<String>,
    pub contact_preference: ContactPreference,
    /// Null for the mechanic once they are paid, or the job has ended otherwise.
    pub customer_first_name: Option<String>,
    /// The people to contact. Shown only to the mechanic, from acceptance until they are paid or the job ends otherwise. The
    /// numbers are removed when the work ends, and the ways some time after it.
    pub contact: Option<JobContact>,
    /// The organisation that ordered the job and pays for it, with its notes for the mechanic; null for a customer's own job.
    pub partner: Option<JobPartner>,
    pub urgency: Urgency,
    /// When help is wanted; null if at once.
    pub scheduled_for: Option<Timestamp>,
    /// The currency of all amounts.
    #[schema(example = "INR")]
    pub currency: String,
    pub base_price: Money,
    pub travel_price: Money,
    /// The price of the way to the destination; 0 without a destination, and for a tow that was agreed on the spot, whose price
    /// is a line item's.
    pub destination_price: Money,
    pub estimated_price: Money,
    pub final_price: Option<Money>,
    pub cancellation_fee: Option<Money>,
    /// The outlook for the customer while a mechanic is sought (pending once due, dispatching, no_mechanic_found). Only in
    /// `GET /jobs/{id}`, for the customer and admins; null elsewhere, which does not mean a change: `dispatch.outlook` frames
    /// announce changes.
    pub outlook: Option<Outlook>,
    /// The customer's request to be called. Only in answers to GET, for the customer and admins; null elsewhere and in the frames
    /// of a socket, which does not mean a change.
    pub callback: Option<JobCallback>,
    /// The mechanic's profile; `GET /mechanics/{id}` returns more about them.
    pub mechanic_profile_id: Option<Uuid>,
    /// The mechanic's first name; null before acceptance.
    pub mechanic_first_name: Option<String>,
    /// Four digits that the mechanic needs to start work; only for the customer, from accepted to arrived.
    pub start_code: Option<String>,
    /// The room in which the customer and the present mechanic talk; null until one of them asks for a token.
    pub hms_room_id: Option<String>,
    pub outcome: Option<Outcome>,
    /// The mechanic's notes on the work.
    pub outcome_notes: Option<String>,
    /// The name of the person who received the vehicle at its destination, as given by the mechanic.
    pub received_by: Option<String>,
    /// Why the job was cancelled; null if it was not.
    pub cancel_reason_code: Option<CancelReasonCode>,
    /// Why the job was cancelled, in words; null if nobody wrote any.
    pub cancel_reason: Option<String>,
    pub accepted_at: Option<Timestamp>,
    /// Whether an admin gave the job to its mechanic, who has not set out yet: nobody knows whether they have seen it.
    pub is_unconfirmed: bool,
    /// When the mechanic was expected at acceptance.
    pub promised_at: Option<Timestamp>,
    /// The problem with the mechanic on the way that the customer was notified of. Null once it is over or the mechanic
    /// has arrived. While it is set, cancelling is free.
    pub concern: Option<JobConcern>,
    /// Since when there has been a reason for the concern, e.g. when the mechanic last reported.
    pub concern_since: Option<Timestamp>,
    /// Since when another app has shown the mechanic the way: their position may not be shared until they are back in this app.
    /// Null otherwise.
    pub navigating_since: Option<Timestamp>,
    /// Why the job has no mechanic although it had one. For the customer and admins, while another mechanic is sought and after
    /// that search has failed; else null.
    pub mechanic_left: Option<MechanicLeft>,
    /// When the mechanic set out; null before.
    pub en_route_at: Option<Timestamp>,
    /// When the mechanic arrived; null before.
    pub arrived_at: Option<Timestamp>,
    /// When the work began; null before.
    pub started_at: Option<Timestamp>,
    /// Since when the vehicle has been on the truck. From then on positions lead to the destination.
    pub loaded_at: Option<Timestamp>,
    pub completed_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
    /// When the job was contested; null if it was not.
    pub disputed_at: Option<Timestamp>,
    pub resolved_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Job {
    /// Returns the part of the job that every reader sees. The rest is empty: `view.rs` decides who sees it.
    pub(in crate::jobs) fn seen_by_all(row: ShownJob, vehicle: JobVehicle, currency: String) -> Self {
        Self {
            id: row.id,
            customer_id: row.customer_id,
            vehicle_id: row.vehicle_id,
            vehicle_type: row.vehicle_type,
            vehicle,
            service_category_id: row.service_category_id,
            service_category_name: row.service_category_name,
            service_category_slug: row.service_category_slug,
            status: row.status,
            seq: row.seq,
            pickup_address: row.pickup_address,
            pickup_lat: row.pickup_lat,
            pickup_lng: row.pickup_lng,
            destination: None,
            description: row.description,
            photo_urls: row.photo_urls,
            beneficiary_name: row.beneficiary_name,
            beneficiary_phone: None,
            contact_preference: row.contact_preference,
            customer_first_name: None,
            contact: None,
            partner: None,
            urgency: row.urgency,
            scheduled_for: row.scheduled_for.map(Into::into),
            currency,
            base_price: Money(row.base_price_paise),
            travel_price: Money(row.travel_price_paise),
            destination_price: Money(row.destination_price_paise),
            estimated_price: Money(row.estimated_price_paise),
            final_price: row.final_price_paise.map(Money),
            cancellation_fee: row.cancellation_fee_paise.map(Money),
            outlook: None,
            callback: None,
            mechanic_profile_id: row.mechanic_profile_id,
            mechanic_first_name: row.mechanic_name.as_deref().and_then(first_name),
            start_code: None,
            hms_room_id: row.hms_room_id,
            outcome: row.outcome,
            outcome_notes: row.outcome_notes,
            received_by: row.received_by,
            cancel_reason_code: row.cancel_reason_code.map(CancelReasonCode),
            cancel_reason: row.cancel_reason,
            accepted_at: row.accepted_at.map(Into::into),
            is_unconfirmed: false,
            promised_at: row.promised_at.filter(|at| Some(*at) != row.accepted_at).map(Into::into),
            concern: row.concern,
            concern_since: row.concern_since.map(Into::into),
            navigating_since: row.navigating_since.map(Into::into),
            mechanic_left: None,
            en_route_at: row.en_route_at.map(Into::into),
            arrived_at: row.arrived_at.map(Into::into),
            started_at: row.started_at.map(Into::into),
            loaded_at: row.loaded_at.map(Into::into),
            completed_at: row.completed_at.map(Into::into),
            cancelled_at: row.cancelled_at.map(Into::into),
            disputed_at: row.disputed_at.map(Into::into),
            resolved_at: row.resolved_at.map(Into::into),
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }

    /// Removes everything that helps to find the vehicle and to reach its people.
    pub(in crate::jobs) fn without_contact(self) -> Self {
        let vehicle = JobVehicle { registration_number: None, ..self.vehicle };
        let destination =
            self.destination.map(|destination| JobDestination { receiver_phone: None, ..destination });
        let partner = self.partner.map(|partner| partner.without_access().without_contacts());
        Self { vehicle, destination, contact: None, customer_first_name: None, partner, ..self }
    }

    /// Shows each price in this way.
    pub(in crate::jobs) fn priced(self, prices: ShownPrices) -> Self {
        let shown = |price: Money| prices.shown(price.0);
        Self {
            base_price: shown(self.base_price),
            travel_price: shown(self.travel_price),
            destination_price: shown(self.destination_price),
            estimated_price: shown(self.estimated_price),
            final_price: self.final_price.map(shown),
            cancellation_fee: self.cancellation_fee.map(shown),
            ..self
        }
    }

    /// Removes everything that helps to find the vehicle, all numbers, and the ways that are closed by `now`: a mechanic who
    /// waits for their money keeps the names.
    pub(in crate::jobs) fn with_names_alone(
        self,
        completed_at: DateTime<Utc>,
        visibility: &JobVisibility,
        now: DateTime<Utc>,
    ) -> Self {
        let open = |contact: JobContact| contact.without_numbers().still_open(completed_at, visibility, now);
        let contact = self.contact.clone().map(open);
        let customer_first_name = self.customer_first_name.clone();
        Self { contact, customer_first_name, ..self.without_contact() }
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
        "destination",
        "description",
        "photo_urls",
        "beneficiary_name",
        "beneficiary_phone",
        "contact_preference",
        "customer_first_name",
        "contact",
        "partner",
        "urgency",
        "scheduled_for",
        "currency",
        "base_price",
        "travel_price",
        "destination_price",
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
        "received_by",
        "cancel_reason_code",
        "cancel_reason",
        "accepted_at",
        "is_unconfirmed",
        "promised_at",
        "concern",
        "concern_since",
        "navigating_since",
        "mechanic_left",
        "en_route_at",
        "arrived_at",
        "started_at",
        "loaded_at",
        "completed_at",
        "cancelled_at",
        "disputed_at",
        "resolved_at",
        "created_at",
        "updated_at",
    ];
}

/// Why and when the last mechanic of a job left it.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct MechanicLeft {
    pub reason: LeaveReason,
    pub at: Timestamp,
}

/// A job that the caller lost because nothing came from their phone, and that nobody else has taken. It shows no more than an
/// offer.
#[derive(Debug, Serialize, ToSchema)]
pub struct LostJob {
    pub job_id: Uuid,
    pub service_category_name: String,
    pub service_category_slug: String,
    pub vehicle_type: VehicleKind,
    pub vehicle_make: String,
    pub vehicle_model: String,
    /// When the job was lost.
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
