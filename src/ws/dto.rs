use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::{Faults, Param, Timestamp, Whole};

/// Opens one socket.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "ticket": "Yk3Rr0dQ5mV8sT1xW7zB2nC4pL6hJ9gFaEuIoDqXyZ0", "expires_at": "2026-03-14T08:31:00.000Z",
}))]
pub struct Ticket {
    /// For `GET /ws?ticket=…`, once.
    pub ticket: String,
    pub expires_at: Timestamp,
}

/// One server-sent event, field by field. `data` is the text of a JSON frame, as a socket gets it.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "id": "7", "event": "job.updated",
    "data": "{\"type\":\"job.updated\",\"job_id\":\"019ceb77-7340-7b20-9e32-6d1f5aab2c01\",\"seq\":7,\"at\":\"2026-03-14T08:41:02.000Z\",\"data\":{}}",
}))]
#[allow(dead_code)]
pub struct JobStreamEvent {
    /// The frame's `seq`; left out where it has none.
    #[schema(required = false)]
    pub id: String,
    /// The frame's `type`.
    pub event: String,
    pub data: String,
}

/// `?ticket=`
#[derive(Debug, Deserr)]
#[deserr(error = Faults, deny_unknown_fields)]
pub struct Admission {
    #[deserr(default)]
    pub ticket: Option<Param<String>>,
}

/// `?ticket=`, whatever else there may be: who calls is told before what is wrong.
#[derive(Debug, Deserr)]
#[deserr(error = Faults)]
pub struct Ticketed {
    #[deserr(default)]
    pub ticket: Option<Param<String>>,
}

/// `?ticket=&since_seq=`
#[derive(Debug, Deserr)]
#[deserr(error = Faults, deny_unknown_fields)]
pub struct StreamQuery {
    #[deserr(default, rename = "ticket")]
    pub _ticket: Option<Param<String>>,
    #[deserr(default)]
    pub since_seq: Option<Param<Whole>>,
}
