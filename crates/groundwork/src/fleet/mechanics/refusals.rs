use roadcall_actors::job::state::Refusal;
use roadcall_platform::error::{ApiError, Code};

use crate::wire;

/// Makes an error as for jobs, except that NotFound is about the mechanic.
pub(super) fn refused(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::NotFound => no_such_mechanic(),
        Refusal::NotEligible(_) => ApiError::new(Code::NotVerified, "Your mechanic profile is not verified."),
        other => wire::refused(other),
    }
}

pub fn no_such_mechanic() -> ApiError {
    ApiError::not_found("mechanic")
}
