//! SQL of notifications.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use roadcall_http::{Between, ListWindow, PageParams, list_filter};
use roadcall_platform::db::{RunQuery, StoredRow};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use super::{dto::FailedPush, kind::Kind, state::DeliveryStatus};

/// A notification as its person sees it.
#[derive(Debug, Clone, FromRow)]
pub struct NotificationRow {
    pub id: Uuid,
    pub user_id: Uuid,
    #[sqlx(rename = "type")]
    pub kind: Kind,
    /// The reason that an admin gave.
    pub reason: Option<String>,
    /// The person's language.
    pub language: String,
    pub data: Json<BTreeMap<String, Uuid>>,
    pub delivery_status: DeliveryStatus,
    pub is_read: bool,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for NotificationRow {
    const TABLE: &str = "notifications";
}

/// Notifications to insert with `record_notifications`, by argument. Each has a user id or a profile id.
#[derive(Debug, Default)]
pub struct NewNotifications {
    pub ids: Vec<Uuid>,
    pub user_ids: Vec<Option<Uuid>>,
    pub profile_ids: Vec<Option<Uuid>>,
    pub kinds: Vec<Kind>,
    pub titles: Vec<&'static str>,
    pub bodies: Vec<String>,
    pub data: Vec<Json<BTreeMap<&'static str, Uuid>>>,
    pub are_urgent: Vec<bool>,
    pub expire_at: Vec<Option<DateTime<Utc>>>,
    pub reasons: Vec<Option<String>>,
}

impl NewNotifications {
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

/// Inserts notifications, but not those for organisations' accounts, which nobody reads, unless they are of the kinds that become
/// texts to the people who are helped.
pub async fn insert(tx: &mut PgConnection, new: &NewNotifications, at: DateTime<Utc>) -> Result<()> {
    let texted: Vec<Kind> =
        Kind::ALL.iter().copied().filter(|kind| kind.text_to_beneficiary().is_some()).collect();
    sqlx::query(
        "select record_notifications($1, array_agg(note.id), array_agg(note.user_id), array_agg(note.profile_id),
            array_agg(note.type), array_agg(note.title), array_agg(note.body), array_agg(note.data),
            array_agg(note.is_urgent), array_agg(note.expires_at), array_agg(note.reason))
        from unnest((select $2)::uuid[], (select $3)::uuid[], (select $4)::uuid[], (select $5)::text[], (select $6)::text[],
                (select $7)::text[], (select $8)::jsonb[], (select $9)::boolean[], (select $10)::timestamptz[], (select $11)::text[])
            as note (id, user_id, profile_id, type, title, body, data, is_urgent, expires_at, reason)
        where note.type = any((select $12)::text[])
            or not exists (select from organisations o where o.account_id = note.user_id)
        having count(*) > 0",
    )
        .bind(at)
        .bind(&new.ids)
        .bind(&new.user_ids)
        .bind(&new.profile_ids)
        .bind(&new.kinds)
        .bind(&new.titles)
        .bind(&new.bodies)
        .bind(&new.data)
        .bind(&new.are_urgent)
        .bind(&new.expire_at)
        .bind(&new.reasons)
        .bind(texted)
        .run(tx)
        .await
}

/// Locks the person's unread notifications of this kind about the job; returns whether there are any. Give a user id or a profile
/// id.
pub async fn lock_unread(
    tx: &mut PgConnection,
    user_id: Option<Uuid>,
    profile_id: Option<Uuid>,
    kind: Kind,
    job_id: Option<Uuid>,
) -> Result<bool> {
    let locked = sqlx::query(
        "select id from notifications
        where user_id = coalesce((select $1::uuid), (select p.user_id from mechanic_profiles p where p.id = $2))
            and not is_read and type = $3 and data ->> 'job_id' = $4::text
        order by created_at desc, id desc for update",
    )
    .bind(user_id)
    .bind(profile_id)
    .bind(kind)
    .bind(job_id.map(|id| id.to_string()))
    // All rows are fetched, since only fetched rows are locked.
    .fetch_all(tx)
    .await?;
    Ok(!locked.is_empty())
}

/// Marks a person's notifications of this kind about a job as read: they have seen it elsewhere.
pub async fn mark_read_about(tx: &mut PgConnection, user_id: Uuid, kind: Kind, job_id: Uuid) -> Result<()> {
    sqlx::query(
        "update notifications set is_read = true
        where user_id = $1 and not is_read and type = $2 and data ->> 'job_id' = $3",
    )
    .bind(user_id)
    .bind(kind)
    .bind(job_id.to_string())
    .run(tx)
    .await
}

list_filter! {
    /// The filter of the list of notifications for their recipient.
    NotificationFilter {
        /// Both if not given.
        is_read: Option<bool> = false,
        /// All if not given.
        kind as "type": Option<Kind> = "job_accepted",
        /// Of what happened in this time.
        made: Between,
    }
}

impl NotificationFilter {
    /// Returns whether it asks for anything but a period.
    fn is_narrow(&self) -> bool {
        self.is_read.is_some() || self.kind.is_some()
    }
}

/// The condition on a person's notifications in a period: $1 is the person, $2 and $3 are the period.
macro_rules! made {
    () => {
        "n.user_id = $1
            and n.created_at >= coalesce((select $2::timestamptz), '-infinity')
            and n.created_at < coalesce((select $3::timestamptz), 'infinity')"
    };
}

/// The condition of a narrow [`NotificationFilter`]: $4 says whether the person has read it, and $5 is the kind.
macro_rules! listed {
    () => {
        concat!(made!(), " and ($4::boolean is null or n.is_read = $4) and ($5::text is null or n.type = $5)")
    };
}

/// Lists the person's notifications that fit the filter, the newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    filter: &NotificationFilter,
    page: PageParams,
) -> Result<Vec<NotificationRow>> {
    if filter.is_narrow() {
        return list_narrow(db, user_id, filter, page).await;
    }
    sqlx::query(concat!(
        "select n.*, person.language from notifications n join users person on person.id = n.user_id where ",
        made!(),
        " order by n.created_at desc, n.id desc limit (select $4::bigint) offset $5",
    ))
    .bind(user_id)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(page.limit)
    .bind(page.offset())
    .all(db)
    .await
}

async fn list_narrow(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    filter: &NotificationFilter,
    page: PageParams,
) -> Result<Vec<NotificationRow>> {
    sqlx::query(concat!(
        "select n.*, person.language from notifications n join users person on person.id = n.user_id where ",
        listed!(),
        " order by n.created_at desc, n.id desc limit $6 offset $7",
    ))
    .bind(user_id)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(filter.is_read)
    .bind(filter.kind)
    .bind(page.limit)
    .bind(page.offset())
    .persistent(false)
    .all(db)
    .await
}

/// Counts the notifications on all pages of [`list`]. Without a narrow filter, only the index is read.
pub async fn count(db: impl PgExecutor<'_>, user_id: Uuid, filter: &NotificationFilter) -> Result<i64> {
    if filter.is_narrow() {
        return count_narrow(db, user_id, filter).await;
    }
    sqlx::query_scalar(concat!("select count(*) from notifications n where ", made!()))
        .bind(user_id)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .fetch_one(db)
        .await
}

async fn count_narrow(db: impl PgExecutor<'_>, user_id: Uuid, filter: &NotificationFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from notifications n where ", listed!()))
        .bind(user_id)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .bind(filter.is_read)
        .bind(filter.kind)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// Counts unread notifications by their partial index.
pub async fn count_unread(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<i64> {
    sqlx::query_scalar("select count(*) from notifications where user_id = $1 and not is_read")
        .bind(user_id)
        .fetch_one(db)
        .await
}

pub async fn find(db: impl PgExecutor<'_>, user_id: Uuid, id: Uuid) -> Result<Option<NotificationRow>> {
    sqlx::query(
        "select n.*, person.language from notifications n join users person on person.id = n.user_id
        where n.id = $1 and n.user_id = $2",
    )
    .bind(id)
    .bind(user_id)
    .optional(db)
    .await
}

pub async fn exists(db: impl PgExecutor<'_>, user_id: Uuid, id: Uuid) -> Result<bool> {
    sqlx::query_scalar("select exists (select from notifications where id = $1 and user_id = $2)")
        .bind(id)
        .bind(user_id)
        .fetch_one(db)
        .await
}

pub async fn mark_read(db: impl PgExecutor<'_>, user_id: Uuid, id: Uuid) -> Result<Option<NotificationRow>> {
    sqlx::query(
        "update notifications n set is_read = true from users person
        where n.id = $1 and n.user_id = $2 and person.id = n.user_id
        returning n.*, person.language",
    )
    .bind(id)
    .bind(user_id)
    .optional(db)
    .await
}

/// Returns whether there is a notification of this kind about the job since then, read or not.
pub async fn exists_about(
    tx: &mut PgConnection,
    user_id: Uuid,
    kind: Kind,
    job_id: Uuid,
    since: DateTime<Utc>,
) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (select from notifications
            where user_id = $1 and type = $2 and created_at >= $4 and data ->> 'job_id' = $3)",
    )
    .bind(user_id)
    .bind(kind)
    .bind(job_id.to_string())
    .bind(since)
    .fetch_one(tx)
    .await
}

/// Marks the newest `limit` unread notifications as read.
pub async fn mark_all_read(db: impl PgExecutor<'_>, user_id: Uuid, limit: i64) -> Result<()> {
    sqlx::query(
        "update notifications set is_read = true where id in (
            select id from notifications where user_id = $1 and not is_read
            order by created_at desc, id desc limit $2 for update)",
    )
    .bind(user_id)
    .bind(limit)
    .run(db)
    .await
}

/// Marks expired notifications as read.
pub async fn read_expired(db: impl PgExecutor<'_>, now: DateTime<Utc>, limit: i64) -> Result<u64> {
    sqlx::query(
        "update notifications set is_read = true where id in (
            select id from notifications where expires_at <= $1 and not is_read
            order by expires_at limit $2 for update skip locked)",
    )
    .bind(now)
    .bind(limit)
    .changed(db)
    .await
}

/// A notification to be announced.
#[derive(Debug, Clone, FromRow)]
pub struct WrittenRow {
    #[sqlx(flatten)]
    pub row: NotificationRow,
    /// The transaction that wrote it.
    pub written_by: i64,
    /// All transactions before this one had ended when the row was read.
    pub horizon: i64,
}

impl StoredRow for WrittenRow {
    const TABLE: &str = "notifications";
}

/// Returns the oldest transaction that has not ended: all before it have.
pub async fn horizon(db: impl PgExecutor<'_>) -> Result<i64> {
    sqlx::query_scalar("select pg_snapshot_xmin(pg_current_snapshot())::text::bigint").fetch_one(db).await
}

/// Lists the rows that transactions from `written_from` on wrote and committed, except the `known` ones; nothing from before
/// `created_from`, such as rows that another cluster wrote before they were restored here.
pub async fn written_since(
    db: impl PgExecutor<'_>,
    written_from: i64,
    created_from: DateTime<Utc>,
    known: &[Uuid],
    limit: i64,
) -> Result<Vec<WrittenRow>> {
    sqlx::query(
        "select n.*, person.language, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon
        from notifications n join users person on person.id = n.user_id
        where n.written_by >= $1 and n.created_at >= $2 and n.id <> all($3)
        order by n.written_by limit $4",
    )
    .bind(written_from)
    .bind(created_from)
    .bind(known)
    .bind(limit)
    .all(db)
    .await
}

/// A push that is due.
#[derive(Debug, Clone, FromRow)]
pub struct DuePushRow {
    pub id: Uuid,
    pub user_id: Uuid,
    #[sqlx(rename = "type")]
    pub kind: Kind,
    pub language: String,
    pub data: Json<BTreeMap<String, Uuid>>,
    pub expires_at: Option<DateTime<Utc>>,
    pub attempts: i32,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for DuePushRow {
    const TABLE: &str = "notifications";
}

/// Takes due pushes, the urgent ones first. No other server takes them before `again_at`.
pub async fn take_due(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    again_at: DateTime<Utc>,
    only_urgent: bool,
    limit: i64,
) -> Result<Vec<DuePushRow>> {
    sqlx::query(
        "update notifications n set next_try_at = $2, attempts = attempts + 1 from users person
        where n.id in (select id from notifications where next_try_at <= $1 and (is_urgent or not $3)
            order by is_urgent desc, next_try_at limit $4 for update skip locked)
            and person.id = n.user_id
        returning n.*, person.language",
    )
    .bind(now)
    .bind(again_at)
    .bind(only_urgent)
    .bind(limit)
    .all(db)
    .await
}

/// Takes pushes that have to be repeated; each is due again at `again_at`, `most` times in all. No other server takes them
/// before.
pub async fn take_repeats(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    again_at: DateTime<Utc>,
    most: i32,
    limit: i64,
) -> Result<Vec<DuePushRow>> {
    sqlx::query(
        "update notifications n set repeats = n.repeats + 1, repeat_at = case when n.repeats + 1 < $3 then $2::timestamptz end
        from users person
        where n.id in (select id from notifications where repeat_at <= $1
            order by repeat_at limit $4 for update skip locked)
            and person.id = n.user_id
        returning n.*, person.language",
    )
    .bind(now)
    .bind(again_at)
    .bind(most)
    .bind(limit)
    .all(db)
    .await
}

/// Stops repeating these pushes.
pub async fn stop_repeating(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<()> {
    sqlx::query("update notifications set repeat_at = null where id = any((select $1)::uuid[])")
        .bind(ids)
        .run(db)
        .await
}

/// Returns when the next push is due.
pub async fn next_try_at(db: impl PgExecutor<'_>, only_urgent: bool) -> Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar(
        "select least(
            (select min(next_try_at) from notifications where next_try_at is not null and (is_urgent or not $1)),
            (select min(repeat_at) from notifications where repeat_at is not null))",
    )
    .bind(only_urgent)
    .fetch_one(db)
    .await
}

/// The results of finished pushes, by column.
#[derive(Debug, Default)]
pub struct FinishedPushes {
    pub ids: Vec<Uuid>,
    pub statuses: Vec<DeliveryStatus>,
    pub reasons: Vec<Option<String>>,
    /// When the push is repeated.
    pub repeat_at: Vec<Option<DateTime<Utc>>>,
}

impl FinishedPushes {
    pub fn push(
        &mut self,
        id: Uuid,
        status: DeliveryStatus,
        why: Option<String>,
        repeat_at: Option<DateTime<Utc>>,
    ) {
        self.ids.push(id);
        self.statuses.push(status);
        self.reasons.push(why);
        self.repeat_at.push(repeat_at);
    }
}

pub async fn settle(db: impl PgExecutor<'_>, ended: &FinishedPushes, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update notifications n set delivery_status = ended.status, delivery_note = ended.note, next_try_at = null,
            settled_at = $4, repeat_at = ended.repeat_at
        from unnest((select $1)::uuid[], $2::text[], $3::text[], $5::timestamptz[]) as ended (id, status, note, repeat_at)
        where n.id = ended.id and n.delivery_status = 'pending'",
    )
    .bind(&ended.ids)
    .bind(&ended.statuses)
    .bind(&ended.reasons)
    .bind(at)
    .bind(&ended.repeat_at)
    .run(db)
    .await
}

pub async fn put_off(db: impl PgExecutor<'_>, id: Uuid, until: DateTime<Utc>, why: &str) -> Result<()> {
    sqlx::query(
        "update notifications set next_try_at = $2, delivery_note = $3
        where id = $1 and delivery_status = 'pending'",
    )
    .bind(id)
    .bind(until)
    .bind(why)
    .run(db)
    .await
}

pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    sqlx::query(
        "delete from notifications where id in (
            select id from notifications where created_at < $1 order by created_at limit $2)",
    )
    .bind(before)
    .bind(limit)
    .changed(db)
    .await
}

list_filter! {
    /// The filter of the admins' list of failed pushes.
    FailedPushFilter {
        /// Of what happened in this time.
        made: Between,
    }
}

/// The condition of [`FailedPushFilter`]: $1 and $2 are the period.
macro_rules! listed_failed {
    () => {
        "delivery_status = 'failed'
            and ($1::timestamptz is null or created_at >= $1) and ($2::timestamptz is null or created_at < $2)"
    };
}

/// Lists the pushes that failed permanently, the newest first.
pub async fn list_failed(
    db: impl PgExecutor<'_>,
    filter: &FailedPushFilter,
    window: ListWindow,
) -> Result<Vec<FailedPush>> {
    sqlx::query(concat!(
        "select id, user_id, type, attempts, delivery_note, created_at, settled_at from notifications where ",
        listed_failed!(),
        " and ($3::timestamptz is null or (created_at, id) < ($3, $4))
        order by created_at desc, id desc limit $5 offset $6",
    ))
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .all(db)
    .await
}

pub async fn count_failed(db: impl PgExecutor<'_>, filter: &FailedPushFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from notifications where ", listed_failed!()))
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

/// Deletes a person's notifications, devices and preferences, when their account is anonymised.
pub async fn forget_user(tx: &mut PgConnection, user_id: Uuid) -> Result<()> {
    sqlx::query("delete from push_tokens where user_id = $1").bind(user_id).execute(&mut *tx).await?;
    sqlx::query("delete from notification_preferences where user_id = $1")
        .bind(user_id)
        .execute(&mut *tx)
        .await?;
    sqlx::query("delete from notifications where user_id = $1").bind(user_id).run(tx).await
}

/// Returns which of these offers and calls still wait for an answer, and were not shown yet.
pub async fn unanswered(db: impl PgExecutor<'_>, offers: &[Uuid], calls: &[Uuid]) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from offers where id = any((select $1)::uuid[]) and status = 'pending' and shown_at is null
        union all
        select id from calls where id = any((select $2)::uuid[]) and status = 'ringing'",
    )
    .bind(offers)
    .bind(calls)
    .fetch_all(db)
    .await
}
