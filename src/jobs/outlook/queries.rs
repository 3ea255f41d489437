use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, Result};
use uuid::Uuid;

use crate::notifications::Kind;

/// Locks a job that is searching, so that it goes on searching until the transaction ends. Returns its customer and its attempt.
pub async fn lock_searching(tx: &mut PgConnection, job_id: Uuid) -> Result<Option<(Uuid, i32)>> {
    sqlx::query_as(
        "select customer_id, attempt from job_states where id = $1 and status = 'dispatching' for no key update",
    )
    .bind(job_id)
    .fetch_optional(tx)
    .await
}

/// Stores that the customer is notified of this news. Returns false and stores nothing if they were notified of the same news
/// last or twice in this attempt, or if `is_relief` and they were not notified in this attempt.
pub async fn keep(
    tx: &mut PgConnection,
    job_id: Uuid,
    attempt: i32,
    kind: Kind,
    is_relief: bool,
    now: DateTime<Utc>,
) -> Result<bool> {
    let kept = sqlx::query(
        "insert into search_news as news (job_id, attempt, kind, notified, notified_at)
        select $1, $2, $3, 1, $5 where not (select $4::boolean) or exists (select from search_news where job_id = $1)
        on conflict (job_id) do update set attempt = excluded.attempt, kind = excluded.kind,
            notified = case when news.attempt = excluded.attempt then news.notified + 1 else 1 end,
            notified_at = excluded.notified_at
        where case when news.attempt = excluded.attempt then news.notified < 2 and news.kind <> excluded.kind else not $4 end",
    );
    let kept = kept.bind(job_id).bind(attempt).bind(kind).bind(is_relief).bind(now);
    Ok(kept.execute(tx).await?.rows_affected() > 0)
}

/// Returns whether mechanics were asked in this attempt and did not take the job.
pub async fn was_refused(db: impl PgExecutor<'_>, job_id: Uuid, attempt: i32) -> Result<bool> {
    sqlx::query_scalar(
        "select exists (
            select from offers where job_id = $1 and attempt = $2 and status in ('declined', 'expired', 'revoked'))",
    )
    .bind(job_id)
    .bind(attempt)
    .fetch_one(db)
    .await
}

pub async fn sweep(db: impl PgExecutor<'_>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from search_news where job_id in (
            select news.job_id from search_news news join job_states job on job.id = news.job_id
            where not job.is_unfinished limit $1)",
    );
    Ok(swept.bind(limit).execute(db).await?.rows_affected())
}

/// Returns for each tenth of the promised chance the number of jobs, and of jobs served in time.
pub async fn calibration(db: impl PgExecutor<'_>) -> Result<Vec<(i16, f64, f64)>> {
    sqlx::query_as("select tenth, jobs, in_time from outlook_calibration order by tenth").fetch_all(db).await
}

/// Stores the numbers of jobs, and of jobs served in time, from the lowest tenth on. Returns how many tenths have changed.
pub async fn keep_calibration(
    db: impl PgExecutor<'_>,
    jobs: &[f64],
    in_time: &[f64],
    now: DateTime<Utc>,
) -> Result<u64> {
    let kept = sqlx::query(
        "insert into outlook_calibration (tenth, jobs, in_time, updated_at)
        select tenth.position - 1, tenth.jobs, tenth.in_time, $3
        from unnest($1::double precision[], $2::double precision[]) with ordinality as tenth (jobs, in_time, position)
        on conflict (tenth) do update set
            jobs = excluded.jobs, in_time = excluded.in_time, updated_at = excluded.updated_at
        where (outlook_calibration.jobs, outlook_calibration.in_time) is distinct from (excluded.jobs, excluded.in_time)",
    )
    .bind(jobs)
    .bind(in_time)
    .bind(now)
    .execute(db)
    .await?;
    Ok(kept.rows_affected())
}
