use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use crate::web::{Faults, Param, Timestamp, Whole};

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
