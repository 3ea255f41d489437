//! Measures the cost of a transition as the number of jobs in the tables grows: copies of a finished job are written into the
//! server's cluster, then whole jobs are done as in `lifecycle`.

use std::{path::PathBuf, sync::Arc, time::Duration};

use clap::Args;
use roadcall_client::Api;
use serde_json::json;
use sqlx::PgPool;
use tokio::time::sleep;
use uuid::Uuid;

use crate::{
    Failure, Target,
    cluster::{self, Cluster},
    copies, first_phone,
    lifecycle::{Measured, Working},
    pairs::pairs,
    people,
    report::Report,
};

/// The number of copies that one statement writes.
const AT_ONCE: u32 = 10_000;

#[derive(Debug, Args)]
pub struct HistoryArgs {
    #[command(flatten)]
    target: Target,
    /// The server's data folder, with its embedded cluster
    #[arg(long)]
    data_dir: PathBuf,
    /// Jobs in the tables, one step each, fewest first; costs are divided by those of the first
    #[arg(long, value_delimiter = ',', default_value = "10000,100000,1000000", value_parser = clap::value_parser!(u32).range(1..=2_000_000))]
    jobs: Vec<u32>,
    /// Customers with their mechanics, who do one job after the other
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=400))]
    pairs: u32,
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=600))]
    for_s: u64,
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(0..=600))]
    warmup_s: u64,
}

pub async fn run(args: HistoryArgs) -> Result<(), Failure> {
    let api = Arc::new(args.target.api()?);
    let cluster = Cluster::of(&args.data_dir)?;
    let db = cluster.pool().await?;
    let (like, category) = first_job(&args.target, &api).await?;
    let settings = vec![
        ("jobs", json!(args.jobs)),
        ("pairs", json!(args.pairs)),
        ("warmup_s", json!(args.warmup_s)),
        ("for_s", json!(args.for_s)),
    ];
    let mut report = Report::new("history", &args.target, settings).await;
    report.condition("durability", json!(cluster::durability(&db).await?));
    let head = ["jobs", "transitions/s", "server ms", "postgres ms", "ratio", "ratio"];
    report.row("columns", head.map(|name| format!("{name:>15}")).concat(), json!(head));
    let (mut copied, mut first) = (0, None);
    for (jobs, step) in args.jobs.iter().zip(1..) {
        copy(&db, like, *jobs, &mut copied).await?;
        // The pairs are elsewhere each time: the mechanics of the previous step are still remembered.
        let numbers = step * args.pairs..(step + 1) * args.pairs;
        let pairs = pairs(&api, &args.target.admins(), first_phone(), numbers).await?;
        let working = Working::start(&api, pairs, &category);
        sleep(Duration::from_secs(args.warmup_s)).await;
        let measured = Measured::over(&args.target, &cluster, &db, Duration::from_secs(args.for_s)).await?;
        working.stop().await?.check()?;
        let [server, postgres, _] = measured.cpu_ms();
        let cost = [server, postgres];
        let first = *first.get_or_insert(cost);
        let [server, postgres] = [cost[0] / first[0], cost[1] / first[1]];
        let line = format!(
            "{jobs:>15}{:>15.0}{:>15.2}{:>15.2}{server:>15.2}{postgres:>15.2}",
            measured.transitions_per_s(),
            cost[0],
            cost[1]
        );
        let value = json!({ "server_ms": cost[0], "postgres_ms": cost[1], "ratios": [server, postgres] });
        report.row(&format!("{jobs} jobs"), line, value);
        let what = format!("CPU ms of a transition, {jobs} jobs; floor: the fewest jobs");
        report.compared(what, cost[0] + cost[1], first[0] + first[1], "ratio 1.1 at most");
    }
    report.finish(args.target.output.json.as_deref())
}

/// Returns a job that was done and paid, and its category.
pub async fn first_job(target: &Target, api: &Api) -> Result<(Uuid, String), Failure> {
    let mut pairs = pairs(api, &target.admins(), first_phone(), 0..1).await?;
    let pair = pairs.first_mut().ok_or("there is no pair")?;
    let category = people::categories(api, &pair.customer.token).await?.into_iter().next();
    let category = category.ok_or("there is no category")?;
    let job = pair.begin(api, &category).await?.job;
    pair.start_work(api, &job).await?;
    pair.complete(api, &job).await?;
    pair.pay_in_cash(api, &job).await?;
    Ok((job.parse()?, category))
}

/// Copies the job until there are so many copies.
pub async fn copy(db: &PgPool, like: Uuid, jobs: u32, copied: &mut u32) -> Result<(), Failure> {
    while *copied < jobs {
        let more = AT_ONCE.min(jobs - *copied);
        let (mut tx, ids) = (db.begin().await?, copies::ids(more as usize));
        copies::of_job(&mut tx, like, &ids).await?;
        copies::of_log(&mut tx, like, &ids).await?;
        tx.commit().await?;
        *copied += more;
    }
    cluster::settle(db).await
}
