//! The role in which a job is read.

use uuid::Uuid;

use crate::{
    accounts::auth::{Caller, Role, desk},
    jobs::queries::JobRow,
    platform::error::ApiResult,
};

/// The role in which a job is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    Customer,
    /// The mechanic who is on the job, or was when it ended.
    Mechanic,
    Admin,
}

/// Refuses with 403 an admin at no desk that has to do with jobs.
pub fn check_desk(caller: &Caller) -> ApiResult<()> {
    if caller.is_admin() { caller.desks.check::<desk::Cases>() } else { Ok(()) }
}

/// Returns the role in which the caller reads the job; `None` for everybody else, and where [`check_desk`] refuses.
pub fn viewer_of(caller: &Caller, row: &JobRow) -> Option<Viewer> {
    viewer_among(caller, row.customer_id, row.mechanic_profile_id)
}

/// Returns the same for a job of this customer and this mechanic.
pub(super) fn viewer_among(
    caller: &Caller,
    customer_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
) -> Option<Viewer> {
    let profile: Option<Uuid> = caller.mechanic.map(|mechanic| mechanic.profile_id);
    match caller.role {
        Role::Admin | Role::SuperAdmin => check_desk(caller).is_ok().then_some(Viewer::Admin),
        Role::Customer if customer_id == caller.user_id => Some(Viewer::Customer),
        Role::Customer if profile.is_some() && mechanic_profile_id == profile => Some(Viewer::Mechanic),
        Role::Customer => None,
    }
}
