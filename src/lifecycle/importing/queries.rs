//! Imported lines are written completely or not at all.

use sqlx::{PgConnection, Result};

/// Makes Postgres find rows by indexes until the transaction ends, also in checks of foreign keys. It keeps a plan that it made
/// when a table was small, and would read the whole table for each line while the table grows by thousands of them.
pub async fn plan_by_indexes(tx: &mut PgConnection) -> Result<()> {
    // A plan that has to read a whole table counts as costly enough to be compiled, which takes longer than reading such a table.
    sqlx::query("select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)")
        .execute(tx)
        .await
        .map(drop)
}

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
