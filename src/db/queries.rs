//! The SQL of the database's own housekeeping.

use sqlx::{PgConnection, Result};

/// Whether the server has a database of that name.
pub(super) async fn database_exists(connection: &mut PgConnection, name: &str) -> Result<bool> {
    sqlx::query_scalar("select exists (select 1 from pg_catalog.pg_database where datname = $1)")
        .bind(name)
        .fetch_one(connection)
        .await
}

/// Makes the service's database in a fresh embedded cluster.
pub(super) async fn create_database(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("create database roadcall").execute(connection).await.map(drop)
}

/// Lets one process at a time build something that is shared; held until the connection closes.
pub(super) async fn lock_for_building(connection: &mut PgConnection, key: i64) -> Result<()> {
    sqlx::query("select pg_advisory_lock($1)").bind(key).execute(connection).await.map(drop)
}

/// Databases whose name starts so and that nobody is connected to.
pub(super) async fn idle_databases(connection: &mut PgConnection, prefix: &str) -> Result<Vec<String>> {
    sqlx::query_scalar(
        "select d.datname::text from pg_catalog.pg_database d
          where starts_with(d.datname::text, $1)
            and not exists (select 1 from pg_catalog.pg_stat_activity a where a.datname = d.datname)",
    )
    .bind(prefix)
    .fetch_all(connection)
    .await
}
