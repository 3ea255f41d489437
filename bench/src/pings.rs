//! How many location updates a second one server takes: rising rates, each for a while, over sockets or HTTP.

use std::{
    collections::HashMap,
    net::SocketAddr,
    process::Stdio,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::{Args, ValueEnum};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::json;
use tokio::{
    process::{Child, Command},
    task::JoinSet,
    time::{MissedTickBehavior, interval_at, sleep_until},
};

use crate::{
    Failure, Target, first_phone,
    http::Api,
    people,
    plan::Walker,
    report::Report,
    resources::Watched,
    samples::Samples,
    socket::{Socket, frame, ping, point},
};

/// How long acks may come after the last ping of a step.
const GRACE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Over {
    Socket,
    Http,
}

#[derive(Debug, Args)]
pub struct PingArgs {
    #[command(flatten)]
    target: Target,
    #[arg(long, value_enum, default_value = "socket")]
    over: Over,
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=5000))]
    mechanics: u32,
    /// Location updates a second over all mechanics, one step each
    #[arg(long, value_delimiter = ',', default_value = "500,1000,2000,5000,10000,20000")]
    rates: Vec<u32>,
    /// How long each step lasts
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=300))]
    for_s: u64,
    /// Where the echo server listens, which each rate is tried on first; without it there is none
    #[arg(long)]
    echo: Option<SocketAddr>,
}

/// The echo server, and phones that are connected to it.
struct Floor {
    server: Child,
    phones: Vec<Phone>,
}

/// One mechanic's phone between steps.
#[derive(Debug)]
struct Phone {
    /// `None` over HTTP, and once it ended.
    socket: Option<Socket>,
    token: String,
    walker: Walker,
    seq: i64,
}

/// What one phone saw of one step.
#[derive(Debug, Default)]
struct Seen {
    sent: u64,
    accepted: u64,
    /// Refused, superseded or an error.
    refused: u64,
    took: Vec<Duration>,
}

pub async fn run(args: PingArgs) -> Result<(), Failure> {
    let api = Arc::new(args.target.api()?);
    let mut phones = phones(&args, &api).await?;
    let mut floor = match args.echo.filter(|_| args.over == Over::Socket) {
        Some(listen) => Some(floor(&args, listen).await?),
        None => None,
    };
    let settings = vec![
        ("over", json!(format!("{:?}", args.over).to_lowercase())),
        ("mechanics", json!(args.mechanics)),
        ("for_s", json!(args.for_s)),
    ];
    let mut report = Report::new("pings", &args.target, settings).await;
    let head = [
        "server",
        "asked/s",
        "sent/s",
        "stored/s",
        "p50 ms",
        "p99 ms",
        "max ms",
        "refused",
        "unanswered",
        "server %",
        "generator %",
        "CPU us each",
    ];
    report.row("columns", head.map(|name| format!("{name:>12}")).concat(), json!(head));
    for rate in &args.rates {
        let mut each_us = Vec::new();
        if let Some(floor) = &mut floor {
            let watched = Watched { server: floor.server.id() };
            let (given, line, value) =
                step(&args, &api, std::mem::take(&mut floor.phones), *rate, "echo", watched).await;
            floor.phones = given;
            each_us.extend(value["cpu_us_each"].as_f64());
            report.row(&format!("echo {rate}/s"), line, value);
        }
        let (given, line, value) = step(&args, &api, phones, *rate, "roadcall", args.target.watched()).await;
        phones = given;
        each_us.extend(value["cpu_us_each"].as_f64());
        report.row(&format!("{rate}/s"), line, value);
        if let [echo, ours] = each_us[..] {
            let ratio = ours / echo;
            report.row(&format!("ratio {rate}/s"), format!("{:>12}{ratio:>12.2}", "CPU ratio"), json!(ratio));
        }
    }
    report.finish(args.target.output.json.as_deref())
}

async fn phones(args: &PingArgs, api: &Api) -> Result<Vec<Phone>, Failure> {
    let people =
        people::mechanics(api, &args.target.admins(), first_phone(), args.mechanics as usize).await?;
    let opened = stream::iter(people.into_iter().zip(0u64..)).map(|(person, n)| async move {
        let is_available = json!({ "is_available": true });
        api.call(reqwest::Method::PUT, "/mechanics/me/availability", &person.token, Some(is_available))
            .await?;
        let mut socket = None;
        if args.over == Over::Socket {
            let mut open = Socket::open(api, &person.token).await?;
            // The first answer is out of the way before the first ping is measured.
            open.send(frame("availability.set", "on", json!({ "is_available": true }))).await?;
            while !open.next().await?.contains(r#""ref":"on""#) {}
            socket = Some(open);
        }
        let walker = Walker::new(args.target.town(), args.target.seed.wrapping_mul(1_000_003) + n);
        Ok::<_, Failure>(Phone { socket, token: person.token, walker, seq: 0 })
    });
    opened.buffer_unordered(32).try_collect().await
}

/// Starts the echo server, as a process of its own, and connects as many phones as the service has.
async fn floor(args: &PingArgs, listen: SocketAddr) -> Result<Floor, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["echo", "--listen", &listen.to_string()]).stdin(Stdio::null()).kill_on_drop(true);
    let server = command.spawn()?;
    let api = Api::new(&format!("http://{listen}"))?;
    let mut phones = Vec::new();
    for n in 0..u64::from(args.mechanics) {
        let socket = open_patiently(&api).await?;
        let walker = Walker::new(args.target.town(), n);
        phones.push(Phone { socket: Some(socket), token: String::new(), walker, seq: 0 });
    }
    Ok(Floor { server, phones })
}

/// The server may still be starting.
async fn open_patiently(api: &Api) -> Result<Socket, Failure> {
    for _ in 0..100 {
        if let Ok(socket) = Socket::open(api, "echo").await {
            return Ok(socket);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Socket::open(api, "echo").await
}

/// All phones at one rate. Gives them back, with a line of the table and its JSON.
async fn step(
    args: &PingArgs,
    api: &Arc<Api>,
    phones: Vec<Phone>,
    rate: u32,
    name: &str,
    watched: Watched,
) -> (Vec<Phone>, String, serde_json::Value) {
    let count = phones.len() as u32;
    let every = Duration::from_secs_f64(f64::from(count) / f64::from(rate.max(1)));
    let start = Instant::now() + Duration::from_millis(100);
    let until = start + Duration::from_secs(args.for_s);
    let cpu = watched.cpu();
    let mut tasks = JoinSet::new();
    for (phone, n) in phones.into_iter().zip(0u32..) {
        let (api, first) = (api.clone(), start + every * n / count);
        tasks.spawn(async move {
            match args_over(&phone) {
                Over::Socket => over_socket(phone, first, every, until).await,
                Over::Http => over_http(phone, &api, first, every, until).await,
            }
        });
    }
    sleep_until(until.into()).await;
    let wall_s = (until - start).as_secs_f64();
    let [(_, server), _, (_, generator)] = watched.cpu().since(cpu, wall_s);
    let (mut phones, mut seen, mut samples) = (Vec::new(), Seen::default(), Samples::default());
    while let Some(done) = tasks.join_next().await {
        let Ok((phone, one)) = done else { continue };
        phones.push(phone);
        seen.sent += one.sent;
        seen.accepted += one.accepted;
        seen.refused += one.refused;
        one.took.into_iter().for_each(|took| samples.add(took));
    }
    let summary = samples.summary();
    let ms = |of: fn(&crate::samples::Summary) -> f64| summary.as_ref().map_or(f64::NAN, of);
    let unanswered = seen.sent.saturating_sub(seen.accepted + seen.refused);
    let (sent_s, stored_s) = (seen.sent as f64 / wall_s, seen.accepted as f64 / wall_s);
    let cpu_us_each = server.cpu_s * 1e6 / seen.sent.max(1) as f64;
    let line = format!(
        "{name:>12}{rate:>12}{sent_s:>12.0}{stored_s:>12.0}{:>12.1}{:>12.1}{:>12.1}{:>12}{unanswered:>12}{:>12.0}{:>12.0}{cpu_us_each:>12.1}",
        ms(|s| s.p50_ms),
        ms(|s| s.p99_ms),
        ms(|s| s.max_ms),
        seen.refused,
        server.cpu_percent,
        generator.cpu_percent,
    );
    let value = json!({
        "sent_per_s": sent_s, "stored_per_s": stored_s, "ack": summary, "refused": seen.refused,
        "unanswered": unanswered, "server": server, "generator": generator, "cpu_us_each": cpu_us_each,
    });
    (phones, line, value)
}

fn args_over(phone: &Phone) -> Over {
    if phone.socket.is_some() { Over::Socket } else { Over::Http }
}

/// Open loop: a ping is sent when it is due, whether or not the one before was answered.
async fn over_socket(mut phone: Phone, first: Instant, every: Duration, until: Instant) -> (Phone, Seen) {
    let (mut seen, mut waiting) = (Seen::default(), HashMap::new());
    let Some(mut socket) = phone.socket.take() else { return (phone, seen) };
    let mut tick = interval_at(first.into(), every);
    tick.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let end = sleep_until((until + GRACE).into());
    tokio::pin!(end);
    loop {
        let is_sending = Instant::now() < until;
        if !is_sending && waiting.is_empty() {
            break;
        }
        let done = tokio::select! {
            () = &mut end => break,
            // One that is due after the end is left, and so is the time until it.
            due = tick.tick(), if is_sending => {
                if due.into_std() >= until {
                    continue;
                }
                phone.seq += 1;
                seen.sent += 1;
                let text = ping(phone.seq, phone.walker.drive(every));
                waiting.insert(phone.seq, Instant::now());
                socket.send(text).await
            }
            text = socket.next() => text.map(|text| seen.hear(&text, &mut waiting)),
        };
        if done.is_err() {
            return (phone, seen);
        }
    }
    phone.socket = Some(socket);
    (phone, seen)
}

/// One request under way per phone: a phone that is late sends less.
async fn over_http(
    mut phone: Phone,
    api: &Api,
    first: Instant,
    every: Duration,
    until: Instant,
) -> (Phone, Seen) {
    let mut seen = Seen::default();
    let mut tick = interval_at(first.into(), every);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while tick.tick().await.into_std() < until {
        phone.seq += 1;
        seen.sent += 1;
        let body = json!({ "points": [point(phone.seq, phone.walker.drive(every))] });
        let asked = Instant::now();
        match api.post("/mechanics/me/location", &phone.token, body).await {
            Ok(receipt) if receipt["accepted"] == 1 => {
                seen.accepted += 1;
                seen.took.push(asked.elapsed());
            }
            _ => seen.refused += 1,
        }
    }
    (phone, seen)
}

impl Seen {
    fn hear(&mut self, text: &str, waiting: &mut HashMap<i64, Instant>) {
        let reference =
            text.split(r#""ref":"p"#).nth(1).and_then(|rest| rest.split('"').next()?.parse().ok());
        let Some(sent) = reference.and_then(|seq: i64| waiting.remove(&seq)) else { return };
        // The echo server sends back what it got.
        if text.contains(r#""accepted":1,"#) || text.contains("recorded_at") {
            self.accepted += 1;
            self.took.push(sent.elapsed());
        } else {
            self.refused += 1;
        }
    }
}
