//! Counts calls for help in vain: mechanics are shown an offer, and the customer cancels before anybody can take it. Calls count
//! for a person, whatever account they have, and for a device. They are counted from the existing jobs and offers, once, when the
//! next job is created (`checks/`).

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    jobs::context::JobsContext,
    platform::error::{ApiError, ApiResult},
};

/// How long after the last cancellation the next job may come, once there were too many cancellations.
const FIRST_PAUSE: TimeDelta = TimeDelta::minutes(1);
/// The number of further offers that doubles the pause …
const OFFERS_TO_DOUBLE: i64 = 5;
/// … until it is this long.
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);
/// A person who really has had an accident is not kept waiting for longer.
const LONGEST_PAUSE_IN_ACCIDENT: TimeDelta = TimeDelta::minutes(5);
/// The number of people who may share a device.
const PEOPLE_OF_A_DEVICE: i64 = 2;

/// Identifies a customer independently of their account.
#[derive(Debug, Clone, Copy)]
pub struct KnownBy {
    /// The key that every account of their phone number shares.
    pub person_key: Uuid,
    /// The session, which leads to the device.
    pub session_id: Uuid,
}

/// The numbers of offers that cancellations took back, and the times of the last of these cancellations, for a person and for all
/// people of their device.
#[derive(Debug, Clone, Copy, Default, FromRow)]
pub struct WithdrawnOffers {
    pub of_person: i64,
    pub last_of_person: Option<DateTime<Utc>>,
    pub of_device: i64,
    pub last_of_device: Option<DateTime<Utc>>,
}

/// Refuses a job of a customer whose cancellations took many offers back from mechanics a short time ago: 429, which says when
/// they may call again.
pub(super) fn check_withdrawn(
    context: &JobsContext,
    withdrawn: &WithdrawnOffers,
    is_accident: bool,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let longest = if is_accident { LONGEST_PAUSE_IN_ACCIDENT } else { LONGEST_PAUSE };
    let Some(at) =
        may_call_at(withdrawn, context.job_settings.max_withdrawn_offers, longest).filter(|at| *at > now)
    else {
        return Ok(());
    };
    let seconds = u64::try_from((at - now).num_seconds() + 1).unwrap_or(1);
    let or = if is_accident { format!(" {}", call_instead(&context.support_phone)) } else { String::new() };
    Err(ApiError::wait(seconds, |wait| {
        format!("You have called for help and cancelled too often. You can call again in {wait}.{or}")
    }))
}

/// Tells a customer who has had an accident whom to turn to.
pub(super) fn call_instead(support_phone: &str) -> String {
    match support_phone {
        "" => "Contact us, and we send help.".to_owned(),
        phone => format!("Call {phone}, and we send help."),
    }
}

/// Returns when the next job may come, or `None` if no cancellation counts.
fn may_call_at(withdrawn: &WithdrawnOffers, most: i64, longest: TimeDelta) -> Option<DateTime<Utc>> {
    let after =
        |last: Option<DateTime<Utc>>, count, most| last.map(|last| last + pause(count, most, longest));
    let person = after(withdrawn.last_of_person, withdrawn.of_person, most);
    let device =
        after(withdrawn.last_of_device, withdrawn.of_device, most.saturating_mul(PEOPLE_OF_A_DEVICE));
    person.max(device)
}

/// Returns how long after a cancellation the next job may come.
fn pause(withdrawn: i64, most: i64, longest: TimeDelta) -> TimeDelta {
    if withdrawn < most {
        return TimeDelta::zero();
    }
    let doublings = ((withdrawn - most) / OFFERS_TO_DOUBLE).min(10);
    longest.min(FIRST_PAUSE * (1_i32 << doublings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_doubles_with_the_offers_and_an_accident_is_never_far_away() {
        let cases = [
            (0, 0, 0),
            (19, 0, 0),
            (20, 1, 1),
            (24, 1, 1),
            (25, 2, 2),
            (35, 8, 5),
            (50, 60, 5),
            (i64::MAX, 60, 5),
        ];
        for (withdrawn, minutes, in_accident) in cases {
            assert_eq!(pause(withdrawn, 20, LONGEST_PAUSE), TimeDelta::minutes(minutes), "{withdrawn}");
            let accident = pause(withdrawn, 20, LONGEST_PAUSE_IN_ACCIDENT);
            assert_eq!(accident, TimeDelta::minutes(in_accident), "{withdrawn}");
        }
    }

    #[test]
    fn a_device_may_have_twice_as_many_and_the_later_time_counts() {
        let last = DateTime::from_timestamp(1_800_000_000, 0);
        let of = |of_person, of_device| {
            let last_of_person = last.filter(|_| of_person > 0);
            let found = WithdrawnOffers { of_person, last_of_person, of_device, last_of_device: last };
            may_call_at(&found, 20, LONGEST_PAUSE).zip(last).map(|(at, last)| (at - last).num_minutes())
        };
        assert_eq!(of(0, 39), Some(0));
        assert_eq!(of(0, 40), Some(1));
        assert_eq!(of(25, 40), Some(2));
        assert_eq!(may_call_at(&WithdrawnOffers::default(), 20, LONGEST_PAUSE), None);
    }
}
