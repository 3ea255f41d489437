use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::ChargebackRow;
use crate::{
    accounts::users::CustomerContact,
    http::{CsvRow, Money, Timestamp},
    providers::gateway::ChargebackStatus,
};

/// A chargeback: an amount of a payment that the customer's bank took back, or wants to take back.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChargebackForAdmin {
    pub id: Uuid,
    /// The chargeback's id at the gateway.
    pub gateway_dispute_id: String,
    pub payment_id: Uuid,
    /// The job that the payment is for; null if it is for fees.
    pub job_id: Option<Uuid>,
    pub customer_id: Uuid,
    #[serde(flatten)]
    pub customer: CustomerContact,
    pub amount: Money,
    pub status: ChargebackStatus,
    /// The reason, in the gateway's words.
    pub reason: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl CsvRow for ChargebackForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] = &[CustomerContact::COLUMNS];
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "gateway_dispute_id",
        "payment_id",
        "job_id",
        "customer_id",
        "amount",
        "status",
        "reason",
        "created_at",
        "updated_at",
    ];
}

impl ChargebackForAdmin {
    pub fn of(customer: CustomerContact, row: ChargebackRow) -> Self {
        Self {
            id: row.id,
            gateway_dispute_id: row.gateway_dispute_id,
            payment_id: row.payment_id,
            job_id: row.job_id,
            customer_id: row.customer_id,
            customer,
            amount: Money(row.amount_paise),
            status: row.status,
            reason: row.reason,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}
