//! SQL of mails.

use chrono::{DateTime, Utc};
use roadcall_platform::db::{RunQuery, StoredRow};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::{
    dto::MailRecord,
    state::{MailKind, MailStatus},
};

/// A mail to queue.
#[derive(derive_more::Debug, Clone, Copy)]
// Addresses must not be logged.
#[debug("NewMail {{ id: {id:?}, kind: {kind:?}, .. }}")]
pub struct NewMail<'a> {
    pub id: Uuid,
    pub kind: MailKind,
    pub about_id: Uuid,
    /// The recipient's account, if they have one.
    pub user_id: Option<Uuid>,
    pub address: &'a str,
}

/// Queues a mail in the transaction of the event that it reports; call [`Mails::wake`](super::Mails::wake) after the commit. An
/// event is mailed to an address once, except for codes.
pub async fn insert(tx: &mut PgConnection, mail: &NewMail<'_>, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "insert into mails (id, kind, about_id, user_id, address, status, next_try_at, created_at)
        values ($1, $2, $3, $4, $5, 'pending', $6, $6)
        on conflict (kind, about_id, address) where kind <> 'email_code' do nothing",
    )
    .bind(mail.id)
    .bind(mail.kind)
    .bind(mail.about_id)
    .bind(mail.user_id)
    .bind(mail.address)
    .bind(at)
    .run(tx)
    .await
}

/// A mail that is due.
#[derive(derive_more::Debug, Clone, FromRow)]
// Addresses must not be logged.
#[debug("DueMail {{ id: {id:?}, kind: {kind:?}, .. }}")]
pub struct DueMail {
    pub id: Uuid,
    pub kind: MailKind,
    pub about_id: Uuid,
    pub user_id: Option<Uuid>,
    pub address: String,
    pub attempts: i32,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for DueMail {
    const TABLE: &str = "mails";
}

/// Takes mails that are due. No other server takes them before `again_at`.
pub async fn take_due(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    again_at: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<DueMail>> {
    sqlx::query(
        "update mails set next_try_at = $2, attempts = attempts + 1
        where id in (select id from mails where next_try_at <= (select $1::timestamptz)
            order by next_try_at limit (select $3::bigint) for update skip locked)
        returning id, kind, about_id, user_id, address, attempts, created_at",
    )
    .bind(now)
    .bind(again_at)
    .bind(limit)
    .all(db)
    .await
}

/// Returns when the next mail is due.
pub async fn next_try_at(db: impl PgExecutor<'_>) -> Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar("select min(next_try_at) from mails where next_try_at is not null").fetch_one(db).await
}

pub async fn settle(
    db: impl PgExecutor<'_>,
    id: Uuid,
    status: MailStatus,
    note: Option<&str>,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update mails set status = $2, note = $3, next_try_at = null, settled_at = $4
        where id = $1 and status = 'pending'",
    )
    .bind(id)
    .bind(status)
    .bind(note)
    .bind(at)
    .run(db)
    .await
}

pub async fn put_off(db: impl PgExecutor<'_>, id: Uuid, until: DateTime<Utc>, note: &str) -> Result<()> {
    sqlx::query("update mails set next_try_at = $2, note = $3 where id = $1 and status = 'pending'")
        .bind(id)
        .bind(until)
        .bind(note)
        .run(db)
        .await
}

/// Lists a person's mails, the newest first.
pub async fn newest_of(db: &mut PgConnection, user_id: Uuid, limit: i64) -> Result<Vec<MailRecord>> {
    sqlx::query(
        "select id, kind, address, status, created_at from mails where user_id = $1
        order by created_at desc, id desc limit $2",
    )
    .bind(user_id)
    .bind(limit)
    .all(db)
    .await
}

/// Deletes a person's mails, sent or not.
pub async fn forget_user(tx: &mut PgConnection, user_id: Uuid) -> Result<()> {
    sqlx::query("delete from mails where user_id = $1").bind(user_id).run(tx).await
}

pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from mails where id in (
            select id from mails where created_at < $1 and status <> 'pending' order by created_at limit $2)",
    );
    swept.bind(before).bind(limit).changed(db).await
}
