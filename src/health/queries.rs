use crate::db::Db;

/// The newest migration that is applied; null in a database without any.
pub(super) async fn newest_migration(db: &Db) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar("select max(version) from _sqlx_migrations where success").fetch_one(db).await
}
