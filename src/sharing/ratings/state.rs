//! Decides when a job may be rated, and when a side sees the other's rating. Pure.

use chrono::{DateTime, TimeDelta, Utc};

use roadcall_actors::job::state::Status;

use crate::jobs::{JobRow, JobStatus};

/// Why a job can't be rated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotRatable {
    /// The job is not done yet, was never done, or is disputed: nobody can rate until the dispute is resolved.
    #[error("This job is {0}. Only completed jobs can be rated.")]
    Status(JobStatus),
    #[error("This job could be rated until {0}.")]
    TooLate(DateTime<Utc>),
}

/// Returns until when a job may be rated: `window` after its completion, or after the end of its dispute, since nobody could rate
/// meanwhile. `None` for a job in any other status.
pub fn ratable_until(row: &JobRow, window: TimeDelta) -> Option<DateTime<Utc>> {
    let is_done = matches!(row.status.0, Status::Completed | Status::Paid | Status::Resolved);
    let since = row.completed_at.max(row.resolved_at);
    since.filter(|_| is_done).map(|since| since + window)
}

/// Checks that the job may be rated now.
pub fn check_ratable(row: &JobRow, window: TimeDelta, now: DateTime<Utc>) -> Result<(), NotRatable> {
    match ratable_until(row, window) {
        None => Err(NotRatable::Status(row.status)),
        Some(until) if now > until => Err(NotRatable::TooLate(until)),
        Some(_) => Ok(()),
    }
}

/// Returns whether each side may read the other's rating: both have rated, or the time for rating is over.
pub fn is_revealed(row: &JobRow, window: TimeDelta, ratings: usize, now: DateTime<Utc>) -> bool {
    ratings >= 2 || ratable_until(row, window).is_some_and(|until| now > until)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Named;
    use serde_json::json;
    use uuid::Uuid;

    fn at(day: u32, hour: u32) -> DateTime<Utc> {
        format!("2026-01-{day:02}T{hour:02}:00:00Z").parse().expect("a time")
    }

    fn row(status: &str, completed: Option<DateTime<Utc>>, resolved: Option<DateTime<Utc>>) -> JobRow {
        let (id, start) = (Uuid::from_u128(7), at(1, 0));
        serde_json::from_value(json!({
            "id": id, "customer_id": id, "vehicle_id": id, "vehicle_type": "two_wheeler",
            "service_category_id": id, "status": status, "version": 3, "seq": 3, "pickup_address": "here",
            "pickup_lat": 1.0, "pickup_lng": 2.0, "photo_urls": [], "contact_preference": "booker",
            "urgency": "normal", "begin_at": start, "base_price_paise": 100, "travel_price_paise": 50,
            "estimated_price_paise": 150, "attempt": 1, "round": 1, "offered_in_round": 0,
            "excluded_mechanics": [], "expired_once_mechanics": [], "wrong_start_codes": 0,
            "completed_at": completed, "resolved_at": resolved, "created_at": start, "updated_at": start,
        }))
        .expect("a snapshot")
    }

    #[test]
    fn only_completed_and_undisputed_work_can_be_rated() {
        let week = TimeDelta::days(7);
        for status in Status::ALL {
            let is_ratable = ["completed", "paid", "resolved"].contains(&status.as_str());
            let row = row(status.as_str(), Some(at(1, 0)), None);
            let expected = if is_ratable { Ok(()) } else { Err(NotRatable::Status(Named(status))) };
            assert_eq!(check_ratable(&row, week, at(2, 0)), expected, "{status:?}");
        }
    }

    #[test]
    fn the_time_for_rating_counts_from_the_completion_or_from_the_end_of_a_dispute() {
        let week = TimeDelta::days(7);
        for (resolved, now, is_ratable) in [
            (None, at(8, 0), true),
            (None, at(8, 1), false),
            (Some(at(20, 0)), at(27, 0), true),
            (Some(at(20, 0)), at(27, 1), false),
        ] {
            let status = if resolved.is_some() { "resolved" } else { "completed" };
            let row = row(status, Some(at(1, 0)), resolved);
            assert_eq!(check_ratable(&row, week, now).is_ok(), is_ratable, "{resolved:?} {now}");
        }
    }

    #[test]
    fn a_rating_is_revealed_once_both_have_rated_or_the_time_is_over() {
        let week = TimeDelta::days(7);
        for (status, ratings, now, is_revealed_then) in [
            ("completed", 1, at(2, 0), false),
            ("completed", 2, at(2, 0), true),
            ("completed", 1, at(9, 0), true),
            // The job may be rated again once the dispute is resolved.
            ("disputed", 1, at(9, 0), false),
            ("disputed", 2, at(9, 0), true),
        ] {
            let row = row(status, Some(at(1, 0)), None);
            assert_eq!(is_revealed(&row, week, ratings, now), is_revealed_then, "{status} {ratings} {now}");
        }
    }
}
