//! Measures the time from `POST /jobs` to the mechanic's offer, with more and more mechanics on sockets; for comparison,
//! `pgbench -N` commits at the same rate on the same cluster.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use serde_json::json;

use crate::{
    Failure, Target,
    cluster::{self, Cluster},
    demand::{Demand, Tally},
    first_phone, people,
    report::Report,
};

/// The aim: 99 of 100 offers within this and two commits.
const OWN_MS: f64 = 25.0;
/// The highest rate of jobs a second that is tried.
const MAX_PER_S: f64 = 100.0;
/// The share of the machine that server and database may use.
const SHARE: f64 = 0.5;
/// The machine does not carry a rate at which offers take longer.
const CARRIED_P99_MS: f64 = 250.0;
/// The number of customers for each job a second.
const CUSTOMERS_PER_JOB: f64 = 3.0;

#[derive(Debug, Args)]
pub struct OfferArgs {
    #[command(flatten)]
    target: Target,
    /// The server's data folder, with its embedded cluster
    #[arg(long)]
    data_dir: PathBuf,
    /// Mechanics on sockets, one step each, fewest first
    #[arg(long, value_delimiter = ',', default_value = "1000,10000", value_parser = clap::value_parser!(u32).range(1..=19_000))]
    mechanics: Vec<u32>,
    /// Jobs a second [default: the most, up to 100, for which server and database need half the machine]
    #[arg(long)]
    jobs_per_s: Option<f64>,
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    for_s: u64,
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=16))]
    pgbench_clients: u32,
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=120))]
    pgbench_for_s: u64,
}

pub async fn run(args: OfferArgs) -> Result<(), Failure> {
    let api = args.target.api()?;
    let cluster = Cluster::of(&args.data_dir)?;
    let db = cluster.pool().await?;
    cluster.prepare_pgbench(10).await?;
    let first = first_phone();
    let count = args.mechanics.iter().copied().max().unwrap_or_default() as usize;
    let mut mechanics = people::mechanics(&api, &args.target.admins(), first, count).await?;
    let customers = (args.jobs_per_s.unwrap_or(MAX_PER_S) * CUSTOMERS_PER_JOB).ceil() as usize + 10;
    let customers = people::customers(&api, first + 50_000, customers).await?;
    let mut demand = Demand::new(&api, args.target.town(), customers).await?;
    let mut report = Report::new("offer", &args.target, args.settings()).await;
    report.condition("durability", json!(cluster::durability(&db).await?));
    let mut online = 0;
    for count in &args.mechanics {
        let more = (*count as usize).saturating_sub(online);
        demand.add(mechanics.drain(..more.min(mechanics.len())).collect()).await?;
        online += more;
        cluster::checkpoint(&db).await?;
        step(&args, &cluster, &demand, *count, &mut report).await?;
    }
    report.finish(args.target.output.json.as_deref())
}

async fn step(
    args: &OfferArgs,
    cluster: &Cluster,
    demand: &Demand,
    count: u32,
    report: &mut Report,
) -> Result<(), Failure> {
    let watched = args.target.watched();
    let per_s = match args.jobs_per_s {
        Some(per_s) => per_s,
        None => {
            let is_carried = |share, tally: &Tally| share <= SHARE && tally.is_within(CARRIED_P99_MS);
            let found = demand.highest_rate(watched, MAX_PER_S, is_carried).await;
            found.ok_or("half the machine carries no rate that was tried")?
        }
    };
    let commits = cluster.transactions(per_s, args.pgbench_clients, args.pgbench_for_s).await?.summary();
    let lasting = Duration::from_secs(args.for_s);
    let (outcomes, used) = tokio::join!(demand.jobs(per_s, lasting, args.target.seed), watched.over(lasting));
    let tally = Tally::of(outcomes.iter());
    report.figure(&format!("{count}: POST /jobs → offer.created"), tally.offered);
    report.figure(&format!("{count}: POST /jobs → its answer"), tally.created);
    report.figure(&format!("{count}: a transaction of pgbench -N"), commits);
    report.figure(&format!("{count}: generator: planned → request start"), tally.late);
    let used = used.map(|(_, used)| used.cpu_percent);
    let line = format!(
        "{count} mechanics, {per_s} jobs a second: server {:.0} %, postgres {:.0} %, generator {:.0} % of a core",
        used[0], used[1], used[2]
    );
    report.row(&format!("{count}: load"), line, json!({ "jobs_per_s": per_s, "percent": used }));
    if let Some((offered, commit)) = tally.offered.zip(commits) {
        let (p99, aim) = (offered.p99_ms, OWN_MS + 2.0 * commit.p99_ms);
        let line = format!(
            "{count}: offer p99 {p99:.1} ms; aim: {OWN_MS} ms + 2 × {:.1} ms = {aim:.1} ms or less",
            commit.p99_ms
        );
        report.row(&format!("{count}: aim"), line, json!([p99, aim]));
        let what =
            format!("POST /jobs → offer, p99 ms, {count} mechanics; floor: a transaction of pgbench -N");
        report.compared(what, p99, commit.p99_ms, &format!("{aim:.0} at most"));
    }
    report.count(&format!("{count}: jobs not offered"), tally.not_offered);
    for (answer, refused) in tally.refused {
        report.count(&format!("{count}: POST /jobs answered {answer}"), refused);
    }
    Ok(())
}

impl OfferArgs {
    fn settings(&self) -> crate::report::Settings {
        vec![
            ("mechanics", json!(self.mechanics)),
            ("jobs_per_s", json!(self.jobs_per_s)),
            ("for_s", json!(self.for_s)),
            ("pgbench_clients", json!(self.pgbench_clients)),
            ("pgbench_for_s", json!(self.pgbench_for_s)),
            ("half_side_km", json!(self.target.half_side_km)),
            ("seed", json!(self.target.seed)),
        ]
    }
}
