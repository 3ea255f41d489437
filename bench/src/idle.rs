//! Measures the memory for each mechanic who is online and only sends a position now and then, and for comparison that of the
//! sockets alone.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::Args;
use serde_json::json;
use tokio::time::sleep;

use crate::{
    Failure, Target,
    demand::Demand,
    echo, first_phone, people,
    pings::phone::{Connection, Phone, Resting},
    plan::Walker,
    report::Report,
    resources::rss_mib,
    server::{self, Program},
};

/// How long memory used for opening sockets may take to be given back.
const SETTLE: Duration = Duration::from_secs(10);

#[derive(Debug, Args)]
pub struct IdleArgs {
    #[command(flatten)]
    target: Target,
    /// Mechanics on sockets, one step each, fewest first
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,19000", value_parser = clap::value_parser!(u32).range(1..=19_000))]
    mechanics: Vec<u32>,
    /// The server's program, to start it again
    #[arg(long)]
    roadcall: PathBuf,
    /// The server's data folder
    #[arg(long)]
    data_dir: PathBuf,
    /// The file for the server's output
    #[arg(long)]
    server_log: PathBuf,
    /// The address on which the echo server listens
    #[arg(long)]
    echo: SocketAddr,
}

pub async fn run(args: IdleArgs) -> Result<(), Failure> {
    let mut report = Report::new("idle", &args.target, vec![("mechanics", json!(args.mechanics))]).await;
    let ours = service(&args).await?;
    let floor = echoes(&args).await?;
    let head = ["mechanics", "MiB", "kB each", "kB more", "echo MiB", "kB each", "kB more"];
    report.row("columns", head.map(|name| format!("{name:>12}")).concat(), json!(head));
    let mut before = (0, [0.0, 0.0]);
    for (count, grown) in args.mechanics.iter().zip(ours.into_iter().zip(floor)) {
        let (grown, (fewer, less)) = (<[f64; 2]>::from(grown), before);
        let kb = |mib: f64, mechanics: u32| mib * 1024.0 / f64::from(mechanics.max(1));
        let sides = [0, 1].map(|side| {
            let more = kb(grown[side] - less[side], count.saturating_sub(fewer));
            (grown[side], kb(grown[side], *count), more)
        });
        let columns = sides.map(|(mib, each, more)| format!("{mib:>12.1}{each:>12.1}{more:>12.1}"));
        report.row(&count.to_string(), format!("{count:>12}{}", columns.concat()), json!(sides));
        let what = format!("kB for each of {count} mechanics online; floor: a bare socket");
        report.compared(what, sides[0].1, sides[1].1, "9 at most");
        before = (*count, grown);
    }
    report.finish(args.target.output.json.as_deref())
}

/// Returns how much more memory the service has than before, in MiB, at each count.
async fn service(args: &IdleArgs) -> Result<Vec<f64>, Failure> {
    let (api, first) = (args.target.api()?, first_phone());
    let most = args.mechanics.iter().copied().max().unwrap_or_default() as usize;
    let mut mechanics = people::mechanics(&api, &args.target.admins(), first, most).await?;
    let customers = people::customers(&api, first + 50_000, 1).await?;
    // A new process is measured: memory that sign-up left in its heap would be used first, and not be seen.
    let pid = args.target.server_pid.ok_or("idle needs --server-pid")?;
    let listen = args.target.authority().parse()?;
    let (roadcall, data_dir, log) = (&args.roadcall, &args.data_dir, &args.server_log);
    server::kill_now(pid, listen).await?;
    let server = Program { roadcall, data_dir, log, listen }.start().await?;
    server::until_answering(listen).await?;
    let mut crowd = Demand::new(&api, args.target.town(), customers).await?;
    let (before, mut online, mut grown) = (settled_mib(server.pid).await?, 0, Vec::new());
    for count in &args.mechanics {
        let more = (*count as usize).saturating_sub(online);
        crowd.add(mechanics.drain(..more.min(mechanics.len())).collect()).await?;
        online += more;
        grown.push(settled_mib(server.pid).await? - before);
    }
    drop(crowd);
    server.stop().await?;
    Ok(grown)
}

/// Returns the same figures of an echo server.
async fn echoes(args: &IdleArgs) -> Result<Vec<f64>, Failure> {
    let server = echo::Process::start(args.echo)?;
    let pid = server.pid().ok_or("the echo server has ended")?;
    // The first socket shows that the server has started.
    drop(server.open().await?);
    let (before, mut resting, mut grown) = (settled_mib(pid).await?, Vec::new(), Vec::new());
    let mut online = 0;
    for count in args.mechanics.iter().map(|count| *count as usize) {
        let mut phones = Vec::new();
        for n in online..count {
            let connection = Connection::Socket(Box::new(server.open().await?));
            let walker = Walker::new(args.target.town(), n as u64);
            phones.push(Phone { connection, walker, seq: 0, shown: None });
        }
        resting.push(Resting::new(phones));
        online = online.max(count);
        grown.push(settled_mib(pid).await? - before);
    }
    Ok(grown)
}

async fn settled_mib(pid: u32) -> Result<f64, Failure> {
    sleep(SETTLE).await;
    Ok(rss_mib(pid).ok_or_else(|| format!("there is no process {pid}"))?)
}
