use sqlx::{PgPool, Postgres, Result, Transaction};

/// A transaction that sees one moment, however many statements it reads with.
pub async fn one_moment(db: &PgPool) -> Result<Transaction<'static, Postgres>> {
    db.begin_with("begin isolation level repeatable read, read only").await
}
