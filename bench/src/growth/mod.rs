//! Measures the engine's cost of a location update, a question and an offer as the number of mechanics grows: in process, on
//! in-memory ports, far beyond the sockets that one process may hold.

mod city;
mod running;

use std::{
    collections::BTreeSet,
    future::Future,
    time::{Duration, Instant},
};

use clap::Args;
use futures_util::{StreamExt, TryStreamExt, stream};
use roadcall_actors::{
    Engine,
    engine::{AcceptedFee, NearestQuery},
    geo::Point,
    ids::{JobId, VehicleId},
    job::state::Actor as By,
    mechanic::state::{Ping, PositionSource},
    ports::JobToCreate,
    protocol::{AvailabilityQuery, Cancel, OpenJob},
    random::Random,
    simulation::world,
    vehicle::VehicleType,
};
use serde_json::json;

use self::{city::City, running::Running};
use crate::{Failure, Output, report::Report, resources::Watched};

/// How far a question reaches.
const WITHIN_M: f64 = 5_000.0;
/// How far POST /jobs looks for the nearest mechanic, whose way has a price.
const PRICED_WITHIN_M: f64 = 20_000.0;
/// The number of mechanics that are asked for.
const K: usize = 10;

/// The number of operations of each kind. A tenth as many come before them and do not count.
const PINGS: usize = 200_000;
const QUESTIONS: usize = 50_000;
const JOBS: usize = 5_000;
/// The number of operations in progress at once. Jobs are few: jobs that compete for mechanics wait for each other.
const AT_ONCE: usize = 64;
const JOBS_AT_ONCE: usize = 8;
/// The number of jobs that the journal remembers when they are over.
const KEPT: usize = 100;
/// How far a ping moves its mechanic, in degrees: about 30 m, as driving does.
const STEP_DEGREES: f64 = 0.000_3;
/// How long a job may wait for its offer, and how often it is checked.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(2);

#[derive(Debug, Clone, Args)]
pub struct GrowthArgs {
    #[command(flatten)]
    output: Output,
    /// Mechanics, one step each; costs are divided by those of the first
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000", value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    mechanics: Vec<u32>,
    /// The side of the square city, in km; of the first city, where cities grow
    #[arg(long, default_value_t = 50.0)]
    side_km: f64,
    /// The same seed gives the same places
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seconds to measure afterwards how long a question has to wait; prices are computed every 60 s
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=600))]
    watch_s: u64,
}

impl GrowthArgs {
    /// Returns the cities: more and more mechanics in the same city, then in cities that grow with them.
    fn cities(&self) -> Vec<(u32, f64)> {
        let first = self.mechanics.first().copied().unwrap_or_default();
        let same = self.mechanics.iter().map(|count| (*count, self.side_km));
        let grown = self.mechanics.iter().skip(1);
        let grown = grown.map(|count| (*count, self.side_km * (f64::from(*count) / f64::from(first)).sqrt()));
        same.chain(grown).collect()
    }
}

/// CPU time and wall time of one operation, in microseconds.
#[derive(Debug, Clone, Copy)]
struct Cost {
    cpu_us: f64,
    wall_us: f64,
}

/// The costs of a location update, a question, the question of POST /jobs, and an offer.
type Costs = [Cost; 4];

const NAMES: [&str; 4] = ["ping", "query", "price", "offer"];

pub async fn run(args: GrowthArgs) -> Result<(), Failure> {
    let settings = vec![
        ("mechanics", json!(args.mechanics)),
        ("side_km", json!(args.side_km)),
        ("seed", json!(args.seed)),
    ];
    let mut report = Report::without_server("growth", &args.output, settings);
    let head = ["mechanics", "side km", "what", "CPU us", "wall us", "ratio"];
    report.row("columns", head.map(|name| format!("{name:>12}")).concat(), json!(head));
    let mut first = None;
    for (count, side_km) in args.cities() {
        let city = City::new(count as usize, side_km, args.seed);
        let (costs, longest) = costs(&city, Duration::from_secs(args.watch_s))?;
        let first = first.get_or_insert(costs);
        for ((name, cost), first) in NAMES.into_iter().zip(costs).zip(*first) {
            let Cost { cpu_us, wall_us } = cost;
            let ratio = cpu_us / first.cpu_us;
            let line =
                format!("{count:>12}{side_km:>12.0}{name:>12}{cpu_us:>12.1}{wall_us:>12.1}{ratio:>12.2}");
            report.row(&format!("{count} in {side_km:.0} km: {name}"), line, json!([cpu_us, wall_us, ratio]));
            if count != args.mechanics[0] && side_km == args.side_km {
                let fewest = args.mechanics[0];
                let what = format!("CPU us of a {name}, {count} mechanics; floor: {fewest} mechanics");
                report.compared(what, cpu_us, first.cpu_us, "ratio 1.5 at most");
            }
        }
        if let Some(longest) = longest {
            let (name, ms) = ("longest wait", longest.as_secs_f64() * 1e3);
            let line = format!("{count:>12}{side_km:>12.0}{name:>24}{ms:>9.1} ms");
            report.row(&format!("{count} in {side_km:.0} km: {name} ms"), line, json!(ms));
            report.result(
                format!("longest wait for the dispatcher, ms, {count} mechanics"),
                ms,
                "100 at most",
            );
        }
    }
    report.finish(args.output.json.as_deref())
}

/// Measures the costs in an engine of its own.
fn costs(city: &City, watched: Duration) -> Result<(Costs, Option<Duration>), Failure> {
    std::thread::scope(|scope| {
        let in_system = || actix_rt::System::new().block_on(measure(city, watched));
        scope.spawn(in_system).join().unwrap_or_else(|_| Err("the engine's thread panicked".into()))
    })
}

async fn measure(city: &City, watched: Duration) -> Result<(Costs, Option<Duration>), Failure> {
    let running = Running::start(city).await?;
    running.journal.keep_settled(KEPT);
    let pings = cost(PINGS, AT_ONCE, |n| ping(&running, city, n)).await?;
    let questions =
        cost(QUESTIONS, AT_ONCE, |n| question(&running.engine, city.questions[n % city.questions.len()]))
            .await?;
    let prices =
        cost(QUESTIONS, AT_ONCE, |n| price(&running.engine, city.questions[n % city.questions.len()]))
            .await?;
    let offers =
        cost(JOBS, JOBS_AT_ONCE, |n| offer(&running, city.questions[n % city.questions.len()])).await?;
    let longest = longest_wait(&running.engine, city, watched).await?;
    running.engine.end();
    Ok(([pings, questions, prices, offers], longest))
}

/// Asks one question after the other; returns the longest wait for an answer, or `None` if `watched` is zero.
async fn longest_wait(engine: &Engine, city: &City, watched: Duration) -> Result<Option<Duration>, Failure> {
    let (start, mut longest) = (Instant::now(), None);
    while start.elapsed() < watched {
        let asked = Instant::now();
        question(engine, city.questions[0]).await?;
        longest = longest.max(Some(asked.elapsed()));
        tokio::time::sleep(LOOK).await;
    }
    Ok(longest)
}

/// Measures so many operations, some of them in progress at once.
async fn cost<F: Future<Output = Result<(), Failure>>>(
    count: usize,
    at_once: usize,
    operation: impl Fn(usize) -> F,
) -> Result<Cost, Failure> {
    run_all(count / 10, at_once, &operation).await?;
    let own = Watched { server: None };
    let (before, start) = (own.cpu().generator, Instant::now());
    run_all(count, at_once, &operation).await?;
    let each = |seconds: f64| seconds * 1e6 / count as f64;
    let wall_us = each(start.elapsed().as_secs_f64());
    Ok(Cost { cpu_us: each(own.cpu().generator - before), wall_us })
}

async fn run_all<F: Future<Output = Result<(), Failure>>>(
    count: usize,
    at_once: usize,
    operation: &impl Fn(usize) -> F,
) -> Result<(), Failure> {
    stream::iter((0..count).map(operation)).buffer_unordered(at_once).try_collect().await
}

async fn ping(running: &Running, city: &City, n: usize) -> Result<(), Failure> {
    let number = city.moving[n % city.moving.len()];
    let (Point { lat, lng }, now) = (city.points[number as usize], running.clock.now());
    let ping = Ping {
        seq: n as i64 + 2,
        point: Point::new(lat + STEP_DEGREES * (n % 7) as f64, lng),
        accuracy_m: Some(8.0),
        speed_mps: None,
        heading: None,
        recorded_at: now,
        is_mock: false,
    };
    running.engine.locate(city.id(number), vec![ping], PositionSource::App, now).await?;
    Ok(())
}

async fn question(engine: &Engine, from: Point) -> Result<(), Failure> {
    let (vehicle_type, category_id) = (VehicleType::FourWheeler, world::category());
    let query = NearestQuery { pickup: from, vehicle_type, category_id, within_m: WITHIN_M, k: K };
    engine.nearest(query).await?;
    Ok(())
}

async fn price(engine: &Engine, pickup: Point) -> Result<(), Failure> {
    let (vehicle_type, category_id) = (VehicleType::FourWheeler, world::category());
    let within_m = PRICED_WITHIN_M;
    engine.ask(AvailabilityQuery { pickup, vehicle_type, category_id, within_m, most: 1 }).await?;
    Ok(())
}

/// Creates a job, waits for its first offer, and cancels it.
async fn offer(running: &Running, pickup: Point) -> Result<(), Failure> {
    let Running { engine, clock, journal } = running;
    let (random, now) = (Random::system(), clock.now());
    let (id, vehicle) = (JobId(random.id(now)), VehicleId(random.id(now)));
    let spec = world::spec(vehicle, pickup, now);
    let by = By::Customer(spec.customer_id);
    let new =
        JobToCreate { id, spec, details: Default::default(), excluded: BTreeSet::new(), idempotency: None };
    let open = OpenJob { command: engine.new_command(), by, new: Box::new(new) };
    open.carry_out(engine).await?;
    let start = Instant::now();
    while journal.pending_offers_of_job(id).is_empty() {
        if start.elapsed() > PATIENCE {
            return Err("a job was not offered to anyone".into());
        }
        tokio::time::sleep(LOOK).await;
    }
    let cancel = Cancel {
        command: engine.new_command(),
        logged_under: None,
        job: id,
        by,
        reason_code: "changed_mind".to_owned(),
        reason: None,
        accepted_fee: AcceptedFee::Any,
        free_cancellations: None,
    };
    cancel.carry_out(engine).await?;
    Ok(())
}
