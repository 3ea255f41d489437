//! Copies of a job in the server's database, which no route makes so fast.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use crate::Failure;

/// Rows of a job.
#[derive(Debug, Clone, Copy)]
struct Rows {
    table: &'static str,
    /// Whose they are: a column, which gets the copy's id.
    owner: &'static str,
    /// What else differs: arguments of `jsonb_build_object`.
    fields: &'static str,
    /// Which of them.
    which: &'static str,
}

const OF_JOB: [Rows; 2] = [
    Rows { table: "jobs", owner: "id", fields: "", which: "true" },
    Rows { table: "job_dues", owner: "job_id", fields: "", which: "true" },
];
const OF_LOG: [Rows; 2] = [
    Rows { table: "offers", owner: "job_id", fields: ", 'id', gen_random_uuid()", which: "true" },
    Rows {
        table: "job_events",
        owner: "job_id",
        fields: "",
        which: "version = (select max(version) from job_events where job_id = $1)",
    },
];

/// New ids, as the service makes them.
pub fn ids(count: usize) -> Vec<Uuid> {
    let (random, now) = (Random::system(), DateTime::<Utc>::from(SystemTime::now()));
    std::iter::repeat_with(|| random.id(now)).take(count).collect()
}

/// Copies of the job under these ids, with what is due.
pub async fn of_job(db: &mut PgConnection, like: Uuid, ids: &[Uuid]) -> Result<(), Failure> {
    copy(db, OF_JOB, like, ids).await
}

/// The last entry of the job's log for its copies, and their offers.
pub async fn of_log(db: &mut PgConnection, like: Uuid, ids: &[Uuid]) -> Result<(), Failure> {
    copy(db, OF_LOG, like, ids).await
}

async fn copy(db: &mut PgConnection, rows: [Rows; 2], like: Uuid, ids: &[Uuid]) -> Result<(), Failure> {
    for Rows { table, owner, fields, which } in rows {
        // Columns that are computed can't be copied.
        let columns: String = sqlx::query_scalar(
            "select string_agg(column_name, ', ') from information_schema.columns
            where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'",
        )
        .bind(table)
        .fetch_one(&mut *db)
        .await?;
        let copied = format!(
            "insert into {table} ({columns}) select {columns} from (
                select (jsonb_populate_record(original, jsonb_build_object('{owner}', copy{fields}))).*
                from {table} original, unnest($2::uuid[]) copy where {owner} = $1 and {which}) copied"
        );
        sqlx::query(AssertSqlSafe(copied)).bind(like).bind(ids).execute(&mut *db).await?;
    }
    Ok(())
}
