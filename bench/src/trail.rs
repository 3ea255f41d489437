//! Sends points of mechanics on jobs, as many as the server takes: measures the cost of storing a point, in the table that it
//! first goes to and packed.

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
use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::{sync::watch, task::JoinSet, time::sleep};

use crate::{
    Failure, Target,
    cluster::{self, Cluster},
    first_phone,
    pairs::{Pair, pairs},
    people,
    plan::{Place, point},
    report::Report,
};

/// The number of points of one request: the maximum.
const POINTS: i64 = 100;
/// The degrees between two points, about ten metres.
const STEP: f64 = 0.0001;
/// The server packs trails five minutes after its start, and then every hour.
const UNTIL_PACKED: Duration = Duration::from_secs(420);

#[derive(Debug, Args)]
pub struct TrailArgs {
    #[command(flatten)]
    target: Target,
    /// The server's data folder, with its embedded cluster
    #[arg(long)]
    data_dir: PathBuf,
    /// Mechanics on jobs, each of whom sends one request of a hundred points after the other
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=400))]
    pairs: u32,
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=600))]
    for_s: u64,
    /// Wait until the server has packed the trails, five minutes after its start
    #[arg(long)]
    packed: bool,
}

pub async fn run(args: TrailArgs) -> Result<(), Failure> {
    let api = Arc::new(args.target.api()?);
    let db = Cluster::of(&args.data_dir)?.pool().await?;
    let mut pairs = pairs(&api, &args.target.admins(), first_phone(), 0..args.pairs).await?;
    let category = people::categories(&api, &pairs[0].customer.token).await?.into_iter().next();
    let category = category.ok_or("there is no category")?;
    for pair in &mut pairs {
        pair.begin(&api, &category).await?;
    }
    let settings =
        vec![("pairs", json!(args.pairs)), ("for_s", json!(args.for_s)), ("points_each", json!(POINTS))];
    let mut report = Report::new("trail", &args.target, settings).await;
    report.condition("durability", json!(cluster::durability(&db).await?));

    let (sent, (stop, stopped)) = (Arc::new(AtomicU64::new(0)), watch::channel(false));
    let mut tasks = JoinSet::new();
    for pair in pairs {
        tasks.spawn(drive(api.clone(), pair, sent.clone(), stopped.clone()));
    }
    let (log_before, cpu, since) = (log_position(&db).await?, args.target.watched().cpu(), Instant::now());
    let sent_before = sent.load(Ordering::Relaxed);
    sleep(Duration::from_secs(args.for_s)).await;
    let points = (sent.load(Ordering::Relaxed) - sent_before) as f64;
    let wall_s = since.elapsed().as_secs_f64();
    let used = args.target.watched().cpu().since(cpu, wall_s);
    let logged = log_position(&db).await? - log_before;
    report.resources(&used, args.target.watched().memory(), wall_s);
    stop.send(true).ok();
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    let each_us = |at: usize| used[at].1.cpu_s * 1e6 / points;
    row(&mut report, "points a second", points / wall_s, "");
    row(&mut report, "server, CPU us a point", each_us(0), "");
    row(&mut report, "postgres, CPU us a point", each_us(1), "3 at most");
    row(&mut report, "log, bytes a point", logged as f64 / points, "");
    let stored = Stored::of(&db).await?;
    row(&mut report, "stored at first, bytes a point", stored.raw_bytes as f64 / stored.raw as f64, "");
    if args.packed {
        let packed = packed(&db).await?;
        let each = packed.packed_bytes as f64 / packed.packed as f64;
        row(&mut report, "packed, bytes a point", each, "40 at most");
        if packed.packed != stored.raw {
            return Err(format!("{} points were stored, {} packed", stored.raw, packed.packed).into());
        }
    }
    report.finish(args.target.output.json.as_deref())
}

/// Adds a row, and with an aim a result.
fn row(report: &mut Report, name: &str, value: f64, aim: &str) {
    report.row(name, format!("{name:<44}{value:>10.1}"), json!(value));
    if !aim.is_empty() {
        report.result(format!("trail: {name}"), value, aim);
    }
}

/// Sends one request of a hundred points after the other until it is stopped.
async fn drive(
    api: Arc<Api>,
    mut pair: Pair,
    sent: Arc<AtomicU64>,
    stopped: watch::Receiver<bool>,
) -> Result<(), Failure> {
    while !*stopped.borrow() {
        let points: Vec<Value> = (0..POINTS)
            .map(|_| {
                pair.seq += 1;
                // The mechanic drives back and forth, so that nobody leaves the country.
                let north = (pair.seq % 1_000 - 500).abs() as f64 * STEP;
                point(pair.seq, Place { lat: pair.at.lat + north, ..pair.at })
            })
            .collect();
        let receipt = api.post("/mechanics/me/location", &pair.mechanic.token, json!({ "points": points }));
        let accepted = receipt.await?["accepted"].as_u64().unwrap_or_default();
        if accepted != POINTS.unsigned_abs() {
            return Err(format!("{accepted} of {POINTS} points were accepted").into());
        }
        sent.fetch_add(accepted, Ordering::Relaxed);
    }
    Ok(())
}

/// Returns the end of the write-ahead log.
async fn log_position(db: &PgPool) -> Result<i64, Failure> {
    let end = "select (pg_current_wal_insert_lsn() - '0/0')::bigint";
    Ok(sqlx::query_scalar(end).fetch_one(db).await?)
}

/// The points and their size on disk, indexes included.
#[derive(Debug, sqlx::FromRow)]
struct Stored {
    raw: i64,
    raw_bytes: i64,
    packed: i64,
    packed_bytes: i64,
}

impl Stored {
    async fn of(db: &PgPool) -> Result<Self, Failure> {
        Ok(sqlx::query_as(
            "select (select count(*) from trail_points) as raw,
                (select sum(pg_total_relation_size(relid))::bigint from pg_partition_tree('trail_points') where isleaf)
                    as raw_bytes,
                (select coalesce(sum(cardinality(lats)), 0)::bigint from trails) as packed,
                pg_total_relation_size('trails') as packed_bytes",
        )
        .fetch_one(db)
        .await?)
    }
}

/// Makes the points count as received two hours ago, so that the server packs them the next time.
async fn packed(db: &PgPool) -> Result<Stored, Failure> {
    sqlx::query("update trail_points set hour = hour - 2").execute(db).await?;
    let end = Instant::now() + UNTIL_PACKED;
    while Instant::now() < end {
        let stored = Stored::of(db).await?;
        if stored.raw == 0 {
            return Ok(stored);
        }
        sleep(Duration::from_secs(1)).await;
    }
    Err(format!("after {UNTIL_PACKED:?} the trails were not packed").into())
}
