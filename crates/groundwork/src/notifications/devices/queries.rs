//! SQL of devices and of pushes to them.

use chrono::{DateTime, Utc};
use roadcall_platform::db::{RunQuery, StoredRow};
use roadcall_providers::push::{Platform, web_push::SubscriptionKeys};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::notifications::kind::{App, Kind, Topic};

/// An app on a device.
#[derive(derive_more::Debug, Clone, FromRow)]
// Tokens must not be logged.
#[debug("TokenRow {{ id: {id:?}, platform: {platform:?}, .. }}")]
pub struct TokenRow {
    pub id: Uuid,
    pub user_id: Uuid,
    /// The session that registered it last.
    pub session_id: Uuid,
    pub token: String,
    pub platform: Platform,
    /// The keys of a browser's subscription in base64url; the endpoint is the token.
    pub p256dh: Option<String>,
    pub auth: Option<String>,
    pub device_id: String,
    /// The app that the device shows; `None` if it shows everything.
    pub app: Option<App>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl StoredRow for TokenRow {
    const TABLE: &str = "push_tokens";
}

impl TokenRow {
    pub fn shows(&self, kind: Kind) -> bool {
        self.app.is_none_or(|app| kind.app().is_none_or(|shows| shows == app))
    }

    /// Returns whether only the device can read its pushes.
    pub fn is_sealed(&self) -> bool {
        self.p256dh.is_some() && self.auth.is_some()
    }

    /// Returns the keys of a browser's subscription.
    pub fn keys(&self) -> std::result::Result<Option<SubscriptionKeys>, String> {
        let Some((p256dh, auth)) = self.p256dh.as_deref().zip(self.auth.as_deref()) else { return Ok(None) };
        let keys = SubscriptionKeys::parse(p256dh, auth);
        keys.map(Some).map_err(|(field, why)| format!("{field} {why}"))
    }
}

/// The details of a job in a sealed push.
#[derive(derive_more::Debug, Clone, FromRow)]
// Names must not be logged.
#[debug("DetailsRow {{ id: {id:?}, .. }}")]
pub struct DetailsRow {
    /// The notification's id.
    pub id: Uuid,
    pub service_category_name: String,
    pub service_category_slug: String,
    pub estimated_price_paise: i64,
    /// The distance in the offer that the notification is about.
    pub distance_m: Option<i32>,
    pub promised_at: Option<DateTime<Utc>>,
    /// The first word of the mechanic's name.
    pub mechanic_name: Option<String>,
}

impl StoredRow for DetailsRow {
    const TABLE: &str = "notifications";
}

/// Reads the details of the jobs of these notifications; none for a job that has moved on since, or that is another mechanic's
/// now.
pub async fn details_of(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<DetailsRow>> {
    sqlx::query(
        "select n.id, job.service_category_name, job.service_category_slug, job.estimated_price_paise, offer.distance_m,
            job.promised_at, split_part(btrim(job.mechanic_name), ' ', 1) as mechanic_name
        from notifications n
            join jobs job on job.id = (n.data ->> 'job_id')::uuid
            left join offers offer on offer.id = (n.data ->> 'offer_id')::uuid
        where n.id = any((select $1)::uuid[])
            and case n.type
                when 'job_offer' then offer.status = 'pending'
                when 'job_assigned' then job.status in ('accepted', 'en_route')
                    and exists (select from mechanic_profiles own
                        where own.id = job.mechanic_profile_id and own.user_id = n.user_id)
                -- Nobody knows yet whether a mechanic comes whom an admin assigned.
                when 'job_accepted' then job.status = 'en_route'
                    or (job.status = 'accepted' and job.accepted_offer_id is not null)
                when 'job_en_route' then job.status = 'en_route'
                -- Not of another mechanic, who has set out since.
                when 'job_near' then job.status = 'en_route' and n.created_at >= coalesce(job.en_route_at, job.created_at)
                when 'job_arrived' then job.status = 'arrived'
                else false end",
    )
    .bind(ids)
    .all(db)
    .await
}

/// Deletes the device's older tokens.
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
        .run(tx)
        .await
}

/// Gives the token to the person, even if it was someone else's. The row keeps its id if the token was theirs already.
pub async fn save_token(tx: &mut PgConnection, row: &TokenRow) -> Result<TokenRow> {
    sqlx::query(
        "insert into push_tokens (id, user_id, token, platform, device_id, created_at, updated_at, session_id, p256dh, auth, app)
        values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10)
        on conflict on constraint push_tokens_once do update set
            id = case when push_tokens.user_id = $2 then push_tokens.id else $1 end,
            created_at = case when push_tokens.user_id = $2 then push_tokens.created_at else $6 end,
            user_id = $2, platform = $4, device_id = $5, updated_at = $6, session_id = $7, p256dh = $8, auth = $9,
            app = $10
        returning *",
    )
    .bind(row.id)
    .bind(row.user_id)
    .bind(&row.token)
    .bind(row.platform)
    .bind(&row.device_id)
    .bind(row.updated_at)
    .bind(row.session_id)
    .bind(&row.p256dh)
    .bind(&row.auth)
    .bind(row.app)
    .one(tx)
    .await
}

/// Keeps a person's newest `most` tokens, and deletes the others.
pub async fn trim_tokens(tx: &mut PgConnection, user_id: Uuid, most: i64) -> Result<()> {
    sqlx::query(
        "delete from push_tokens where id in (
            select id from push_tokens where user_id = $1 order by updated_at desc, id desc offset $2)",
    )
    .bind(user_id)
    .bind(most)
    .run(tx)
    .await
}

/// Deletes a token, named by itself or by the id of its registration.
pub async fn delete_token(db: impl PgExecutor<'_>, user_id: Uuid, token: &str) -> Result<bool> {
    let deleted = sqlx::query("delete from push_tokens where user_id = $1 and (token = $2 or id::text = $2)")
        .bind(user_id)
        .bind(token)
        .execute(db)
        .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Deletes an invalid token, unless it was registered again since.
pub async fn forget_token(db: impl PgExecutor<'_>, token: &str, since: DateTime<Utc>) -> Result<()> {
    sqlx::query("delete from push_tokens where token = $1 and updated_at <= $2")
        .bind(token)
        .bind(since)
        .run(db)
        .await
}

/// Lists the tokens of live sessions of active accounts.
pub async fn tokens_of(
    db: impl PgExecutor<'_>,
    user_ids: &[Uuid],
    now: DateTime<Utc>,
) -> Result<Vec<TokenRow>> {
    sqlx::query(
        "select token.* from push_tokens token
        join sessions session on session.id = token.session_id and session.user_id = token.user_id
        join users person on person.id = token.user_id
        where token.user_id = any((select $1)::uuid[]) and session.revoked_at is null and session.expires_at > $2
            and person.status = 'active'
        order by token.id",
    )
    .bind(user_ids)
    .bind(now)
    .all(db)
    .await
}

/// Deletes tokens whose session has ended. A person has ten at most, so this needs no limit.
pub async fn forget_signed_out(db: impl PgExecutor<'_>, now: DateTime<Utc>) -> Result<u64> {
    let forgotten = sqlx::query(
        "delete from push_tokens token using sessions session
        where session.id = token.session_id and (session.revoked_at is not null or session.expires_at <= $1)",
    );
    forgotten.bind(now).changed(db).await
}

/// Counts the browsers that last registered before that time.
pub async fn browsers_before(db: impl PgExecutor<'_>, at: DateTime<Utc>) -> Result<i64> {
    sqlx::query_scalar("select count(*) from push_tokens where p256dh is not null and updated_at < $1")
        .bind(at)
        .fetch_one(db)
        .await
}

/// A person's choice of topics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct PreferencesRow {
    pub user_id: Uuid,
    pub offers: bool,
    pub jobs: bool,
    pub payments: bool,
    pub wallet: bool,
    pub account: bool,
    pub messages: bool,
    /// Text messages, when nothing can be pushed.
    pub texts: bool,
    /// Receipts by mail.
    pub mails: bool,
}

impl PreferencesRow {
    /// Returns the default: every topic is on.
    pub fn everything(user_id: Uuid) -> Self {
        let yes = true;
        let (offers, jobs, payments, wallet) = (yes, yes, yes, yes);
        Self { user_id, offers, jobs, payments, wallet, account: yes, messages: yes, texts: yes, mails: yes }
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
        "select user_id, offers, jobs, payments, wallet, account, messages, texts, mails from notification_preferences
        where user_id = any((select $1)::uuid[])",
    )
    .bind(user_ids)
    .fetch_all(db)
    .await
}

pub async fn save_preferences(tx: &mut PgConnection, row: &PreferencesRow, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "insert into notification_preferences
            (user_id, offers, jobs, payments, wallet, account, messages, updated_at, texts, mails)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        on conflict (user_id) do update set offers = $2, jobs = $3, payments = $4, wallet = $5, account = $6,
            messages = $7, updated_at = $8, texts = $9, mails = $10",
    )
    .bind(row.user_id)
    .bind(row.offers)
    .bind(row.jobs)
    .bind(row.payments)
    .bind(row.wallet)
    .bind(row.account)
    .bind(row.messages)
    .bind(at)
    .bind(row.texts)
    .bind(row.mails)
    .run(tx)
    .await
}
