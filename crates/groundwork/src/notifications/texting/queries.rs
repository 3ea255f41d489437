//! SQL of notifications as text messages.

use chrono::{DateTime, Utc};
use roadcall_platform::db::{RunQuery, StoredRow};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::notifications::{kind::Kind, state::TextStatus};

/// A notification that may have to become a text message: its customer's devices could not be pushed to.
#[derive(derive_more::Debug, Clone, FromRow)]
// Phone numbers must not be logged.
#[debug("TextCandidateRow {{ id: {id:?}, kind: {kind:?}, .. }}")]
pub struct TextCandidateRow {
    pub id: Uuid,
    pub user_id: Uuid,
    #[sqlx(rename = "type")]
    pub kind: Kind,
    pub created_at: DateTime<Utc>,
    pub is_read: bool,
    pub language: String,
    pub phone: Option<String>,
    pub job_id: Uuid,
    /// Whether the job is still in the state that the notification reports.
    pub is_current: bool,
    /// When the mechanic has promised to arrive.
    pub promised_at: Option<DateTime<Utc>>,
    /// The first word of the mechanic's name.
    pub mechanic_name: Option<String>,
    /// The organisation that ordered the job: its text goes to the person who is helped.
    pub partner: Option<String>,
    pub is_wanted: bool,
    /// The number of earlier tries.
    pub attempts: i32,
    pub tried_at: Option<DateTime<Utc>>,
}

impl StoredRow for TextCandidateRow {
    const TABLE: &str = "notifications";
}

/// Lists notifications of these kinds to customers to whom nothing could be pushed, made after `since` and not yet texted; the
/// oldest first.
pub async fn to_text(
    db: impl PgExecutor<'_>,
    kinds: &[Kind],
    since: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<TextCandidateRow>> {
    sqlx::query(
        "select n.id, n.user_id, n.type, n.created_at, n.is_read, person.language, person.phone, job.id as job_id,
            case n.type
                when 'job_accepted' then job.status in ('accepted', 'en_route')
                -- Not of another mechanic, who has set out since.
                when 'job_near' then job.status = 'en_route' and n.created_at >= coalesce(job.en_route_at, job.created_at)
                when 'job_arrived' then job.status = 'arrived'
                when 'job_released' then job.status in ('pending', 'dispatching', 'no_mechanic_found')
                when 'job_cancelled' then job.status = 'cancelled'
                when 'no_show_reported' then job.status = 'cancelled'
                else false end as is_current,
            job.promised_at, split_part(btrim(job.mechanic_name), ' ', 1) as mechanic_name, null::text as partner,
            person.status = 'active' and coalesce(wish.jobs and wish.texts, true) as is_wanted,
            coalesce(tried.attempts, 0) as attempts, tried.tried_at
        from notifications n
            join job_states job on job.id = (n.data ->> 'job_id')::uuid and job.customer_id = n.user_id
            join users person on person.id = n.user_id
            left join notification_preferences wish on wish.user_id = n.user_id
            left join notification_texts tried on tried.notification_id = n.id
        where n.created_at > $1 and n.type = any((select $2)::text[]) and n.delivery_status in ('skipped', 'failed')
            and (tried.notification_id is null or tried.status = 'put_off')
            and not exists (select from organisations o where o.account_id = n.user_id)
        order by n.created_at limit $3",
    )
    .bind(since)
    .bind(kinds)
    .bind(limit)
    .all(db)
    .await
}

/// Returns notifications of organisations' accounts, from `since` on, that have to become texts to the people for whom the
/// organisations ordered help. No app shows them. A text that a server left half sent before `stale` is sent again.
pub async fn to_text_to_beneficiaries(
    db: impl PgExecutor<'_>,
    since: DateTime<Utc>,
    stale: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<TextCandidateRow>> {
    sqlx::query(
        "select n.id, n.user_id, n.type, n.created_at, n.is_read, k.beneficiary_language as language,
            k.beneficiary_phone as phone, job.id as job_id,
            case n.type
                when 'job_created' then job.status not in ('completed', 'paid', 'cancelled', 'disputed', 'resolved')
                when 'job_accepted' then job.status in ('accepted', 'en_route')
                when 'job_arrived' then job.status = 'arrived'
                else job.status in ('completed', 'paid') end as is_current,
            job.promised_at, split_part(btrim(job.mechanic_name), ' ', 1) as mechanic_name, o.name as partner,
            case n.type when 'job_created' then 'link' when 'job_accepted' then 'eta' when 'job_arrived' then 'arrival'
                else 'rating' end = any(k.texts) as is_wanted,
            coalesce(tried.attempts, 0) as attempts, tried.tried_at
        from organisations o
            join notifications n on n.user_id = o.account_id and n.created_at > $1
                and n.type in ('job_created', 'job_accepted', 'job_arrived', 'job_completed')
            join job_states job on job.id = (n.data ->> 'job_id')::uuid
            join job_facts facts on facts.id = job.id
            join partner_cases k on k.id = facts.case_id
            left join notification_texts tried on tried.notification_id = n.id
        where tried.notification_id is null or tried.status = 'put_off'
            or (tried.status = 'sending' and tried.tried_at < $2)
        order by n.created_at limit $3",
    )
    .bind(since)
    .bind(stale)
    .bind(limit)
    .all(db)
    .await
}

/// Counts the texts that were or may have been sent about a job.
pub async fn texts_of_job(tx: &mut PgConnection, job_id: Uuid) -> Result<i64> {
    sqlx::query_scalar(
        "select count(*) from notification_texts where job_id = $1 and status in ('sending', 'sent', 'unknown')",
    )
    .bind(job_id)
    .fetch_one(tx)
    .await
}

/// The state of a notification as a text.
#[derive(Debug)]
pub struct NewText<'a> {
    pub notification_id: Uuid,
    pub user_id: Uuid,
    pub job_id: Uuid,
    pub status: TextStatus,
    pub note: Option<&'a str>,
}

/// Takes a text that no other server has taken, unless that was before `stale`; returns false if one has.
pub async fn claim_text(
    tx: &mut PgConnection,
    text: &NewText<'_>,
    stale: Option<DateTime<Utc>>,
    at: DateTime<Utc>,
) -> Result<bool> {
    let claimed = sqlx::query(
        "insert into notification_texts as text (notification_id, user_id, job_id, status, attempts, tried_at)
        values ($1, $2, $3, $4, 1, $5)
        on conflict (notification_id) do update set status = $4, attempts = text.attempts + 1, tried_at = $5
            where text.status = 'put_off' or (text.status = 'sending' and text.tried_at < $6)",
    )
    .bind(text.notification_id)
    .bind(text.user_id)
    .bind(text.job_id)
    .bind(text.status)
    .bind(at)
    .bind(stale)
    .execute(tx)
    .await?;
    Ok(claimed.rows_affected() == 1)
}

/// Notes the outcome of a text.
pub async fn note_text(db: impl PgExecutor<'_>, text: &NewText<'_>, at: DateTime<Utc>) -> Result<()> {
    sqlx::query(
        "insert into notification_texts (notification_id, user_id, job_id, status, note, attempts, tried_at)
        values ($1, $2, $3, $4, $5, 0, $6)
        on conflict (notification_id) do update set status = $4, note = $5, tried_at = $6",
    )
    .bind(text.notification_id)
    .bind(text.user_id)
    .bind(text.job_id)
    .bind(text.status)
    .bind(text.note)
    .bind(at)
    .run(db)
    .await
}
