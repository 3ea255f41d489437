//! Deliveries on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::DeliveryRow;
use crate::{
    http::{CsvRow, Id, Timestamp, ValidationErrors, text_enum},
    partners::feeds::kind::PartnerEventKind,
};

text_enum! {
    /// The state of a delivery.
    WebhookDeliveryStatus {
        /// It waits for its first try, or for another one.
        Pending = "pending",
        /// The receiver answered 2xx.
        Delivered = "delivered",
        /// It was given up: after its last try, or with its subscription.
        Dead = "dead",
    }
}

/// An event on its way to a subscription.
#[derive(Debug, Serialize, ToSchema)]
pub struct Delivery {
    pub id: Uuid,
    /// The organisation whose event was sent.
    pub subscription_id: Uuid,
    /// The event, as `webhook-id` names it.
    pub event_id: Uuid,
    /// The kind of the event.
    #[serde(rename = "type")]
    pub kind: PartnerEventKind,
    /// The case of the event.
    pub case_id: Uuid,
    /// The number of the event within its case.
    pub seq: i64,
    pub status: WebhookDeliveryStatus,
    /// The number of tries so far.
    pub tries: i32,
    /// When it is tried again at the latest; null if it is not.
    pub next_try_at: Option<Timestamp>,
    /// The status of the answer to the last try; null if there was none.
    pub answer_status: Option<i32>,
    /// Why there was no answer to the last try, or why it was given up.
    pub failure: Option<String>,
    pub created_at: Timestamp,
    /// When it was delivered or given up.
    pub settled_at: Option<Timestamp>,
}

impl From<DeliveryRow> for Delivery {
    fn from(row: DeliveryRow) -> Self {
        Self {
            id: row.id,
            subscription_id: row.subscription_id,
            event_id: row.event_id,
            kind: row.kind,
            case_id: row.case_id,
            seq: row.seq,
            status: row.status,
            tries: row.tries,
            next_try_at: row.next_try_at.map(Into::into),
            answer_status: row.answer_status,
            failure: row.failure,
            created_at: row.created_at.into(),
            settled_at: row.settled_at.map(Into::into),
        }
    }
}

impl CsvRow for Delivery {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "subscription_id",
        "event_id",
        "type",
        "case_id",
        "seq",
        "status",
        "tries",
        "next_try_at",
        "answer_status",
        "failure",
        "created_at",
        "settled_at",
    ];
}

/// A delivery as admins see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryForAdmin {
    #[serde(flatten)]
    pub delivery: Delivery,
    /// The partner.
    #[schema(example = "019ceb77-7340-7c30-8f43-7e2a6bbc6e01")]
    pub organisation_id: Uuid,
}

impl CsvRow for DeliveryForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] = &[Delivery::COLUMNS];
    const COLUMNS: &'static [&'static str] = &["organisation_id"];
}

/// The events to send again.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewDeliveryReplay {
    /// Events since this time.
    #[schema(value_type = Timestamp)]
    pub since: Timestamp,
    /// Limits the replay to this case.
    #[deserr(default)]
    pub case_id: Option<Id>,
    /// Limits the replay to this job.
    #[deserr(default)]
    pub job_id: Option<Id>,
    /// Limits the replay to this subscription; without it, all active subscriptions get the events.
    #[deserr(default)]
    pub subscription_id: Option<Id>,
}

/// The extent of a replay.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryReplay {
    /// The number of deliveries that it made.
    #[schema(example = 12)]
    pub deliveries: i64,
    /// The time from which the next replay goes on, if not everything fitted into this one; null if it did.
    pub next_since: Option<Timestamp>,
}
