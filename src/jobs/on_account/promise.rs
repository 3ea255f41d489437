//! The time of arrival that an organisation was promised. Pure.

use chrono::{DateTime, Utc};

use crate::http::text_enum;

text_enum! {
    /// The organisation's opinion about the promised time of arrival.
    PromiseState {
        /// No promise was made, since no mechanic has the job or the travel time is unknown.
        None = "none",
        /// The organisation may accept or refuse it.
        Proposed = "proposed",
        Accepted = "accepted",
        /// The organisation refused it, and another mechanic is sought.
        Refused = "refused",
    }
}

/// Returns whether a promise is broken, once its time has come. A job that its mechanic has left, or that is cancelled, has no
/// promise any more.
pub(super) fn is_missed(
    promised_at: DateTime<Utc>,
    arrived_at: Option<DateTime<Utc>>,
    is_active: bool,
) -> bool {
    arrived_at.map_or(is_active, |arrived_at| arrived_at > promised_at)
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn a_promise_is_kept_by_an_arrival_in_time_and_void_without_a_mechanic() {
        let second = |seconds| DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds);
        for (arrived_at, is_active, missed) in [
            (Some(4), true, false),
            (Some(5), true, false),
            (Some(6), true, true),
            (Some(5), false, false),
            (Some(6), false, true),
            (None, true, true),
            (None, false, false),
        ] {
            let is_broken = is_missed(second(5), arrived_at.map(second), is_active);
            assert_eq!(is_broken, missed, "arrived at {arrived_at:?}, active: {is_active}");
        }
    }
}
