use chrono::{DateTime, Utc};
use sqlx::{FromRow, Result};

use crate::db::Db;

/// The earliest moment of a queue.
#[derive(Debug, FromRow)]
pub(super) struct DueWork {
    pub queue: String,
    pub due_at: DateTime<Utc>,
}

/// Returns the queues that are not empty.
pub(super) async fn due_work(db: &Db) -> Result<Vec<DueWork>> {
    sqlx::query_as("select queue, due_at from due_work where due_at is not null").fetch_all(db).await
}
