//! SQL of notifications, devices and preferences.

use std::{collections::BTreeMap, fmt};

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use super::{
    rules::{Kind, Topic},
    state::DeliveryStatus,
};
use crate::{
    http::{ListWindow, PageParams},
    platform::db::{StoredRow, read},
    providers::push::Platform,
};

/// A notification as it is shown.
#[derive(Debug, Clone, FromRow)]
pub struct NotificationRow {
    pub id: Uuid,
    pub user_id: Uuid,
    #[sqlx(rename = "type")]
    pub kind: Kind,
    pub title: String,
    pub body: String,
    pub data: Json<BTreeMap<String, Uuid>>,
    pub delivery_status: DeliveryStatus,
    pub is_read: bool,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for NotificationRow {
    const TABLE: &str = "notifications";
}

/// Notifications to be made, column by column. Of a user and a profile one is given.
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
}

pub async fn insert(tx: &mut PgConnection, new: &NewNotifications, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "insert into notifications (id, user_id, type, title, body, data, is_urgent, expires_at, delivery_status,
            next_try_at, created_at)
        select note.id,
            coalesce(note.user_id, (select p.user_id from mechanic_profiles p where p.id = note.profile_id)),
            note.type, note.title, note.body, note.data, note.is_urgent, note.expires_at, 'pending', $1, $1
        from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::jsonb[],
                $9::boolean[], $10::timestamptz[])
            as note (id, user_id, profile_id, type, title, body, data, is_urgent, expires_at)",
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
    .execute(tx)
    .await
    .map(drop)
}

/// Whether there is one of this kind about the job that was not read; it stays so until the transaction ends. Of a user and a
/// profile one is given.
pub async fn lock_unread(
    tx: &mut PgConnection,
    user_id: Option<Uuid>,
    profile_id: Option<Uuid>,
    kind: Kind,
    job_id: Option<Uuid>,
) -> Result<bool> {
    let held = sqlx::query(
        "select id from notifications
        where user_id = coalesce($1, (select p.user_id from mechanic_profiles p where p.id = $2))
            and not is_read and type = $3 and data ->> 'job_id' = $4::text
        order by created_at desc, id desc for update",
    )
    .bind(user_id)
    .bind(profile_id)
    .bind(kind)
    .bind(job_id.map(|id| id.to_string()))
    // All are fetched: what is not is not held.
    .fetch_all(tx)
    .await?;
    Ok(!held.is_empty())
}

pub async fn mark_read_about(tx: &mut PgConnection, user_id: Uuid, kind: Kind, job_id: Uuid) -> Result<()> {
    sqlx::query(
        "update notifications set is_read = true
        where user_id = $1 and not is_read and type = $2 and data ->> 'job_id' = $3",
    )
    .bind(user_id)
    .bind(kind)
    .bind(job_id.to_string())
    .execute(tx)
    .await
    .map(drop)
}

/// Which of a person's notifications are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Filter {
    pub user_id: Uuid,
    pub is_read: Option<bool>,
    pub kind: Option<Kind>,
}

/// The newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: Filter,
    window: ListWindow,
) -> Result<Vec<NotificationRow>> {
    sqlx::query(
        "select * from notifications
        where user_id = $1 and ($2::boolean is null or is_read = $2) and ($3::text is null or type = $3)
        order by created_at desc, id desc limit $4 offset $5",
    )
    .bind(filter.user_id)
    .bind(filter.is_read)
    .bind(filter.kind)
    .bind(window.limit)
    .bind(window.offset)
    .try_map(read::<NotificationRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: Filter) -> Result<i64> {
    sqlx::query_scalar(
        "select count(*) from notifications
        where user_id = $1 and ($2::boolean is null or is_read = $2) and ($3::text is null or type = $3)",
    )
    .bind(filter.user_id)
    .bind(filter.is_read)
    .bind(filter.kind)
    .fetch_one(db)
    .await
}

/// Answered from the partial index.
pub async fn count_unread(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<i64> {
    sqlx::query_scalar("select count(*) from notifications where user_id = $1 and not is_read")
        .bind(user_id)
        .fetch_one(db)
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
        "update notifications set is_read = true where id = $1 and user_id = $2
        returning *",
    )
    .bind(id)
    .bind(user_id)
    .try_map(read::<NotificationRow>)
    .fetch_optional(db)
    .await
}

/// The newest `limit` that are unread.
pub async fn mark_all_read(db: impl PgExecutor<'_>, user_id: Uuid, limit: i64) -> Result<()> {
    sqlx::query(
        "update notifications set is_read = true where id in (
            select id from notifications where user_id = $1 and not is_read
            order by created_at desc, id desc limit $2 for update)",
    )
    .bind(user_id)
    .bind(limit)
    .execute(db)
    .await
    .map(drop)
}

/// What has expired counts as read.
pub async fn read_expired(db: impl PgExecutor<'_>, now: DateTime<Utc>, limit: i64) -> Result<u64> {
    let read = sqlx::query(
        "update notifications set is_read = true where id in (
            select id from notifications where expires_at <= $1 and not is_read
            order by expires_at limit $2 for update skip locked)",
    )
    .bind(now)
    .bind(limit)
    .execute(db)
    .await?;
    Ok(read.rows_affected())
}

/// Those that sockets were not told of; from here on they were.
pub async fn take_unannounced(db: impl PgExecutor<'_>, limit: i64) -> Result<Vec<NotificationRow>> {
    sqlx::query(
        "update notifications set is_announced = true where id in (
            select id from notifications where not is_announced
            order by created_at limit $1 for update skip locked)
        returning *",
    )
    .bind(limit)
    .try_map(read::<NotificationRow>)
    .fetch_all(db)
    .await
}

/// A push whose time has come.
#[derive(Debug, Clone, FromRow)]
pub struct DueRow {
    pub id: Uuid,
    pub user_id: Uuid,
    #[sqlx(rename = "type")]
    pub kind: Kind,
    pub data: Json<BTreeMap<String, Uuid>>,
    pub expires_at: Option<DateTime<Utc>>,
    pub attempts: i32,
    pub created_at: DateTime<Utc>,
}

impl StoredRow for DueRow {
    const TABLE: &str = "notifications";
}

/// Takes pushes that are due, each for one server; until `again_at` nobody else does. The urgent ones first.
pub async fn take_due(
    db: impl PgExecutor<'_>,
    now: DateTime<Utc>,
    again_at: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<DueRow>> {
    sqlx::query(
        "update notifications set next_try_at = $2, attempts = attempts + 1
        where id in (select id from notifications where next_try_at <= $1
            order by is_urgent desc, next_try_at limit $3 for update skip locked)
        returning *",
    )
    .bind(now)
    .bind(again_at)
    .bind(limit)
    .try_map(read::<DueRow>)
    .fetch_all(db)
    .await
}

/// Pushes that have ended, column by column.
#[derive(Debug, Default)]
pub struct Ended {
    pub ids: Vec<Uuid>,
    pub statuses: Vec<DeliveryStatus>,
    pub notes: Vec<Option<String>>,
}

pub async fn settle(db: impl PgExecutor<'_>, ended: &Ended, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "update notifications n set delivery_status = ended.status, delivery_note = ended.note, next_try_at = null,
            settled_at = $4
        from unnest($1::uuid[], $2::text[], $3::text[]) as ended (id, status, note)
        where n.id = ended.id and n.delivery_status = 'pending'",
    )
    .bind(&ended.ids)
    .bind(&ended.statuses)
    .bind(&ended.notes)
    .bind(at)
    .execute(db)
    .await
    .map(drop)
}

pub async fn put_off(db: impl PgExecutor<'_>, id: Uuid, until: DateTime<Utc>, why: &str) -> Result<()> {
    sqlx::query(
        "update notifications set next_try_at = $2, delivery_note = $3
        where id = $1 and delivery_status = 'pending'",
    )
    .bind(id)
    .bind(until)
    .bind(why)
    .execute(db)
    .await
    .map(drop)
}

pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from notifications where id in (
            select id from notifications where created_at < $1 order by created_at limit $2)",
    )
    .bind(before)
    .bind(limit)
    .execute(db)
    .await?;
    Ok(swept.rows_affected())
}

/// A push that failed for good, as operators see it.
#[derive(Debug, Clone, FromRow)]
pub struct FailedRow {
    pub id: Uuid,
    pub user_id: Uuid,
    #[sqlx(rename = "type")]
    pub kind: Kind,
    pub attempts: i32,
    pub delivery_note: Option<String>,
    pub created_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
}

impl StoredRow for FailedRow {
    const TABLE: &str = "notifications";
}

/// The newest first.
pub async fn list_failed(db: impl PgExecutor<'_>, page: PageParams) -> Result<Vec<FailedRow>> {
    sqlx::query(
        "select id, user_id, type, attempts, delivery_note, created_at, settled_at from notifications
        where delivery_status = 'failed' order by created_at desc, id desc limit $1 offset $2",
    )
    .bind(page.limit)
    .bind(page.offset())
    .try_map(read::<FailedRow>)
    .fetch_all(db)
    .await
}

pub async fn count_failed(db: impl PgExecutor<'_>) -> Result<i64> {
    sqlx::query_scalar("select count(*) from notifications where delivery_status = 'failed'")
        .fetch_one(db)
        .await
}

/// An app on a device.
#[derive(Clone, FromRow)]
pub struct TokenRow {
    pub id: Uuid,
    pub user_id: Uuid,
    /// In which it was registered last.
    pub session_id: Uuid,
    pub token: String,
    pub platform: Platform,
    pub device_id: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for TokenRow {
    const TABLE: &str = "push_tokens";
}

/// By hand, because tokens must not reach a log.
impl fmt::Debug for TokenRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenRow")
            .field("id", &self.id)
            .field("platform", &self.platform)
            .finish_non_exhaustive()
    }
}

/// Other tokens that the person's device had.
pub async fn drop_older_of_device(
    tx: &mut PgConnection,
    user_id: Uuid,
    device_id: &str,
    token: &str,
) -> Result<()> {
    sqlx::query("delete from push_tokens where user_id = $1 and device_id = $2 and token <> $3")
        .bind(user_id)
        .bind(device_id)
        .bind(token)
        .execute(tx)
        .await
        .map(drop)
}

/// The token is the person's from here on, whosever it was. The row keeps its id where it was theirs already.
pub async fn save_token(tx: &mut PgConnection, row: &TokenRow) -> Result<TokenRow> {
    sqlx::query(
        "insert into push_tokens (id, user_id, token, platform, device_id, created_at, updated_at, session_id)
        values ($1, $2, $3, $4, $5, $6, $6, $7)
        on conflict on constraint push_tokens_once do update set
            id = case when push_tokens.user_id = $2 then push_tokens.id else $1 end,
            created_at = case when push_tokens.user_id = $2 then push_tokens.created_at else $6 end,
            user_id = $2, platform = $4, device_id = $5, updated_at = $6, session_id = $7
        returning *",
    )
    .bind(row.id)
    .bind(row.user_id)
    .bind(&row.token)
    .bind(row.platform)
    .bind(&row.device_id)
    .bind(row.updated_at)
    .bind(row.session_id)
    .try_map(read::<TokenRow>).fetch_one(tx)
    .await
}

/// Keeps the newest `most` of a person's.
pub async fn trim_tokens(tx: &mut PgConnection, user_id: Uuid, most: i64) -> Result<()> {
    sqlx::query(
        "delete from push_tokens where id in (
            select id from push_tokens where user_id = $1 order by updated_at desc, id desc offset $2)",
    )
    .bind(user_id)
    .bind(most)
    .execute(tx)
    .await
    .map(drop)
}

pub async fn delete_token(db: impl PgExecutor<'_>, user_id: Uuid, token: &str) -> Result<bool> {
    let deleted = sqlx::query("delete from push_tokens where user_id = $1 and token = $2")
        .bind(user_id)
        .bind(token)
        .execute(db)
        .await?;
    Ok(deleted.rows_affected() == 1)
}

/// A token of no app any more, unless it was registered again since.
pub async fn forget_token(db: impl PgExecutor<'_>, token: &str, since: DateTime<Utc>) -> Result<()> {
    sqlx::query("delete from push_tokens where token = $1 and updated_at <= $2")
        .bind(token)
        .bind(since)
        .execute(db)
        .await
        .map(drop)
}

/// Where people are signed in, with accounts that may be used. However a session ended, its devices are not among them from
/// that moment on.
pub async fn tokens_of(
    db: impl PgExecutor<'_>,
    user_ids: &[Uuid],
    now: DateTime<Utc>,
) -> Result<Vec<TokenRow>> {
    sqlx::query(
        "select token.* from push_tokens token
        join sessions session on session.id = token.session_id and session.user_id = token.user_id
        join users person on person.id = token.user_id
        where token.user_id = any($1) and session.revoked_at is null and session.expires_at > $2
            and person.status = 'active'
        order by token.id",
    )
    .bind(user_ids)
    .bind(now)
    .try_map(read::<TokenRow>)
    .fetch_all(db)
    .await
}

/// Tokens whose session has ended. Ten a person at most: they need no limit.
pub async fn forget_signed_out(db: impl PgExecutor<'_>, now: DateTime<Utc>) -> Result<u64> {
    let forgotten = sqlx::query(
        "delete from push_tokens token using sessions session
        where session.id = token.session_id and (session.revoked_at is not null or session.expires_at <= $1)",
    );
    Ok(forgotten.bind(now).execute(db).await?.rows_affected())
}

/// What a person wants to be pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct PreferencesRow {
    pub user_id: Uuid,
    pub offers: bool,
    pub jobs: bool,
    pub payments: bool,
    pub wallet: bool,
    pub account: bool,
    pub messages: bool,
}

impl PreferencesRow {
    /// Of whoever said nothing: everything.
    pub fn everything(user_id: Uuid) -> Self {
        let yes = true;
        Self { user_id, offers: yes, jobs: yes, payments: yes, wallet: yes, account: yes, messages: yes }
    }

    pub fn wants(&self, topic: Topic) -> bool {
        match topic {
            Topic::Offers => self.offers,
            Topic::Jobs => self.jobs,
            Topic::Payments => self.payments,
            Topic::Wallet => self.wallet,
            Topic::Account => self.account,
            Topic::Messages => self.messages,
        }
    }
}

pub async fn preferences_of(db: impl PgExecutor<'_>, user_ids: &[Uuid]) -> Result<Vec<PreferencesRow>> {
    sqlx::query_as(
        "select user_id, offers, jobs, payments, wallet, account, messages from notification_preferences
        where user_id = any($1)",
    )
    .bind(user_ids)
    .fetch_all(db)
    .await
}

pub async fn save_preferences(tx: &mut PgConnection, row: &PreferencesRow, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "insert into notification_preferences
            (user_id, offers, jobs, payments, wallet, account, messages, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        on conflict (user_id) do update set offers = $2, jobs = $3, payments = $4, wallet = $5, account = $6,
            messages = $7, updated_at = $8",
    )
    .bind(row.user_id)
    .bind(row.offers)
    .bind(row.jobs)
    .bind(row.payments)
    .bind(row.wallet)
    .bind(row.account)
    .bind(row.messages)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// All three tables.
pub async fn forget_user(tx: &mut PgConnection, user_id: Uuid) -> Result<()> {
    sqlx::query("delete from push_tokens where user_id = $1").bind(user_id).execute(&mut *tx).await?;
    sqlx::query("delete from notification_preferences where user_id = $1")
        .bind(user_id)
        .execute(&mut *tx)
        .await?;
    sqlx::query("delete from notifications where user_id = $1").bind(user_id).execute(tx).await.map(drop)
}

/// Those of the offers and of the calls that still wait for an answer.
pub async fn unanswered(db: impl PgExecutor<'_>, offers: &[Uuid], calls: &[Uuid]) -> Result<Vec<Uuid>> {
    sqlx::query_scalar(
        "select id from offers where id = any($1) and status = 'pending'
        union all
        select id from calls where id = any($2) and status = 'ringing'",
    )
    .bind(offers)
    .bind(calls)
    .fetch_all(db)
    .await
}
