//! The kinds and the states of grievances. Pure.

use roadcall_http::text_enum;
use roadcall_platform::error::{ApiError, Code};

use super::queries::GrievanceRow;

text_enum! {
    /// The subject of a grievance: access to one's data, a correction, a deletion, or a consent.
    GrievanceKind {
        Access = "access",
        Correction = "correction",
        Erasure = "erasure",
        Consent = "consent",
        Other = "other",
    }
}

text_enum! {
    /// The state of a grievance. It is closed if its account was deleted before anybody answered.
    GrievanceStatus { Open = "open", Answered = "answered", Closed = "closed", }
}

/// The maximum number of open grievances per person: enough for each kind.
pub const MAX_OPEN: i64 = 5;
/// The maximum number that a person may write within a day.
pub const MAX_A_DAY: i64 = 10;
const DAY_S: u64 = 24 * 3600;

impl GrievanceRow {
    pub fn status(&self) -> GrievanceStatus {
        match (self.done_at, self.answered_by) {
            (None, _) => GrievanceStatus::Open,
            (Some(_), Some(_)) => GrievanceStatus::Answered,
            (Some(_), None) => GrievanceStatus::Closed,
        }
    }
}

/// Checks that a person may write another grievance, with so many open and so many written within a day.
pub fn may_write(open: i64, today: i64) -> Result<(), ApiError> {
    if open >= MAX_OPEN {
        let why = format!("{MAX_OPEN} of your requests are open. Wait for an answer to one of them.");
        return Err(ApiError::new(Code::Conflict, why));
    }
    if today >= MAX_A_DAY {
        let why = format!("You have written {MAX_A_DAY} requests within a day. Write the next one tomorrow.");
        return Err(ApiError::new(Code::RateLimited, why).retry_after(DAY_S));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_grievance_is_open_until_it_is_answered_or_its_person_leaves() {
        let now = DateTime::UNIX_EPOCH;
        let row = |is_done: bool, is_answered: bool| GrievanceRow {
            id: Uuid::nil(),
            user_id: Uuid::nil(),
            kind: GrievanceKind::Access,
            text: None,
            created_at: now,
            due_at: now + TimeDelta::days(30),
            done_at: is_done.then_some(now),
            answer: None,
            answered_by: is_answered.then(Uuid::nil),
        };
        let of = |is_done, is_answered| row(is_done, is_answered).status();
        assert_eq!(of(false, false), GrievanceStatus::Open);
        assert_eq!(of(true, true), GrievanceStatus::Answered);
        assert_eq!(of(true, false), GrievanceStatus::Closed);
    }

    #[test]
    fn a_person_has_few_open_grievances_and_writes_few_a_day() {
        let code = |open, today| may_write(open, today).err().map(|error| error.code);
        assert_eq!(code(0, 0), None);
        assert_eq!(code(MAX_OPEN - 1, MAX_A_DAY - 1), None);
        assert_eq!(code(MAX_OPEN, 0), Some(Code::Conflict));
        assert_eq!(code(0, MAX_A_DAY), Some(Code::RateLimited));
    }
}
