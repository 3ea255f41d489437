//! Decides whether a push or a text message is tried, and its outcome. Pure.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_http::text_enum;
use roadcall_platform::backoff::pause;

text_enum! {
    /// The status of a notification's push.
    DeliveryStatus {
        Pending = "pending",
        /// At least one device's push service accepted the push.
        Sent = "sent",
        /// The tries are used up, or the push service rejected the push permanently.
        Failed = "failed",
        /// There was no device, the topic is switched off, or it was too late.
        Skipped = "skipped",
    }
}

/// When pushes are retried.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// The maximum number of tries.
    pub attempts: i32,
    /// The pause after the first failed try, in seconds; it doubles after each further one.
    pub retry_s: i64,
    /// Older notifications are not pushed.
    pub late_after: TimeDelta,
    /// The pause before a ringing push is repeated, and the number of repeats.
    pub repeat_after: TimeDelta,
    pub repeats: i32,
}

/// A try of a push.
#[derive(Debug, Clone, Copy)]
pub struct Try {
    pub number: i32,
    pub created_at: DateTime<Utc>,
    /// When the notification expires.
    pub expires_at: Option<DateTime<Utc>>,
}

/// The answer of a device's push service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceResult {
    Taken,
    /// The token is no longer registered.
    Unregistered,
    Refused(String),
    /// The service asks for another try later, after this time if it is given.
    Later {
        why: String,
        after: Option<Duration>,
    },
}

/// The consequence of a try.
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

/// The longest wait that a push service can ask for.
const LONGEST_WAIT: TimeDelta = TimeDelta::hours(1);
/// A push with less time left is skipped.
const MIN_LIFE: TimeDelta = TimeDelta::seconds(1);

impl Try {
    /// Returns when it is too late to push.
    pub fn ends_at(self, policy: Policy) -> DateTime<Utc> {
        let late_at = self.created_at + policy.late_after;
        self.expires_at.map_or(late_at, |expires_at| expires_at.min(late_at))
    }

    /// Returns why the push is not tried, if there is a reason.
    pub fn obstacle(
        self,
        policy: Policy,
        is_wanted: bool,
        has_device: bool,
        now: DateTime<Utc>,
    ) -> Option<(DeliveryStatus, &'static str)> {
        if self.ends_at(policy) - now < MIN_LIFE {
            Some((DeliveryStatus::Skipped, "too late"))
        } else if !is_wanted {
            Some((DeliveryStatus::Skipped, "switched off"))
        } else if !has_device {
            Some((DeliveryStatus::Skipped, "no device"))
        } else if self.number > policy.attempts {
            // The server stopped during each of the tries.
            Some((DeliveryStatus::Failed, "tried too often"))
        } else {
            None
        }
    }

    /// Returns when a ringing push is repeated, after it was sent.
    pub fn repeats_at(self, policy: Policy, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let next = now + policy.repeat_after;
        (policy.repeats > 0 && self.ends_at(policy) - next >= MIN_LIFE).then_some(next)
    }

    /// Returns the outcome for all devices: one device that accepted the push is enough.
    pub fn outcome(self, policy: Policy, answers: &[DeviceResult], now: DateTime<Utc>) -> Next {
        if answers.contains(&DeviceResult::Taken) {
            return Next::Settle(DeliveryStatus::Sent, None);
        }
        let later = answers.iter().filter_map(|answer| match answer {
            DeviceResult::Later { why, after } => Some((why, *after)),
            DeviceResult::Taken | DeviceResult::Unregistered | DeviceResult::Refused(_) => None,
        });
        if let Some((why, after)) = later.min_by_key(|(_, after)| after.unwrap_or_default()) {
            if self.number >= policy.attempts {
                return Next::settle(DeliveryStatus::Failed, why);
            }
            let asked = after.and_then(|after| TimeDelta::from_std(after).ok()).unwrap_or_default();
            let wait = asked.min(LONGEST_WAIT).max(pause(policy.retry_s, self.number));
            return Next::Again { at: now + wait, why: why.clone() };
        }
        let refused = answers.iter().find_map(|answer| match answer {
            DeviceResult::Refused(why) => Some(why),
            DeviceResult::Taken | DeviceResult::Unregistered | DeviceResult::Later { .. } => None,
        });
        match refused {
            Some(why) => Next::settle(DeliveryStatus::Failed, why),
            None => Next::settle(DeliveryStatus::Skipped, "no device"),
        }
    }
}

text_enum! {
    /// The state of a notification as a text message.
    TextStatus {
        /// The message is being handed over, or the service stopped during that.
        Sending = "sending",
        Sent = "sent",
        /// The message was not taken, and is tried again.
        PutOff = "put_off",
        Failed = "failed",
        /// It is unknown whether the message was taken.
        Unknown = "unknown",
        /// The message was not needed, not wanted, or one too many.
        Skipped = "skipped",
    }
}

/// When notifications become text messages.
#[derive(Debug, Clone, Copy)]
pub struct TextPolicy {
    /// The time that apps have to show the notification.
    pub after: TimeDelta,
    /// Older notifications are out of date.
    pub late_after: TimeDelta,
    /// The pause before another try.
    pub pause: TimeDelta,
    /// The maximum number of tries.
    pub attempts: i32,
}

impl TextPolicy {
    pub fn after(after: TimeDelta) -> Self {
        Self { after, late_after: TimeDelta::minutes(15), pause: TimeDelta::seconds(30), attempts: 3 }
    }
}

/// A try of a text message.
#[derive(Debug, Clone, Copy)]
pub struct TextTry {
    pub number: i32,
    pub created_at: DateTime<Utc>,
    /// When the message was not taken.
    pub tried_at: Option<DateTime<Utc>>,
    pub is_wanted: bool,
    pub is_read: bool,
    /// Whether the job is still in the same state.
    pub is_current: bool,
}

impl TextTry {
    pub fn due_at(self, policy: TextPolicy) -> DateTime<Utc> {
        self.tried_at.map_or(self.created_at + policy.after, |tried_at| tried_at + policy.pause)
    }

    /// Returns why the message is not sent, if there is a reason. `is_open`: an app of the person is connected.
    pub fn obstacle(self, is_open: bool) -> Option<&'static str> {
        if !self.is_wanted {
            Some("switched off")
        } else if self.is_read {
            Some("read")
        } else if !self.is_current {
            Some("old news")
        } else if is_open {
            Some("an app is open")
        } else {
            None
        }
    }

    /// Returns the state after a message was certainly not taken.
    pub fn after_refusal(self, policy: TextPolicy, now: DateTime<Utc>) -> TextStatus {
        let is_late = now + policy.pause >= self.created_at + policy.late_after;
        if self.number >= policy.attempts || is_late { TextStatus::Failed } else { TextStatus::PutOff }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const POLICY: Policy = Policy {
        attempts: 3,
        retry_s: 5,
        late_after: TimeDelta::hours(1),
        repeat_after: TimeDelta::seconds(15),
        repeats: 2,
    };

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
    }

    fn attempt(number: i32) -> Try {
        Try { number, created_at: at(0), expires_at: None }
    }

    fn later(after_s: Option<u64>) -> DeviceResult {
        DeviceResult::Later { why: "busy".to_owned(), after: after_s.map(Duration::from_secs) }
    }

    fn settled(status: DeliveryStatus, why: &str) -> Next {
        Next::settle(status, why)
    }

    #[test]
    fn a_push_needs_consent_a_device_and_time() {
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
    fn a_ringing_push_is_repeated_while_there_is_time_to_answer() {
        let offer = |seconds| Try { expires_at: Some(at(seconds)), ..attempt(1) };
        assert_eq!(offer(20).repeats_at(POLICY, at(2)), Some(at(17)));
        assert_eq!(offer(20).repeats_at(POLICY, at(5)), None, "too late by then");
        assert_eq!(offer(90).repeats_at(Policy { repeats: 0, ..POLICY }, at(2)), None);
    }

    #[test]
    fn answers_of_several_devices_give_one_outcome() {
        use DeviceResult::{Refused, Taken, Unregistered};
        let refused = || Refused("odd".to_owned());
        let again = |seconds| Next::Again { at: at(seconds), why: "busy".to_owned() };
        let cases: [(Vec<DeviceResult>, i32, Next); 10] = [
            (vec![Taken], 1, Next::Settle(DeliveryStatus::Sent, None)),
            (vec![Unregistered, later(None), refused(), Taken], 3, Next::Settle(DeliveryStatus::Sent, None)),
            (vec![Unregistered, Unregistered], 1, settled(DeliveryStatus::Skipped, "no device")),
            (vec![Unregistered, refused()], 1, settled(DeliveryStatus::Failed, "odd")),
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

    #[test]
    fn a_text_is_sent_if_no_app_could_show_it_and_is_retried_for_a_while() {
        let policy = TextPolicy::after(TimeDelta::seconds(20));
        let first = TextTry {
            number: 1,
            created_at: at(0),
            tried_at: None,
            is_wanted: true,
            is_read: false,
            is_current: true,
        };
        assert_eq!((first.due_at(policy), first.obstacle(false)), (at(20), None));
        assert_eq!(TextTry { tried_at: Some(at(25)), ..first }.due_at(policy), at(55));
        assert_eq!(first.obstacle(true), Some("an app is open"));
        assert_eq!(TextTry { is_wanted: false, ..first }.obstacle(false), Some("switched off"));
        assert_eq!(TextTry { is_read: true, ..first }.obstacle(false), Some("read"));
        assert_eq!(TextTry { is_current: false, ..first }.obstacle(false), Some("old news"));
        for (number, now, expected) in [
            (1, 20, TextStatus::PutOff),
            (2, 60, TextStatus::PutOff),
            (3, 90, TextStatus::Failed),
            (1, 880, TextStatus::Failed),
        ] {
            assert_eq!(
                TextTry { number, ..first }.after_refusal(policy, at(now)),
                expected,
                "{number} {now}"
            );
        }
    }

    fn any_answer() -> impl Strategy<Value = DeviceResult> {
        prop_oneof![
            Just(DeviceResult::Taken),
            Just(DeviceResult::Unregistered),
            Just(DeviceResult::Refused("odd".to_owned())),
            proptest::option::of(0..10_000_000_u64).prop_map(later),
        ]
    }

    proptest! {
        /// Whatever the answers, the push ends: there is never another try past the limit, and never one in the past.
        #[test]
        fn every_push_ends(answers in proptest::collection::vec(any_answer(), 0..6), number in 1..10_i32) {
            match attempt(number).outcome(POLICY, &answers, at(0)) {
                Next::Again { at: again, .. } => {
                    prop_assert!(number < POLICY.attempts);
                    prop_assert!(again > at(0) && again <= at(3600));
                }
                Next::Settle(DeliveryStatus::Sent, _) => prop_assert!(answers.contains(&DeviceResult::Taken)),
                Next::Settle(status, _) => {
                    prop_assert!(status != DeliveryStatus::Pending && !answers.contains(&DeviceResult::Taken));
                }
            }
        }
    }
}
