//! Measures the cost of an admin's search of all jobs: copies of a finished job are written into the server's cluster, each with
//! a street and a plate of its own.

use std::{path::PathBuf, time::Instant};

use clap::Args;
use serde_json::json;
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    Failure, Target,
    cluster::{self, Cluster},
    history, people,
    report::Report,
};

/// The number of requests of each search that are measured.
const REQUESTS: u32 = 20;

#[derive(Debug, Args)]
pub struct SearchArgs {
    #[command(flatten)]
    target: Target,
    /// The server's data folder, with its embedded cluster
    #[arg(long)]
    data_dir: PathBuf,
    /// Jobs in the tables
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..=2_000_000))]
    jobs: u32,
}

pub async fn run(args: SearchArgs) -> Result<(), Failure> {
    let (target, api) = (&args.target, args.target.api()?);
    let db = Cluster::of(&args.data_dir)?.pool().await?;
    let (like, _) = history::first_job(target, &api).await?;
    history::copy(&db, like, args.jobs, &mut 0).await?;
    let (street, plate) = tell_apart(&db, like).await?;
    let admins = target.admins();
    let email = admins.emails.first().ok_or("there is no admin")?;
    let token = people::admin(&api, email, &admins.password).await?;
    let settings = vec![("jobs", json!(args.jobs)), ("requests", json!(REQUESTS))];
    let mut report = Report::new("search", target, settings).await;
    let head = ["found", "server ms", "postgres ms", "wall ms"];
    let columns = head.map(|name| format!("{name:>13}")).concat();
    report.row("columns", format!("{:<24}{columns}", "CPU of one request"), json!(head));
    let searches = [
        ("a word of no job", "zebrafish", "20 at most"),
        ("the street of one job", street.as_str(), "20 at most"),
        ("the plate of one job", plate.as_str(), "20 at most"),
        ("a word of every job", "lane", "30 at most"),
        ("two letters of every job", "la", "30 at most"),
    ];
    for (what, q, aim) in searches {
        let path = format!("/admin/jobs?q={q}");
        let found = api.get(&path, &token).await?["total"].as_u64().ok_or("a list without its total")?;
        let (before, since) = (target.watched().cpu(), Instant::now());
        for _ in 0..REQUESTS {
            api.get(&path, &token).await?;
        }
        let wall_s = since.elapsed().as_secs_f64();
        let used = target.watched().cpu().since(before, wall_s);
        let each = |seconds: f64| seconds * 1_000.0 / f64::from(REQUESTS);
        let [server, postgres, _] = used.map(|(_, used)| each(used.cpu_s));
        let wall = each(wall_s);
        let line = format!("{what:<24}{found:>13}{server:>13.1}{postgres:>13.1}{wall:>13.1}");
        let value = json!({ "found": found, "server_ms": server, "postgres_ms": postgres, "wall_ms": wall });
        report.row(what, line, value);
        let shown = format!("CPU ms, search for {what} of {}", args.jobs);
        report.result(shown, server + postgres, aim);
    }
    report.finish(target.output.json.as_deref())
}

/// Gives each job a street and a plate that no other job has; returns those of this job.
async fn tell_apart(db: &PgPool, job: Uuid) -> Result<(String, String), Failure> {
    sqlx::query(
        "update job_facts set pickup_address = 'Lane x' || md5(id::text),
            vehicle_registration_number = 'KA' || upper(left(md5(id::text), 12))",
    )
    .execute(db)
    .await?;
    cluster::settle(db).await?;
    Ok(sqlx::query_as(
        "select 'x' || md5(id::text), vehicle_registration_number from job_facts where id = $1",
    )
    .bind(job)
    .fetch_one(db)
    .await?)
}
