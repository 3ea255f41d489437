//! The live scenario: mechanics ping over their sockets while customers create jobs, watch the mechanic, and cancel.

mod customer;
mod ledger;
mod mechanic;

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;
use futures_util::{StreamExt, TryStreamExt, stream};
use parking_lot::Mutex;
use roadcall_client::{Api, Socket};
use serde_json::json;
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{sleep, sleep_until},
};

use crate::{
    Failure, Target, first_phone, people, plan,
    report::{self, Report},
};
use customer::{Customer, run_job};
use ledger::Ledger;
use mechanic::SentPings;

/// The number of sockets that are opened at once.
const OPENING_AT_ONCE: usize = 32;
/// How long jobs that still run may take after the last one began, apart from their hold.
const WIND_DOWN: Duration = Duration::from_secs(20);

#[derive(Debug, Args)]
pub struct LiveArgs {
    #[command(flatten)]
    target: Target,
    /// Mechanics online, one socket each
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=5000))]
    mechanics: u32,
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(100..=60_000))]
    ping_every_ms: u64,
    #[arg(long, default_value_t = 50.0)]
    jobs_per_s: f64,
    /// How long is measured
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    for_s: u64,
    /// How long the same load runs before, without being measured
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(0..=600))]
    warmup_s: u64,
    /// The time from acceptance to the customer's cancellation
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(0..=60_000))]
    hold_ms: u64,
    /// Customers, each with one vehicle and one socket [default: enough for the rate and the hold, half as many again]
    #[arg(long)]
    customers: Option<u32>,
}

impl LiveArgs {
    fn customers(&self) -> usize {
        let at_once = self.jobs_per_s * (self.hold_ms as f64 / 1000.0 + 1.0);
        self.customers.map_or((at_once * 1.5).ceil() as usize + 10, |count| count as usize)
    }
}

/// The state that the tasks of a run share.
#[derive(Debug)]
struct World {
    api: Api,
    ledger: Ledger,
    /// The pings by profile.
    pings: HashMap<String, Arc<SentPings>>,
    free_customers: Mutex<Vec<Arc<Customer>>>,
    categories: Vec<String>,
    hold: Duration,
    /// Turns true when it is time to close the sockets.
    stop: watch::Receiver<bool>,
}

impl World {
    fn take_customer(&self) -> Option<Arc<Customer>> {
        self.free_customers.lock().pop()
    }

    fn give_back(&self, customer: Arc<Customer>) {
        self.free_customers.lock().push(customer);
    }
}

pub async fn run(args: LiveArgs) -> Result<(), Failure> {
    let api = args.target.api()?;
    let (stop, stopped) = watch::channel(false);
    let began = Instant::now();
    let (mechanics, customers) = sign_up(&args, &api).await?;
    let categories = people::categories(&api, &mechanics[0].token).await?;
    let signed_up = began.elapsed();
    let world = Arc::new(World {
        api,
        ledger: Ledger::default(),
        pings: mechanics.iter().map(|one| (one.profile_id.clone(), Arc::default())).collect(),
        free_customers: Mutex::default(),
        categories,
        hold: Duration::from_millis(args.hold_ms),
        stop: stopped,
    });
    let mut sockets = JoinSet::new();
    open_mechanics(&args, &world, mechanics, &mut sockets).await?;
    open_customers(&world, customers, &mut sockets).await?;
    let connected = began.elapsed() - signed_up;
    eprintln!("signed up in {signed_up:.1?}, connected in {connected:.1?}");
    // Everyone has pinged once by then.
    sleep(Duration::from_millis(args.ping_every_ms)).await;

    let mut report = Report::new("live", &args.target, args.settings()).await;
    report.note("signed_up_s", signed_up.as_secs_f64());
    report.note("connected_s", connected.as_secs_f64());
    drive(&args, &world, &mut report).await;
    stop.send(true).ok();
    while sockets.join_next().await.is_some() {}
    world.ledger.report(&mut report);
    report.finish(args.target.output.json.as_deref())
}

async fn sign_up(
    args: &LiveArgs,
    api: &Api,
) -> Result<(Vec<people::Mechanic>, Vec<people::Customer>), Failure> {
    let (first, count) = (first_phone(), args.mechanics as usize);
    eprintln!("signing up {count} mechanics and {} customers", args.customers());
    let mechanics = people::mechanics(api, &args.target.admins(), first, count).await?;
    let customers = people::customers(api, first + 50_000, args.customers()).await?;
    Ok((mechanics, customers))
}

async fn open_mechanics(
    args: &LiveArgs,
    world: &Arc<World>,
    mechanics: Vec<people::Mechanic>,
    sockets: &mut JoinSet<()>,
) -> Result<(), Failure> {
    let every = Duration::from_millis(args.ping_every_ms);
    let (seed, count) = (args.target.seed, mechanics.len() as u32);
    let opened = stream::iter(mechanics.into_iter().zip(0u32..)).map(|(mechanic, n)| async move {
        Ok::<_, Failure>((Socket::open(&world.api, &mechanic.token).await?, mechanic, n))
    });
    let opened: Vec<_> = opened.buffer_unordered(OPENING_AT_ONCE).try_collect().await?;
    for (socket, mechanic, n) in opened {
        let walker = plan::Walker::new(args.target.town(), seed.wrapping_mul(1_000_003) + u64::from(n));
        // The pings are spread evenly over the interval: a thousand phones don't ping in step.
        let phase = every * n / count;
        sockets.spawn(mechanic::run(world.clone(), socket, mechanic.profile_id, walker, every, phase));
    }
    Ok(())
}

async fn open_customers(
    world: &Arc<World>,
    customers: Vec<people::Customer>,
    sockets: &mut JoinSet<()>,
) -> Result<(), Failure> {
    let opened = stream::iter(customers).map(|person| async move {
        Ok::<_, Failure>((Socket::open(&world.api, &person.token).await?, person))
    });
    let opened: Vec<_> = opened.buffer_unordered(OPENING_AT_ONCE).try_collect().await?;
    for (socket, person) in opened {
        let (customer, frames) = Customer::new(person);
        world.give_back(Arc::new(customer));
        sockets.spawn(customer::run_socket(world.clone(), socket, frames));
    }
    Ok(())
}

/// Makes the planned jobs, and measures from the end of the warm-up to the last planned moment.
async fn drive(args: &LiveArgs, world: &Arc<World>, report: &mut Report) {
    let (warmup, lasting) = (Duration::from_secs(args.warmup_s), Duration::from_secs(args.for_s));
    let planned = plan::jobs(args.jobs_per_s, warmup + lasting, args.target.town(), args.target.seed);
    let start = Instant::now() + Duration::from_millis(50);
    let measured = tokio::spawn({
        let (world, watched) = (world.clone(), args.target.watched());
        async move {
            sleep_until((start + warmup).into()).await;
            world.ledger.count(true);
            let (before, since) = (watched.cpu(), Instant::now());
            sleep_until((start + warmup + lasting).into()).await;
            world.ledger.count(false);
            let wall_s = since.elapsed().as_secs_f64();
            (watched.cpu().since(before, wall_s), watched.memory(), wall_s)
        }
    });
    let mut jobs = JoinSet::new();
    for (job, n) in planned.into_iter().zip(0usize..) {
        let due = start + job.at;
        sleep_until(due.into()).await;
        jobs.spawn(run_job(world.clone(), job, n, due, job.at >= warmup));
        while jobs.try_join_next().is_some() {}
    }
    if let Ok((used, memory, wall_s)) = measured.await {
        report.resources(&used, memory, wall_s);
    }
    let rest = async { while jobs.join_next().await.is_some() {} };
    if tokio::time::timeout(world.hold + WIND_DOWN, rest).await.is_err() {
        world.ledger.add("jobs that did not end in time");
    }
}

impl LiveArgs {
    fn settings(&self) -> report::Settings {
        vec![
            ("mechanics", json!(self.mechanics)),
            ("customers", json!(self.customers())),
            ("ping_every_ms", json!(self.ping_every_ms)),
            ("jobs_per_s", json!(self.jobs_per_s)),
            ("warmup_s", json!(self.warmup_s)),
            ("for_s", json!(self.for_s)),
            ("hold_ms", json!(self.hold_ms)),
            ("half_side_km", json!(self.target.half_side_km)),
            ("seed", json!(self.target.seed)),
        ]
    }
}
