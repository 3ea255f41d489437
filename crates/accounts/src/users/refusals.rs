use roadcall_platform::error::{ApiError, ApiResult};
use uuid::Uuid;

/// Returns the refusal for an account that was deleted after the token was checked.
pub fn gone() -> ApiError {
    ApiError::unauthorized("This account was deleted.")
}

pub fn no_user() -> ApiError {
    ApiError::not_found("user")
}

/// Refuses with 403 an action on one's own account that only another admin may do.
pub fn not_own(admin: Uuid, id: Uuid) -> ApiResult<()> {
    let forbidden = || ApiError::forbidden("You can't do this to your own account.");
    if id == admin { Err(forbidden()) } else { Ok(()) }
}
