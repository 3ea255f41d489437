//! The values that the audit trail records about payments.

use serde_json::{Value, json};

use super::{
    inbox::dto::WebhookStatus,
    state::{ParkedStatus, RefundStatus},
};
use crate::accounting::dues::FeeStatus;

/// Describes the state of an event for the audit trail.
pub(super) fn event_status(status: WebhookStatus, attempts: i32) -> Value {
    json!({ "status": status, "attempts": attempts })
}

/// Describes the refunded amount of a payment for the audit trail.
pub(super) fn refunded(refunded_paise: i64, reason: Option<&str>) -> Value {
    json!({ "refunded_paise": refunded_paise, "reason": reason })
}

/// Describes the state of a cancellation fee for the audit trail.
pub(super) fn fee_status(fee_paise: i64, status: FeeStatus) -> Value {
    json!({ "fee_paise": fee_paise, "fee_status": status })
}

/// Describes the state of a refund for the audit trail.
pub(super) fn refund_status(status: RefundStatus, reference: Option<&str>) -> Value {
    json!({ "status": status, "reference": reference })
}

/// Describes the state of a parked payment for the audit trail.
pub(super) fn parked(status: ParkedStatus, reason: Option<&str>) -> Value {
    json!({ "status": status, "reason": reason })
}

/// Describes an event that an admin closed for the audit trail.
pub(super) fn event_dismissed(reason: &str) -> Value {
    json!({ "status": WebhookStatus::Ignored, "reason": reason })
}
