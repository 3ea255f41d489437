//! Decides what follows from a try to hand a mail over. Pure.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_http::text_enum;
use roadcall_platform::backoff::pause;

use crate::mail::{MailError, MailSettings};

text_enum! {
    /// The subject of a mail.
    MailKind {
        /// Somebody is invited to become an admin.
        Invitation = "invitation",
        /// The code that confirms an address.
        EmailCode = "email_code",
        /// The receipt of a payment.
        Receipt = "receipt",
        /// The report of a day, for the addresses in `mail.reports_to`.
        Report = "report",
    }
}

text_enum! {
    /// The state of a mail.
    MailStatus {
        Pending = "pending",
        /// A server took it.
        Sent = "sent",
        /// The tries are used up, or a server refused it for good.
        Failed = "failed",
        /// The mail had become pointless.
        Skipped = "skipped",
    }
}

/// When mails are tried again.
#[derive(Debug, Clone, Copy)]
pub struct MailPolicy {
    /// The maximum number of tries.
    pub attempts: i32,
    /// The pause after the first failed try, in seconds; it doubles after each further one.
    pub retry_s: i64,
    /// Older mails are not tried again.
    pub late_after: TimeDelta,
}

impl MailPolicy {
    pub fn of(settings: &MailSettings) -> Self {
        let late_after = TimeDelta::seconds(settings.late_after_s);
        Self { attempts: settings.attempts, retry_s: settings.retry_s, late_after }
    }
}

/// A try of a mail.
#[derive(Debug, Clone, Copy)]
pub struct MailTry {
    /// The number of the try, from 1.
    pub number: i32,
    pub created_at: DateTime<Utc>,
}

/// The consequence of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AfterTry {
    Settle(MailStatus, Option<String>),
    Again { at: DateTime<Utc>, why: String },
}

impl MailTry {
    /// Returns why the mail is not tried again, if there is a reason: the service stopped during each try, or it took too long.
    pub fn obstacle(self, policy: MailPolicy, now: DateTime<Utc>) -> Option<&'static str> {
        if self.number > policy.attempts {
            Some("tried too often")
        } else if now >= self.created_at + policy.late_after {
            Some("too late")
        } else {
            None
        }
    }

    pub fn outcome(self, policy: MailPolicy, sent: Result<(), MailError>, now: DateTime<Utc>) -> AfterTry {
        let why = match sent {
            Ok(()) => return AfterTry::Settle(MailStatus::Sent, None),
            Err(MailError::Refused(why)) => return AfterTry::Settle(MailStatus::Failed, Some(why)),
            Err(MailError::Later(why) | MailError::Unknown(why)) => why,
        };
        let at = now + pause(policy.retry_s, self.number);
        if self.number >= policy.attempts || at >= self.created_at + policy.late_after {
            return AfterTry::Settle(MailStatus::Failed, Some(why));
        }
        AfterTry::Again { at, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: MailPolicy = MailPolicy { attempts: 3, retry_s: 30, late_after: TimeDelta::hours(1) };

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(1_000_000 + seconds)
    }

    #[test]
    fn a_mail_is_tried_again_for_a_while_and_then_given_up() {
        let later = || Err(MailError::Later("busy".to_owned()));
        let unknown = || Err(MailError::Unknown("busy".to_owned()));
        let failed = || AfterTry::Settle(MailStatus::Failed, Some("busy".to_owned()));
        let again = |seconds| AfterTry::Again { at: at(seconds), why: "busy".to_owned() };
        let cases = [
            (1, 10, Ok(()), AfterTry::Settle(MailStatus::Sent, None)),
            (1, 10, Err(MailError::Refused("busy".to_owned())), failed()),
            (1, 10, later(), again(40)),
            (1, 10, unknown(), again(40)),
            (2, 50, later(), again(110)),
            (3, 110, later(), failed()),
            (1, 3580, later(), failed()),
        ];
        for (number, now, sent, expected) in cases {
            let attempt = MailTry { number, created_at: at(0) };
            assert_eq!(
                attempt.outcome(POLICY, sent.clone(), at(now)),
                expected,
                "{number} {sent:?} at {now}"
            );
        }
    }

    #[test]
    fn an_old_mail_or_one_tried_too_often_is_not_tried() {
        let obstacle = |number, now| MailTry { number, created_at: at(0) }.obstacle(POLICY, at(now));
        assert_eq!(obstacle(3, 3599), None);
        assert_eq!(obstacle(4, 10), Some("tried too often"));
        assert_eq!(obstacle(1, 3600), Some("too late"));
    }
}
