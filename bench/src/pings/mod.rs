//! Measures how many location updates a second one server takes: rising rates, each for a while, over sockets or HTTP. The cost
//! of the frameworks alone is measured for comparison.

pub mod phone;
mod watchers;

use std::{net::SocketAddr, time::Duration};

use clap::{Args, ValueEnum};
use roadcall_client::Api;
use serde_json::{Value, json};
use tokio::time::sleep_until;

use self::{
    phone::{Connection, Phone, Resting, Step},
    watchers::Watchers,
};
use crate::{
    Failure, Target, echo, first_phone,
    fleet::{Fleet, FleetArgs, Links},
    people,
    plan::Walker,
    report::Report,
    resources::Watched,
    samples::{Samples, Summary},
};

/// A rate is sustained if all updates are answered and their p99 is at most this.
const SUSTAINED_P99_MS: f64 = 50.0;

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
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=4900))]
    mechanics: u32,
    /// Location updates a second over all mechanics, one step each
    #[arg(long, value_delimiter = ',', default_value = "500,1000,2000,5000,10000,15000,20000,30000,40000")]
    rates: Vec<u32>,
    /// How long each step lasts
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=300))]
    for_s: u64,
    /// The address of an echo server, on which each rate is tried first
    #[arg(long)]
    echo: Option<SocketAddr>,
    /// Try each rate with as many mechanics at work as well, each watched by their customer
    #[arg(long)]
    watchers: bool,
    /// Try each rate on a cluster of so many servers as well, over one that does not lead
    #[arg(long, requires = "fleet_dir", value_parser = clap::value_parser!(u8).range(2..=9))]
    fleet: Option<u8>,
    #[command(flatten)]
    cluster: Option<FleetArgs>,
}

/// A server, and the phones that send to it.
struct Side {
    name: &'static str,
    /// The phones; `None` while they send.
    phones: Option<Resting>,
    server: Option<u32>,
    /// The server that leads, where that is another one.
    leader: Option<u32>,
    watchers: Option<Watchers>,
    /// The echo server, which ends with the run.
    _process: Option<echo::Process>,
    cluster: Option<Fleet>,
    /// The highest rate that it sustained.
    sustained: Option<f64>,
}

pub async fn run(args: PingArgs) -> Result<(), Failure> {
    let api = args.target.api()?;
    let settings = vec![
        ("over", json!(format!("{:?}", args.over).to_lowercase())),
        ("mechanics", json!(args.mechanics)),
        ("for_s", json!(args.for_s)),
    ];
    let mut report = Report::new("pings", &args.target, settings).await;
    let mut sides = sides(&args, &api).await?;
    let head = [
        "server",
        "asked/s",
        "sent/s",
        "stored/s",
        "p50 ms",
        "p99 ms",
        "p99.9 ms",
        "max ms",
        "refused",
        "unanswered",
        "server %",
        "generator %",
        "CPU us each",
        "leader's us",
    ];
    report.row("columns", head.map(|name| format!("{name:>12}")).concat(), json!(head));
    for rate in &args.rates {
        let (mut echo_us, mut ours_us, mut cluster_us) = (None, None, None);
        for side in &mut sides {
            let value = side.step(&mut report, *rate, Duration::from_secs(args.for_s)).await;
            match side.name {
                "echo" => echo_us = value["cpu_us_each"].as_f64(),
                "roadcall" => ours_us = value["cpu_us_each"].as_f64(),
                "gateway" => {
                    cluster_us = value["cpu_us_each"].as_f64().zip(value["leader_us_each"].as_f64());
                }
                _ => {}
            }
        }
        if let (Some(echo), Some(ours)) = (echo_us, ours_us) {
            let ratio = ours / echo;
            report.row(&format!("ratio {rate}/s"), format!("{:>12}{ratio:>12.2}", "CPU ratio"), json!(ratio));
            let what = format!("CPU us of a ping, {rate} a second; floor: an echo");
            report.compared(what, ours, echo, "ratio 1.5 at most");
        }
        if let (Some(ours), Some((gateway_us, leader_us))) = (ours_us, cluster_us) {
            let (gateway, leader) = (gateway_us / ours, ours / leader_us);
            let line = format!("{:>12}{gateway:>12.2}{:>24}{leader:>12.2}", "gateway ÷", "roadcall ÷ leader");
            report.row(&format!("cluster {rate}/s"), line, json!([gateway, leader]));
            let what = format!("CPU us of a ping at a gateway, {rate} a second; floor: a server alone");
            report.compared(what, gateway_us, ours, "ratio 1.3 at most");
            let what = format!("CPU us of a ping at a server alone, {rate} a second; floor: at a leader");
            report.compared(what, ours, leader_us, "ratio 4 or more");
        }
    }
    sustained(&mut report, &sides);
    for side in sides {
        if let Some(cluster) = side.cluster {
            cluster.stop().await?;
        }
    }
    report.finish(args.target.output.json.as_deref())
}

async fn sides(args: &PingArgs, api: &Api) -> Result<Vec<Side>, Failure> {
    let (count, town) = (args.mechanics as usize, args.target.town());
    let over_sockets = args.over == Over::Socket;
    let mut sides = Vec::new();
    if let Some(listen) = args.echo.filter(|_| over_sockets) {
        sides.push(echo(args, listen).await?);
    }
    let people = people::mechanics(api, &args.target.admins(), first_phone(), count).await?;
    let phones = phone::connect(api, people, over_sockets, town, args.target.seed).await?;
    sides.push(Side::new("roadcall", args.target.server_pid, phones));
    if let (Some(count), Some(cluster)) = (args.fleet, &args.cluster) {
        sides.push(gateway(args, cluster, count).await?);
    }
    if args.watchers {
        let (phones, watchers) = watchers::watched(&args.target, api, args.mechanics).await?;
        let side = Side::new("watched", args.target.server_pid, phones);
        sides.push(Side { watchers: Some(watchers), ..side });
    }
    Ok(sides)
}

/// Connects as many phones to a server of a cluster that does not lead.
async fn gateway(args: &PingArgs, cluster: &FleetArgs, count: u8) -> Result<Side, Failure> {
    let fleet = Fleet::start(cluster, count, Links::Loopback, false).await?;
    let first = &fleet.nodes[0].api;
    let admin = people::admin(first, &fleet.admins.emails[0], &fleet.admins.password).await?;
    let leader = fleet.leader(&admin).await.ok_or("no server of the cluster leads")?;
    let gateway = &fleet.nodes[(leader + 1) % fleet.nodes.len()];
    let people =
        people::mechanics(&gateway.api, &fleet.admins, first_phone(), args.mechanics as usize).await?;
    let phones = phone::connect(&gateway.api, people, true, args.target.town(), args.target.seed).await?;
    let side = Side::new("gateway", gateway.pid(), phones);
    let leader = fleet.nodes[leader].pid();
    Ok(Side { leader, cluster: Some(fleet), ..side })
}

/// Connects as many phones as the service has to an echo server.
async fn echo(args: &PingArgs, listen: SocketAddr) -> Result<Side, Failure> {
    let server = echo::Process::start(listen)?;
    let mut phones = Vec::new();
    for n in 0..u64::from(args.mechanics) {
        let connection = Connection::Socket(Box::new(server.open().await?));
        let walker = Walker::new(args.target.town(), n);
        phones.push(Phone { connection, walker, seq: 0, shown: None });
    }
    let side = Side::new("echo", server.pid(), phones);
    Ok(Side { _process: Some(server), ..side })
}

impl Side {
    fn new(name: &'static str, server: Option<u32>, phones: Vec<Phone>) -> Self {
        Self {
            name,
            phones: Some(Resting::new(phones)),
            server,
            leader: None,
            watchers: None,
            _process: None,
            cluster: None,
            sustained: None,
        }
    }

    /// Runs everyone at one rate, and returns the step's JSON; adds a line to the table.
    async fn step(&mut self, report: &mut Report, rate: u32, lasting: Duration) -> Value {
        let Some(phones) = self.phones.take() else { return Value::Null };
        if let Some(watchers) = &self.watchers {
            watchers.times.take();
        }
        let (step, watched) = (Step::new(rate, lasting, phones.len()), Watched { server: self.server });
        let leads = Watched { server: self.leader };
        let before = (watched.cpu(), leads.cpu());
        let used = async {
            sleep_until(step.until.into()).await;
            let wall_s = lasting.as_secs_f64();
            (watched.cpu().since(before.0, wall_s), leads.cpu().since(before.1, wall_s))
        };
        let ((phones, seen), used) = tokio::join!(phones.step(step), used);
        let ([(_, server), _, (_, generator)], [(_, leader), ..]) = used;
        self.phones = Some(phones);
        let summary = Samples::of(&seen.took).summary();
        let per_s = |count: u64| count as f64 / lasting.as_secs_f64();
        let unanswered = seen.sent.saturating_sub(seen.accepted + seen.refused);
        let each_us = server.cpu_s * 1e6 / seen.sent.max(1) as f64;
        let leader_us = self.leader.map(|_| leader.cpu_s * 1e6 / seen.sent.max(1) as f64);
        let is_prompt = summary.is_some_and(|summary| summary.p99_ms <= SUSTAINED_P99_MS);
        if is_prompt && unanswered + seen.refused == 0 {
            self.sustained = Some(self.sustained.unwrap_or_default().max(per_s(seen.sent)));
        }
        let value = json!({
            "sent_per_s": per_s(seen.sent), "stored_per_s": per_s(seen.accepted), "ack": summary,
            "refused": seen.refused, "unanswered": unanswered, "server": server, "generator": generator,
            "cpu_us_each": each_us, "leader_us_each": leader_us,
        });
        let line = format!(
            "{:>12}{rate:>12}{:>12.0}{:>12.0}{}{:>12}{unanswered:>12}{:>12.0}{:>12.0}{each_us:>12.1}{:>12}",
            self.name,
            per_s(seen.sent),
            per_s(seen.accepted),
            columns(summary),
            seen.refused,
            server.cpu_percent,
            generator.cpu_percent,
            leader_us.map(|us| format!("{us:.1}")).unwrap_or_default(),
        );
        report.row(&format!("{} {rate}/s", self.name), line, value.clone());
        if let Some(watchers) = &self.watchers {
            let summary = Samples::of(&watchers.times.take()).summary();
            let count = summary.map_or(0, |summary| summary.count);
            let shown = format!(
                "{:>12}{:>12}{:>12}{:>12.0}{}",
                "→ customer",
                "",
                "",
                per_s(count as u64),
                columns(summary)
            );
            report.row(&format!("location.updated {rate}/s"), shown, json!(summary));
        }
        value
    }
}

fn columns(summary: Option<Summary>) -> String {
    let ms = |of: fn(Summary) -> f64| format!("{:>12.1}", summary.map_or(f64::NAN, of));
    [ms(|s| s.p50_ms), ms(|s| s.p99_ms), ms(|s| s.p999_ms), ms(|s| s.max_ms)].concat()
}

/// Reports the highest rates at which nothing was lost or late, and ours divided by each.
fn sustained(report: &mut Report, sides: &[Side]) {
    let ours = sides.iter().find(|side| side.name == "roadcall").and_then(|side| side.sustained);
    let title = format!("\nhighest rate with p99 ≤ {SUSTAINED_P99_MS} ms, none refused or unanswered");
    report.row("sustained", title, json!(SUSTAINED_P99_MS));
    // A mechanic at work waits for the trail, so the limit for others does not apply.
    for side in sides.iter().filter(|side| side.watchers.is_none()) {
        let others = side.sustained.filter(|_| side.name != "roadcall");
        let ratio = ours.zip(others).map(|(ours, theirs)| ours / theirs);
        let rate = side.sustained.map_or("none".to_owned(), |rate| format!("{rate:.0}/s"));
        let beside =
            ratio.map(|ratio| format!("   roadcall ÷ {}: {ratio:.2}", side.name)).unwrap_or_default();
        let line = format!("{:>12}{rate:>12}{beside}", side.name);
        report.row(&format!("sustained {}", side.name), line, json!([side.sustained, ratio]));
    }
}
