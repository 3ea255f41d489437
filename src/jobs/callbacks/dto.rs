//! Requests to be called, on the wire.

use chrono::{DateTime, Utc};
use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    queries::{CallbackRow, QueuedRow},
    state::area_of,
};
use crate::{
    accounts::users::CustomerContact,
    http::{CsvRow, Text, Timestamp, ValidationErrors, text_enum},
    jobs::dto::JobStatus,
};

text_enum! {
    /// The outcome of a request to be called.
    CallbackOutcome {
        Reached = "reached",
        NotReached = "not_reached",
        ResolvedWithoutCall = "resolved_without_call",
        MechanicFound = "mechanic_found",
    }
}

text_enum! {
    /// The outcome of a request that an admin closes.
    CallResult { Reached = "reached", NotReached = "not_reached", ResolvedWithoutCall = "resolved_without_call", }
}

impl From<CallResult> for CallbackOutcome {
    fn from(result: CallResult) -> Self {
        match result {
            CallResult::Reached => Self::Reached,
            CallResult::NotReached => Self::NotReached,
            CallResult::ResolvedWithoutCall => Self::ResolvedWithoutCall,
        }
    }
}

text_enum! {
    /// Whether a request to be called is open or done.
    CallbackStatus { Open = "open", Done = "done", }
}

/// The customer's request to be called, as the customer and admins see it with the job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct JobCallback {
    pub requested_at: Timestamp,
    /// The customer's words.
    pub note: Option<String>,
    /// When an admin closed the request, or a mechanic accepted the job; null while it is open.
    pub done_at: Option<Timestamp>,
    pub outcome: Option<CallbackOutcome>,
}

impl From<CallbackRow> for JobCallback {
    fn from(row: CallbackRow) -> Self {
        Self {
            requested_at: row.requested_at.into(),
            note: row.note,
            done_at: row.done_at.map(Into::into),
            outcome: row.outcome,
        }
    }
}

/// A request to be called.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewCallback {
    /// A note for the admin who calls, such as when the customer can answer.
    #[deserr(default)]
    pub note: Option<Text<1, 500>>,
}

/// A request to be called, with what an admin has to know about its job.
#[derive(Debug, Serialize, ToSchema)]
pub struct Callback {
    /// The job's id: a job has one request.
    pub id: Uuid,
    pub job_id: Uuid,
    pub customer_id: Uuid,
    pub service_category_id: Uuid,
    /// The category's name when the job was created.
    pub service_category_name: String,
    /// The last parts of the pickup's address.
    pub pickup_area: String,
    /// The job's present status. A cancelled job leaves its request open: the customer may still wait for the call.
    pub job_status: JobStatus,
    /// Minutes from the beginning of the search until a mechanic accepted, the job was cancelled, or now.
    pub waiting_minutes: i64,
    pub requested_at: Timestamp,
    /// The customer's words.
    pub note: Option<String>,
    /// When an admin closed the request, or a mechanic accepted the job; null while it is open.
    pub done_at: Option<Timestamp>,
    /// The admin who closed the request; null if a mechanic was found.
    pub done_by: Option<Uuid>,
    pub outcome: Option<CallbackOutcome>,
    /// The admin's note, for admins only.
    pub done_note: Option<String>,
}

impl CsvRow for Callback {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "job_id",
        "customer_id",
        "service_category_id",
        "service_category_name",
        "pickup_area",
        "job_status",
        "waiting_minutes",
        "requested_at",
        "note",
        "done_at",
        "done_by",
        "outcome",
        "done_note",
    ];
}

impl Callback {
    pub fn of(row: QueuedRow, now: DateTime<Utc>) -> Self {
        let waiting_minutes = row.waiting_minutes(now);
        let callback = row.callback.settled(row.accepted_at);
        Self {
            id: callback.job_id,
            job_id: callback.job_id,
            customer_id: row.customer_id,
            service_category_id: row.service_category_id,
            service_category_name: row.service_category_name,
            pickup_area: area_of(&row.pickup_address),
            job_status: row.job_status,
            waiting_minutes,
            requested_at: callback.requested_at.into(),
            note: callback.note,
            done_at: callback.done_at.map(Into::into),
            done_by: callback.done_by,
            outcome: callback.outcome,
            done_note: callback.done_note,
        }
    }
}

/// A request with the customer to call, as only admins see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct CallbackForAdmin {
    #[serde(flatten)]
    pub callback: Callback,
    #[serde(flatten)]
    pub customer: CustomerContact,
}

impl CsvRow for CallbackForAdmin {
    const FLATTENED: &'static [&'static [&'static str]] = &[Callback::COLUMNS, CustomerContact::COLUMNS];
    const COLUMNS: &'static [&'static str] = &[];
}

/// The outcome with which an admin closes a request.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct CloseCallback {
    pub outcome: CallResult,
    /// A note for admins; the customer does not see it.
    #[deserr(default)]
    pub note: Option<Text<1, 500>>,
}
