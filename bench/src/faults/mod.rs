//! Faults of a cluster, one after the other, while people's jobs go on: everything that was acknowledged is there, once, and
//! people on servers that no fault hit notice little.

mod fault;
mod job;
mod kind;
mod phone;
mod proof;
mod world;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
    task::JoinSet,
    time::{sleep, timeout},
};

use self::{fault::Fault, job::Pair, kind::Kind, proof::Proof, world::World};
use crate::{
    Failure, Output, first_phone,
    fleet::{Fleet, FleetArgs, LIMIT, Links, until},
    people,
    plan::Place,
    report::Report,
    samples::Samples,
};

/// The number of servers.
const SERVERS: u8 = 3;
/// The pause before the first fault, and after each fault.
const QUIET: Duration = Duration::from_secs(2);
/// The number of sockets of a person who only looks.
const SOCKETS_EACH: usize = 50;
/// The distance between pairs: farther than any mechanic goes.
const DEGREES_APART: f64 = 0.5;

#[derive(Debug, Args)]
pub struct FaultArgs {
    #[command(flatten)]
    fleet: FleetArgs,
    #[command(flatten)]
    output: Output,
    /// The same seed gives the same faults
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 24)]
    rounds: u32,
    /// The kinds of faults; if none is named, all of them except for upgrades and those of --impair
    #[arg(long, value_delimiter = ',')]
    kinds: Vec<Kind>,
    /// The kinds that impair a link which stays open. Whenever one of them is tried, all servers connect through proxies
    #[arg(long, conflicts_with = "kinds")]
    impair: bool,
    /// The number of customers, each with a mechanic nearby, who do jobs during the faults
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=64))]
    pairs: u32,
    /// Further sockets, which only look
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    sockets: u32,
    /// How long servers are frozen or cut off, at most
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=60))]
    longest_s: u64,
    /// The program to which upgrades go, and from which they come back
    #[arg(long)]
    other: Option<PathBuf>,
    /// Never cut links: needs neither root nor Linux
    #[arg(long)]
    loopback: bool,
}

impl FaultArgs {
    /// Returns the kinds that the rounds try in turn.
    fn kinds(&self, links: &Links) -> Vec<Kind> {
        let unnamed = if self.impair { &Kind::IMPAIRING[..] } else { &Kind::USUAL[..] };
        match &self.kinds[..] {
            [] => unnamed.iter().copied().filter(|kind| kind.is_possible(links)).collect(),
            named => named.to_vec(),
        }
    }
}

/// The measurements of the rounds of one kind.
#[derive(Debug, Default)]
struct Told {
    rounds: u32,
    /// The time from the fault until the first command that was sent after it was acknowledged by a server that it had not hit.
    again: Samples,
    /// The times of commands that were sent while the fault lasted.
    took: Samples,
    /// The number of sockets that ended: on servers that the fault did not hit, and on the others.
    closed: [u64; 2],
}

/// Tries all faults. The cluster ends with the run, however that ends.
pub async fn run(args: FaultArgs) -> Result<(), Failure> {
    let mut terminated = signal(SignalKind::terminate())?;
    tokio::select! {
        done = try_all(args) => done,
        _ = terminated.recv() => Err("terminated".into()),
        _ = tokio::signal::ctrl_c() => Err("interrupted".into()),
    }
}

async fn try_all(args: FaultArgs) -> Result<(), Failure> {
    let links = match args.loopback {
        true => Links::Loopback,
        false => Links::cuttable(SERVERS).await?,
    };
    let kinds = args.kinds(&links);
    let are_proxied = kinds.iter().any(|kind| kind.impairment().is_some());
    let mut fleet = Fleet::start(&args.fleet, SERVERS, links, are_proxied).await?;
    let settings = vec![
        ("seed", json!(args.seed)),
        ("rounds", json!(args.rounds)),
        ("pairs", json!(args.pairs)),
        ("sockets", json!(args.sockets)),
        ("proxies", json!(are_proxied)),
    ];
    let mut report = Report::without_server("faults", &args.output, settings);
    report.server_version(&fleet.nodes[0].api).await;
    let ((stop, stopped), began) = (watch::channel(false), Instant::now());
    let world = Arc::new(World::new(fleet.apis(), args.seed));
    // People who only watch go on until the end; the pairs end when `stop` is sent.
    let (mut people, mut pairs) = (JoinSet::new(), JoinSet::new());
    people.spawn(world.clone().watch_servers());
    let count = args.pairs as usize;
    let api = fleet.nodes[0].api.clone();
    let mechanics = people::mechanics(&api, &fleet.admins, first_phone(), count).await?;
    let customers = people::customers(&api, first_phone() + 50_000, count).await?;
    let category = people::categories(&api, &mechanics[0].token).await?;
    let category = category.into_iter().next().ok_or("there is no category")?;
    for ((mechanic, customer), n) in mechanics.into_iter().zip(customers).zip(0u32..) {
        let at = Place {
            lat: 8.0 + f64::from(n / 70) * DEGREES_APART,
            lng: 70.0 + f64::from(n % 70) * DEGREES_APART,
        };
        let pair = Pair { number: n as usize, customer, mechanic, at, category: category.clone() };
        pairs.spawn(pair.live(world.clone(), stopped.clone()));
    }
    let lookers = (args.sockets as usize).div_ceil(SOCKETS_EACH);
    for (n, looker) in people::customers(&api, first_phone() + 60_000, lookers).await?.into_iter().enumerate()
    {
        for _ in 0..SOCKETS_EACH.min(args.sockets as usize - n * SOCKETS_EACH) {
            people.spawn(phone::look(world.clone(), looker.token.clone()));
        }
    }
    let admin = people::admin(&api, &fleet.admins.emails[0], &fleet.admins.password).await?;
    until("not everybody is connected", async || {
        world.connected() >= args.sockets as usize + 2 * count && world.all_went_on_since(began)
    })
    .await?;
    let mut proof = Proof::default();
    let told = rounds(&args, &kinds, &mut fleet, &world, &admin, &mut proof).await;
    stop.send_replace(true);
    let ended = match told {
        Ok(told) => {
            tell(&mut report, &told, &world);
            end(pairs, &world, &mut proof, &fleet).await
        }
        Err(broken) => Err(broken),
    };
    people.shutdown().await;
    fleet.stop().await?;
    ended?;
    report.finish(args.output.json.as_deref())
}

/// Ends everybody's last job, and checks that somebody knows of every job.
async fn end(mut pairs: JoinSet<()>, world: &World, proof: &mut Proof, fleet: &Fleet) -> Result<(), Failure> {
    let all_ended = async {
        while let Some(ended) = pairs.join_next().await {
            ended?;
        }
        world.check()
    };
    timeout(LIMIT, all_ended).await.map_err(|_| "somebody's last job did not end")??;
    proof.check_all(&fleet.postgres.pool, world).await?;
    println!("{} jobs and {} positions were compared with the database", proof.jobs, proof.points);
    Ok(())
}

async fn rounds(
    args: &FaultArgs,
    kinds: &[Kind],
    fleet: &mut Fleet,
    world: &Arc<World>,
    admin: &str,
    proof: &mut Proof,
) -> Result<BTreeMap<Kind, Told>, Failure> {
    let mut random = StdRng::seed_from_u64(args.seed);
    let mut told = BTreeMap::<Kind, Told>::new();
    sleep(QUIET).await;
    for round in 0..args.rounds {
        let leader = leader(fleet, admin).await?;
        // Each kind occurs as often as the others.
        let kind = kinds[round as usize % kinds.len()];
        let lasting =
            Duration::from_secs(1) + Duration::from_secs(args.longest_s - 1).mul_f64(random.random());
        let fault = Fault::plan(kind, leader, fleet.nodes.len(), lasting, &mut random);
        world.begin_round();
        let outage = fault.happen(fleet, args, world).await?;
        let over = Instant::now();
        recover(fleet, world, over).await.map_err(|why| format!("round {round}, {fault:?}: {why}"))?;
        sleep(QUIET).await;
        let seen = world.end_round(&fault, over);
        println!(
            "round {round}: {fault:?}: commands again after {:?}, longest {:?}, closed {:?}",
            seen.again,
            seen.took.iter().max(),
            seen.closed
        );
        let of = told.entry(kind).or_default();
        of.rounds += 1;
        if let Some(again) = seen.again {
            of.again.add(again);
        }
        seen.took.iter().for_each(|took| of.took.add(*took));
        of.closed = [of.closed[0] + seen.closed[0], of.closed[1] + seen.closed[1]];
        seen.check(&fault, outage).map_err(|why| format!("round {round}, {fault:?}: {why}"))?;
        let checked = proof.check(&fleet.postgres.pool, world).await;
        checked.map_err(|why| format!("round {round}, {fault:?}: {why}"))?;
    }
    Ok(told)
}

async fn leader(fleet: &Fleet, admin: &str) -> Result<usize, Failure> {
    let mut leads = None;
    until("no server leads", async || {
        leads = fleet.leader(admin).await;
        leads.is_some()
    })
    .await?;
    leads.ok_or_else(|| "no server leads".into())
}

/// Waits until every server is ready again, and everybody's jobs go on.
async fn recover(fleet: &Fleet, world: &World, over: Instant) -> Result<(), Failure> {
    for node in &fleet.nodes {
        node.until_ready().await?;
    }
    until("somebody's job does not go on", async || world.all_went_on_since(over) || world.is_broken())
        .await?;
    world.check()
}

fn tell(report: &mut Report, told: &BTreeMap<Kind, Told>, world: &World) {
    let head = format!(
        "{:<18}{:>7}{:>12}{:>10}{:>10}{:>12}{:>10}{:>18}{:>14}",
        "fault",
        "rounds",
        "again p50",
        "p99 ms",
        "max ms",
        "took p99",
        "max ms",
        "closed elsewhere",
        "closed there"
    );
    report.row("columns", format!("\n{head}"), json!(null));
    for (kind, Told { rounds, again, took, closed }) in told {
        let ms = |samples: &Samples, of: fn(crate::samples::Summary) -> f64| {
            samples.summary().map_or(f64::NAN, of)
        };
        let line = format!(
            "{:<18}{rounds:>7}{:>12.0}{:>10.0}{:>10.0}{:>12.0}{:>10.0}{:>18}{:>14}",
            kind.name(),
            ms(again, |s| s.p50_ms),
            ms(again, |s| s.p99_ms),
            ms(again, |s| s.max_ms),
            ms(took, |s| s.p99_ms),
            ms(took, |s| s.max_ms),
            closed[0],
            closed[1],
        );
        let value = json!({
            "rounds": rounds, "again": again.summary(), "took": took.summary(), "closed": closed,
        });
        report.row(kind.name(), line, value);
    }
    world.tell(report);
}
