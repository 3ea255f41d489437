//! The time of arrival that an organisation was promised. Pure.

use chrono::{DateTime, Utc};

use crate::http::text_enum;

text_enum! {
    /// What an organisation thinks of the promised time of arrival.
    PromiseState {
        /// Nothing is promised: no mechanic has the job, or the travel time is not known.
        None = "none",
        /// The organisation may accept or refuse it.
        Proposed = "proposed",
        Accepted = "accepted",
        /// The organisation refused it, and another mechanic is sought.
        Refused = "refused",
    }
}

/// A promised time of arrival.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    pub state: PromiseState,
    /// The time with all extensions.
    pub at: Option<DateTime<Utc>>,
    pub missed_at: Option<DateTime<Utc>>,
}

impl Promise {
    /// Returns whether the mechanic was there in time; `None` if nothing is promised or the time is not over.
    pub fn is_kept(&self, arrived_at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<bool> {
        let at = self.at?;
        match arrived_at {
            Some(arrived_at) => Some(arrived_at <= at),
            None => (at < now).then_some(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn a_promise_is_kept_by_an_arrival_in_time_and_broken_by_the_clock() {
        let second = |seconds| DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds);
        let promise =
            |at: Option<i64>| Promise { state: PromiseState::Accepted, at: at.map(second), missed_at: None };
        for (at, arrived_at, now, is_kept) in [
            (None, Some(5), 9, None),
            (Some(5), None, 4, None),
            (Some(5), None, 5, None),
            (Some(5), None, 6, Some(false)),
            (Some(5), Some(5), 9, Some(true)),
            (Some(5), Some(6), 6, Some(false)),
        ] {
            let kept = promise(at).is_kept(arrived_at.map(second), second(now));
            assert_eq!(kept, is_kept, "{at:?}, arrived at {arrived_at:?}, now {now}");
        }
    }
}
