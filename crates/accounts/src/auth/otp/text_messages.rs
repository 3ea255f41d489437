//! Bounds the text messages that go out. Each costs money, and fraudsters earn by having messages sent to their own
//! numbers abroad: so there is a budget for each country but the service's own, and one for all. Strangers can't use
//! all of it: a share is kept for phones that have an account, and another for devices that have signed in before.

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use roadcall_platform::{
    db::Db,
    error::{ApiError, ApiResult, Code, in_words},
};
use roadcall_providers::sms::TextNumber;
use sqlx::PgConnection;

use super::{
    queries,
    text_limits::{TextBudget, TextLimits},
};

/// The scope of all countries together.
const ALL: &str = "all";

/// The recipient of a text message, as far as the service knows them before it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRecipient {
    Stranger,
    /// The phone has an account, or the person who asks for the message has one.
    KnownPhone,
    /// A device that has signed in with the phone before asks for the message.
    KnownDevice,
}

impl TextBudget {
    /// Returns the part of the budget that such a recipient may use up, rounded up.
    fn for_recipient(self, recipient: TextRecipient, reserved_percent: i64) -> Self {
        let kept = match recipient {
            TextRecipient::Stranger => 2 * reserved_percent,
            TextRecipient::KnownPhone => reserved_percent,
            TextRecipient::KnownDevice => 0,
        };
        let part = |budget: i64| (i128::from(budget) * i128::from(100 - kept) + 99) / 100;
        let part = |budget| i64::try_from(part(budget)).unwrap_or(budget);
        Self { per_hour: part(self.per_hour), per_day: part(self.per_day) }
    }

    /// Returns whether the counts of this hour and of the 24 hours with it are within the budget.
    fn covers(self, (hour, day): (i64, i64)) -> bool {
        hour <= self.per_hour && day <= self.per_day
    }
}

/// Counts a text message to this number, or refuses it with 503; then roll the transaction back. Nothing is counted
/// while nothing is sent.
pub async fn admit_text_message(
    limits: &TextLimits,
    tx: &mut PgConnection,
    to: &TextNumber,
    recipient: TextRecipient,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    if !limits.are_sent {
        return Ok(());
    }
    let hour = hour_of(now)?;
    let share = |budget: TextBudget| budget.for_recipient(recipient, limits.reserved_percent);
    let sent = queries::count_text_message(tx, to.country(), hour).await?;
    if to.country() != limits.home && !share(limits.country).covers(sent) {
        return Err(exhausted(to.country(), hour, now));
    }
    let sent = queries::count_text_message(tx, ALL, hour).await?;
    if share(limits.all).covers(sent) { Ok(()) } else { Err(exhausted(ALL, hour, now)) }
}

/// Takes back the count of [`admit_text_message`] at that time, for a message that costs nothing since the provider
/// did not take it.
pub async fn give_back_text_message(
    limits: &TextLimits,
    db: &Db,
    to: &TextNumber,
    counted_at: DateTime<Utc>,
) -> ApiResult<()> {
    if !limits.are_sent {
        return Ok(());
    }
    let scopes = [to.country(), ALL];
    Ok(queries::give_back_text_message(db, &scopes, hour_of(counted_at)?).await?)
}

fn hour_of(at: DateTime<Utc>) -> ApiResult<DateTime<Utc>> {
    at.duration_trunc(TimeDelta::hours(1)).map_err(ApiError::internal)
}

/// Returns the refusal. Both budgets have room again with the next hour at the earliest.
fn exhausted(scope: &str, hour: DateTime<Utc>, now: DateTime<Utc>) -> ApiError {
    tracing::warn!(scope, "the budget of text messages is used up; see sms.per_hour and its kin");
    let next = hour + TimeDelta::hours(1);
    let seconds = u64::try_from((next - now).num_seconds() + 1).unwrap_or(1);
    let whom = if scope == ALL { "" } else { " to that country" };
    let message =
        format!("We can't send more text messages{whom} right now. Try again in {}.", in_words(seconds));
    ApiError::new(Code::Unavailable, message).retry_after(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_budget_is_kept_for_known_phones_and_another_for_known_devices() {
        let whole = TextBudget { per_hour: 100, per_day: 1000 };
        let of = |recipient, percent| {
            let TextBudget { per_hour, per_day } = whole.for_recipient(recipient, percent);
            (per_hour, per_day)
        };
        assert_eq!(of(TextRecipient::Stranger, 20), (60, 600));
        assert_eq!(of(TextRecipient::KnownPhone, 20), (80, 800));
        assert_eq!(of(TextRecipient::KnownDevice, 20), (100, 1000));
        assert_eq!(of(TextRecipient::Stranger, 0), (100, 1000));
        let one = TextBudget { per_hour: 1, per_day: i64::MAX };
        assert_eq!(one.for_recipient(TextRecipient::Stranger, 50).per_hour, 0, "everything is kept");
        assert_eq!(one.for_recipient(TextRecipient::Stranger, 49).per_hour, 1);
        assert!(one.for_recipient(TextRecipient::KnownPhone, 20).per_day > i64::MAX / 2);
    }
}
