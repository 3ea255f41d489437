//! Whole jobs, one after the other for each pair of a customer and a mechanic: created, offered, accepted, on the way,
//! arrived, started, completed, paid in cash. Beside it `pgbench -N` on the same cluster, and which statements
//! they were.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::{sync::watch, task::JoinSet, time::sleep};

use crate::{
    Failure, Target,
    cluster::{self, Cluster, Statements, Work},
    first_phone,
    http::Api,
    people,
    plan::Place,
    report::Report,
    resources::Used,
    samples::Samples,
    socket::{Socket, frame, kind_of, ping},
};

/// How long a mechanic waits for the offer of their customer's job.
const PATIENCE: Duration = Duration::from_secs(20);
/// Pairs are so far apart that no mechanic is near another pair's customer.
const DEGREES_APART: f64 = 0.5;
const PAIRS_IN_A_ROW: u32 = 20;
/// How long statements are logged, under load and without any.
const LOGGED: Duration = Duration::from_secs(4);
const IDLE: Duration = Duration::from_secs(20);
/// The best of so many runs of pgbench is what the transitions are compared with.
const PGBENCH_RUNS: usize = 2;
/// Statements of the table that are printed.
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
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=600))]
    for_s: u64,
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(0..=600))]
    warmup_s: u64,
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=64))]
    pgbench_clients: u32,
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=120))]
    pgbench_for_s: u64,
    /// Prints the statements of a transition, and those of an idle server
    #[arg(long)]
    statements: bool,
}

#[derive(Debug)]
struct Pair {
    customer: people::Customer,
    mechanic: people::Mechanic,
    socket: Socket,
    at: Place,
    seq: i64,
}

/// What the pairs did until they were stopped.
#[derive(Debug, Default)]
struct Seen {
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
    // Before the load: after it the server holds all the connections that the cluster has.
    let mut pgbench = 0.0_f64;
    for _ in 0..PGBENCH_RUNS {
        pgbench = pgbench.max(cluster.tps(args.pgbench_clients, args.pgbench_for_s).await?);
    }
    let pairs = pairs(&args, &api).await?;
    let (idle, _) = statements_of(&cluster, &db, IDLE).await?;
    let mut report = Report::new("lifecycle", &args.target, args.settings()).await;
    report.condition("durability", json!(cluster::durability(&db).await?));

    let (stop, stopped) = watch::channel(false);
    let categories = people::categories(&api, &pairs[0].customer.token).await?;
    let mut tasks = JoinSet::new();
    for pair in pairs {
        let category = categories.first().cloned().ok_or("there is no category")?;
        tasks.spawn(work(api.clone(), pair, category, stopped.clone()));
    }
    sleep(Duration::from_secs(args.warmup_s)).await;
    let (from, cpu, since) = (cluster.work(&db).await?, args.target.watched().cpu(), Instant::now());
    sleep(Duration::from_secs(args.for_s)).await;
    let wall_s = since.elapsed().as_secs_f64();
    let used = args.target.watched().cpu().since(cpu, wall_s);
    let to = cluster.work(&db).await?;
    let memory = args.target.watched().memory();
    let (under_load, logged) = statements_of(&cluster, &db, LOGGED).await?;
    stop.send(true).ok();
    let mut seen = Seen::default();
    while let Some(done) = tasks.join_next().await {
        seen.add(done?);
    }
    report.resources(&used, memory, wall_s);
    figures(&mut report, &args, &seen, Measured { from, to, wall_s, used, pgbench });
    let per_transition = under_load.count as f64 / logged.max(1) as f64;
    report.row(
        "statements",
        format!("{:<44}{per_transition:>10.1}", "statements per transition"),
        json!(per_transition),
    );
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
    if seen.errors.is_empty() { Ok(()) } else { Err(format!("{} jobs failed", seen.errors.len()).into()) }
}

struct Measured {
    from: Work,
    to: Work,
    wall_s: f64,
    used: [(&'static str, Used); 3],
    pgbench: f64,
}

fn figures(report: &mut Report, args: &LifecycleArgs, seen: &Seen, measured: Measured) {
    let Measured { from, to, wall_s, used, pgbench } = measured;
    report.figure("POST /jobs → its answer", seen.created.summary());
    report.figure("POST /jobs → offer.created", seen.offered.summary());
    report.figure("offer.accept → its ack", seen.accepted.summary());
    let transitions = (to.transitions - from.transitions) as f64;
    let [(_, server), (_, postgres), _] = used;
    let ms_each = |used: Used| used.cpu_s * 1_000.0 / transitions;
    let rows = [
        ("transitions a second", transitions / wall_s),
        ("jobs a second, created to paid", (to.paid - from.paid) as f64 / wall_s),
        ("pgbench -N, transactions a second", pgbench),
        ("transitions a second / pgbench -N", transitions / wall_s / pgbench),
        ("write transactions per transition", (to.writes - from.writes) as f64 / transitions),
        ("server, CPU ms per transition", ms_each(server)),
        ("postgres, CPU ms per transition", ms_each(postgres)),
    ];
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

/// The statements of so long a time, and the transitions meanwhile.
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

async fn pairs(args: &LifecycleArgs, api: &Arc<Api>) -> Result<Vec<Pair>, Failure> {
    let (first, count) = (first_phone(), args.pairs as usize);
    let mechanics = people::mechanics(api, &args.target.admins(), first, count).await?;
    let customers = people::customers(api, first + 50_000, count).await?;
    let opened = stream::iter(mechanics.into_iter().zip(customers).zip(0u32..));
    let opened = opened.map(|((mechanic, customer), n)| async move {
        let mut socket = Socket::open(api, &mechanic.token).await?;
        let place = |n: u32| f64::from(n) * DEGREES_APART;
        let at = Place { lat: 8.0 + place(n / PAIRS_IN_A_ROW), lng: 70.0 + place(n % PAIRS_IN_A_ROW) };
        socket.send(frame("availability.set", "on", json!({ "is_available": true }))).await?;
        socket.send(ping(1, at)).await?;
        while !socket.next().await?.contains(r#""ref":"p1""#) {}
        Ok::<_, Failure>(Pair { customer, mechanic, socket, at, seq: 1 })
    });
    opened.buffered(16).try_collect().await
}

/// One job after the other until it is stopped, or one fails.
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
    seen
}

async fn job(api: &Api, pair: &mut Pair, category: &str, seen: &mut Seen) -> Result<(), Failure> {
    let (customer, mechanic) = (pair.customer.token.clone(), pair.mechanic.token.clone());
    let new = json!({
        "vehicle_id": pair.customer.vehicle_id,
        "service_category_id": category,
        "pickup_address": "12 MG Road",
        "pickup_lat": pair.at.lat,
        "pickup_lng": pair.at.lng,
    });
    let asked = Instant::now();
    let made = async {
        let made = api.post("/jobs", &customer, new).await;
        (made, asked.elapsed())
    };
    let ((made, took), offer) = tokio::join!(made, pair.until("offer.created", |_| true));
    let (made, offer) = (made?, offer?);
    seen.offered.add(asked.elapsed());
    seen.created.add(took);
    let id = made["id"].as_str().ok_or("a job without an id")?.to_owned();
    let asked = Instant::now();
    pair.socket.send(frame("offer.accept", "a", json!({ "offer_id": offer["data"]["id"] }))).await?;
    pair.until("ack", |answer| answer["ref"] == "a").await?;
    seen.accepted.add(asked.elapsed());
    let step = |verb: &'static str, body: Value| {
        let (path, token) = (format!("/jobs/{id}/{verb}"), mechanic.clone());
        async move { api.post(&path, &token, body).await }
    };
    step("en-route", json!({})).await?;
    pair.seq += 1;
    let reference = format!("p{}", pair.seq);
    pair.socket.send(ping(pair.seq, pair.at)).await?;
    pair.until("ack", |answer| answer["ref"] == reference.as_str()).await?;
    step("arrive", json!({})).await?;
    let shown = api.get(&format!("/jobs/{id}"), &customer).await?;
    step("start", json!({ "start_code": shown["start_code"] })).await?;
    step("complete", json!({ "outcome": "fixed" })).await?;
    let bill = api.post("/payments/orders", &customer, json!({ "job_id": id, "method": "cash" })).await?;
    let path =
        format!("/payments/{}/cash-confirm", bill["payment_id"].as_str().ok_or("a bill without a payment")?);
    let confirm = json!({ "amount": bill["amount"] });
    api.post(&path, &customer, confirm.clone()).await?;
    api.post(&path, &mechanic, confirm).await?;
    Ok(())
}

impl Pair {
    /// The next frame of this type for which `is_it` holds; an error frame is one.
    async fn until(&mut self, kind: &str, is_it: impl Fn(&Value) -> bool) -> Result<Value, Failure> {
        let found = async {
            loop {
                let text = self.socket.next().await?;
                let got = kind_of(&text);
                if got == "error" {
                    return Err(text.to_string().into());
                }
                if got == kind {
                    let value: Value = serde_json::from_str(&text)?;
                    if is_it(&value) {
                        return Ok(value);
                    }
                }
            }
        };
        tokio::time::timeout(PATIENCE, found).await.map_err(|_| format!("no {kind} within {PATIENCE:?}"))?
    }
}

impl Seen {
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
            ("warmup_s", json!(self.warmup_s)),
            ("for_s", json!(self.for_s)),
            ("pgbench_clients", json!(self.pgbench_clients)),
        ]
    }
}
