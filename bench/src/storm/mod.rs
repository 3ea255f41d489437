//! What happens when very many sockets come at the same moment, as after a network was away: mechanics connect all at once, and
//! come back when `Retry-After` says so.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;
use serde_json::json;
use tokio::{
    net::TcpSocket,
    sync::Barrier,
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_tungstenite::tungstenite::{Error, http::header::RETRY_AFTER};

use crate::{
    Failure, Target, first_phone, people,
    plan::Walker,
    report::Report,
    samples::Samples,
    socket::{Socket, ping},
};

/// Addresses of loopback from which the sockets come, so that no address runs out of ports.
const SOURCES: usize = 16;
/// Tries of one socket; who was refused more often is given up.
const TRIES: u32 = 30;
/// How long one try may take until hello.
const TRY_LIMIT: Duration = Duration::from_secs(30);

#[derive(Debug, Args)]
pub struct StormArgs {
    #[command(flatten)]
    target: Target,
    /// Sockets that come at once, one wave each; every socket belongs to a different mechanic
    #[arg(long, value_delimiter = ',', default_value = "1000,3000,5000", value_parser = clap::value_parser!(u32).range(1..=8000))]
    sockets: Vec<u32>,
    /// Between two waves: longer than the server remembers who its callers are (auth.principal_cache_s)
    #[arg(long, default_value_t = 35, value_parser = clap::value_parser!(u64).range(0..=300))]
    pause_s: u64,
    /// How long a wave may take altogether
    #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(u64).range(1..=600))]
    for_s: u64,
}

/// What one client saw of one wave.
#[derive(Debug, Default)]
struct Seen {
    /// From the wave's beginning until hello was read, waits as told included.
    hello: Option<Duration>,
    /// From writing the first location until its receipt was read.
    located: Option<Duration>,
    refused: u32,
    refused_without_time: u32,
    failed: u32,
    failure: Option<String>,
}

enum Tried {
    Open(Box<Socket>),
    /// 503 or 429, with what `Retry-After` says.
    Refused(Option<Duration>),
    Failed(String),
}

pub async fn run(args: StormArgs) -> Result<(), Failure> {
    let api = args.target.api()?;
    let most = args.sockets.iter().copied().max().unwrap_or_default() as usize;
    let people = people::mechanics(&api, &args.target.admins(), first_phone(), most).await?;
    let server = address(&api.socket_url())?;
    let mut report = Report::new(
        "storm",
        &args.target,
        vec![("sockets", json!(args.sockets)), ("for_s", json!(args.for_s))],
    )
    .await;
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
    for count in &args.sockets {
        sleep(Duration::from_secs(args.pause_s)).await;
        let tokens = people.iter().take(*count as usize).map(|person| person.token.clone());
        let seen = wave(&args, &api.socket_url(), server, tokens).await;
        let (line, value, failures) = told(*count, &seen);
        report.row(&format!("{count} at once"), line, value);
        for failure in failures {
            report.row(&failure.clone(), format!("    {failure}"), json!(failure));
        }
    }
    report.finish(args.target.output.json.as_deref())
}

/// All at once; the sockets that opened stay open until the last one is.
async fn wave(
    args: &StormArgs,
    url: &str,
    server: SocketAddr,
    tokens: impl ExactSizeIterator<Item = String>,
) -> Vec<Seen> {
    let count = tokens.len();
    let (together, mut tasks) = (Arc::new(Barrier::new(count)), JoinSet::new());
    for (token, n) in tokens.zip(0usize..) {
        let (together, url) = (together.clone(), url.to_owned());
        let walker = Walker::new(args.target.town(), args.target.seed.wrapping_mul(1_000_003) + n as u64);
        let source = IpAddr::from([127, 0, 0, 2 + (n % SOURCES) as u8]);
        tasks.spawn(async move {
            together.wait().await;
            client(&url, server, source, &token, walker).await
        });
    }
    let (mut seen, mut open) = (Vec::new(), Vec::new());
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
    seen
}

async fn client(
    url: &str,
    server: SocketAddr,
    source: IpAddr,
    token: &str,
    mut walker: Walker,
) -> (Seen, Option<Socket>) {
    let (began, mut seen) = (Instant::now(), Seen::default());
    for _ in 0..TRIES {
        let tried = timeout(TRY_LIMIT, open(url, server, source, token)).await;
        match tried.unwrap_or_else(|_| Tried::Failed("no hello in time".to_owned())) {
            Tried::Open(mut socket) => {
                seen.hello = Some(began.elapsed());
                let asked = Instant::now();
                let at = walker.drive(Duration::from_secs(2));
                if timeout(TRY_LIMIT, located(&mut socket, ping(1, at))).await.is_ok_and(|stored| stored) {
                    seen.located = Some(asked.elapsed());
                }
                return (seen, Some(*socket));
            }
            Tried::Refused(after) => {
                seen.refused += 1;
                seen.refused_without_time += u32::from(after.is_none());
                sleep(after.unwrap_or(Duration::from_secs(1))).await;
            }
            Tried::Failed(why) => {
                seen.failed += 1;
                seen.failure = Some(why);
                sleep(Duration::from_secs(1)).await;
            }
        }
    }
    (seen, None)
}

async fn open(url: &str, server: SocketAddr, source: IpAddr, token: &str) -> Tried {
    let stream = async {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(source, 0))?;
        let stream = socket.connect(server).await?;
        stream.set_nodelay(true)?;
        std::io::Result::Ok(stream)
    };
    let stream = match stream.await {
        Ok(stream) => stream,
        Err(error) => return Tried::Failed(error.to_string()),
    };
    let mut socket = match Socket::over(stream, url, token).await {
        Ok(socket) => socket,
        Err(Error::Http(answer)) if matches!(answer.status().as_u16(), 429 | 503) => {
            let after = answer.headers().get(RETRY_AFTER).and_then(|after| after.to_str().ok()?.parse().ok());
            return Tried::Refused(after.map(Duration::from_secs));
        }
        Err(error) => return Tried::Failed(error.to_string()),
    };
    match socket.next().await {
        Ok(_hello) => Tried::Open(Box::new(socket)),
        Err(why) => Tried::Failed(why),
    }
}

/// Whether the first location was taken.
async fn located(socket: &mut Socket, frame: String) -> bool {
    if socket.send(frame).await.is_err() {
        return false;
    }
    while let Ok(text) = socket.next().await {
        if text.contains(r#""ref":"p1""#) {
            return text.contains(r#""accepted":1"#);
        }
    }
    false
}

fn told(count: u32, seen: &[Seen]) -> (String, serde_json::Value, Vec<String>) {
    let (mut hello, mut located) = (Samples::default(), Samples::default());
    seen.iter().filter_map(|one| one.hello).for_each(|took| hello.add(took));
    seen.iter().filter_map(|one| one.located).for_each(|took| located.add(took));
    let (hello, located) = (hello.summary(), located.summary());
    let opened = hello.as_ref().map_or(0, |summary| summary.count);
    let sum = |of: fn(&Seen) -> u32| seen.iter().map(of).sum::<u32>();
    let (refused, untimed) = (sum(|one| one.refused), sum(|one| one.refused_without_time));
    let failed = sum(|one| one.failed);
    let ms = |summary: &Option<crate::samples::Summary>, of: fn(&crate::samples::Summary) -> f64| {
        summary.as_ref().map_or(f64::NAN, of)
    };
    let line = format!(
        "{count:>11}{opened:>11}{refused:>11}{untimed:>11}{failed:>11}{:>11.1}{:>11.0}{:>11.0}{:>11.0}{:>11.0}",
        ms(&hello, |summary| summary.max_ms) / 1000.0,
        ms(&hello, |summary| summary.p50_ms),
        ms(&hello, |summary| summary.p99_ms),
        ms(&located, |summary| summary.p50_ms),
        ms(&located, |summary| summary.p99_ms),
    );
    let value = json!({
        "sockets": count, "opened": opened, "refused": refused, "refused_without_retry_after": untimed,
        "failed": failed, "hello": hello, "first_location": located,
    });
    let mut failures: Vec<String> = seen.iter().filter_map(|one| one.failure.clone()).collect();
    failures.sort_unstable();
    failures.dedup();
    failures.truncate(5);
    (line, value, failures)
}

fn address(url: &str) -> Result<SocketAddr, Failure> {
    let host = url.trim_start_matches("ws://").trim_end_matches("/ws").replace("localhost", "127.0.0.1");
    let address: SocketAddr = host.parse()?;
    if !address.is_ipv4() {
        return Err("a storm comes from 127.0.0.x: --url must have an address of IPv4".into());
    }
    Ok(address)
}
