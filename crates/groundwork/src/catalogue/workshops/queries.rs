use roadcall_http::{Between, ListWindow, list_filter};
use roadcall_platform::db::RunQuery;
use sqlx::{PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::Workshop;

/// The maximum number of workshops: each answer to a customer looks at all of them.
pub const MAX_WORKSHOPS: i64 = 1_000;

list_filter! {
    /// The filter of the admins' list.
    WorkshopFilter {
        /// Those that customers can choose, or the others.
        is_active: Option<bool> = true,
        /// Made in this time.
        made: Between,
    }
}

/// The condition of [`WorkshopFilter`]: $1 says whether customers can choose it, $2 and $3 are the period.
macro_rules! listed {
    () => {
        "($1::boolean is null or is_active = $1)
            and ($2::timestamptz is null or created_at >= $2)
            and ($3::timestamptz is null or created_at < $3)"
    };
}

/// Returns the workshops that are switched on, in no order.
pub async fn active(db: impl PgExecutor<'_>) -> Result<Vec<Workshop>> {
    sqlx::query("select * from workshops where is_active limit $1").bind(MAX_WORKSHOPS).all(db).await
}

/// Lists the workshops that fit the filter, newest first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &WorkshopFilter,
    window: ListWindow,
) -> Result<Vec<Workshop>> {
    sqlx::query(concat!(
        "select * from workshops where ",
        listed!(),
        " and ($4::timestamptz is null or (created_at, id) < ($4, $5))
        order by created_at desc, id desc
        limit $6 offset $7",
    ))
    .bind(filter.is_active)
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

pub async fn count(db: impl PgExecutor<'_>, filter: &WorkshopFilter) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from workshops where ", listed!()))
        .bind(filter.is_active)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .persistent(false)
        .fetch_one(db)
        .await
}

pub async fn find(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<Workshop>> {
    sqlx::query("select * from workshops where id = $1").bind(id).optional(db).await
}

pub async fn lock(tx: &mut PgConnection, id: Uuid) -> Result<Option<Workshop>> {
    sqlx::query("select * from workshops where id = $1 for update").bind(id).optional(tx).await
}

/// Inserts a workshop; returns false if there are [`MAX_WORKSHOPS`] already.
pub async fn insert(tx: &mut PgConnection, row: &Workshop) -> Result<bool> {
    let inserted = sqlx::query(
        "insert into workshops (id, name, address, lat, lng, phone, is_active, created_at, updated_at)
        select $1, $2, $3, $4, $5, $6, $7, $8, $9
        where (select count(*) from workshops) < $10",
    )
    .bind(row.id)
    .bind(&row.name)
    .bind(&row.address)
    .bind(row.lat)
    .bind(row.lng)
    .bind(&row.phone)
    .bind(row.is_active)
    .bind(row.created_at)
    .bind(row.updated_at)
    .bind(MAX_WORKSHOPS)
    .execute(tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

pub async fn update(tx: &mut PgConnection, row: &Workshop) -> Result<()> {
    sqlx::query(
        "update workshops set name = $2, address = $3, lat = $4, lng = $5, phone = $6, is_active = $7, updated_at = $8
        where id = $1",
    )
    .bind(row.id)
    .bind(&row.name)
    .bind(&row.address)
    .bind(row.lat)
    .bind(row.lng)
    .bind(&row.phone)
    .bind(row.is_active)
    .bind(row.updated_at)
    .run(tx)
    .await
}

pub async fn delete(tx: &mut PgConnection, id: Uuid) -> Result<()> {
    sqlx::query("delete from workshops where id = $1").bind(id).run(tx).await
}
