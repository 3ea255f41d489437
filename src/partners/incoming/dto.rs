//! Offers of clubs on the wire.

use deserr::Deserr;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    queries::{ClubOfferRow, WaitingOfferRow},
    state::{ClubRefusalReason, ClubStage},
};
use crate::{
    http::{Timestamp, ValidationErrors, WholeNumber},
    partners::feeds::CaseStatus,
};

/// The minutes until a mechanic is at the vehicle.
pub type EtaMinutes = WholeNumber<1, 1_440>;

/// The time of arrival that a dispatcher promises.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct AcceptClubOffer {
    pub eta_min: EtaMinutes,
}

/// The time of arrival to which the club agrees.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ConfirmClubOffer {
    /// The minutes of the dispatcher's answer, once more.
    pub eta_min: EtaMinutes,
}

/// Why a dispatcher refuses an offer. The club sees it.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct RefuseClubOffer {
    pub reason: ClubRefusalReason,
}

/// An offer of a club, and the answer to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct IncomingOffer {
    /// The id of its case.
    pub id: Uuid,
    /// The club's own name for the case.
    pub partner_reference: String,
    pub status: CaseStatus,
    pub stage: ClubStage,
    /// Until when the dispatchers can answer, or, after an acceptance, the club can confirm.
    pub offered_until: Timestamp,
    /// When a dispatcher asked the club to call; null if nobody did.
    pub call_asked_at: Option<Timestamp>,
    /// The promised minutes until the arrival, from the acceptance on; null before it.
    pub eta_min: Option<i64>,
    /// The same as a time.
    pub promised_at: Option<Timestamp>,
    /// Null unless it was refused.
    pub refusal_reason: Option<ClubRefusalReason>,
    /// The case's first job; null until the club has confirmed.
    pub job_id: Option<Uuid>,
    pub asked: AskedClubJob,
    pub created_at: Timestamp,
}

/// The help for which a club asks.
#[derive(Debug, Serialize, ToSchema)]
pub struct AskedClubJob {
    #[schema(example = "flat-tyre")]
    pub service_category_slug: String,
    pub pickup_address: String,
    pub pickup_lat: f64,
    pub pickup_lng: f64,
    /// The address to which the vehicle is towed; null if it is not towed, or the workshop was named by its id.
    pub destination_address: Option<String>,
    pub description: Option<String>,
}

/// An offer that waits for dispatchers, with the club that made it.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitingOffer {
    #[serde(flatten)]
    pub offer: IncomingOffer,
    pub organisation_id: Uuid,
    pub organisation_name: String,
    /// The club's number; null if unknown.
    pub organisation_phone: Option<String>,
    /// The contract under which the club asks.
    pub contract_reference: String,
}

impl From<ClubOfferRow> for IncomingOffer {
    fn from(row: ClubOfferRow) -> Self {
        let offer = row.offer.0;
        Self {
            id: row.id,
            partner_reference: row.partner_reference,
            status: row.status,
            stage: offer.stage,
            offered_until: row.offered_until.into(),
            call_asked_at: offer.call_asked_at.map(Into::into),
            eta_min: offer.eta_min,
            promised_at: offer.promised_at.map(Into::into),
            refusal_reason: offer.refusal_reason,
            job_id: row.job_id,
            asked: AskedClubJob::of(&offer.job),
            created_at: row.created_at.into(),
        }
    }
}

impl AskedClubJob {
    /// Reads the job as it was sent and checked.
    fn of(job: &Value) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        Self {
            service_category_slug: text(&job["service_category_slug"]).unwrap_or_default(),
            pickup_address: text(&job["pickup_address"]).unwrap_or_default(),
            pickup_lat: job["pickup_lat"].as_f64().unwrap_or_default(),
            pickup_lng: job["pickup_lng"].as_f64().unwrap_or_default(),
            destination_address: text(&job["destination"]["address"]),
            description: text(&job["description"]),
        }
    }
}

impl From<WaitingOfferRow> for WaitingOffer {
    fn from(row: WaitingOfferRow) -> Self {
        Self {
            offer: row.offer.into(),
            organisation_id: row.organisation_id,
            organisation_name: row.organisation_name,
            organisation_phone: row.organisation_phone,
            contract_reference: row.contract_reference,
        }
    }
}
