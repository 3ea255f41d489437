use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::ParkedRow;
use crate::{
    http::{CsvRow, Money, Text, Timestamp, ValidationErrors},
    money::payments::state::{ParkReason, ParkedStatus},
};

/// Money at the gateway that fits no payment.
#[derive(Debug, Serialize, ToSchema)]
pub struct ParkedPayment {
    pub id: Uuid,
    pub gateway_payment_id: String,
    pub reason: ParkReason,
    pub status: ParkedStatus,
    /// The reason why the gateway could not give it back, when it was last asked.
    pub failure: Option<String>,
    pub gateway_order_id: Option<String>,
    pub payment_id: Option<Uuid>,
    pub amount: Money,
    pub currency: String,
    /// When the service first heard of it.
    pub seen_at: Timestamp,
    /// When it was given back or dismissed.
    pub settled_at: Option<Timestamp>,
}

impl CsvRow for ParkedPayment {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "gateway_payment_id",
        "reason",
        "status",
        "failure",
        "gateway_order_id",
        "payment_id",
        "amount",
        "currency",
        "seen_at",
        "settled_at",
    ];
}

/// The reason why an admin gives a parked payment back, or closes it.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct SettleParkedPayment {
    /// The reason, which is kept in the audit log.
    pub reason: Text<3, 500>,
}

impl From<ParkedRow> for ParkedPayment {
    fn from(row: ParkedRow) -> Self {
        Self {
            id: row.id,
            gateway_payment_id: row.gateway_payment_id,
            reason: row.reason,
            status: row.state.status,
            failure: row.state.failure,
            gateway_order_id: row.gateway_order_id,
            payment_id: row.payment_id,
            amount: Money(row.amount_paise),
            currency: row.currency,
            seen_at: row.seen_at.into(),
            settled_at: row.state.settled_at.map(Into::into),
        }
    }
}
