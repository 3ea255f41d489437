//! A line of a file is written as a whole or not at all.

use sqlx::{PgConnection, Result};

pub async fn begin_line(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("savepoint import_line").execute(tx).await.map(drop)
}

pub async fn keep_line(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("release savepoint import_line").execute(tx).await.map(drop)
}

pub async fn undo_line(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("rollback to savepoint import_line").execute(tx).await.map(drop)
}
