//! How many text messages go out. Each costs money, and fraudsters earn by having them sent to their own numbers
//! abroad: so there is a budget for each country but the service's own, and one for all.

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use sqlx::PgConnection;

use super::{in_words, queries};
use crate::{
    http::calling_code,
    platform::{
        error::{ApiError, ApiResult, Code},
        settings::{Settings, SmsProvider, SmsSettings},
    },
};

/// The scope of all countries together.
const ALL: &str = "all";

/// Messages of an hour, and of the 24 hours that end with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Budget {
    per_hour: i64,
    per_day: i64,
}

impl Budget {
    fn of_all(settings: &SmsSettings) -> Self {
        Self { per_hour: settings.per_hour, per_day: settings.per_day }
    }

    fn of_country(settings: &SmsSettings) -> Self {
        Self { per_hour: settings.per_country_per_hour, per_day: settings.per_country_per_day }
    }

    /// Whether so many of this hour, and of 24 hours with it, are within it.
    fn covers(self, (hour, day): (i64, i64)) -> bool {
        hour <= self.per_hour && day <= self.per_day
    }
}

/// Counts a text message to this number (E.164), or refuses it with 503; then roll the transaction back. Nothing is counted
/// where nothing is sent.
pub async fn admit_text_message(
    settings: &Settings,
    tx: &mut PgConnection,
    phone: &str,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    if settings.sms.provider == SmsProvider::Log {
        return Ok(());
    }
    let hour = now.duration_trunc(TimeDelta::hours(1)).map_err(ApiError::internal)?;
    let country = calling_code(phone);
    let sent = queries::count_text_message(tx, country, hour).await?;
    let is_home = country == settings.phone.region.calling_code();
    if !is_home && !Budget::of_country(&settings.sms).covers(sent) {
        return Err(exhausted(country, hour, now));
    }
    let sent = queries::count_text_message(tx, ALL, hour).await?;
    if Budget::of_all(&settings.sms).covers(sent) { Ok(()) } else { Err(exhausted(ALL, hour, now)) }
}

/// Both budgets have room again with the next hour at the earliest.
fn exhausted(scope: &str, hour: DateTime<Utc>, now: DateTime<Utc>) -> ApiError {
    tracing::warn!(scope, "the budget of text messages is used up; see sms.per_hour and its kin");
    let next = hour + TimeDelta::hours(1);
    let seconds = u64::try_from((next - now).num_seconds() + 1).unwrap_or(1);
    let whom = if scope == ALL { String::new() } else { format!(" to numbers of +{scope}") };
    let message =
        format!("We can't send more text messages{whom} right now. Try again in {}.", in_words(seconds));
    ApiError::new(Code::Unavailable, message).retry_after(seconds)
}
