//! Measures how long a killed server takes to be ready again with many mechanics online and many jobs open, and to load all those
//! mechanics: while it is away, copies of one of each are written into its cluster; then it is started, killed and started again.

use std::{
    net::SocketAddr,
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Args;
use roadcall_client::Api;
use serde_json::json;
use tokio::time::sleep;
use uuid::Uuid;

use crate::{
    Failure, Target,
    cluster::{self, Cluster},
    copies, first_phone,
    pairs::pairs,
    people,
    report::Report,
    resources::{Watched, rss_mib},
    server::{self, Program},
};

/// The number of copies that one statement writes.
const AT_ONCE: usize = 10_000;
const LOOK: Duration = Duration::from_millis(20);
/// How long the server may take.
const LIMIT: Duration = Duration::from_secs(300);

#[derive(Debug, Args)]
pub struct RecoveryArgs {
    #[command(flatten)]
    target: Target,
    /// Mechanics who are online
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    mechanics: u32,
    /// Open jobs, each with one of these mechanics
    #[arg(long, default_value_t = 40_000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    jobs: u32,
    /// How often the server is killed
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    runs: u32,
    /// The server's program, to start it again
    #[arg(long)]
    roadcall: PathBuf,
    /// The server's data folder, with its embedded cluster
    #[arg(long)]
    data_dir: PathBuf,
    /// The file for the server's output
    #[arg(long)]
    server_log: PathBuf,
}

pub async fn run(args: RecoveryArgs) -> Result<(), Failure> {
    let api = args.target.api()?;
    let settings = vec![("mechanics", json!(args.mechanics)), ("jobs", json!(args.jobs))];
    let mut report = Report::new("recovery", &args.target, settings).await;
    let head = ["run", "ready after s", "server CPU s", "server MiB", "loaded after s"];
    report.row("columns", head.map(|name| format!("{name:>16}")).concat(), json!(head));
    let listen: SocketAddr = args.target.authority().parse()?;
    let (roadcall, data_dir, log) = (&args.roadcall, &args.data_dir, &args.server_log);
    let program = Program { roadcall, data_dir, log, listen };
    let pid = args.target.server_pid.ok_or("recovery needs --server-pid")?;
    let originals = originals(&args, &api).await?;
    // Otherwise it would look after the copies while they are written, and take mechanics off jobs whose phones are silent.
    server::kill_now(pid, listen).await?;
    copy(&args, originals).await?;
    let mut server = program.start().await?;
    until_ready(&api).await?;
    until_loaded(&api, args.mechanics.into()).await?;
    for run in 1..=args.runs {
        let killed = Instant::now();
        server::kill_now(server.pid, listen).await?;
        server = program.start().await?;
        until_ready(&api).await?;
        let ready_s = killed.elapsed().as_secs_f64();
        let server_s = Watched { server: Some(server.pid) }.cpu().server;
        let mib = rss_mib(server.pid).ok_or("the server has ended")?;
        until_loaded(&api, args.mechanics.into()).await?;
        let loaded_s = killed.elapsed().as_secs_f64();
        let line = format!("{run:>16}{ready_s:>16.2}{server_s:>16.2}{mib:>16.0}{loaded_s:>16.2}");
        report.row(&format!("run {run}"), line, json!([ready_s, server_s, mib, loaded_s]));
        let what = format!("killed → ready, s, {} mechanics, {} jobs", args.mechanics, args.jobs);
        report.result(what, ready_s, "5 at most");
    }
    for kind in ["job", "mechanic"] {
        let name = format!("{kind} actors");
        let count = actors(&api, kind).await?;
        report.row(&name, format!("{name:<24}{count:>16}"), json!(count));
    }
    server.stop().await?;
    report.finish(args.target.output.json.as_deref())
}

/// The mechanic who is online, and the job under way, that are copied.
struct Originals {
    mechanic: Uuid,
    job: Uuid,
}

async fn originals(args: &RecoveryArgs, api: &Api) -> Result<Originals, Failure> {
    let mut pairs = pairs(api, &args.target.admins(), first_phone(), 0..2).await?;
    let category = people::categories(api, &pairs[0].customer.token).await?.into_iter().next();
    let job = pairs[0].begin(api, &category.ok_or("there is no category")?).await?.job.parse()?;
    Ok(Originals { mechanic: pairs[1].mechanic.profile_id.parse()?, job })
}

/// Writes the copies of the mechanic and of the job.
async fn copy(args: &RecoveryArgs, Originals { mechanic, job }: Originals) -> Result<(), Failure> {
    let db = Cluster::of(&args.data_dir)?.pool().await?;
    let mechanics = copies::ids(args.mechanics as usize);
    for ids in mechanics.chunks(AT_ONCE) {
        let mut tx = db.begin().await?;
        copies::of_mechanic(&mut tx, mechanic, job, ids).await?;
        tx.commit().await?;
    }
    let engaged = &mechanics[..mechanics.len().min(args.jobs as usize)];
    for ids in engaged.chunks(AT_ONCE) {
        let mut tx = db.begin().await?;
        copies::of_open_job(&mut tx, job, ids).await?;
        tx.commit().await?;
    }
    cluster::settle(&db).await
}

async fn until_ready(api: &Api) -> Result<(), Failure> {
    let end = Instant::now() + LIMIT;
    while Instant::now() < end {
        if api.get("/health/ready", "").await.is_ok() {
            return Ok(());
        }
        sleep(LOOK).await;
    }
    Err(format!("after {LIMIT:?} the server was still not ready").into())
}

/// Waits until the engine has an actor for each mechanic. Mechanics who are only available follow while the server already
/// serves.
async fn until_loaded(api: &Api, mechanics: u64) -> Result<(), Failure> {
    let (end, mut last) = (Instant::now() + LIMIT, 0);
    while Instant::now() < end {
        // The metrics of a server that has just started may not name them yet.
        last = actors(api, "mechanic").await.unwrap_or_default();
        if last >= mechanics {
            return Ok(());
        }
        sleep(LOOK).await;
    }
    Err(format!("after {LIMIT:?} the engine had {last} of {mechanics} mechanics").into())
}

/// Returns the number of actors of the kind, from the metrics.
async fn actors(api: &Api, kind: &str) -> Result<u64, Failure> {
    let metrics = api.text("/metrics").await?;
    let label = format!("roadcall_engine_actors{{kind=\"{kind}\"}} ");
    let line = metrics.lines().find_map(|line| line.strip_prefix(&label));
    Ok(line.ok_or("the metrics name no actors")?.parse()?)
}
