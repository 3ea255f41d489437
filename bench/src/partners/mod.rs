//! Compares a partner's job with a customer's, from its creation until it is paid, and measures how fast webhooks are sent to a
//! receiver in this process, also beside a receiver that hangs. For comparison, `pgbench -N` runs on the same cluster.

mod orders;
mod sink;

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use clap::Args;
use roadcall_client::Api;
use serde_json::json;
use sqlx::PgPool;
use tokio::{sync::watch, task::JoinSet, time::sleep};

use crate::{
    Failure, Target,
    cluster::{self, Cluster},
    first_phone,
    pairs::{Pair, pairs},
    people,
    report::{Report, Settings},
};
use orders::PartnerProgram;
use sink::HookSink;

/// How long statements are logged.
const LOGGED: Duration = Duration::from_secs(5);
/// The number of runs of pgbench, of which the best is compared.
const PGBENCH_RUNS: usize = 2;
/// How long the last of the webhooks may take.
const PATIENCE: Duration = Duration::from_secs(180);
/// The aim for the rate of webhooks, of pgbench's transactions.
const AIM: &str = "ratio 0.3 or more";

#[derive(Debug, Args)]
pub struct PartnerArgs {
    #[command(flatten)]
    target: Target,
    /// The server's data folder, with its embedded cluster
    #[arg(long)]
    data_dir: PathBuf,
    /// Vehicles that break down again and again, each with its own mechanic
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=150))]
    pairs: u32,
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=600))]
    for_s: u64,
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(0..=600))]
    warmup_s: u64,
    /// Subscriptions to the receiver
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=19))]
    subscriptions: u32,
    /// Webhooks sent in each measurement; fewer if the partner's jobs had fewer events
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    webhooks: u64,
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=64))]
    pgbench_clients: u32,
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=120))]
    pgbench_for_s: u64,
}

pub async fn run(args: PartnerArgs) -> Result<(), Failure> {
    let api = Arc::new(args.target.api()?);
    let cluster = Cluster::of(&args.data_dir)?;
    let db = cluster.pool().await?;
    cluster.prepare_pgbench(10).await?;
    cluster::checkpoint(&db).await?;
    // This runs before the load: after it the server holds all the connections that the cluster has.
    let mut pgbench: f64 = 0.0;
    for _ in 0..PGBENCH_RUNS {
        pgbench = pgbench.max(cluster.tps(args.pgbench_clients, args.pgbench_for_s).await?);
    }
    let (admins, first) = (args.target.admins(), first_phone());
    let pairs = pairs(&api, &admins, first, 0..args.pairs).await?;
    let category = people::categories(&api, &pairs[0].customer.token).await?.into_iter().next();
    let category = category.ok_or("there is no category")?;
    let program = PartnerProgram::new(&api, &admins, &category, &format!("Bench {first}")).await?;
    let mut report = Report::new("partners", &args.target, args.settings()).await;
    report.condition("durability", json!(cluster::durability(&db).await?));

    let bench = Bench { args: &args, cluster: &cluster, db: &db };
    let (of_customers, pairs) = bench.cost(Working::start(&api, pairs, Orderer::Customers(category))).await?;
    let orderer = Orderer::Partner(program.clone(), first);
    let (of_partners, pairs) = bench.cost(Working::start(&api, pairs, orderer)).await?;
    for pair in pairs {
        pair.leave(&api).await?;
    }
    until_fed(&db).await?;
    let sent = Sent::measure(&api, &program, &args).await?;
    figures(&mut report, &args, [of_customers, of_partners], &sent, pgbench);
    report.finish(args.target.output.json.as_deref())
}

/// The party that orders help.
#[derive(Debug, Clone)]
enum Orderer {
    /// The pairs' customers, in this category.
    Customers(String),
    /// A partner, whose vehicles and cases are numbered from here.
    Partner(PartnerProgram, u64),
}

/// Pairs whose vehicles break down again and again.
struct Working {
    stop: watch::Sender<bool>,
    done: Arc<AtomicU64>,
    tasks: JoinSet<Result<Pair, Failure>>,
}

impl Working {
    fn start(api: &Arc<Api>, pairs: Vec<Pair>, orderer: Orderer) -> Self {
        let ((stop, stopped), done, mut tasks) = (watch::channel(false), Arc::default(), JoinSet::new());
        for (number, pair) in (0_u64..).zip(pairs) {
            let one = One { api: api.clone(), pair, orderer: orderer.clone(), number };
            tasks.spawn(one.work(Arc::clone(&done), stopped.clone()));
        }
        Self { stop, done, tasks }
    }

    fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Stops the pairs, each at the end of its present job.
    async fn stop(mut self) -> Result<Vec<Pair>, Failure> {
        self.stop.send(true).ok();
        let mut pairs = Vec::new();
        while let Some(ended) = self.tasks.join_next().await {
            pairs.push(ended??);
        }
        Ok(pairs)
    }
}

/// A pair at work.
struct One {
    api: Arc<Api>,
    pair: Pair,
    orderer: Orderer,
    number: u64,
}

impl One {
    async fn work(mut self, done: Arc<AtomicU64>, stopped: watch::Receiver<bool>) -> Result<Pair, Failure> {
        let vehicle = match &self.orderer {
            Orderer::Customers(_) => String::new(),
            Orderer::Partner(program, first) => program.vehicle(&self.api, first + self.number).await?,
        };
        let mut jobs = 0_u64;
        while !*stopped.borrow() {
            self.job(&vehicle, jobs).await?;
            jobs += 1;
            done.fetch_add(1, Ordering::Relaxed);
        }
        Ok(self.pair)
    }

    /// Carries out a job from its creation to its completion, and for a customer also the payment.
    async fn job(&mut self, vehicle: &str, jobs: u64) -> Result<(), Failure> {
        let (api, pair) = (&self.api, &mut self.pair);
        match &self.orderer {
            Orderer::Customers(category) => {
                let job = pair.begin(api, category).await?.job;
                pair.start_work(api, &job).await?;
                pair.complete(api, &job).await?;
                pair.pay_in_cash(api, &job).await
            }
            Orderer::Partner(program, first) => {
                let reference = format!("{first}-{}-{jobs}", self.number);
                let job = program.begin(api, pair, vehicle, &reference).await?.job;
                pair.arrive(api, &job).await?;
                // The customer's app reads the job for its code.
                api.get(&format!("/partner/jobs/{job}"), &program.key).await?;
                pair.start(api, &job, json!({})).await?;
                pair.complete(api, &job).await
            }
        }
    }
}

/// The measured server, and how it is measured.
struct Bench<'a> {
    args: &'a PartnerArgs,
    cluster: &'a Cluster,
    db: &'a PgPool,
}

/// The cost of a job, with everything that runs beside the requests.
#[derive(Debug, Clone, Copy)]
struct Cost {
    jobs_per_s: f64,
    statements: f64,
    /// The CPU time of the server and of Postgres.
    cpu_ms: [f64; 2],
}

impl Cost {
    fn whole_cpu_ms(self) -> f64 {
        self.cpu_ms.iter().sum()
    }
}

impl Bench<'_> {
    /// Measures what a job costs while the pairs work, and then stops them.
    async fn cost(&self, working: Working) -> Result<(Cost, Vec<Pair>), Failure> {
        sleep(Duration::from_secs(self.args.warmup_s)).await;
        let (before, since) = (working.done(), Instant::now());
        let used = self.args.target.watched().over(Duration::from_secs(self.args.for_s)).await;
        let (jobs, wall_s) = ((working.done() - before) as f64, since.elapsed().as_secs_f64());
        let [server, postgres, _] = used.map(|(_, used)| used.cpu_s * 1_000.0 / jobs.max(1.0));

        self.cluster.log_statements(self.db, true).await?;
        let (before, start) = (working.done(), self.cluster.log_end()?);
        sleep(LOGGED).await;
        let (end, logged) = (self.cluster.log_end()?, working.done() - before);
        self.cluster.log_statements(self.db, false).await?;
        let statements = self.cluster.statements(start, end)?.count as f64 / logged.max(1) as f64;
        let cost = Cost { jobs_per_s: jobs / wall_s, statements, cpu_ms: [server, postgres] };
        Ok((cost, working.stop().await?))
    }
}

/// Waits until the logs of all jobs are events of their cases: none is sent beside those that are replayed.
async fn until_fed(db: &PgPool) -> Result<(), Failure> {
    let since = Instant::now();
    let is_fed = "select not exists (select from partner_jobs where not is_fed)";
    while !sqlx::query_scalar::<_, bool>(is_fed).fetch_one(db).await? {
        if since.elapsed() > PATIENCE {
            return Err(format!("cases lag behind their jobs after {PATIENCE:?}").into());
        }
        sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

/// Webhooks a second.
#[derive(Debug, Clone, Copy)]
struct Sent {
    count: u64,
    alone: f64,
    /// The rate beside a receiver that hangs.
    beside: f64,
}

impl Sent {
    async fn measure(api: &Api, program: &PartnerProgram, args: &PartnerArgs) -> Result<Self, Failure> {
        let (receiver, hanging) = (HookSink::start(false).await?, HookSink::start(true).await?);
        let mut subscriptions = Vec::new();
        for _ in 0..args.subscriptions {
            subscriptions.push(program.subscribe(api, &receiver).await?);
        }
        let each = args.webhooks.div_ceil(u64::from(args.subscriptions));
        let (count, alone) = sent(api, program, &receiver, &subscriptions, each).await?;
        let stuck = program.subscribe(api, &hanging).await?;
        program.replay(api, &stuck, each).await?;
        let (_, beside) = sent(api, program, &receiver, &subscriptions, each).await?;
        Ok(Self { count, alone, beside })
    }
}

/// Replays so many events to each subscription; returns how many were sent in all, and how many a second.
async fn sent(
    api: &Api,
    program: &PartnerProgram,
    receiver: &HookSink,
    subscriptions: &[String],
    each: u64,
) -> Result<(u64, f64), Failure> {
    let (before, since) = (receiver.taken(), Instant::now());
    let mut queued = 0;
    for subscription in subscriptions {
        queued += program.replay(api, subscription, each).await?;
    }
    while receiver.taken() - before < queued {
        if since.elapsed() > PATIENCE {
            let taken = receiver.taken() - before;
            return Err(format!("{taken} of {queued} webhooks came within {PATIENCE:?}").into());
        }
        sleep(Duration::from_millis(10)).await;
    }
    Ok((queued, queued as f64 / since.elapsed().as_secs_f64()))
}

fn figures(report: &mut Report, args: &PartnerArgs, costs: [Cost; 2], sent: &Sent, pgbench: f64) {
    report.count("webhooks", sent.count);
    let head = format!("\n{:<40}{:>12}{:>12}{:>10}", "of one job", "a customer's", "a partner's", "ratio");
    report.row("head", head, json!(args.pairs));
    type Reading = (&'static str, fn(Cost) -> f64);
    let of: [Reading; 5] = [
        ("statements", |cost| cost.statements),
        ("CPU ms, server and Postgres", Cost::whole_cpu_ms),
        ("CPU ms, server", |cost| cost.cpu_ms[0]),
        ("CPU ms, Postgres", |cost| cost.cpu_ms[1]),
        ("jobs a second", |cost| cost.jobs_per_s),
    ];
    for (name, of) in of {
        let [customers, partners] = costs.map(of);
        let ratio = partners / customers;
        let line = format!("{name:<40}{customers:>12.2}{partners:>12.2}{ratio:>10.2}");
        report.row(name, line, json!([customers, partners]));
    }
    let rows = [
        ("webhooks a second", sent.alone),
        ("webhooks a second, beside a receiver that hangs", sent.beside),
        ("pgbench -N, transactions a second", pgbench),
        ("webhooks a second / pgbench -N", sent.alone / pgbench),
    ];
    for (name, value) in rows {
        report.row(name, format!("{name:<52}{value:>12.2}"), json!(value));
    }
    let [customers, partners] = costs;
    let what = "statements of a partner's job; floor: a customer's job";
    report.compared(what, partners.statements, customers.statements, "ratio 1 or less");
    let what = "CPU ms of a partner's job; floor: a customer's job";
    report.compared(what, partners.whole_cpu_ms(), customers.whole_cpu_ms(), "");
    report.compared("webhooks sent a second; floor: pgbench -N", sent.alone, pgbench, AIM);
    let what = "webhooks sent beside a receiver that hangs; floor: without it";
    report.compared(what, sent.beside, sent.alone, "ratio 0.9 or more");
}

impl PartnerArgs {
    fn settings(&self) -> Settings {
        vec![
            ("pairs", json!(self.pairs)),
            ("warmup_s", json!(self.warmup_s)),
            ("for_s", json!(self.for_s)),
            ("subscriptions", json!(self.subscriptions)),
            ("webhooks", json!(self.webhooks)),
            ("pgbench_clients", json!(self.pgbench_clients)),
        ]
    }
}
