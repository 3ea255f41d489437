//! Writes copies of jobs and mechanics into the server's database, which is faster than any route.

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use sqlx::{AssertSqlSafe, PgConnection, PgPool};
use uuid::Uuid;

use crate::Failure;

/// The rows of a job in one table.
#[derive(Debug, Clone, Copy)]
struct Rows {
    table: &'static str,
    /// The column of their owner, which gets the copy's id.
    owner: &'static str,
    /// The other fields that differ: arguments of `jsonb_build_object`.
    fields: &'static str,
    /// The condition that selects the rows.
    which: &'static str,
}

const OF_JOB: [Rows; 3] = [
    Rows { table: "job_facts", owner: "id", fields: "", which: "true" },
    Rows { table: "job_states", owner: "id", fields: "", which: "true" },
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

/// Returns new ids, as the service makes them.
pub fn ids(count: usize) -> Vec<Uuid> {
    let (random, now) = (Random::system(), DateTime::<Utc>::from(SystemTime::now()));
    std::iter::repeat_with(|| random.id(now)).take(count).collect()
}

/// Copies the job under these ids, with the amounts due.
pub async fn of_job(db: &mut PgConnection, like: Uuid, ids: &[Uuid]) -> Result<(), Failure> {
    copy(db, OF_JOB, like, ids).await
}

/// Copies the last entry of the job's log, and its offers, for its copies.
pub async fn of_log(db: &mut PgConnection, like: Uuid, ids: &[Uuid]) -> Result<(), Failure> {
    copy(db, OF_LOG, like, ids).await
}

/// Copies an open job for each of these mechanics, under the mechanic's id and with other customers.
pub async fn of_open_job(db: &mut PgConnection, like: Uuid, mechanics: &[Uuid]) -> Result<(), Failure> {
    let (others, other_state) = (
        ", 'customer_id', md5('customer' || copy)::uuid, 'vehicle_id', md5('vehicle' || copy)::uuid",
        ", 'customer_id', md5('customer' || copy)::uuid, 'vehicle_id', md5('vehicle' || copy)::uuid,
            'mechanic_profile_id', copy",
    );
    let facts = Rows { table: "job_facts", owner: "id", fields: others, which: "true" };
    let state = Rows { table: "job_states", owner: "id", fields: other_state, which: "true" };
    without_references(db).await?;
    copy(db, [facts, state], like, mechanics).await
}

/// Copies a mechanic under these ids, around the same place, each with five answers like those to the offers of a job.
pub async fn of_mechanic(db: &mut PgConnection, like: Uuid, job: Uuid, ids: &[Uuid]) -> Result<(), Failure> {
    let fields = ", 'user_id', gen_random_uuid(),
        'last_lat', last_lat + random() * 0.4 - 0.2, 'last_lng', last_lng + random() * 0.4 - 0.2";
    let mechanics = Rows { table: "mechanic_profiles", owner: "id", fields, which: "true" };
    let fields = ", 'id', gen_random_uuid(), 'job_id', gen_random_uuid(), 'mechanic_profile_id', copy,
        'status', 'declined'";
    let answers = Rows { table: "offers", owner: "job_id", fields, which: "status = 'accepted'" };
    without_references(db).await?;
    copy(db, [mechanics], like, ids).await?;
    for _ in 0..5 {
        copy(db, [answers], job, ids).await?;
    }
    Ok(())
}

/// Lets rows of this transaction refer to others that do not exist.
async fn without_references(db: &mut PgConnection) -> Result<(), Failure> {
    sqlx::query("set local session_replication_role = replica").execute(db).await?;
    Ok(())
}

/// Makes ledger accounts of so many more mechanics, three for each, with nothing in them. Nobody looks for these mechanics, so
/// they have no profiles.
pub async fn of_accounts(db: &PgPool, accounts: u32) -> Result<(), Failure> {
    let mut tx = db.begin().await?;
    without_references(&mut tx).await?;
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

async fn copy<const N: usize>(
    db: &mut PgConnection,
    rows: [Rows; N],
    like: Uuid,
    ids: &[Uuid],
) -> Result<(), Failure> {
    for Rows { table, owner, fields, which } in rows {
        // Computed columns can't be copied.
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
