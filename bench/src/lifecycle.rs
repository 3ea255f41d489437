//! Measures whole jobs, one after the other for each pair of a customer and a mechanic: created, offered, accepted, on the way,
//! arrived, started, completed, paid in cash. For comparison, `pgbench -N` runs on the same cluster. The report also lists the
//! statements.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;
use roadcall_client::Api;
use serde_json::json;
use sqlx::PgPool;
use tokio::{sync::watch, task::JoinSet, time::sleep};

use crate::{
    Failure, Target,
    cluster::{self, Cluster, Statements, Work},
    copies, first_phone,
    pairs::{Pair, pairs},
    people,
    report::Report,
    resources::Used,
    samples::{Samples, Summary},
};

/// How long waits are sampled, and statements are logged, under load and without any.
const LOOKED: Duration = Duration::from_secs(4);
const LOGGED: Duration = Duration::from_secs(4);
const IDLE: Duration = Duration::from_secs(20);
/// The number of runs of pgbench, of which the best is compared with the transitions.
const PGBENCH_RUNS: usize = 2;
/// The number of statements of the table that are printed.
const SHOWN: usize = 30;

#[derive(Debug, Args)]
pub struct LifecycleArgs {
    #[command(flatten)]
    target: Target,
    /// The server's data folder, with its embedded cluster
    #[arg(long)]
    data_dir: PathBuf,
    /// Customers with their mechanics, who do one job after the other
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=400))]
    pairs: u32,
    /// Accounts of other mechanics in the ledger
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    accounts: u32,
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=600))]
    for_s: u64,
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(0..=600))]
    warmup_s: u64,
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=64))]
    pgbench_clients: u32,
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=120))]
    pgbench_for_s: u64,
    /// Print the statements of a transition, and those of an idle server
    #[arg(long)]
    statements: bool,
}

/// The results of the pairs until they were stopped.
#[derive(Debug, Default)]
pub struct Seen {
    jobs: u64,
    errors: Vec<String>,
    created: Samples,
    offered: Samples,
    accepted: Samples,
}

pub async fn run(args: LifecycleArgs) -> Result<(), Failure> {
    let api = Arc::new(args.target.api()?);
    let cluster = Cluster::of(&args.data_dir)?;
    let db = cluster.pool().await?;
    cluster.prepare_pgbench(10).await?;
    cluster::checkpoint(&db).await?;
    // This runs before the load: after it the server holds all the connections that the cluster has.
    let mut pgbench = Floor::default();
    for _ in 0..PGBENCH_RUNS {
        pgbench = pgbench.better(Floor::of(&cluster, &args).await?);
    }
    copies::of_accounts(&db, args.accounts).await?;
    let pairs = pairs(&api, &args.target.admins(), first_phone(), 0..args.pairs).await?;
    let (idle, _) = statements_of(&cluster, &db, IDLE).await?;
    let mut report = Report::new("lifecycle", &args.target, args.settings()).await;
    report.condition("durability", json!(cluster::durability(&db).await?));

    let category = people::categories(&api, &pairs[0].customer.token).await?.into_iter().next();
    let working = Working::start(&api, pairs, &category.ok_or("there is no category")?);
    sleep(Duration::from_secs(args.warmup_s)).await;
    let measured = Measured::over(&args.target, &cluster, &db, Duration::from_secs(args.for_s)).await?;
    let memory = args.target.watched().memory();
    let waits = cluster::waits(&db, LOOKED).await?;
    let (under_load, logged) = statements_of(&cluster, &db, LOGGED).await?;
    let seen = working.stop().await?;
    report.resources(&measured.used, memory, measured.wall_s);
    figures(&mut report, &args, &seen, &measured, pgbench);
    let per_transition = under_load.count as f64 / logged.max(1) as f64;
    report.row(
        "statements",
        format!("{:<44}{per_transition:>10.1}", "statements per transition"),
        json!(per_transition),
    );
    report.row("waits", "\nbackends at a time, by what they wait for".to_owned(), json!(waits));
    for (wait, backends) in &waits {
        report.row(wait, format!("{wait:<44}{backends:>10.2}"), json!(backends));
    }
    let a_second = idle.count as f64 / IDLE.as_secs_f64();
    report.row("idle", format!("{:<44}{a_second:>10.2}", "statements a second, idle"), json!(a_second));
    if args.statements {
        table(&mut report, "per transition", &under_load, logged.max(1) as f64);
        table(&mut report, "a second, idle", &idle, IDLE.as_secs_f64());
    }
    for error in seen.errors.iter().take(5) {
        report.row("error", format!("error: {error}"), json!(error));
    }
    report.finish(args.target.output.json.as_deref())?;
    seen.check()
}

/// The results of `pgbench -N` on the same cluster.
#[derive(Debug, Clone, Copy, Default)]
struct Floor {
    per_s: f64,
    /// The CPU time of Postgres and of pgbench.
    cpu_ms: f64,
}

impl Floor {
    async fn of(cluster: &Cluster, args: &LifecycleArgs) -> Result<Self, Failure> {
        let before = args.target.watched().cpu();
        let per_s = cluster.tps(args.pgbench_clients, args.pgbench_for_s).await?;
        let after = args.target.watched().cpu();
        let cpu_s = after.postgres - before.postgres + after.helpers - before.helpers;
        Ok(Self { per_s, cpu_ms: cpu_s * 1_000.0 / (per_s * args.pgbench_for_s as f64) })
    }

    fn better(self, other: Self) -> Self {
        if other.per_s > self.per_s { other } else { self }
    }
}

/// Pairs who do one job after the other until they are stopped.
#[derive(Debug)]
pub struct Working {
    stop: watch::Sender<bool>,
    tasks: JoinSet<Seen>,
}

impl Working {
    pub fn start(api: &Arc<Api>, pairs: Vec<Pair>, category: &str) -> Self {
        let ((stop, stopped), mut tasks) = (watch::channel(false), JoinSet::new());
        for pair in pairs {
            tasks.spawn(work(api.clone(), pair, category.to_owned(), stopped.clone()));
        }
        Self { stop, tasks }
    }

    /// Stops the pairs, each at the end of its present job.
    pub async fn stop(mut self) -> Result<Seen, Failure> {
        self.stop.send(true).ok();
        let mut seen = Seen::default();
        while let Some(done) = self.tasks.join_next().await {
            seen.add(done?);
        }
        Ok(seen)
    }
}

/// The work of the server and its database in the meantime.
#[derive(Debug)]
pub struct Measured {
    from: Work,
    to: Work,
    wall_s: f64,
    used: [(&'static str, Used); 3],
}

impl Measured {
    pub async fn over(
        target: &Target,
        cluster: &Cluster,
        db: &PgPool,
        lasting: Duration,
    ) -> Result<Self, Failure> {
        let (from, cpu, since) = (cluster.work(db).await?, target.watched().cpu(), Instant::now());
        sleep(lasting).await;
        let wall_s = since.elapsed().as_secs_f64();
        let used = target.watched().cpu().since(cpu, wall_s);
        Ok(Self { from, to: cluster.work(db).await?, wall_s, used })
    }

    fn transitions(&self) -> f64 {
        (self.to.transitions - self.from.transitions) as f64
    }

    pub fn transitions_per_s(&self) -> f64 {
        self.transitions() / self.wall_s
    }

    /// Returns the CPU time of the server, of Postgres and of the generator per transition.
    pub fn cpu_ms(&self) -> [f64; 3] {
        self.used.map(|(_, used)| used.cpu_s * 1_000.0 / self.transitions())
    }
}

fn figures(report: &mut Report, args: &LifecycleArgs, seen: &Seen, measured: &Measured, pgbench: Floor) {
    report.figure("POST /jobs → its answer", seen.created.summary());
    report.figure("POST /jobs → offer.created", seen.offered.summary());
    report.figure("offer.accept → its ack", seen.accepted.summary());
    let Measured { from, to, wall_s, .. } = measured;
    let [server_ms, postgres_ms, generator_ms] = measured.cpu_ms();
    let rows = [
        ("transitions a second", measured.transitions_per_s()),
        ("jobs a second, created to paid", (to.paid - from.paid) as f64 / wall_s),
        ("pgbench -N, transactions a second", pgbench.per_s),
        ("transitions a second / pgbench -N", measured.transitions_per_s() / pgbench.per_s),
        (
            "CPU of pgbench -N / CPU of a transition",
            pgbench.cpu_ms / (server_ms + postgres_ms + generator_ms),
        ),
        ("write transactions per transition", (to.writes - from.writes) as f64 / measured.transitions()),
        ("server, CPU ms per transition", server_ms),
        ("postgres, CPU ms per transition", postgres_ms),
    ];
    let pairs = args.pairs;
    let aim = match pairs {
        1 => "200 or more",
        64 => "ratio 0.22 or more",
        _ => "",
    };
    let what = format!("transitions a second, {pairs} pairs; floor: pgbench -N");
    report.compared(what, measured.transitions_per_s(), pgbench.per_s, aim);
    let what = format!("CPU ms of a transition, {pairs} pairs; floor: pgbench -N");
    report.compared(what, server_ms + postgres_ms + generator_ms, pgbench.cpu_ms, "");
    report.row("head", format!("\n{:<44}{:>10}", "lifecycle", args.pairs), json!(args.pairs));
    for (name, value) in rows {
        report.row(name, format!("{name:<44}{value:>10.2}"), json!(value));
    }
}

fn table(report: &mut Report, what: &str, statements: &Statements, per: f64) {
    report.row(what, format!("\n{what}"), json!(statements.count as f64 / per));
    for (head, count) in statements.by_head.iter().take(SHOWN) {
        let each = *count as f64 / per;
        report.row(head, format!("{each:>9.3}  {head}"), json!(each));
    }
}

/// Returns the statements of this time, and the number of transitions meanwhile.
async fn statements_of(
    cluster: &Cluster,
    db: &PgPool,
    lasting: Duration,
) -> Result<(Statements, i64), Failure> {
    cluster.log_statements(db, true).await?;
    let (before, start) = (cluster.work(db).await?, cluster.log_end()?);
    sleep(lasting).await;
    let (end, after) = (cluster.log_end()?, cluster.work(db).await?);
    cluster.log_statements(db, false).await?;
    Ok((cluster.statements(start, end)?, after.transitions - before.transitions))
}

/// Works on one job after the other until it is stopped, or one fails. Then the mechanic goes off duty.
async fn work(api: Arc<Api>, mut pair: Pair, category: String, stopped: watch::Receiver<bool>) -> Seen {
    let mut seen = Seen::default();
    while !*stopped.borrow() {
        match job(&api, &mut pair, &category, &mut seen).await {
            Ok(()) => seen.jobs += 1,
            Err(error) => {
                seen.errors.push(error.to_string());
                break;
            }
        }
    }
    // After a failure the mechanic may still be on the job.
    if let Err(error) = pair.leave(&api).await
        && seen.errors.is_empty()
    {
        seen.errors.push(error.to_string());
    }
    seen
}

async fn job(api: &Api, pair: &mut Pair, category: &str, seen: &mut Seen) -> Result<(), Failure> {
    let begun = pair.begin(api, category).await?;
    seen.created.add(begun.created);
    seen.offered.add(begun.offered);
    seen.accepted.add(begun.accepted);
    pair.start_work(api, &begun.job).await?;
    pair.complete(api, &begun.job).await?;
    pair.pay_in_cash(api, &begun.job).await
}

impl Seen {
    /// Summarises how long `POST /jobs` took.
    pub fn created(&self) -> Option<Summary> {
        self.created.summary()
    }

    /// Returns an error if a job failed.
    pub fn check(&self) -> Result<(), Failure> {
        match &self.errors[..] {
            [] => Ok(()),
            [first, ..] => Err(format!("{} jobs failed, the first: {first}", self.errors.len()).into()),
        }
    }

    fn add(&mut self, other: Self) {
        self.jobs += other.jobs;
        self.errors.extend(other.errors);
        self.created.extend(other.created);
        self.offered.extend(other.offered);
        self.accepted.extend(other.accepted);
    }
}

impl LifecycleArgs {
    fn settings(&self) -> crate::report::Settings {
        vec![
            ("pairs", json!(self.pairs)),
            ("accounts", json!(self.accounts)),
            ("warmup_s", json!(self.warmup_s)),
            ("for_s", json!(self.for_s)),
            ("pgbench_clients", json!(self.pgbench_clients)),
        ]
    }
}
