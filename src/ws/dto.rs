use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use crate::web::{Faults, Param, Timestamp};

/// Opens one socket.
#[derive(Debug, Serialize, ToSchema)]
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
