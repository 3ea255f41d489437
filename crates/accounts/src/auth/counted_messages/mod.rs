//! Counts the messages that reached a recipient, and those that a person caused, within a day. Recipients and people
//! are known by keys made of their phone number or address, so that the counts outlive accounts, and a recipient has
//! one limit for everybody who asks.

mod queries;

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_http::text_enum;
use roadcall_platform::{db::Db, error::ApiResult};
use sqlx::PgConnection;
use uuid::Uuid;

use super::context::AuthState;

pub use queries::delete as uncount_message;

/// The time in which messages are counted.
const DAY: TimeDelta = TimeDelta::days(1);

text_enum! {
    /// The kinds of messages, each counted on its own.
    MessageKind {
        /// A code to an address that somebody claims as their own.
        EmailCode = "email_code",
        /// A link to a job, by SMS.
        ShareLink = "share_link",
        /// News of a job, by SMS.
        StatusText = "status_text",
    }
}

/// A message to count. The first key of each list is made with the secret in use.
#[derive(Debug)]
pub struct CountedMessage {
    pub id: Uuid,
    pub kind: MessageKind,
    pub recipient_keys: Vec<Uuid>,
    pub person_keys: Vec<Uuid>,
}

/// The number of messages of a kind that may reach one recipient, and be caused by one person, within a day.
#[derive(Debug, Clone, Copy)]
pub struct DailyLimits {
    pub to_recipient: i64,
    pub by_person: i64,
    /// The messages to a recipient that one person may cause, so that nobody uses up a stranger's share alone.
    pub to_recipient_by_person: i64,
}

impl DailyLimits {
    /// Leaves a person half of what a recipient can get, rounded up.
    pub const fn shared(to_recipient: i64, by_person: i64) -> Self {
        Self { to_recipient, by_person, to_recipient_by_person: to_recipient - to_recipient / 2 }
    }

    /// Limits messages to the person who causes them.
    pub const fn to_oneself(most: i64) -> Self {
        Self { to_recipient: most, by_person: most, to_recipient_by_person: most }
    }
}

/// Counts a message. If there is no room for it, returns the seconds until there is, and counts nothing. Lock the
/// person's account first.
pub async fn count_message(
    tx: &mut PgConnection,
    message: &CountedMessage,
    limits: DailyLimits,
    now: DateTime<Utc>,
) -> ApiResult<Option<u64>> {
    queries::lock_recipient(tx, message).await?;
    let sent = queries::sent_since(tx, message, now - DAY).await?;
    let to_recipient = wait_s(sent.to_recipient, limits.to_recipient, sent.oldest_to_recipient, now);
    let by_person = wait_s(sent.by_person, limits.by_person, sent.oldest_by_person, now);
    let by_both = wait_s(sent.by_both, limits.to_recipient_by_person, sent.oldest_by_both, now);
    let wait = to_recipient.max(by_person).max(by_both);
    if wait.is_none() {
        queries::insert(tx, message, now).await?;
    }
    Ok(wait)
}

/// Deletes at most `limit` messages that no longer count.
pub(super) async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    queries::sweep(db, now - DAY, limit).await
}

/// Returns the seconds until the oldest message no longer counts; `None` while there is room.
fn wait_s(count: i64, most: i64, oldest: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<u64> {
    if count < most {
        return None;
    }
    let free_at = oldest.unwrap_or(now) + DAY;
    Some(u64::try_from((free_at - now).num_seconds() + 1).unwrap_or(1))
}

impl AuthState {
    /// Returns the keys of a phone number in rows that outlive accounts, the one in use first.
    pub fn number_keys(&self, phone: &str) -> Vec<Uuid> {
        self.person_keys(Uuid::nil(), Some(phone))
    }

    /// Returns the keys of an address, which is in lower case. Addresses that differ only after a `+` belong to one
    /// mailbox.
    pub fn address_keys(&self, email: &str) -> Vec<Uuid> {
        self.number_keys(&mailbox(email))
    }

    /// Returns the keys of a person, the same for every account of their phone; the account's own if it has no phone.
    pub fn person_keys(&self, user_id: Uuid, phone: Option<&str>) -> Vec<Uuid> {
        self.budget_keys().all().map(|key| key.budget_of(user_id, phone)).collect()
    }
}

/// Returns an address without the part from a `+` on, which many mail servers ignore.
fn mailbox(email: &str) -> String {
    match email.rsplit_once('@') {
        Some((local, domain)) => {
            let mailbox = local.split_once('+').map_or(local, |(mailbox, _)| mailbox);
            format!("{mailbox}@{domain}")
        }
        None => email.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_again_once_the_oldest_is_a_day_old() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let an_hour_ago = Some(now - TimeDelta::hours(1));
        assert_eq!(wait_s(4, 5, an_hour_ago, now), None);
        assert_eq!(wait_s(5, 5, an_hour_ago, now), Some(23 * 3600 + 1));
        assert_eq!(wait_s(0, 0, None, now), Some(24 * 3600 + 1), "none at all are allowed");
    }

    #[test]
    fn one_person_never_uses_up_a_recipients_limit_unless_it_is_one() {
        for (most, of_one) in [(0, 0), (1, 1), (2, 1), (5, 3), (100, 50)] {
            assert_eq!(DailyLimits::shared(most, 10).to_recipient_by_person, of_one, "{most}");
        }
    }

    #[test]
    fn addresses_that_differ_by_a_tag_are_one_mailbox() {
        for email in ["asha@example.com", "asha+1@example.com", "asha+a+b@example.com"] {
            assert_eq!(mailbox(email), "asha@example.com");
        }
        assert_eq!(mailbox("asha.rao@example.com"), "asha.rao@example.com");
    }
}
