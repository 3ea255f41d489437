//! Load generator for roadcall. README.md explains how to run it and what each figure means.
//!
//! Most scenarios only use the public HTTP and WebSocket interface, from one process; `webhooks`, `lifecycle`, `offer`,
//! `history`, `search`, `recovery`, `backup`, `trail` and `partners` look at the database as well; `storm --kill`, `idle` and `recovery`
//! start the server again; `growth` calls the engine's own parts. Every run is bounded in people, rate and time.

mod api;
mod backup;
mod cluster;
mod copies;
mod demand;
mod echo;
mod faults;
mod fleet;
mod growth;
mod history;
mod idle;
mod lifecycle;
mod live;
mod offer;
mod overload;
mod pairs;
mod partners;
mod people;
mod pings;
mod plan;
mod recovery;
mod report;
mod resources;
mod samples;
mod search;
mod sender;
mod server;
mod storm;
mod table;
mod trail;
mod webhooks;

use std::{
    path::PathBuf,
    process::ExitCode,
    time::{Duration, SystemTime},
};

use clap::{Args, Parser, Subcommand};
use roadcall_client::Api;

/// How long the answer to a request may take.
const ANSWER_LIMIT: Duration = Duration::from_secs(15);

/// The reason why a run ended.
type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug, Parser)]
#[command(name = "roadcall-bench", version, about = "Load generator for roadcall")]
struct Cli {
    #[command(subcommand)]
    scenario: Scenario,
}

#[derive(Debug, Subcommand)]
enum Scenario {
    /// Mechanics on sockets, and customers whose jobs are accepted and then cancelled
    Live(live::LiveArgs),
    /// How many location updates a second one server takes
    Pings(pings::PingArgs),
    /// Very many sockets at the same moment
    Storm(storm::StormArgs),
    /// A burst of a gateway's webhooks, beside pgbench on the same cluster
    Webhooks(webhooks::WebhookArgs),
    /// Whole jobs, from their creation until they are paid, beside pgbench on the same cluster
    Lifecycle(lifecycle::LifecycleArgs),
    /// The time from a job's creation to its offer, beside the commits of pgbench on the same cluster
    Offer(offer::OfferArgs),
    /// Far more jobs and location updates than the server can serve
    Overload(overload::OverloadArgs),
    /// The requests of an app that only looks, beside a bare server that answers the same bytes
    Api(api::ApiArgs),
    /// Memory for each mechanic who is online
    Idle(idle::IdleArgs),
    /// The cost of location updates, questions and offers as the number of mechanics grows, in process
    Growth(growth::GrowthArgs),
    /// The cost of a transition as the number of jobs in the tables grows
    History(history::HistoryArgs),
    /// The cost of an admin's search of all jobs
    Search(search::SearchArgs),
    /// How long a killed server takes to be ready again
    Recovery(recovery::RecoveryArgs),
    /// A backup while jobs are done, and its restore beside
    Backup(backup::BackupArgs),
    /// The cost of storing the way of a mechanic on a job
    Trail(trail::TrailArgs),
    /// A partner's jobs beside customers' jobs, and webhooks beside pgbench on the same cluster
    Partners(partners::PartnerArgs),
    /// Faults of a cluster, one after the other, while people's jobs go on
    Faults(faults::FaultArgs),
    /// The results of several runs, from their files
    Table(table::TableArgs),
    /// A relay that listens for a server of `faults` where its clients are
    #[command(hide = true)]
    Relay(fleet::relay::RelayArgs),
    /// The floor of `api`: a bare server that gives prepared answers
    Answers(api::bare::BareArgs),
    /// The floor of `pings`: a bare WebSocket server that sends each frame back
    Echo(echo::EchoArgs),
}

/// The server's address and process, and the seed of the plan.
#[derive(Debug, Clone, Args)]
struct Target {
    /// The server's address; loopback only, since a run needs one-time passwords in answers
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    url: String,
    /// The server's process: its CPU and memory, and those of the Postgres it started, are reported
    #[arg(long)]
    server_pid: Option<u32>,
    /// Admins who verify the mechanics; their password is read from ROADCALL_BENCH_ADMIN_PASSWORD
    #[arg(long, value_delimiter = ',', required = true)]
    admins: Vec<String>,
    #[arg(long, env = "ROADCALL_BENCH_ADMIN_PASSWORD", hide = true)]
    admin_password: String,
    #[command(flatten)]
    output: Output,
    /// The same seed gives the same plan
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Half the side of the square town, in km
    #[arg(long, default_value_t = 6.0)]
    half_side_km: f64,
}

/// The file for the result, and its conditions.
#[derive(Debug, Clone, Args)]
struct Output {
    /// The file to which the result is written with its conditions as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// A condition to write down with the result, e.g. commit=abc123; repeatable
    #[arg(long = "condition", value_name = "NAME=VALUE")]
    conditions: Vec<String>,
}

impl Target {
    fn admins(&self) -> people::Admins {
        people::Admins { emails: self.admins.clone(), password: self.admin_password.clone() }
    }

    fn watched(&self) -> resources::Watched {
        resources::Watched { server: self.server_pid }
    }

    /// Returns host and port.
    fn authority(&self) -> &str {
        self.url.trim_start_matches("http://").trim_end_matches('/')
    }

    fn town(&self) -> plan::Town {
        plan::Town { middle: plan::MIDDLE, half_side_m: self.half_side_km * 1000.0 }
    }

    /// Returns a client of the server, which must be on this machine.
    fn api(&self) -> Result<Api, Failure> {
        let rest = self.url.strip_prefix("http://").unwrap_or_default();
        let host = rest.rsplit_once(':').map_or(rest, |(host, _)| host);
        if !matches!(host, "127.0.0.1" | "localhost" | "[::1]") {
            return Err("--url must be http:// and a loopback address".into());
        }
        Ok(Api::new(&self.url, ANSWER_LIMIT)?)
    }
}

/// Returns the first of ten-digit phone numbers that an earlier run on the same server is unlikely to have used, counted upwards.
/// Indian numbers that begin with 9 are all mobile, so all of them get codes.
fn first_phone() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    9_000_000_000 + since.as_secs() % 9_900 * 100_000
}

#[tokio::main]
async fn main() -> ExitCode {
    let done = match Cli::parse().scenario {
        Scenario::Live(args) => live::run(args).await,
        Scenario::Pings(args) => pings::run(args).await,
        Scenario::Storm(args) => storm::run(args).await,
        Scenario::Webhooks(args) => webhooks::run(args).await,
        Scenario::Lifecycle(args) => lifecycle::run(args).await,
        Scenario::Offer(args) => offer::run(args).await,
        Scenario::Overload(args) => overload::run(args).await,
        Scenario::Api(args) => api::run(args).await,
        Scenario::Idle(args) => idle::run(args).await,
        Scenario::Growth(args) => growth::run(args).await,
        Scenario::History(args) => history::run(args).await,
        Scenario::Search(args) => search::run(args).await,
        Scenario::Recovery(args) => recovery::run(args).await,
        Scenario::Backup(args) => backup::run(args).await,
        Scenario::Trail(args) => trail::run(args).await,
        Scenario::Partners(args) => partners::run(args).await,
        Scenario::Faults(args) => faults::run(args).await,
        Scenario::Relay(args) => fleet::relay::run(args).await,
        Scenario::Table(args) => table::run(args),
        Scenario::Answers(args) => api::bare::run(args),
        Scenario::Echo(args) => echo::run(args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("roadcall-bench: {error}");
            ExitCode::FAILURE
        }
    }
}
