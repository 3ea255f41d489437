use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

/// A person by one of their ids.
#[derive(Debug, Clone, FromRow)]
pub struct ContactRow {
    pub id: Uuid,
    pub name: Option<String>,
    pub phone: Option<String>,
}

/// Returns the contact data for ids of accounts and of mechanics' profiles, mixed.
pub async fn contacts(db: impl PgExecutor<'_>, ids: &[Uuid]) -> Result<Vec<ContactRow>> {
    sqlx::query_as(
        "select id, name, phone from users where id = any((select $1)::uuid[])
        union all
        select profile.id, person.name, person.phone
        from mechanic_profiles profile join users person on person.id = profile.user_id
        where profile.id = any((select $1)::uuid[])",
    )
    .bind(ids)
    .fetch_all(db)
    .await
}
