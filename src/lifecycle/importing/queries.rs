//! Imported lines are written completely or not at all.

use sqlx::{PgConnection, Result};

/// Removes rows that were rolled back, and counts the others, so that everybody's next statements are planned for them. Only the
/// tables' owner can do this, outside a transaction.
pub async fn settle_tables(owner: &mut PgConnection) -> Result<()> {
    sqlx::query("vacuum (analyze) users, mechanic_profiles, vehicles").execute(owner).await.map(drop)
}

pub async fn begin_line(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("savepoint import_line").execute(tx).await.map(drop)
}

pub async fn keep_line(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("release savepoint import_line").execute(tx).await.map(drop)
}

pub async fn undo_line(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("rollback to savepoint import_line").execute(tx).await.map(drop)
}
