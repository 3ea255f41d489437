//! As whom a job is read.

use uuid::Uuid;

use crate::{
    accounts::auth::{Caller, Role},
    jobs::queries::JobRow,
};

/// As whom a job is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    Customer,
    /// The one who is on it, or was when it ended.
    Mechanic,
    Admin,
}

/// As whom the caller reads the job; `None` for everybody else.
pub fn viewer_of(caller: &Caller, row: &JobRow) -> Option<Viewer> {
    let profile: Option<Uuid> = caller.mechanic.map(|mechanic| mechanic.profile_id);
    match caller.role {
        Role::Admin | Role::SuperAdmin => Some(Viewer::Admin),
        Role::Customer if row.customer_id == caller.user_id => Some(Viewer::Customer),
        Role::Customer if profile.is_some() && row.mechanic_profile_id == profile => Some(Viewer::Mechanic),
        Role::Customer => None,
    }
}
