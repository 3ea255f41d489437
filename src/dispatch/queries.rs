use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgConnection, PgExecutor, Result, types::Json};
use uuid::Uuid;

use crate::{
    dispatch::dto::{DispatchMethod, DispatchReason, DispatchVerdict},
    jobs::EtaSource,
    platform::db::{StoredRow, read},
};

/// A considered mechanic, as stored in the decision's row. The words are the engine's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptCandidate {
    pub mechanic: Uuid,
    pub distance_m: u32,
    pub verdict: DispatchVerdict,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DispatchReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_job: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<KeptTerms>,
}

/// The cost of a mechanic, in seconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptTerms {
    pub eta_s: u32,
    pub eta_source: EtaSource,
    pub refusal_s: i64,
    pub idle_s: i64,
    /// Missing in rows from before mechanics could wait at a place.
    #[serde(default)]
    pub parked_s: i64,
    /// Missing in rows from before mechanics' time had a price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foresight: Option<KeptForesight>,
    pub cost_s: i64,
}

/// The cost of the mechanic's time and of a late arrival.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptForesight {
    pub price_per_hour_milli: i64,
    /// Missing in rows from before prices fell while mechanics wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_price_per_hour_milli: Option<i64>,
    pub busy_s: i64,
    pub price_s: i64,
    pub chance_permille: i64,
    pub late_s: i64,
    pub worth_s: i64,
}

/// A row of `dispatch_decisions`.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct DecisionRow {
    pub number: i64,
    pub attempt: i32,
    pub round: i32,
    pub looks: i64,
    pub at: DateTime<Utc>,
    pub ring_m: f64,
    pub wanted: i32,
    pub priority_s: i64,
    pub competing_jobs: i32,
    pub method: DispatchMethod,
    pub gap_s: Option<i64>,
    pub considered: Json<Vec<KeptCandidate>>,
    pub omitted: i32,
}

impl StoredRow for DecisionRow {
    const TABLE: &'static str = "dispatch_decisions";
    const KEY: &'static str = "job_id";
}

/// Lists the job's decisions in the order of their times, at most `limit`.
pub async fn of_job(db: impl PgExecutor<'_>, job_id: Uuid, limit: i64) -> Result<Vec<DecisionRow>> {
    sqlx::query(
        "select * from dispatch_decisions where job_id = $1
        order by at, number
        limit $2",
    )
    .bind(job_id)
    .bind(limit)
    .try_map(read::<DecisionRow>)
    .fetch_all(db)
    .await
}

/// Decisions to store, column by column.
#[derive(Debug, Default)]
pub struct DecisionColumns {
    pub job_ids: Vec<Uuid>,
    pub attempts: Vec<i32>,
    pub rounds: Vec<i32>,
    pub looks: Vec<i64>,
    pub ats: Vec<DateTime<Utc>>,
    pub rings_m: Vec<f64>,
    pub wanted: Vec<i32>,
    pub priorities_s: Vec<i64>,
    pub competing_jobs: Vec<i32>,
    pub methods: Vec<DispatchMethod>,
    pub gaps_s: Vec<Option<i64>>,
    pub are_offering: Vec<bool>,
    pub considered: Vec<Json<Vec<KeptCandidate>>>,
    pub omitted: Vec<i32>,
}

/// Adds the decisions, each job's in the given order. A look without an offer replaces the previous one in its round.
/// There may be at most one such look per round here; those that replace one get their (unused) number last, to leave
/// no gap.
pub async fn keep(tx: &mut PgConnection, decisions: &DecisionColumns) -> Result<()> {
    sqlx::query(
        "insert into dispatch_decisions (job_id, number, attempt, round, looks, at, ring_m, wanted, priority_s,
            competing_jobs, method, gap_s, is_offering, considered, omitted)
        select due.job_id,
            coalesce((select max(d.number) from dispatch_decisions d where d.job_id = due.job_id), 0)
                + row_number() over (partition by due.job_id order by before.number is not null, due.position),
            due.attempt, due.round, due.looks, due.at, due.ring_m, due.wanted, due.priority_s,
            due.competing_jobs, due.method, due.gap_s, due.is_offering, due.considered, due.omitted
        from unnest((select $1)::uuid[], $2::integer[], $3::integer[], $4::bigint[], $5::timestamptz[],
                $6::double precision[], $7::integer[], $8::bigint[], $9::integer[], $10::text[], $11::bigint[],
                $12::boolean[], $13::jsonb[], $14::integer[])
            with ordinality as due (job_id, attempt, round, looks, at, ring_m, wanted, priority_s, competing_jobs,
                method, gap_s, is_offering, considered, omitted, position)
        join job_facts j on j.id = due.job_id
        left join dispatch_decisions before on not due.is_offering and not before.is_offering
            and before.job_id = due.job_id and before.attempt = due.attempt and before.round = due.round
        on conflict (job_id, attempt, round) where not is_offering do update set
            looks = dispatch_decisions.looks + excluded.looks, at = excluded.at, ring_m = excluded.ring_m,
            wanted = excluded.wanted, priority_s = excluded.priority_s, competing_jobs = excluded.competing_jobs,
            method = excluded.method, gap_s = excluded.gap_s, considered = excluded.considered,
            omitted = excluded.omitted",
    )
    .bind(&decisions.job_ids)
    .bind(&decisions.attempts)
    .bind(&decisions.rounds)
    .bind(&decisions.looks)
    .bind(&decisions.ats)
    .bind(&decisions.rings_m)
    .bind(&decisions.wanted)
    .bind(&decisions.priorities_s)
    .bind(&decisions.competing_jobs)
    .bind(&decisions.methods)
    .bind(&decisions.gaps_s)
    .bind(&decisions.are_offering)
    .bind(&decisions.considered)
    .bind(&decisions.omitted)
    .execute(tx)
    .await
    .map(drop)
}

/// Keeps only the newest rows of each of these jobs.
pub async fn trim(tx: &mut PgConnection, job_ids: &[Uuid], kept: i64) -> Result<()> {
    sqlx::query(
        "delete from dispatch_decisions d
        using (select job_id, max(number) as number from dispatch_decisions
            where job_id = any((select $1)::uuid[]) group by job_id) as newest
        where d.job_id = newest.job_id and d.number <= newest.number - $2",
    )
    .bind(job_ids)
    .bind(kept)
    .execute(tx)
    .await
    .map(drop)
}

/// Deletes the records of jobs to which nothing will happen by itself any longer.
pub async fn sweep(db: impl PgExecutor<'_>, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    let swept = sqlx::query(
        "delete from dispatch_decisions where (job_id, number) in (
            select d.job_id, d.number from dispatch_decisions d join job_states j on j.id = d.job_id
            where d.at < $1 and j.status in ('completed', 'paid', 'cancelled', 'disputed', 'resolved')
            order by d.at
            limit $2)",
    )
    .bind(before)
    .bind(limit)
    .execute(db)
    .await?;
    Ok(swept.rows_affected())
}
