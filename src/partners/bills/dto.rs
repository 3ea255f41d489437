//! Bills on the wire.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{outcome::OutcomeKind, queries::BillRow};
use crate::http::{CsvRow, Money, Timestamp};

/// A partner's debt for a job that has ended.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PartnerBill {
    /// The job's id: a job has one bill at most.
    pub id: Uuid,
    pub job_id: Uuid,
    /// The case that the job belongs to.
    pub case_id: Uuid,
    /// The partner's own reference of the case.
    pub partner_reference: String,
    /// The number of the partner's order; null if the case has none.
    pub purchase_order: Option<String>,
    /// The partner's own name of the contract.
    pub contract_reference: String,
    pub outcome: OutcomeKind,
    /// The price of the job by the contract.
    pub price: Money,
    /// The part that the partner pays. A refund lowers it.
    pub payable: Money,
    /// The part that the helped person pays.
    pub driver_pays: Money,
    /// When the outcome was decided, soon after the end of the job.
    pub decided_at: Timestamp,
}

impl CsvRow for PartnerBill {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "job_id",
        "case_id",
        "partner_reference",
        "purchase_order",
        "contract_reference",
        "outcome",
        "price",
        "payable",
        "driver_pays",
        "decided_at",
    ];
}

impl From<&BillRow> for PartnerBill {
    fn from(row: &BillRow) -> Self {
        Self {
            id: row.job_id,
            job_id: row.job_id,
            case_id: row.case_id,
            partner_reference: row.partner_reference.clone(),
            purchase_order: row.purchase_order.clone(),
            contract_reference: row.contract_reference.clone(),
            outcome: row.outcome,
            price: Money(row.price_paise),
            payable: Money(row.payable_paise),
            driver_pays: Money(row.driver_paise),
            decided_at: row.decided_at.into(),
        }
    }
}

/// A bill with its organisation, and with the figures from which the outcome and the amount follow.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PartnerBillForAdmin {
    #[serde(flatten)]
    pub bill: PartnerBill,
    pub organisation_id: Uuid,
    /// The name of the organisation that owes it.
    pub organisation_name: String,
    /// The amount that was booked on account for the mechanic's work. The platform bears or keeps the difference from the payable amount.
    pub booked: Money,
    pub accepted_at: Option<Timestamp>,
    /// The promised time of arrival, extensions included; null if nothing was promised.
    pub promised_at: Option<Timestamp>,
    /// When the mechanic arrived; null if nobody did.
    pub arrived_at: Option<Timestamp>,
    pub ended_at: Timestamp,
}

impl CsvRow for PartnerBillForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] = &[PartnerBill::COLUMNS];
    const COLUMNS: &'static [&'static str] = &[
        "organisation_id",
        "organisation_name",
        "booked",
        "accepted_at",
        "promised_at",
        "arrived_at",
        "ended_at",
    ];
}

impl From<BillRow> for PartnerBillForAdmin {
    fn from(row: BillRow) -> Self {
        let bill = PartnerBill::from(&row);
        let evidence = row.evidence.0;
        Self {
            bill,
            organisation_id: row.organisation_id,
            organisation_name: row.organisation_name,
            booked: Money(evidence.booked_paise),
            accepted_at: evidence.accepted_at.map(Into::into),
            promised_at: evidence.promised_at.map(Into::into),
            arrived_at: evidence.arrived_at.map(Into::into),
            ended_at: evidence.ended_at.into(),
        }
    }
}
