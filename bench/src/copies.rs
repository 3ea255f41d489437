//! Copies of a job in the server's database, which no route makes so fast.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use sqlx::{AssertSqlSafe, PgConnection, PgPool};
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

/// Accounts of so many more mechanics in the ledger, three for each, with nothing in them. Nobody looks for these mechanics, so
/// they have no profiles.
pub async fn of_accounts(db: &PgPool, accounts: u32) -> Result<(), Failure> {
    let mut tx = db.begin().await?;
    sqlx::query("set local session_replication_role = replica").execute(&mut *tx).await?;
    sqlx::query(
        "insert into ledger_accounts (id, kind, mechanic_profile_id, balance_paise)
        select gen_random_uuid(), kind, mechanic, 0
        from (select gen_random_uuid() as mechanic from generate_series(1, $1 / 3)) mechanics,
            unnest(array['mechanic_available', 'mechanic_held', 'mechanic_owed']) as kind",
    )
    .bind(i32::try_from(accounts)?)
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    sqlx::query("vacuum (analyze) ledger_accounts").execute(db).await?;
    Ok(())
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
