//! SQL that writes the audit log.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::NewAuditEntry;

pub async fn insert(
    tx: &mut PgConnection,
    id: Uuid,
    at: DateTime<Utc>,
    entry: NewAuditEntry<'_>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into audit_log (id, actor_id, action, subject_kind, subject_id, before, after, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(id)
    .bind(entry.actor_id)
    .bind(entry.action)
    .bind(entry.subject_kind)
    .bind(entry.subject_id)
    .bind(entry.before)
    .bind(entry.after)
    .bind(at)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn forget_emails(
    tx: &mut PgConnection,
    user_id: Uuid,
    invite_ids: &[Uuid],
    instead: &str,
) -> sqlx::Result<()> {
    sqlx::query(
        "update audit_log set
            before = case when before ->> 'email' is null then before
                else jsonb_set(before, '{email}', to_jsonb($3::text)) end,
            after = case when after ->> 'email' is null then after
                else jsonb_set(after, '{email}', to_jsonb($3::text)) end
         where ((subject_kind = 'user' and subject_id = $1)
                or (subject_kind = 'admin_invite' and subject_id = any($2)))
             and (before ->> 'email' is not null or after ->> 'email' is not null)",
    )
    .bind(user_id)
    .bind(invite_ids)
    .bind(instead)
    .execute(tx)
    .await
    .map(drop)
}
