use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::{
    http::{Between, ListWindow, list_filter},
    money::payments::inbox::dto::{WebhookEventName, WebhookStatus},
    platform::db::{StoredRow, read},
};

/// Events to be stored, column by column.
#[derive(Debug, Default)]
pub struct NewEvents {
    pub ids: Vec<Uuid>,
    pub event_ids: Vec<String>,
    pub events: Vec<String>,
    pub bodies: Vec<String>,
    pub received_at: Vec<DateTime<Utc>>,
}

/// Inserts events, and returns the ids of those that are new.
pub async fn insert(db: impl PgExecutor<'_>, gateway: &str, new: &NewEvents) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "insert into webhook_events (id, gateway, event_id, event, body, status, next_try_at, received_at)
        select id, $1, event_id, event, body, 'pending', at, at
        from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
            as new (id, event_id, event, body, at)
        on conflict on constraint webhook_events_once do nothing
        returning id",
    )
    .bind(gateway)
    .bind(&new.ids)
    .bind(&new.event_ids)
    .bind(&new.events)
    .bind(&new.bodies)
    .bind(&new.received_at)
    .fetch_all(db)
    .await
}

/// A row of `webhook_events`.
#[derive(Debug, Clone, FromRow)]
pub struct EventRow {
    pub id: Uuid,
    pub gateway: String,
    pub event_id: String,
    pub event: String,
    pub body: String,
    pub status: WebhookStatus,
    pub attempts: i32,
    pub next_try_at: DateTime<Utc>,
    pub last_error: Option<String>,
    pub received_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
}

impl EventRow {
    pub fn pending(&self) -> PendingEvent {
        PendingEvent { id: self.id, event: self.event.clone(), body: self.body.clone() }
    }
}

impl StoredRow for EventRow {
    const TABLE: &'static str = "webhook_events";
}

/// An event that is to be processed.
#[derive(Debug, Clone, FromRow)]
pub struct PendingEvent {
    pub id: Uuid,
    pub event: String,
    pub body: String,
}

/// Locks those of these events that are pending and that nobody else has, and returns their ids. The subquery hides the status:
/// otherwise a plan that was made while few events wait reads all that wait later, by their index.
pub async fn take(tx: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from webhook_events where id = any((select $1)::uuid[]) and status = (select 'pending')
        order by id
        for update skip locked",
    )
    .bind(ids)
    .fetch_all(tx)
    .await
}

/// Returns pending events whose time has come, the oldest first.
pub async fn due(db: impl PgExecutor<'_>, at: DateTime<Utc>, limit: i64) -> Result<Vec<PendingEvent>> {
    sqlx::query_as(
        "select id, event, body from webhook_events where status = 'pending' and next_try_at <= $1
        order by next_try_at limit $2",
    )
    .bind(at)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Settles pending events that change nothing else, and whose bodies are kept as they are. Returns the ids of those
/// that were pending. The status is hidden as in [`take`].
pub async fn settle_as_old(db: impl PgExecutor<'_>, ids: &[Uuid], at: DateTime<Utc>) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "update webhook_events set status = 'processed', last_error = null, settled_at = $2, attempts = attempts + 1
        where id in (
            select id from webhook_events where id = any((select $1)::uuid[]) and status = (select 'pending')
            order by id for update skip locked)
        returning id",
    )
    .bind(ids)
    .bind(at)
    .fetch_all(db)
    .await
}

/// Settles these events. A body replaces theirs.
pub async fn settle(
    tx: &mut PgConnection,
    ids: &[Uuid],
    status: WebhookStatus,
    why: Option<&str>,
    body: Option<&str>,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update webhook_events set status = $2, last_error = $3, body = coalesce($4, body), settled_at = $5,
            attempts = attempts + 1
        where id = any((select $1)::uuid[])",
    )
    .bind(ids)
    .bind(status)
    .bind(why)
    .bind(body)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// Records a failed try: another follows, unless it was the last.
pub async fn fail(
    db: impl PgExecutor<'_>,
    id: Uuid,
    why: &str,
    next_try_at: DateTime<Utc>,
    max_attempts: i32,
    at: DateTime<Utc>,
) -> Result<()> {
    sqlx::query(
        "update webhook_events set attempts = attempts + 1, last_error = $2, next_try_at = $3,
            status = case when attempts + 1 >= $4 then 'dead' else 'pending' end,
            settled_at = case when attempts + 1 >= $4 then $5::timestamptz end
        where id = $1 and status = 'pending'",
    )
    .bind(id)
    .bind(why)
    .bind(next_try_at)
    .bind(max_attempts)
    .bind(at)
    .execute(db)
    .await
    .map(drop)
}

list_filter! {
    /// The filter of the admins' list of events.
    EventFilter {
        status: Option<WebhookStatus> = "dead",
        /// The event's name.
        event: Option<WebhookEventName> = "payment.captured",
        /// Received in this time.
        received: Between,
    }
}

/// The condition of [`EventFilter`]: $1 is the status, $2 the event, $3 and $4 are the period.
macro_rules! listed {
    () => {
        "($1::text is null or status = $1) and ($2::text is null or event = $2)
            and ($3::timestamptz is null or received_at >= $3) and ($4::timestamptz is null or received_at < $4)"
    };
}

pub async fn list(db: impl PgExecutor<'_>, filter: &EventFilter, slice: ListWindow) -> Result<Vec<EventRow>> {
    sqlx::query(concat!(
        "select * from webhook_events where ",
        listed!(),
        " and ($5::timestamptz is null or (received_at, id) < ($5, $6))
        order by received_at desc, id desc
        limit $7 offset $8",
    ))
    .bind(filter.status)
    .bind(filter.event.as_ref().map(|event| &event.0))
    .bind(filter.received.0)
    .bind(filter.received.1)
    .bind(slice.after_at())
    .bind(slice.after_id())
    .bind(slice.limit)
    .bind(slice.offset)
    .persistent(false)
    .try_map(read::<EventRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &EventFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from webhook_events where ", listed!()))
        .bind(filter.status)
        .bind(filter.event.as_ref().map(|event| &event.0))
        .bind(filter.received.0)
        .bind(filter.received.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<EventRow>> {
    sqlx::query("select * from webhook_events where id = $1")
        .bind(id)
        .try_map(read::<EventRow>)
        .fetch_optional(db)
        .await
}

/// Starts the event over, whatever the outcome was before.
pub async fn replay(tx: &mut PgConnection, id: Uuid, at: DateTime<Utc>) -> Result<Option<EventRow>> {
    sqlx::query(
        "update webhook_events set status = 'pending', attempts = 0, next_try_at = $2, settled_at = null
        where id = $1
        returning *",
    )
    .bind(id)
    .bind(at)
    .try_map(read::<EventRow>)
    .fetch_optional(tx)
    .await
}

/// Closes a dead event, with the body that is kept from now on; `None` if the event is not dead.
pub async fn dismiss(
    tx: &mut PgConnection,
    id: Uuid,
    body: &str,
    at: DateTime<Utc>,
) -> Result<Option<EventRow>> {
    sqlx::query(
        "update webhook_events set status = 'ignored', body = $2, settled_at = $3
        where id = $1 and status = 'dead'
        returning *",
    )
    .bind(id)
    .bind(body)
    .bind(at)
    .try_map(read::<EventRow>)
    .fetch_optional(tx)
    .await
}

pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from webhook_events where id in (
            select id from webhook_events where settled_at < $1 and status in ('processed', 'ignored')
            order by settled_at limit $2)",
    )
    .bind(before)
    .bind(limit)
    .execute(db)
    .await?;
    Ok(swept.rows_affected())
}
