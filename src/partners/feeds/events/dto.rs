//! Events of cases on the wire, each with a snapshot of its case and its job.

use deserr::Deserr;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{CaseEventRow, FedCaseRow, PartnerJobRow};
use crate::{
    fleet::mechanics::first_name,
    http::{Money, Param, Timestamp, ValidationErrors, Whole, text_enum},
    jobs::{JobRow, JobStatus, LineItem, on_account::PromiseState},
    partners::{club_offer::OfferSnapshot, feeds::kind::PartnerEventKind},
};

text_enum! {
    /// The status of a case.
    CaseStatus {
        /// A club offers it, and nobody has answered.
        Offered = "offered",
        Refused = "refused",
        Expired = "expired",
        Withdrawn = "withdrawn",
        Open = "open",
        Closed = "closed",
    }
}

/// A case as it was when an event happened.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CaseSnapshot {
    pub id: Uuid,
    /// The partner's own name for the case.
    pub partner_reference: String,
    pub status: CaseStatus,
    /// The partner's name for the contract.
    pub contract_reference: String,
    /// The number of the policy or the membership; null if nobody gave one.
    pub policy_reference: Option<String>,
    /// The number of the purchase order; null if nobody gave one.
    pub purchase_order: Option<String>,
    /// The person at the vehicle.
    pub beneficiary: CaseBeneficiary,
    /// The vehicle that broke down.
    pub vehicle: CaseVehicle,
    /// The jobs of the case, in the order in which they were made.
    pub jobs: Vec<JobSnapshot>,
    /// The offer of a club, with its answer; null for a case that no club offered.
    pub offer: Option<OfferSnapshot>,
    /// The number of the case's last event.
    pub last_seq: i64,
    pub created_at: Timestamp,
}

/// The person who is helped.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CaseBeneficiary {
    /// Null if nobody gave a name.
    pub name: Option<String>,
}

/// The vehicle of a case.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CaseVehicle {
    /// The number plate; null while the vehicle is not known, as in an offer.
    pub registration_number: Option<String>,
    pub make: Option<String>,
    pub model: Option<String>,
    pub color: Option<String>,
    /// The vehicle identification number.
    pub vin: Option<String>,
    /// The odometer's reading in kilometres; null if unknown.
    pub odometer_km: Option<i64>,
    /// The vehicle's fuel, in the partner's words.
    pub fuel: Option<String>,
    /// The driven wheels, in the partner's words.
    pub drive: Option<String>,
    /// How heavy the vehicle is; null if unknown.
    pub weight_kg: Option<i64>,
}

/// A job as it was after an event.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct JobSnapshot {
    pub id: Uuid,
    pub status: JobStatus,
    /// The slug of the service category.
    pub category: String,
    /// The place where the vehicle stands.
    pub pickup: SnapshotPlace,
    /// The place to which the vehicle is towed; null if it is not towed.
    pub destination: Option<SnapshotPlace>,
    /// Null while nobody has the job.
    pub mechanic: Option<SnapshotMechanic>,
    /// The promised time of arrival.
    pub promise: SnapshotPromise,
    /// When the mechanic is expected; null while nobody has the job.
    pub expected_at: Option<Timestamp>,
    /// The final price, or the estimate before it.
    pub price: Money,
    /// Due if the job was cancelled; null if it was not.
    pub cancellation_fee: Option<Money>,
    /// Null until the outcome is decided.
    pub bill: Option<SnapshotBill>,
    /// Why the job was cancelled; null if it was not.
    pub cancel_reason_code: Option<String>,
    /// The reason in words; null if nobody wrote any.
    pub cancel_reason: Option<String>,
    pub created_at: Timestamp,
    /// When help is wanted; null if at once.
    pub scheduled_for: Option<Timestamp>,
    pub accepted_at: Option<Timestamp>,
    /// When the mechanic set out; null before.
    pub en_route_at: Option<Timestamp>,
    /// When the mechanic arrived; null before.
    pub arrived_at: Option<Timestamp>,
    /// When the work began; null before.
    pub started_at: Option<Timestamp>,
    /// When the vehicle was on the truck; null before.
    pub loaded_at: Option<Timestamp>,
    pub completed_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
}

/// A place of a job.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SnapshotPlace {
    pub address: String,
    pub lat: f64,
    pub lng: f64,
}

/// The mechanic, as a partner knows them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SnapshotMechanic {
    pub first_name: Option<String>,
}

/// The time of arrival that the partner knows.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SnapshotPromise {
    pub state: PromiseState,
    /// The promised time, extensions included; null before a mechanic is found.
    pub at: Option<Timestamp>,
    /// When it was last extended; null if it never was.
    pub extended_at: Option<Timestamp>,
    /// Why it was extended.
    pub extension_reason: Option<String>,
    /// When it was found to be broken; null if it was not.
    pub missed_at: Option<Timestamp>,
}

/// The outcome of a job and the parts of its price.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SnapshotBill {
    /// The outcome by the contract: completed, gone_on_arrival, unsuccessful and so on.
    pub outcome: String,
    /// The price of the job.
    pub price: Money,
    /// The part that the partner pays.
    pub payable: Money,
    /// The part that the person who was helped pays.
    pub driver_pays: Money,
}

/// How near the mechanic is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NearFigures {
    /// The estimated time to the pickup, in seconds.
    pub eta_s: u32,
    /// The straight line to the pickup, in metres.
    pub distance_m: u32,
}

/// The contents of an event.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartnerEventContent {
    /// The number of the event within its case, from 1 without gaps. A subscription to some kinds sees some numbers.
    pub seq: i64,
    /// The case with all its jobs, as it was when the event was made.
    pub case: CaseSnapshot,
    /// The job that the event is about; null for an event of the case.
    pub job: Option<JobSnapshot>,
    /// The extra work that the event is about.
    pub item: Option<LineItem>,
    /// Present in `job.near` alone.
    pub near: Option<NearFigures>,
    /// The reason that somebody gave for it.
    pub reason: Option<String>,
}

/// An event of a case. A webhook has the same without the id, which is in its header.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartnerEvent {
    /// The id of the event, which is the `webhook-id` of each of its deliveries.
    pub id: Uuid,
    #[serde(rename = "type")]
    pub kind: PartnerEventKind,
    /// When it happened.
    #[schema(value_type = Timestamp)]
    pub timestamp: Value,
    #[schema(value_type = PartnerEventContent)]
    pub data: Value,
}

impl From<CaseEventRow> for PartnerEvent {
    fn from(mut row: CaseEventRow) -> Self {
        let (timestamp, data) = (row.body["timestamp"].take(), row.body["data"].take());
        Self { id: row.id, kind: row.kind, timestamp, data }
    }
}

/// Events of a case, in order.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartnerEvents {
    pub data: Vec<PartnerEvent>,
    /// The number of the case's last event; greater than the last of `data` if another page follows.
    pub last_seq: i64,
}

/// `?since_seq=&limit=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct PartnerEventsAfter {
    #[deserr(default)]
    pub since_seq: Option<Param<Whole>>,
    #[deserr(default)]
    pub limit: Option<Param<Whole>>,
}

impl CaseSnapshot {
    /// Makes the snapshot of a case with its jobs.
    pub fn of(row: &FedCaseRow, jobs: Vec<JobSnapshot>) -> Self {
        Self {
            id: row.id,
            partner_reference: row.partner_reference.clone(),
            status: row.status,
            contract_reference: row.contract_reference.clone(),
            policy_reference: row.policy_reference.clone(),
            purchase_order: row.purchase_order.clone(),
            beneficiary: CaseBeneficiary { name: row.beneficiary_name.clone() },
            vehicle: CaseVehicle {
                registration_number: row.registration_number.clone(),
                make: row.make.clone(),
                model: row.model.clone(),
                color: row.color.clone(),
                vin: row.vin.clone(),
                odometer_km: row.odometer_km,
                fuel: row.fuel.clone(),
                drive: row.drive.clone(),
                weight_kg: row.weight_kg,
            },
            jobs,
            offer: row
                .offer
                .as_ref()
                .zip(row.offered_until)
                .map(|(offer, until)| OfferSnapshot::of(offer, until)),
            last_seq: row.last_seq,
            created_at: row.created_at.into(),
        }
    }
}

impl JobSnapshot {
    /// Makes the snapshot of a job, with the partner's side of it.
    pub fn of(job: &JobRow, partner: &PartnerJobRow) -> Self {
        let destination = (job.destination_address.clone(), job.destination_lat, job.destination_lng);
        let destination = match destination {
            (Some(address), Some(lat), Some(lng)) => Some(SnapshotPlace { address, lat, lng }),
            _ => None,
        };
        let name = job.mechanic_name.as_deref().and_then(first_name);
        Self {
            id: job.id,
            status: job.status,
            category: job.service_category_slug.clone(),
            pickup: SnapshotPlace {
                address: job.pickup_address.clone(),
                lat: job.pickup_lat,
                lng: job.pickup_lng,
            },
            destination,
            mechanic: job.mechanic_profile_id.map(|_| SnapshotMechanic { first_name: name }),
            promise: partner.promise(),
            expected_at: job.promised_at.map(Into::into),
            price: Money(job.final_price_paise.unwrap_or(job.estimated_price_paise)),
            cancellation_fee: job.cancellation_fee_paise.map(Money),
            bill: partner.bill(),
            cancel_reason_code: job.cancel_reason_code.clone(),
            cancel_reason: job.cancel_reason.clone(),
            created_at: job.created_at.into(),
            scheduled_for: job.scheduled_for.map(Into::into),
            accepted_at: job.accepted_at.map(Into::into),
            en_route_at: job.en_route_at.map(Into::into),
            arrived_at: job.arrived_at.map(Into::into),
            started_at: job.started_at.map(Into::into),
            loaded_at: job.loaded_at.map(Into::into),
            completed_at: job.completed_at.map(Into::into),
            cancelled_at: job.cancelled_at.map(Into::into),
        }
    }
}

impl PartnerJobRow {
    fn promise(&self) -> SnapshotPromise {
        SnapshotPromise {
            state: self.promise,
            at: self.promised_at.map(Into::into),
            extended_at: self.extended_at.map(Into::into),
            extension_reason: self.extension_reason.clone(),
            missed_at: self.missed_at.map(Into::into),
        }
    }

    fn bill(&self) -> Option<SnapshotBill> {
        Some(SnapshotBill {
            outcome: self.outcome.clone()?,
            price: Money(self.price_paise?),
            payable: Money(self.payable_paise?),
            driver_pays: Money(self.driver_paise?),
        })
    }
}
