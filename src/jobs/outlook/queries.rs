use chrono::{DateTime, Utc};
use sqlx::{PgExecutor, Result};

/// What became of promises: tenths of the chance, with jobs and those in time.
pub async fn calibration(db: impl PgExecutor<'_>) -> Result<Vec<(i16, f64, f64)>> {
    sqlx::query_as("select tenth, jobs, in_time from outlook_calibration order by tenth").fetch_all(db).await
}

/// Jobs and those in time, from the lowest tenth on. Returns how many were other ones.
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
