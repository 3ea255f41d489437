//! SQL of the messages that count towards limits.

use chrono::{DateTime, Utc};
use roadcall_platform::db::{Db, RunQuery};
use sqlx::{FromRow, PgConnection, Result};
use uuid::Uuid;

use super::CountedMessage;

/// Locks the count of messages to this recipient for one transaction at a time.
pub async fn lock_recipient(tx: &mut PgConnection, message: &CountedMessage) -> Result<()> {
    sqlx::query("select pg_advisory_xact_lock(5, hashtext($1::text))")
        .bind(message.recipient_keys.first())
        .run(tx)
        .await
}

/// The numbers of messages of a kind: to the recipient, by the person, and by the person to the recipient.
#[derive(Debug, Clone, Copy, FromRow)]
pub struct SentMessages {
    pub to_recipient: i64,
    pub oldest_to_recipient: Option<DateTime<Utc>>,
    pub by_person: i64,
    pub oldest_by_person: Option<DateTime<Utc>>,
    pub by_both: i64,
    pub oldest_by_both: Option<DateTime<Utc>>,
}

pub async fn sent_since(
    tx: &mut PgConnection,
    message: &CountedMessage,
    since: DateTime<Utc>,
) -> Result<SentMessages> {
    sqlx::query_as(
        "select recipient.count as to_recipient, recipient.oldest as oldest_to_recipient, person.count as by_person,
            person.oldest as oldest_by_person, recipient.count_of_person as by_both,
            recipient.oldest_of_person as oldest_by_both
        from (select count(*) as count, min(sent_at) as oldest,
                    count(*) filter (where person_key = any((select $3)::uuid[])) as count_of_person,
                    min(sent_at) filter (where person_key = any((select $3)::uuid[])) as oldest_of_person
                from counted_messages
                where recipient_key = any((select $2)::uuid[]) and kind = $1 and sent_at > $4) as recipient
            cross join (select count(*) as count, min(sent_at) as oldest from counted_messages
                where person_key = any((select $3)::uuid[]) and kind = $1 and sent_at > $4) as person",
    )
    .bind(message.kind)
    .bind(&message.recipient_keys)
    .bind(&message.person_keys)
    .bind(since)
    .fetch_one(tx)
    .await
}

pub async fn insert(tx: &mut PgConnection, message: &CountedMessage, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "insert into counted_messages (id, kind, recipient_key, person_key, sent_at) values ($1, $2, $3, $4, $5)",
    )
    .bind(message.id)
    .bind(message.kind)
    .bind(message.recipient_keys.first())
    .bind(message.person_keys.first())
    .bind(at)
    .run(tx)
    .await
}

/// Takes back the count of a message that was certainly not sent.
pub async fn delete(db: &Db, id: Uuid) -> Result<()> {
    sqlx::query("delete from counted_messages where id = $1").bind(id).run(db).await
}

pub async fn sweep(db: &Db, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from counted_messages where id in (
            select id from counted_messages where sent_at < $1 order by sent_at limit $2)",
    );
    swept.bind(before).bind(limit).changed(db).await
}
