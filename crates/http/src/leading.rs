//! Refuses every request that needs the database while another server leads.

use roadcall_platform::{
    core::Core,
    error::{ApiError, Code},
};

/// Checks that this server may use its database.
pub fn check_leading(context: &Core) -> Result<(), ApiError> {
    if context.db.lease().is_held() { Ok(()) } else { Err(not_leading()) }
}

/// Returns the 503 of a server that may not use its database: nothing was done, and another server answers. It has no
/// cause for the log: the log says once why this server does not lead, not with every request.
pub fn not_leading() -> ApiError {
    let message = "This server is not serving requests right now. Nothing was changed; try again.";
    ApiError::new(Code::Unavailable, message).retry_after(1)
}
