//! SQL of codes and of what their limits count.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{Counted, Limit, OtpAttempt};

/// Makes everybody who counts by this address, and then this phone, wait for us, so that limits hold under
/// parallel requests. Always in this order, so that two requests can't wait for each other.
pub async fn lock_limits(tx: &mut PgConnection, address: &str, phone: &str) -> sqlx::Result<()> {
    sqlx::query("select pg_advisory_xact_lock(1, hashtext($1))").bind(address).execute(&mut *tx).await?;
    sqlx::query("select pg_advisory_xact_lock(2, hashtext($1))").bind(phone).execute(&mut *tx).await?;
    Ok(())
}

type CountedRow = (i64, Option<DateTime<Utc>>);

fn counted((count, blocking): CountedRow) -> Counted {
    Counted { count, blocking }
}

/// Requests from an address within the limit's window.
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

/// Sends to a phone within the limit's window.
pub async fn sends(
    tx: &mut PgConnection,
    phone: &str,
    limit: Limit,
    now: DateTime<Utc>,
) -> sqlx::Result<Counted> {
    sqlx::query_as(
        "select count(*), (array_agg(at order by at desc))[$3]
         from otp_attempts where phone = $1 and kind = 'send' and at > $2",
    )
    .bind(phone)
    .bind(limit.since(now))
    .bind(i32::try_from(limit.most).unwrap_or(i32::MAX))
    .fetch_one(tx)
    .await
    .map(counted)
}

/// Wrong tries for a phone within the limit's window; from one address where it is given.
pub async fn wrong_tries(
    tx: &mut PgConnection,
    phone: &str,
    address: Option<&str>,
    limit: Limit,
    now: DateTime<Utc>,
) -> sqlx::Result<Counted> {
    sqlx::query_as(
        "select count(*), (array_agg(at order by at desc))[$3]
         from otp_attempts
         where phone = $1 and kind = 'wrong' and at > $2 and ($4::text is null or address = $4)",
    )
    .bind(phone)
    .bind(limit.since(now))
    .bind(i32::try_from(limit.most).unwrap_or(i32::MAX))
    .bind(address)
    .fetch_one(tx)
    .await
    .map(counted)
}

/// Counts one attempt; a request has no phone.
pub async fn count_attempt(
    tx: &mut PgConnection,
    phone: Option<&str>,
    address: &str,
    kind: OtpAttempt,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query("insert into otp_attempts (phone, address, kind, at) values ($1, $2, $3, $4)")
        .bind(phone)
        .bind(address)
        .bind(kind)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

/// Replaces the phone's code.
pub async fn store_code(
    tx: &mut PgConnection,
    phone: &str,
    sealed: &[u8],
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into otp_codes (phone, code_hmac, sent_at, expires_at) values ($1, $2, $3, $4)
         on conflict (phone) do update
         set code_hmac = excluded.code_hmac, sent_at = excluded.sent_at, expires_at = excluded.expires_at",
    )
    .bind(phone)
    .bind(sealed)
    .bind(now)
    .bind(expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// The seal of the phone's live code.
pub async fn live_code(
    tx: &mut PgConnection,
    phone: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar("select code_hmac from otp_codes where phone = $1 and expires_at > $2")
        .bind(phone)
        .bind(now)
        .fetch_optional(tx)
        .await
}

/// A code serves once.
pub async fn spend_code(tx: &mut PgConnection, phone: &str) -> sqlx::Result<()> {
    sqlx::query("delete from otp_codes where phone = $1").bind(phone).execute(tx).await?;
    Ok(())
}
