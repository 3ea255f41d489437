//! What becomes of a push: whether it is tried, and what its devices' answers come to. Pure.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::{http::text_enum, platform::backoff::pause};

text_enum! {
    /// How far a notification's push has come.
    DeliveryStatus {
        Pending = "pending",
        /// The push service of at least one device took it.
        Sent = "sent",
        /// It was tried as often as it may be, or is refused for good.
        Failed = "failed",
        /// There was no device, no wish or no use.
        Skipped = "skipped",
    }
}

/// How long and how often is tried.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// Tries at most; then it has failed.
    pub attempts: i32,
    /// After the first try that came to nothing; doubled with each.
    pub retry_s: i64,
    /// What is older is news no more.
    pub late_after: TimeDelta,
}

/// A push whose time has come, this try counted.
#[derive(Debug, Clone, Copy)]
pub struct Try {
    pub number: i32,
    pub created_at: DateTime<Utc>,
    /// When it is of no use any more, sooner than by its age.
    pub expires_at: Option<DateTime<Utc>>,
}

/// What a device's push service said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Taken,
    /// The token is of no app any more.
    Gone,
    Refused(String),
    /// It may be taken later: not before so long, where it says.
    Later {
        why: String,
        after: Option<Duration>,
    },
}

/// What follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    Settle(DeliveryStatus, Option<String>),
    /// Another try at that time.
    Again {
        at: DateTime<Utc>,
        why: String,
    },
}

impl Next {
    fn settle(status: DeliveryStatus, why: &str) -> Self {
        Self::Settle(status, Some(why.to_owned()))
    }
}

/// The longest that a push service may have us wait.
const LONGEST_WAIT: TimeDelta = TimeDelta::hours(1);
/// A push with less left is not made: it would come too late.
const LEAST_LIFE: TimeDelta = TimeDelta::seconds(1);

impl Try {
    /// Until when it is of use.
    pub fn ends_at(self, policy: Policy) -> DateTime<Utc> {
        let late_at = self.created_at + policy.late_after;
        self.expires_at.map_or(late_at, |expires_at| expires_at.min(late_at))
    }

    /// How it ends without being made, where there is a reason for that.
    pub fn obstacle(
        self,
        policy: Policy,
        is_wanted: bool,
        has_device: bool,
        now: DateTime<Utc>,
    ) -> Option<(DeliveryStatus, &'static str)> {
        if self.ends_at(policy) - now < LEAST_LIFE {
            Some((DeliveryStatus::Skipped, "too late"))
        } else if !is_wanted {
            Some((DeliveryStatus::Skipped, "switched off"))
        } else if !has_device {
            Some((DeliveryStatus::Skipped, "no device"))
        } else if self.number > policy.attempts {
            // The server died at each of them.
            Some((DeliveryStatus::Failed, "tried too often"))
        } else {
            None
        }
    }

    /// What the answers of all devices come to: one that took it is enough.
    pub fn outcome(self, policy: Policy, answers: &[Answer], now: DateTime<Utc>) -> Next {
        if answers.contains(&Answer::Taken) {
            return Next::Settle(DeliveryStatus::Sent, None);
        }
        let later = answers.iter().filter_map(|answer| match answer {
            Answer::Later { why, after } => Some((why, *after)),
            Answer::Taken | Answer::Gone | Answer::Refused(_) => None,
        });
        // Whichever may be tried first.
        if let Some((why, after)) = later.min_by_key(|(_, after)| after.unwrap_or_default()) {
            if self.number >= policy.attempts {
                return Next::settle(DeliveryStatus::Failed, why);
            }
            let asked = after.and_then(|after| TimeDelta::from_std(after).ok()).unwrap_or_default();
            let wait = asked.min(LONGEST_WAIT).max(pause(policy.retry_s, self.number));
            return Next::Again { at: now + wait, why: why.clone() };
        }
        let refused = answers.iter().find_map(|answer| match answer {
            Answer::Refused(why) => Some(why),
            Answer::Taken | Answer::Gone | Answer::Later { .. } => None,
        });
        match refused {
            Some(why) => Next::settle(DeliveryStatus::Failed, why),
            None => Next::settle(DeliveryStatus::Skipped, "no device"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const POLICY: Policy = Policy { attempts: 3, retry_s: 5, late_after: TimeDelta::hours(1) };

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
    }

    fn attempt(number: i32) -> Try {
        Try { number, created_at: at(0), expires_at: None }
    }

    fn later(after_s: Option<u64>) -> Answer {
        Answer::Later { why: "busy".to_owned(), after: after_s.map(Duration::from_secs) }
    }

    fn settled(status: DeliveryStatus, why: &str) -> Next {
        Next::settle(status, why)
    }

    #[test]
    fn a_push_is_not_made_without_a_wish_a_device_or_a_use() {
        let offer = Try { expires_at: Some(at(20)), ..attempt(1) };
        let skipped = |why| Some((DeliveryStatus::Skipped, why));
        let cases = [
            (attempt(1), true, true, 10, None),
            (attempt(1), false, true, 10, skipped("switched off")),
            (attempt(1), true, false, 10, skipped("no device")),
            (attempt(1), true, true, 3600, skipped("too late")),
            (offer, true, true, 19, None),
            (offer, true, true, 20, skipped("too late")),
            (offer, true, true, 21, skipped("too late")),
            (attempt(3), true, true, 10, None),
            (attempt(4), true, true, 10, Some((DeliveryStatus::Failed, "tried too often"))),
        ];
        for (attempt, is_wanted, has_device, now, expected) in cases {
            let obstacle = attempt.obstacle(POLICY, is_wanted, has_device, at(now));
            assert_eq!(obstacle, expected, "{attempt:?} {is_wanted} {has_device} at {now}");
        }
    }

    #[test]
    fn answers_of_several_devices_come_to_one_end() {
        use Answer::{Gone, Refused, Taken};
        let refused = || Refused("odd".to_owned());
        let again = |seconds| Next::Again { at: at(seconds), why: "busy".to_owned() };
        let cases: [(Vec<Answer>, i32, Next); 10] = [
            (vec![Taken], 1, Next::Settle(DeliveryStatus::Sent, None)),
            (vec![Gone, later(None), refused(), Taken], 3, Next::Settle(DeliveryStatus::Sent, None)),
            (vec![Gone, Gone], 1, settled(DeliveryStatus::Skipped, "no device")),
            (vec![Gone, refused()], 1, settled(DeliveryStatus::Failed, "odd")),
            (vec![refused(), later(None)], 1, again(5)),
            (vec![later(None)], 2, again(10)),
            (vec![later(Some(60)), later(Some(90))], 1, again(60)),
            (vec![later(Some(2))], 1, again(5)),
            (vec![later(Some(1_000_000))], 1, again(3600)),
            (vec![later(Some(2))], 3, settled(DeliveryStatus::Failed, "busy")),
        ];
        for (answers, number, expected) in cases {
            assert_eq!(attempt(number).outcome(POLICY, &answers, at(0)), expected, "{answers:?} at {number}");
        }
    }

    fn any_answer() -> impl Strategy<Value = Answer> {
        prop_oneof![
            Just(Answer::Taken),
            Just(Answer::Gone),
            Just(Answer::Refused("odd".to_owned())),
            proptest::option::of(0..10_000_000_u64).prop_map(later),
        ]
    }

    proptest! {
        /// Whatever is answered, it ends: never another try past the limit, never one in the past.
        #[test]
        fn every_push_ends(answers in proptest::collection::vec(any_answer(), 0..6), number in 1..10_i32) {
            match attempt(number).outcome(POLICY, &answers, at(0)) {
                Next::Again { at: again, .. } => {
                    prop_assert!(number < POLICY.attempts);
                    prop_assert!(again > at(0) && again <= at(3600));
                }
                Next::Settle(DeliveryStatus::Sent, _) => prop_assert!(answers.contains(&Answer::Taken)),
                Next::Settle(status, _) => {
                    prop_assert!(status != DeliveryStatus::Pending && !answers.contains(&Answer::Taken));
                }
            }
        }
    }
}
