//! The purposes for which most statements are run.

use sqlx::{PgExecutor, Postgres, Result, postgres::PgArguments, query::Query};

use super::{StoredRow, read};

/// Runs a statement; rows are read by [`read`].
#[allow(
    async_fn_in_trait,
    reason = "the futures of the only implementation are `Send` wherever the executor is"
)]
pub trait RunQuery {
    /// Runs the statement for its effect.
    async fn run(self, db: impl PgExecutor<'_>) -> Result<()>;

    /// Returns the number of rows that the statement changed.
    async fn changed(self, db: impl PgExecutor<'_>) -> Result<u64>;

    async fn all<R: StoredRow + Send + Unpin>(self, db: impl PgExecutor<'_>) -> Result<Vec<R>>;

    async fn one<R: StoredRow + Send + Unpin>(self, db: impl PgExecutor<'_>) -> Result<R>;

    async fn optional<R: StoredRow + Send + Unpin>(self, db: impl PgExecutor<'_>) -> Result<Option<R>>;
}

impl RunQuery for Query<'_, Postgres, PgArguments> {
    async fn run(self, db: impl PgExecutor<'_>) -> Result<()> {
        self.execute(db).await.map(drop)
    }

    async fn changed(self, db: impl PgExecutor<'_>) -> Result<u64> {
        Ok(self.execute(db).await?.rows_affected())
    }

    async fn all<R: StoredRow + Send + Unpin>(self, db: impl PgExecutor<'_>) -> Result<Vec<R>> {
        self.try_map(read::<R>).fetch_all(db).await
    }

    async fn one<R: StoredRow + Send + Unpin>(self, db: impl PgExecutor<'_>) -> Result<R> {
        self.try_map(read::<R>).fetch_one(db).await
    }

    async fn optional<R: StoredRow + Send + Unpin>(self, db: impl PgExecutor<'_>) -> Result<Option<R>> {
        self.try_map(read::<R>).fetch_optional(db).await
    }
}
