//! Offers of clubs on the wire. The offer itself is a part of its case (`CaseSnapshot`).

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::WaitingOfferRow;
use crate::{
    http::{Timestamp, ValidationErrors, WholeNumber},
    partners::club_offer::{ClubRefusalReason, OfferSnapshot},
};

/// The minutes until a mechanic is at the vehicle.
type EtaMinutes = WholeNumber<1, 1_440>;

/// The time of arrival that a dispatcher promises.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct AcceptOfferedCase {
    /// The minutes until a mechanic is at the vehicle.
    pub eta_min: EtaMinutes,
}

/// The time of arrival to which the club agrees.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ConfirmOfferedCase {
    /// The minutes of the dispatcher's answer, once more.
    pub eta_min: EtaMinutes,
}

/// Why a dispatcher refuses an offer. The club sees it.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct RefuseOfferedCase {
    pub reason: ClubRefusalReason,
}

/// An offer that waits for dispatchers or for its club.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitingOffer {
    /// The id of its case.
    pub id: Uuid,
    /// The club's own name for the case.
    pub partner_reference: String,
    pub organisation_id: Uuid,
    /// The club's name.
    pub organisation_name: String,
    /// The club's number; null if unknown.
    pub organisation_phone: Option<String>,
    pub offer: OfferSnapshot,
    pub created_at: Timestamp,
}

impl From<WaitingOfferRow> for WaitingOffer {
    fn from(row: WaitingOfferRow) -> Self {
        Self {
            id: row.id,
            partner_reference: row.partner_reference,
            organisation_id: row.organisation_id,
            organisation_name: row.organisation_name,
            organisation_phone: row.organisation_phone,
            offer: OfferSnapshot::of(&row.offer, row.offered_until),
            created_at: row.created_at.into(),
        }
    }
}
