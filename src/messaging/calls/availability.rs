//! When people may call about a job, and when the job ends a call. Pure.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::state::{CallReach, EndReason};
use crate::jobs::{ContactPreference, JobRow, JobStatus};

/// Why nobody may call about a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotCallable {
    #[error("This job is {0}, so there is nobody to call.")]
    NoMechanic(JobStatus),
    #[error("Calls about this job were possible until {0}.")]
    TooLate(DateTime<Utc>),
}

/// Returns the mechanic with whom the job's customer may talk now: from acceptance until `grace` after the job's end.
pub fn callable_mechanic(row: &JobRow, grace: TimeDelta, now: DateTime<Utc>) -> Result<Uuid, NotCallable> {
    let mechanic = row.mechanic_profile_id.ok_or(NotCallable::NoMechanic(row.status))?;
    let until = row.completed_at.or(row.cancelled_at).map(|end| end + grace);
    match until {
        Some(until) if now > until => Err(NotCallable::TooLate(until)),
        _ => Ok(mechanic),
    }
}

/// Returns whether somebody is on their way to the job, or at it.
pub fn has_active_mechanic(row: &JobRow) -> bool {
    row.status.is_active()
}

/// Returns whom a mechanic's call rings, as the customer prefers. If that is the beneficiary but no guest is listening, the
/// customer's phone rings as well.
pub fn reach(preference: ContactPreference, has_guests: bool, is_listening: bool) -> CallReach {
    match preference {
        ContactPreference::Beneficiary if has_guests && is_listening => CallReach::Guests,
        ContactPreference::Beneficiary | ContactPreference::Both if has_guests => CallReach::Both,
        ContactPreference::Booker | ContactPreference::Beneficiary | ContactPreference::Both => {
            CallReach::Account
        }
    }
}

/// Returns why the job ends a call with this mechanic, if it does. `on_job`: the call began while the job was under way.
pub fn reason_to_end(row: &JobRow, mechanic_profile_id: Uuid, on_job: bool) -> Option<EndReason> {
    if row.mechanic_profile_id != Some(mechanic_profile_id) {
        Some(EndReason::Reassigned)
    } else if on_job && !has_active_mechanic(row) {
        Some(EndReason::JobOver)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Named;
    use roadcall_actors::job::state::Status;
    use serde_json::json;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
    }

    fn job(status: &str, mechanic: Option<u128>, ended: Option<DateTime<Utc>>) -> JobRow {
        let (id, start) = (Uuid::from_u128(7), at(0));
        let (completed, cancelled) = if status == "cancelled" { (None, ended) } else { (ended, None) };
        serde_json::from_value(json!({
            "id": id, "customer_id": id, "vehicle_id": id, "vehicle_type": "two_wheeler",
            "service_category_id": id, "status": status, "version": 3, "seq": 3, "pickup_address": "here",
            "pickup_lat": 1.0, "pickup_lng": 2.0, "photo_urls": [], "contact_preference": "booker",
            "urgency": "normal", "begin_at": start, "base_price_paise": 100, "travel_price_paise": 50,
            "estimated_price_paise": 150, "attempt": 1, "round": 1, "offered_in_round": 0,
            "excluded_mechanics": [], "expired_once_mechanics": [], "wrong_start_codes": 0,
            "mechanic_profile_id": mechanic.map(Uuid::from_u128), "completed_at": completed,
            "cancelled_at": cancelled, "created_at": start, "updated_at": start,
        }))
        .expect("a snapshot")
    }

    #[test]
    fn calls_about_a_job_are_possible_from_acceptance_until_a_while_after_its_end() {
        let grace = TimeDelta::hours(24);
        for status in Status::ALL {
            use Status::{Accepted, Arrived, Dispatching, EnRoute, InProgress, NoMechanicFound, Pending};
            let row = job(status.as_str(), None, None);
            assert_eq!(
                callable_mechanic(&row, grace, at(0)),
                Err(NotCallable::NoMechanic(Named(status))),
                "{status:?}"
            );
            if matches!(status, Pending | Dispatching | NoMechanicFound) {
                continue;
            }
            let is_on_it = matches!(status, Accepted | EnRoute | Arrived | InProgress);
            let end = (!is_on_it).then(|| at(100));
            let row = job(status.as_str(), Some(9), end);
            assert_eq!(has_active_mechanic(&row), is_on_it);
            let last = at(100) + grace;
            assert_eq!(callable_mechanic(&row, grace, last), Ok(Uuid::from_u128(9)), "{status:?}");
            let late = last + TimeDelta::milliseconds(1);
            let expected = if is_on_it { Ok(Uuid::from_u128(9)) } else { Err(NotCallable::TooLate(last)) };
            assert_eq!(callable_mechanic(&row, grace, late), expected, "{status:?}");
        }
    }

    #[test]
    fn a_mechanics_call_follows_the_customers_preference_and_always_rings_somebody() {
        use ContactPreference::{Beneficiary, Booker, Both};
        for (preference, has_guests, is_listening, expected) in [
            (Booker, true, true, CallReach::Account),
            (Beneficiary, true, true, CallReach::Guests),
            (Beneficiary, true, false, CallReach::Both),
            (Beneficiary, false, false, CallReach::Account),
            (Both, true, true, CallReach::Both),
            (Both, true, false, CallReach::Both),
            (Both, false, false, CallReach::Account),
        ] {
            let rings = reach(preference, has_guests, is_listening);
            assert_eq!(rings, expected, "{preference}, guests {has_guests}, listening {is_listening}");
            assert!(rings.has_account() || is_listening);
        }
    }

    #[test]
    fn a_call_ends_with_the_job_it_began_on_and_with_its_mechanic() {
        let mechanic = Uuid::from_u128(9);
        for (status, on_it, on_job, expected) in [
            ("in_progress", Some(9), true, None),
            ("completed", Some(9), true, Some(EndReason::JobOver)),
            ("completed", Some(9), false, None),
            ("cancelled", Some(9), true, Some(EndReason::JobOver)),
            ("dispatching", None, true, Some(EndReason::Reassigned)),
            ("accepted", Some(8), true, Some(EndReason::Reassigned)),
            ("completed", Some(8), false, Some(EndReason::Reassigned)),
        ] {
            assert_eq!(
                reason_to_end(&job(status, on_it, None), mechanic, on_job),
                expected,
                "{status} {on_it:?} {on_job}"
            );
        }
    }
}
