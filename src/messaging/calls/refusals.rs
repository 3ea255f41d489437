use super::{availability::NotCallable, state::CallRefusal};
use crate::platform::error::{ApiError, Code};

pub(super) fn not_callable(closed: NotCallable) -> ApiError {
    let code = match closed {
        NotCallable::NoMechanic(_) => Code::InvalidTransition,
        NotCallable::TooLate(_) => Code::Conflict,
    };
    ApiError::new(code, closed.to_string())
}

pub(super) fn refused(refusal: CallRefusal) -> ApiError {
    let code = match refusal {
        CallRefusal::AlreadyDone | CallRefusal::NothingDue | CallRefusal::Elsewhere => Code::Conflict,
        CallRefusal::NotCalled | CallRefusal::Is(_) => Code::InvalidTransition,
    };
    ApiError::new(code, refusal.to_string())
}
