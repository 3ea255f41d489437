//! Measures very many sockets that come at the same moment, as after a network outage: mechanics connect all at once, and come
//! back when `Retry-After` says so. With `--kill`, they come back after the server was killed and started again.

mod client;
mod kill;
mod others;

use std::{
    net::SocketAddr,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;
use serde_json::{Value, json};
use tokio::{
    sync::Barrier,
    task::JoinSet,
    time::{sleep, timeout},
};

use self::client::{Client, Pace, Seen, Server};
use crate::{
    Failure, Target, first_phone, people,
    plan::Walker,
    report::Report,
    samples::{Samples, Summary},
};

#[derive(Debug, Args)]
pub struct StormArgs {
    #[command(flatten)]
    target: Target,
    /// Sockets that come at once, one wave each; every socket belongs to a different mechanic [default: 1000,3000,5000, or
    /// 5000,10000 with --kill]
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=19_000))]
    sockets: Vec<u32>,
    /// The pause between two waves: longer than the server remembers who its callers are (auth.principal_cache_s)
    #[arg(long, default_value_t = 35, value_parser = clap::value_parser!(u64).range(0..=300))]
    pause_s: u64,
    /// How long a wave may take altogether
    #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(u64).range(1..=600))]
    for_s: u64,
    /// Connect everybody, kill the server and start it again: they come back with jitter, as the document asks of clients
    #[arg(long, requires = "roadcall", requires = "data_dir", requires = "server_log")]
    kill: bool,
    /// With --kill: all come back at the very moment when the port answers
    #[arg(long, requires = "kill")]
    no_jitter: bool,
    /// With --kill: jobs under way, each watched by their customer
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=400))]
    jobs: u32,
    /// The server's program, to start it again
    #[arg(long)]
    roadcall: Option<PathBuf>,
    /// The server's data folder
    #[arg(long)]
    data_dir: Option<PathBuf>,
    /// The file for the server's output
    #[arg(long)]
    server_log: Option<PathBuf>,
}

impl StormArgs {
    fn waves(&self) -> &[u32] {
        match (&self.sockets[..], self.kill) {
            ([], false) => &[1_000, 3_000, 5_000],
            ([], true) => &[5_000, 10_000],
            (given, _) => given,
        }
    }

    fn walker(&self, number: usize) -> Walker {
        Walker::new(self.target.town(), self.target.seed.wrapping_mul(1_000_003) + number as u64)
    }
}

pub async fn run(args: StormArgs) -> Result<(), Failure> {
    let api = args.target.api()?;
    let url = api.socket_url();
    let server = Server { address: address(&url)?, url };
    let most = args.waves().iter().copied().max().unwrap_or_default() as usize;
    let people = people::mechanics(&api, &args.target.admins(), first_phone(), most).await?;
    let settings = vec![
        ("sockets", json!(args.waves())),
        ("for_s", json!(args.for_s)),
        ("kill", json!(args.kill)),
        ("jitter", json!(args.kill && !args.no_jitter)),
    ];
    let mut report = Report::new("storm", &args.target, settings).await;
    if args.kill {
        kill::run(&args, &api, &server, people, &mut report).await?;
    } else {
        waves(&args, &server, &people, &mut report).await;
    }
    report.finish(args.target.output.json.as_deref())
}

async fn waves(args: &StormArgs, server: &Server, people: &[people::Mechanic], report: &mut Report) {
    let head = [
        "sockets",
        "opened",
        "refused",
        "untimed",
        "failed",
        "all open s",
        "p50 ms",
        "p99 ms",
        "ping p50",
        "ping p99",
    ];
    report.row("columns", head.map(|name| format!("{name:>11}")).concat(), json!(head));
    for count in args.waves() {
        sleep(Duration::from_secs(args.pause_s)).await;
        let tokens = people.iter().take(*count as usize).map(|person| person.token.clone());
        let (began, seen) = wave(args, server, tokens).await;
        let (line, value) = line(*count, began, &seen);
        report.row(&format!("{count} at once"), line, value);
        for failure in failures(seen.iter()) {
            report.row(&failure.clone(), format!("    {failure}"), json!(failure));
        }
    }
}

/// Opens all sockets at once; they stay open until the last one is. Also returns when it began.
async fn wave(
    args: &StormArgs,
    server: &Server,
    tokens: impl ExactSizeIterator<Item = String>,
) -> (Instant, Vec<Seen>) {
    let (together, mut tasks) = (Arc::new(Barrier::new(tokens.len() + 1)), JoinSet::new());
    for (token, number) in tokens.zip(0usize..) {
        let (together, server) = (together.clone(), server.clone());
        let mut client = Client::mechanic(number, token, args.walker(number));
        tasks.spawn(async move {
            together.wait().await;
            client.connect(&server, Pace::InStep).await
        });
    }
    together.wait().await;
    let (began, mut seen, mut open) = (Instant::now(), Vec::new(), Vec::new());
    let gather = async {
        while let Some(done) = tasks.join_next().await {
            let Ok((one, socket)) = done else { continue };
            seen.push(one);
            open.extend(socket);
        }
    };
    timeout(Duration::from_secs(args.for_s), gather).await.ok();
    for socket in open {
        socket.close().await;
    }
    (began, seen)
}

/// Summarises the times from `began` until each hello, and from each first frame to its answer.
fn times<'a>(began: Instant, seen: impl Iterator<Item = &'a Seen>) -> [Option<Summary>; 2] {
    let (mut hello, mut settled) = (Samples::default(), Samples::default());
    for one in seen {
        one.hello.into_iter().for_each(|at| hello.add(at.saturating_duration_since(began)));
        one.settled.into_iter().for_each(|(_, took)| settled.add(took));
    }
    [hello.summary(), settled.summary()]
}

fn line(count: u32, began: Instant, seen: &[Seen]) -> (String, Value) {
    let [hello, settled] = times(began, seen.iter());
    let opened = hello.as_ref().map_or(0, |summary| summary.count);
    let refusals = || seen.iter().flat_map(|one| one.refused.values());
    let refused: u32 = refusals().map(|(all, _)| all).sum();
    let untimed: u32 = refusals().map(|(_, untimed)| untimed).sum();
    let failed: u32 = seen.iter().map(|one| one.failed + one.closed).sum();
    let ms = |summary: Option<Summary>, of: fn(Summary) -> f64| summary.map_or(f64::NAN, of);
    let line = format!(
        "{count:>11}{opened:>11}{refused:>11}{untimed:>11}{failed:>11}{:>11.1}{:>11.0}{:>11.0}{:>11.0}{:>11.0}",
        ms(hello, |summary| summary.max_ms) / 1000.0,
        ms(hello, |summary| summary.p50_ms),
        ms(hello, |summary| summary.p99_ms),
        ms(settled, |summary| summary.p50_ms),
        ms(settled, |summary| summary.p99_ms),
    );
    let value = json!({
        "sockets": count, "opened": opened, "refused": refused, "refused_without_retry_after": untimed,
        "failed": failed, "hello": hello, "first_location": settled,
    });
    (line, value)
}

/// Returns why tries failed, for a few of them.
fn failures<'a>(seen: impl Iterator<Item = &'a Seen>) -> Vec<String> {
    let mut failures: Vec<String> = seen.filter_map(|one| one.failure.clone()).collect();
    failures.sort_unstable();
    failures.dedup();
    failures.truncate(5);
    failures
}

fn address(url: &str) -> Result<SocketAddr, Failure> {
    let host = url.trim_start_matches("ws://").trim_end_matches("/ws").replace("localhost", "127.0.0.1");
    let address: SocketAddr = host.parse()?;
    if !address.is_ipv4() {
        return Err("a storm comes from 127.0.0.x: --url must have an address of IPv4".into());
    }
    Ok(address)
}
