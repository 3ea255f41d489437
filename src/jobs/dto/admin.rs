//! Jobs, as admins assign them.

use deserr::Deserr;
use utoipa::ToSchema;

use crate::http::{Id, Text, ValidationErrors};

/// The mechanic to assign, bypassing the offers.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Assign {
    pub mechanic_profile_id: Id,
    /// Why this mechanic, although dispatch would leave them out: they don't serve the type of vehicle or offer the
    /// kind of help, are offline, too far away, or gave the job back. It goes into the audit log and onto the timeline,
    /// which the customer and the mechanic read.
    #[deserr(default)]
    pub override_reason: Option<Text<3, 200>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct AdminReason {
    pub reason: Text<3, 500>,
}
