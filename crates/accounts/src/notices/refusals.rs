use roadcall_platform::error::{ApiError, Code};

/// Returns the 404 while the operator has published no notice.
pub fn no_notice() -> ApiError {
    ApiError::new(Code::NoPrivacyNotice, "There is no privacy notice here.")
}

/// Returns the 409 for an agreement to a version that is not the newest.
pub fn other_version(newest: i64) -> ApiError {
    let message = format!("Version {newest} of the privacy notice holds now. Read it, then agree to it.");
    ApiError::new(Code::NoticeChanged, message)
}

/// Returns the 409 for a version that was not written to follow the newest.
pub fn published_meanwhile(newest: i64) -> ApiError {
    let message = format!("Version {newest} of the privacy notice was published meanwhile. Read it first.");
    ApiError::new(Code::NoticeChanged, message)
}
