use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use crate::web::{Faults, Param, Timestamp};

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

/// `?ticket=`
#[derive(Debug, Deserr)]
#[deserr(error = Faults, deny_unknown_fields)]
pub struct Admission {
    #[deserr(default)]
    pub ticket: Option<Param<String>>,
}
