use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::dto::{ChatAuthor, ChatSide, MessageType};

use crate::platform::db::{RunQuery, StoredRow};

/// A row of `chat_messages`.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct MessageRow {
    pub id: Uuid,
    pub job_id: Uuid,
    /// `None` until the message is in the job's log.
    pub seq: Option<i64>,
    pub sender: ChatSide,
    pub sender_id: Uuid,
    pub customer_id: Uuid,
    pub mechanic_profile_id: Uuid,
    pub client_message_id: Uuid,
    #[sqlx(rename = "type")]
    pub kind: MessageType,
    pub body: Option<String>,
    pub file_url: Option<String>,
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    pub created_at: DateTime<Utc>,
    pub removed_at: Option<DateTime<Utc>>,
    /// When the other side read the message.
    pub read_at: Option<DateTime<Utc>>,
    /// The link of the guest who wrote the message on the customer's side, and that guest's name.
    pub share_link_id: Option<Uuid>,
    pub guest_name: Option<String>,
}

impl StoredRow for MessageRow {
    const TABLE: &'static str = "chat_messages";
}

impl MessageRow {
    /// Returns the author. On the customer's side that may be a guest.
    pub fn author(&self) -> ChatAuthor {
        match (self.sender, self.share_link_id) {
            (ChatSide::Mechanic, _) => ChatAuthor::Mechanic,
            (ChatSide::Customer, None) => ChatAuthor::Customer,
            (ChatSide::Customer, Some(_)) => ChatAuthor::Guest,
        }
    }
}

/// Stores a message that is not sent yet.
pub async fn insert(tx: &mut PgConnection, row: &MessageRow) -> Result<()> {
    sqlx::query(
        "insert into chat_messages (id, job_id, sender, sender_id, customer_id, mechanic_profile_id,
            client_message_id, type, body, file_url, lat, lng, created_at, share_link_id, guest_name)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
    )
    .bind(row.id)
    .bind(row.job_id)
    .bind(row.sender)
    .bind(row.sender_id)
    .bind(row.customer_id)
    .bind(row.mechanic_profile_id)
    .bind(row.client_message_id)
    .bind(row.kind)
    .bind(&row.body)
    .bind(&row.file_url)
    .bind(row.lat)
    .bind(row.lng)
    .bind(row.created_at)
    .bind(row.share_link_id)
    .bind(&row.guest_name)
    .run(tx)
    .await
}

/// Gives a message its place in the job's log; `None` if it already has one.
pub async fn place(
    tx: &mut PgConnection,
    id: Uuid,
    seq: i64,
    at: DateTime<Utc>,
) -> Result<Option<MessageRow>> {
    sqlx::query(
        "update chat_messages set seq = $2, created_at = $3 where id = $1 and seq is null returning *",
    )
    .bind(id)
    .bind(seq)
    .bind(at)
    .optional(tx)
    .await
}

/// Deletes a message that was not sent.
pub async fn delete_unsent(db: impl PgExecutor<'_>, id: Uuid) -> Result<()> {
    sqlx::query("delete from chat_messages where id = $1 and seq is null").bind(id).run(db).await
}

/// Deletes messages that were stored before `before` and never sent.
pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    sqlx::query(
        "delete from chat_messages where id in (
            select id from chat_messages where seq is null and created_at < $1 order by created_at limit $2)",
    )
    .bind(before)
    .bind(limit)
    .changed(db)
    .await
}

/// Finds the sender's message with this client id.
pub async fn find_sent(
    db: impl PgExecutor<'_>,
    sender_id: Uuid,
    client_message_id: Uuid,
) -> Result<Option<MessageRow>> {
    sqlx::query("select * from chat_messages where sender_id = $1 and client_message_id = $2")
        .bind(sender_id)
        .bind(client_message_id)
        .optional(db)
        .await
}

/// Returns messages in no particular order, without those that do not exist.
pub async fn by_ids(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<MessageRow>> {
    sqlx::query("select * from chat_messages where id = any((select $1)::uuid[])").bind(ids).all(db).await
}

/// Returns the oldest messages after `since_seq`, in order.
pub async fn after(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    since_seq: i64,
    limit: i64,
) -> Result<Vec<MessageRow>> {
    sqlx::query("select * from chat_messages where job_id = $1 and seq > $2 order by seq limit $3")
        .bind(job_id)
        .bind(since_seq)
        .bind(limit)
        .all(db)
        .await
}

/// Returns the newest messages before `before_seq` and from `first_seq` on, newest first.
pub async fn before(
    db: impl PgExecutor<'_>,
    job_id: Uuid,
    first_seq: i64,
    before_seq: i64,
    limit: i64,
) -> Result<Vec<MessageRow>> {
    sqlx::query(
        "select * from chat_messages where job_id = $1 and seq >= $2 and seq < $3 order by seq desc limit $4",
    )
    .bind(job_id)
    .bind(first_seq)
    .bind(before_seq)
    .bind(limit)
    .all(db)
    .await
}

/// Counts the messages of others, from `first_seq` on, that a person has not read.
pub async fn unread(db: impl PgExecutor<'_>, job_id: Uuid, user_id: Uuid, first_seq: i64) -> Result<i64> {
    sqlx::query_scalar(
        "select count(*) from chat_messages
        where job_id = $1 and (sender_id <> $2 or share_link_id is not null) and seq >= $3
            and seq > coalesce((select up_to_seq from chat_reads where job_id = $1 and user_id = $2), 0)",
    )
    .bind(job_id)
    .bind(user_id)
    .bind(first_seq)
    .fetch_one(db)
    .await
}

/// Lists the mechanics of a job who wrote, or were written to, from `first_seq` on.
pub async fn mechanics_of(db: impl PgExecutor<'_>, job_id: Uuid, first_seq: i64) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select distinct mechanic_profile_id from chat_messages
        where job_id = $1 and seq >= $2
        order by mechanic_profile_id",
    )
    .bind(job_id)
    .bind(first_seq)
    .fetch_all(db)
    .await
}

/// How far the job's customer and its present mechanic have read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, FromRow)]
pub struct Reads {
    pub customer: i64,
    pub mechanic: i64,
}

pub async fn reads(db: impl PgExecutor<'_>, job_id: Uuid) -> Result<Reads> {
    sqlx::query_as(
        "select coalesce(max(r.up_to_seq) filter (where r.user_id = j.customer_id), 0) as customer,
            coalesce(max(r.up_to_seq) filter (where r.user_id = p.user_id), 0) as mechanic
        from job_states j
            left join mechanic_profiles p on p.id = j.mechanic_profile_id
            left join chat_reads r on r.job_id = j.id
        where j.id = $1",
    )
    .bind(job_id)
    .fetch_one(db)
    .await
}

/// How far somebody has read, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct ReadRow {
    pub up_to_seq: i64,
    pub read_at: DateTime<Utc>,
}

/// Stores how far a person has read; `None` if they had already read as far.
pub async fn read_up_to(
    tx: &mut PgConnection,
    job_id: Uuid,
    user_id: Uuid,
    up_to_seq: i64,
    now: DateTime<Utc>,
) -> Result<Option<ReadRow>> {
    sqlx::query_as(
        "insert into chat_reads (job_id, user_id, up_to_seq, read_at) values ($1, $2, $3, $4)
        on conflict (job_id, user_id) do update set up_to_seq = excluded.up_to_seq, read_at = excluded.read_at
            where chat_reads.up_to_seq < excluded.up_to_seq
        returning up_to_seq, read_at",
    )
    .bind(job_id)
    .bind(user_id)
    .bind(up_to_seq)
    .bind(now)
    .fetch_optional(tx)
    .await
}

/// Marks the other side's messages as read by this side, from the first event that it may see.
pub async fn mark_read(
    tx: &mut PgConnection,
    job_id: Uuid,
    reader: ChatSide,
    (first_seq, up_to_seq): (i64, i64),
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update chat_messages set read_at = $5
        where job_id = $1 and sender <> $2 and seq between $3 and $4 and read_at is null",
    )
    .bind(job_id)
    .bind(reader)
    .bind(first_seq)
    .bind(up_to_seq)
    .bind(now)
    .run(tx)
    .await
}

pub async fn current_read(tx: &mut PgConnection, job_id: Uuid, user_id: Uuid) -> Result<ReadRow> {
    sqlx::query_as("select up_to_seq, read_at from chat_reads where job_id = $1 and user_id = $2")
        .bind(job_id)
        .bind(user_id)
        .fetch_one(tx)
        .await
}

/// Returns a person's messages, and the messages to them in jobs that they may still see; newest first.
pub async fn newest_of(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    mechanic_profile_id: Option<Uuid>,
    limit: i64,
) -> Result<Vec<MessageRow>> {
    sqlx::query(
        "select * from (
            (select * from chat_messages
            where customer_id = $1 and seq is not null
            order by created_at desc, id desc
            limit $3)
            union all
            (select m.* from chat_messages m
            where m.mechanic_profile_id = $2 and m.customer_id <> $1 and m.seq is not null
                and (m.sender_id = $1 or exists (
                    select from job_states j where j.id = m.job_id and j.mechanic_profile_id = $2))
            order by m.created_at desc, m.id desc
            limit $3)) own
        order by created_at desc, id desc
        limit $3",
    )
    .bind(user_id)
    .bind(mechanic_profile_id)
    .bind(limit)
    .all(db)
    .await
}

/// Rounds the places in the chats of jobs whose customer was forgotten to 0.01 degrees, about a kilometre; the mechanic's
/// too, since they also reveal where the customer was.
pub async fn coarsen_places(tx: &mut PgConnection, job_ids: &[Uuid]) -> Result<()> {
    sqlx::query(
        "update chat_messages set lat = round(lat::numeric, 2), lng = round(lng::numeric, 2)
        where job_id = any($1) and type = 'location' and lat is not null",
    )
    .bind(job_ids)
    .run(tx)
    .await
}

/// Removes the content of messages that customers, and guests on their side, wrote in the chats of these jobs.
pub async fn forget_customers(tx: &mut PgConnection, job_ids: &[Uuid], now: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update chat_messages set body = null, file_url = null, lat = null, lng = null, guest_name = null,
            removed_at = $2
        where job_id = any((select $1)::uuid[]) and sender_id = customer_id and removed_at is null",
    )
    .bind(job_ids)
    .bind(now)
    .run(tx)
    .await
}

/// Removes the content of messages that a person, and guests on their side, wrote when the account is anonymised, and forgets what
/// they have read. The rows stay: the other side's log keeps all its numbers.
pub async fn forget_user(tx: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update chat_messages set body = null, file_url = null, lat = null, lng = null, guest_name = null,
            removed_at = $2
        where sender_id = $1 and removed_at is null",
    )
    .bind(user_id)
    .bind(now)
    .execute(&mut *tx)
    .await?;
    sqlx::query("delete from chat_reads where user_id = $1").bind(user_id).run(tx).await
}
