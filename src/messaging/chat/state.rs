//! Decides who writes, and when the two sides of a job may. Pure.

use chrono::{DateTime, TimeDelta, Utc};

use super::dto::ChatSide;
use crate::jobs::{JobRow, JobStatus, Viewer};

/// How long a job's log may get before its chat is full: a longer one is no longer about a breakdown.
const MAX_LOG: i64 = 10_000;

/// Why nobody can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotWritable {
    #[error("This job is {0}. You can write once a mechanic has accepted it.")]
    NoMechanic(JobStatus),
    #[error("You could write about this job until {0}.")]
    TooLate(DateTime<Utc>),
    #[error("This chat is full.")]
    Full,
}

/// Returns the reader's side; `None` for admins.
pub fn side(viewer: Viewer) -> Option<ChatSide> {
    match viewer {
        Viewer::Customer => Some(ChatSide::Customer),
        Viewer::Mechanic => Some(ChatSide::Mechanic),
        Viewer::Admin => None,
    }
}

/// Returns until when the two sides may write: for `after_end` after the job was completed or cancelled, whatever is paid or
/// disputed afterwards. `None` while the job goes on, and if there is no mechanic.
pub fn writable_until(row: &JobRow, after_end: TimeDelta) -> Option<DateTime<Utc>> {
    let ended_at = row.completed_at.or(row.cancelled_at);
    ended_at.filter(|_| row.mechanic_profile_id.is_some()).map(|at| at + after_end)
}

/// Checks that the two sides may write now.
pub fn check_writable(row: &JobRow, after_end: TimeDelta, now: DateTime<Utc>) -> Result<(), NotWritable> {
    if row.mechanic_profile_id.is_none() {
        return Err(NotWritable::NoMechanic(row.status));
    }
    match writable_until(row, after_end) {
        Some(until) if now > until => Err(NotWritable::TooLate(until)),
        _ if row.seq >= MAX_LOG => Err(NotWritable::Full),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use uuid::Uuid;

    fn at(hour: u32) -> DateTime<Utc> {
        format!("2026-01-0{}T{:02}:00:00Z", 1 + hour / 24, hour % 24).parse().expect("a time")
    }

    fn row(status: &str, mechanic: bool, completed: Option<u32>, cancelled: Option<u32>) -> JobRow {
        let (id, start) = (Uuid::from_u128(7), at(0));
        serde_json::from_value(json!({
            "id": id, "customer_id": id, "vehicle_id": id, "vehicle_type": "two_wheeler",
            "service_category_id": id, "status": status, "version": 3, "seq": 3, "pickup_address": "here",
            "pickup_lat": 1.0, "pickup_lng": 2.0, "photo_urls": [], "contact_preference": "booker",
            "urgency": "normal", "begin_at": start, "base_price_paise": 100, "travel_price_paise": 50,
            "estimated_price_paise": 150, "attempt": 1, "round": 1, "offered_in_round": 0,
            "mechanic_profile_id": mechanic.then_some(id), "excluded_mechanics": [], "expired_once_mechanics": [],
            "wrong_start_codes": 0, "completed_at": completed.map(at), "cancelled_at": cancelled.map(at),
            "resolved_at": completed.map(|hour| at(hour + 20)), "created_at": start, "updated_at": start,
        }))
        .expect("a snapshot")
    }

    #[test]
    fn the_two_sides_can_write_from_acceptance_until_a_day_after_the_end() {
        let day = TimeDelta::hours(24);
        let open = ["accepted", "en_route", "arrived", "in_progress"];
        for status in open {
            assert_eq!(check_writable(&row(status, true, None, None), day, at(200)), Ok(()), "{status}");
        }
        for status in ["pending", "dispatching", "no_mechanic_found", "cancelled"] {
            let refused = check_writable(&row(status, false, None, None), day, at(1));
            assert!(matches!(refused, Err(NotWritable::NoMechanic(_))), "{status}");
        }
        for status in ["completed", "paid", "disputed", "resolved"] {
            let row = row(status, true, Some(2), None);
            assert_eq!(check_writable(&row, day, at(26)), Ok(()), "{status}");
            assert_eq!(check_writable(&row, day, at(27)), Err(NotWritable::TooLate(at(26))), "{status}");
        }
        let cancelled = row("cancelled", true, None, Some(5));
        assert_eq!(check_writable(&cancelled, day, at(29)), Ok(()));
        assert_eq!(check_writable(&cancelled, day, at(30)), Err(NotWritable::TooLate(at(29))));
        assert_eq!(writable_until(&row("cancelled", false, None, Some(5)), day), None);
    }

    #[test]
    fn a_full_log_takes_no_messages() {
        let row = JobRow { seq: MAX_LOG, ..row("accepted", true, None, None) };
        assert_eq!(check_writable(&row, TimeDelta::hours(24), at(1)), Err(NotWritable::Full));
        let row = JobRow { seq: MAX_LOG - 1, ..row };
        assert_eq!(check_writable(&row, TimeDelta::hours(24), at(1)), Ok(()));
    }
}
