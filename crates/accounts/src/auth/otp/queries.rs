//! SQL of codes and of their limits.

use chrono::{DateTime, Utc};
use roadcall_platform::db::RunQuery;
use sqlx::{FromRow, PgConnection, PgExecutor};

use super::limits::{Counted, Limit, OtpAttempt};

/// Locks the requests that are counted by `counted_by`, and then this phone, so that limits hold under parallel
/// requests. The order is always the same, so that two requests can't wait for each other.
pub async fn lock_limits(tx: &mut PgConnection, counted_by: &str, phone: &str) -> sqlx::Result<()> {
    sqlx::query("select pg_advisory_xact_lock(1, hashtext($1))").bind(counted_by).execute(&mut *tx).await?;
    sqlx::query("select pg_advisory_xact_lock(2, hashtext($1))").bind(phone).run(&mut *tx).await
}

type CountedRow = (i64, Option<DateTime<Utc>>);

fn counted((count, blocking): CountedRow) -> Counted {
    Counted { count, blocking }
}

/// Returns whether somebody has an account with this phone.
pub async fn has_account(tx: &mut PgConnection, phone: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar("select exists (select from users where phone = $1)").bind(phone).fetch_one(tx).await
}

/// Deletes the newest requests that were counted by this name, at most `most`.
pub async fn forget_requests(tx: &mut PgConnection, counted_by: &str, most: i64) -> sqlx::Result<()> {
    sqlx::query(
        "delete from otp_attempts where id in (
             select id from otp_attempts where address = $1 and kind = 'request' order by at desc limit $2)",
    )
    .bind(counted_by)
    .bind(most)
    .run(tx)
    .await
}

/// Counts the requests from an address or device within the limit's window.
pub async fn requests(
    tx: &mut PgConnection,
    address: &str,
    limit: Limit,
    now: DateTime<Utc>,
) -> sqlx::Result<Counted> {
    sqlx::query_as(
        "select count(*), (array_agg(at order by at desc))[$3]
         from otp_attempts where address = $1 and kind = 'request' and at > $2",
    )
    .bind(address)
    .bind(limit.since(now))
    .bind(i32::try_from(limit.most).unwrap_or(i32::MAX))
    .fetch_one(tx)
    .await
    .map(counted)
}

/// Counts the attempts of a kind at a phone within the limit's window; only those of one source if it is given.
pub async fn attempts(
    tx: &mut PgConnection,
    kind: OtpAttempt,
    phone: &str,
    source: Option<&str>,
    limit: Limit,
    now: DateTime<Utc>,
) -> sqlx::Result<Counted> {
    sqlx::query_as(
        "select count(*), (array_agg(at order by at desc))[$3]
         from otp_attempts
         where phone = $1 and kind = $5 and at > $2 and ($4::text is null or address = $4)",
    )
    .bind(phone)
    .bind(limit.since(now))
    .bind(i32::try_from(limit.most).unwrap_or(i32::MAX))
    .bind(source)
    .bind(kind)
    .fetch_one(tx)
    .await
    .map(counted)
}

/// Counts one attempt; a request has no phone.
pub async fn count_attempt(
    tx: &mut PgConnection,
    phone: Option<&str>,
    source: &str,
    kind: OtpAttempt,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("insert into otp_attempts (phone, address, kind, at) values ($1, $2, $3, $4)")
        .bind(phone)
        .bind(source)
        .bind(kind)
        .bind(now)
        .run(tx)
        .await
}

/// A new code of a phone.
#[derive(Debug, Clone, Copy)]
pub struct NewCode<'a> {
    pub seal: &'a [u8],
    pub nonce: &'a [u8],
    pub resend_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// Replaces the phone's code.
pub async fn store_code(
    tx: &mut PgConnection,
    phone: &str,
    code: NewCode<'_>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into otp_codes (phone, code_hmac, nonce, sent_at, resend_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (phone) do update
         set code_hmac = excluded.code_hmac, nonce = excluded.nonce, sent_at = excluded.sent_at,
             resend_at = excluded.resend_at, expires_at = excluded.expires_at",
    )
    .bind(phone)
    .bind(code.seal)
    .bind(code.nonce)
    .bind(now)
    .bind(code.resend_at)
    .bind(code.expires_at)
    .run(tx)
    .await
}

/// Returns the time from which the phone's code may be sent again, if it lies ahead.
pub async fn resend_at(
    tx: &mut PgConnection,
    phone: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar("select resend_at from otp_codes where phone = $1 and resend_at > $2")
        .bind(phone)
        .bind(now)
        .fetch_optional(tx)
        .await
}

/// Allows the phone's code to be sent again at once, because the provider did not take the message.
pub async fn allow_resend(db: impl PgExecutor<'_>, phone: &str) -> sqlx::Result<()> {
    sqlx::query("update otp_codes set resend_at = null where phone = $1").bind(phone).run(db).await
}

/// The stored values of a code.
#[derive(Debug, Clone, FromRow)]
pub struct CodeRow {
    pub code_hmac: Vec<u8>,
    /// Null for a code that is not to be sent again.
    pub nonce: Option<Vec<u8>>,
}

/// Returns the phone's live code.
pub async fn live_code(
    tx: &mut PgConnection,
    phone: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<CodeRow>> {
    sqlx::query_as("select code_hmac, nonce from otp_codes where phone = $1 and expires_at > $2")
        .bind(phone)
        .bind(now)
        .fetch_optional(tx)
        .await
}

/// Stops repeating the code: the next message to the phone holds another code.
pub async fn end_repeats(tx: &mut PgConnection, phone: &str) -> sqlx::Result<()> {
    sqlx::query("update otp_codes set nonce = null where phone = $1").bind(phone).run(tx).await
}

/// Deletes the code, since it can be used only once.
pub async fn spend_code(tx: &mut PgConnection, phone: &str) -> sqlx::Result<()> {
    sqlx::query("delete from otp_codes where phone = $1").bind(phone).run(tx).await
}

/// Takes one text message out of the count, in each of these scopes and that hour.
pub async fn give_back_text_message(
    db: impl PgExecutor<'_>,
    scopes: &[&str],
    hour: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "with gone as (delete from text_message_counts where scope = any((select $1)::text[]) and hour = $2 and sent = 1)
         update text_message_counts set sent = sent - 1 where scope = any((select $1)::text[]) and hour = $2 and sent > 1",
    )
    .bind(scopes)
    .bind(hour)
    .run(db)
    .await
}

/// Counts one text message; returns how many there are in this hour, and in the 24 hours that end with it.
pub async fn count_text_message(
    tx: &mut PgConnection,
    scope: &str,
    hour: DateTime<Utc>,
) -> sqlx::Result<(i64, i64)> {
    sqlx::query_as(
        "with counted as (
             insert into text_message_counts (scope, hour, sent) values ($1, $2, 1)
             on conflict (scope, hour) do update set sent = text_message_counts.sent + 1
             returning sent
         )
         select c.sent, c.sent + coalesce((
             select sum(t.sent)::bigint from text_message_counts t
             where t.scope = $1 and t.hour > $2 - interval '24 hours' and t.hour < $2), 0)
         from counted c",
    )
    .bind(scope)
    .bind(hour)
    .fetch_one(tx)
    .await
}
