use uuid::Uuid;

use crate::platform::error::{ApiError, ApiResult};

/// The account was deleted after the token was checked.
pub fn gone() -> ApiError {
    ApiError::unauthorized("This account was deleted.")
}

pub fn no_user() -> ApiError {
    ApiError::not_found("user")
}

/// 403 for admins who do to themselves what only another admin may do to them.
pub fn not_own(admin: Uuid, id: Uuid) -> ApiResult<()> {
    let forbidden = || ApiError::forbidden("You can't do this to your own account.");
    if id == admin { Err(forbidden()) } else { Ok(()) }
}
