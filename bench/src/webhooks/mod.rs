//! Sends a burst of a payment gateway's webhooks: measures how fast each is stored and answered, how long until all are
//! processed, and the rate of `pgbench -N` on the same cluster for comparison.

mod plan;
mod rows;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use clap::Args;
use hmac::{Hmac, KeyInit, Mac};
use roadcall_client::Api;
use serde_json::{Value, json};
use sha2::Sha256;
use sqlx::PgPool;
use tokio::{process::Command, task::JoinSet, time::sleep};
use uuid::Uuid;

use crate::{
    Failure, Target,
    cluster::{self, Cluster},
    copies, first_phone,
    people::{self, Mechanic},
    report::Report,
    resources::{CpuSeconds, Used},
    samples::{Samples, Summary},
    sender::{self, Sender},
};
use plan::Delivery;
use rows::End;

/// The number of events of an unknown kind that each connection sends before anything is measured.
const WARM_UP: usize = 50;
/// The distance of the customer's phone number from the first mechanic's.
const CUSTOMER: u64 = 50_000;
/// How often the mechanic's offers are read, every 100 ms.
const OFFER_LOOKS: u32 = 100;
/// The aim for the rate of answers.
const AIM: f64 = 0.5;
/// The aim for the rate of captured payments, end to end.
const CAPTURED_AIM: f64 = 0.2;

#[derive(Debug, Args)]
pub struct WebhookArgs {
    #[command(flatten)]
    target: Target,
    /// The server's data folder, with its embedded cluster
    #[arg(long)]
    data_dir: PathBuf,
    /// The server's program, whose `ledger check` has the last word
    #[arg(long)]
    roadcall: PathBuf,
    /// The secret under which the server takes webhooks
    #[arg(long, env = "ROADCALL_BENCH_WEBHOOK_SECRET", hide = true)]
    webhook_secret: String,
    /// Orders that are paid
    #[arg(long, default_value_t = 2_500, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    orders: u32,
    /// Mechanics whose jobs are paid
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=2_000))]
    mechanics: u32,
    /// Accounts of other mechanics in the ledger
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    accounts: u32,
    /// Events sent, duplicates included: 3 for each order, the rest failed tries
    #[arg(long, default_value_t = 10_000)]
    events: u32,
    /// The percentage of all events sent that were sent before
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=90))]
    duplicate_percent: u32,
    /// Connections over which webhooks come
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=256))]
    clients: u32,
    /// pgbench's clients: as many as the embedded cluster has room for beside the server, which saturate two cores
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=64))]
    pgbench_clients: u32,
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(10..=100))]
    pgbench_scale: u32,
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=120))]
    pgbench_for_s: u64,
}

/// The observations of the connections.
#[derive(Debug, Default)]
struct Seen {
    took: Samples,
    /// The numbers by answer: ok, duplicate, ignored, error, or the status of a refusal.
    answers: BTreeMap<String, u64>,
}

/// The measurements of the load.
struct Measured {
    seen: Seen,
    answered_s: f64,
    /// The time from the first request until nothing was pending.
    dealt_s: Option<f64>,
    answering: [(&'static str, Used); 3],
    all: [(&'static str, Used); 3],
}

pub async fn run(args: WebhookArgs) -> Result<(), Failure> {
    let api = args.target.api()?;
    let cluster = Cluster::of(&args.data_dir)?;
    let db = cluster.pool().await?;
    let run = format!("{:x}", first_phone());
    let mechanics =
        people::mechanics(&api, &args.target.admins(), first_phone(), args.mechanics as usize).await?;
    let job = completed_job(&api, &mechanics[0]).await?;
    let orders = rows::copy_with_orders(&db, &run, job, &mechanics, args.orders as usize).await?;
    copies::of_accounts(&db, args.accounts).await?;
    let duplicates = args.events as usize * args.duplicate_percent as usize / 100;
    let plan = plan::deliveries(&run, &orders, args.events as usize, duplicates, args.target.seed);
    let plan = plan.ok_or("--events must be 3 to 4 for each order, and the duplicates")?;
    let mut report = Report::new("webhooks", &args.target, args.settings()).await;
    report.condition("durability", json!(cluster::durability(&db).await?));
    cluster.prepare_pgbench(args.pgbench_scale).await?;
    cluster::checkpoint(&db).await?;
    let before = cluster.tps(args.pgbench_clients, args.pgbench_for_s).await?;
    cluster::checkpoint(&db).await?;
    let measured = load(&args, &db, &run, &plan).await?;
    let memory = args.target.watched().memory();
    cluster::checkpoint(&db).await?;
    let after = cluster.tps(args.pgbench_clients, args.pgbench_for_s).await?;
    let end = rows::end(&db, &run).await?;
    let ledger = args.ledger().await?;
    tell(&mut report, &args, &measured, [before, after]);
    report.resources(&measured.all, memory, measured.dealt_s.unwrap_or(f64::NAN));
    tell_end(&mut report, &measured.seen, end, &ledger);
    report.finish(args.target.output.json.as_deref())?;
    let stored = i64::from(args.events) - duplicates as i64;
    let expected = i64::from(args.orders);
    if (end.captured, end.paid, end.stored, end.processed) != (expected, expected, stored, stored) {
        return Err(format!("not everything came to its end: {end:?}").into());
    }
    Ok(())
}

impl WebhookArgs {
    fn settings(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("orders", json!(self.orders)),
            ("mechanics", json!(self.mechanics)),
            ("accounts", json!(self.accounts)),
            ("events", json!(self.events)),
            ("duplicate_percent", json!(self.duplicate_percent)),
            ("clients", json!(self.clients)),
            ("pgbench_clients", json!(self.pgbench_clients)),
            ("pgbench_scale", json!(self.pgbench_scale)),
            ("pgbench_for_s", json!(self.pgbench_for_s)),
            ("seed", json!(self.target.seed)),
        ]
    }

    /// Returns the output of `roadcall ledger check`, or an error where the ledger is not sound.
    async fn ledger(&self) -> Result<String, Failure> {
        let mut command = Command::new(&self.roadcall);
        command.args(["ledger", "check", "--data-dir"]).arg(&self.data_dir).kill_on_drop(true);
        let output = command.output().await?;
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            return Err(format!("the ledger is not sound:\n{told}{why}").into());
        }
        Ok(told)
    }
}

/// Completes a job through the public interface, of which the others are copies.
async fn completed_job(api: &Api, mechanic: &Mechanic) -> Result<Uuid, Failure> {
    let customer = people::customers(api, first_phone() + CUSTOMER, 1).await?.remove(0);
    let category = people::categories(api, &mechanic.token).await?.into_iter().next();
    let (lat, lng) = (12.9716, 77.5946);
    let online = json!({ "is_available": true, "lat": lat, "lng": lng });
    api.put("/mechanics/me/availability", &mechanic.token, online).await?;
    let body = json!({
        "vehicle_id": customer.vehicle_id, "service_category_id": category, "pickup_address": "12 MG Road",
        "pickup_lat": lat, "pickup_lng": lng,
    });
    let job = api.post("/jobs", &customer.token, body).await?;
    let job = job["id"].as_str().ok_or("a job without id")?;
    let offer = offered(api, &mechanic.token).await?;
    api.post(&format!("/offers/{offer}/accept"), &mechanic.token, json!({})).await?;
    let step = |verb: &'static str, body: Value| {
        let (path, token) = (format!("/jobs/{job}/{verb}"), mechanic.token.clone());
        async move { api.post(&path, &token, body).await }
    };
    step("en-route", json!({})).await?;
    step("arrive", json!({ "override_reason": "there from the beginning" })).await?;
    let seen = api.get(&format!("/jobs/{job}"), &customer.token).await?;
    step("start", json!({ "start_code": seen["start_code"] })).await?;
    step("complete", json!({ "outcome": "fixed" })).await?;
    Ok(job.parse()?)
}

async fn offered(api: &Api, token: &str) -> Result<String, Failure> {
    for _ in 0..OFFER_LOOKS {
        let offers = api.get("/mechanics/me/offers", token).await?;
        if let Some(id) = offers["data"][0]["id"].as_str() {
            return Ok(id.to_owned());
        }
        sleep(Duration::from_millis(100)).await;
    }
    Err("the mechanic was offered nothing".into())
}

/// Signs everything beforehand, which is the gateway's work, then sends it as fast as it is answered.
async fn load(args: &WebhookArgs, db: &PgPool, run: &str, plan: &[Delivery]) -> Result<Measured, Failure> {
    let requests: Vec<Vec<u8>> = plan.iter().map(|delivery| signed(args, delivery)).collect();
    let requests = Arc::new(requests);
    let mut senders = Vec::new();
    for n in 0..args.clients as usize {
        let mut sender = Sender::connect(args.target.authority()).await?;
        for warm in 0..WARM_UP {
            let body = json!({ "event": "bench.warm_up", "payload": {} }).to_string();
            let event_id = format!("warm_{run}{n}x{warm}");
            sender.send(&signed(args, &Delivery { event_id, body })).await?;
        }
        senders.push(sender);
    }
    rows::until_empty(db).await?;
    let (next, cpu, start) = (Arc::new(AtomicUsize::new(0)), args.target.watched().cpu(), Instant::now());
    let mut tasks = JoinSet::new();
    for sender in senders {
        tasks.spawn(send_all(sender, requests.clone(), next.clone()));
    }
    let mut seen = Seen::default();
    while let Some(done) = tasks.join_next().await {
        seen.add(done??);
    }
    let answered_s = start.elapsed().as_secs_f64();
    let answered: CpuSeconds = args.target.watched().cpu();
    let empty = rows::until_empty(db).await?;
    let dealt_s = empty.map(|at| (at - start).as_secs_f64());
    let all = args.target.watched().cpu().since(cpu, dealt_s.unwrap_or(answered_s));
    Ok(Measured { seen, answered_s, dealt_s, answering: answered.since(cpu, answered_s), all })
}

/// Sends with one request under way: the next one is taken when this one is answered.
async fn send_all(
    mut sender: Sender,
    requests: Arc<Vec<Vec<u8>>>,
    next: Arc<AtomicUsize>,
) -> Result<Vec<(Duration, String)>, Failure> {
    let mut seen = Vec::new();
    while let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
        let asked = Instant::now();
        let answer = sender.send(request).await?;
        let took = asked.elapsed();
        let value: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        let told = value["status"].as_str().filter(|_| answer.status == 200);
        seen.push((took, told.map_or_else(|| format!("HTTP {}", answer.status), str::to_owned)));
    }
    Ok(seen)
}

fn signed(args: &WebhookArgs, delivery: &Delivery) -> Vec<u8> {
    let key = args.webhook_secret.as_bytes();
    // HMAC takes keys of any length.
    let signature =
        Hmac::<Sha256>::new_from_slice(key).map(|mac| mac.chain_update(&delivery.body).finalize());
    let signature = signature.map(|tag| tag.into_bytes().to_vec()).unwrap_or_default();
    let signature: String = signature.iter().map(|byte| format!("{byte:02x}")).collect();
    let headers = [("x-gateway-event-id", &delivery.event_id[..]), ("x-gateway-signature", &signature[..])];
    sender::request("POST", "/payments/webhook", args.target.authority(), &headers, &delivery.body)
}

impl Seen {
    fn add(&mut self, seen: Vec<(Duration, String)>) {
        for (took, told) in seen {
            self.took.add(took);
            *self.answers.entry(told).or_default() += 1;
        }
    }
}

fn tell(report: &mut Report, args: &WebhookArgs, measured: &Measured, tps: [f64; 2]) {
    let answered_per_s = f64::from(args.events) / measured.answered_s;
    let dealt_per_s = measured.dealt_s.map(|s| f64::from(args.events) / s);
    // The better of both runs is the harder one to keep up with.
    let best = tps[0].max(tps[1]);
    let ratio = answered_per_s / best;
    let captured = measured.dealt_s.map(|s| f64::from(args.orders) / s);
    let took: Option<Summary> = measured.seen.took.summary();
    report.figure("webhook → its answer", took);
    let clients = args.clients;
    let rows = [
        ("answered", format!("stored and answered: {answered_per_s:.0} a second over {clients} connections")),
        (
            "dealt_with",
            dealt_per_s.map_or("NOT ALL DEALT WITH IN TIME".to_owned(), |rate| {
                format!("stored, answered and dealt with: {rate:.0} a second, until nothing was pending")
            }),
        ),
        (
            "pgbench",
            format!(
                "pgbench -N over {}: {:.0} and {:.0} a second, before and after",
                args.pgbench_clients, tps[0], tps[1]
            ),
        ),
        ("ratio", format!("answered to the better of these: {ratio:.2} (aim: {AIM} or more)")),
        (
            "captured",
            captured.map_or("NOT ALL CAPTURED IN TIME".to_owned(), |rate| {
                let ratio = rate / best;
                format!(
                    "payments captured: {rate:.0} a second, {ratio:.3} of it (aim: {CAPTURED_AIM} or more)"
                )
            }),
        ),
    ];
    let captured = [captured, captured.map(|rate| rate / best)];
    let what = "webhooks answered a second; floor: pgbench -N";
    report.compared(what, answered_per_s, best, &format!("ratio {AIM} or more"));
    if let Some(per_s) = captured[0] {
        let what = format!("payments captured a second, {} accounts; floor: pgbench -N", args.accounts);
        report.compared(what, per_s, best, &format!("ratio {CAPTURED_AIM} or more"));
    }
    let values = [json!(answered_per_s), json!(dealt_per_s), json!(tps), json!(ratio), json!(captured)];
    for ((name, line), value) in rows.into_iter().zip(values) {
        report.row(name, line, value);
    }
    let percents = measured.answering.map(|(name, used)| format!("{name} {:.0} %", used.cpu_percent));
    let line = format!("of a core while events were answered: {}", percents.join(", "));
    report.row("answering", line, json!(measured.answering.map(|(name, used)| (name, used.cpu_percent))));
}

fn tell_end(report: &mut Report, seen: &Seen, end: End, ledger: &str) {
    for (told, count) in &seen.answers {
        report.count(&format!("answered {told}"), *count);
    }
    let ends = [
        ("events stored", end.stored),
        ("events processed", end.processed),
        ("tries it took", end.attempts),
        ("payments captured", end.captured),
        ("jobs paid", end.paid),
    ];
    for (what, count) in ends {
        report.count(what, count.unsigned_abs());
    }
    let told: Vec<&str> = ledger.lines().collect();
    report.row("ledger", format!("\nroadcall ledger check\n{}", told.join("\n")), json!(told));
}
