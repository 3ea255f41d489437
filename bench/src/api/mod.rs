//! Measures the requests of an app that only reads: how many a second, and the cost of each. A bare server answers the same bytes
//! to the same clients for comparison.

pub mod bare;

use std::{
    fs,
    net::SocketAddr,
    process::Stdio,
    time::{Duration, Instant},
};

use clap::Args;
use roadcall_client::Api;
use serde_json::{Value, json};
use tokio::{
    process::{Child, Command},
    task::JoinSet,
    time::sleep,
};

use self::bare::{Answers, Prepared};
use crate::{
    Failure, Target,
    demand::Demand,
    first_phone,
    people::{self, Customer},
    plan::MIDDLE,
    report::Report,
    resources::Watched,
    samples::{Samples, Summary},
    sender::{Answer, Sender, request},
};

/// The number of jobs in each customer's list.
const JOBS_EACH: usize = 10;
const WARM_UP: Duration = Duration::from_secs(1);

#[derive(Debug, Args)]
pub struct ApiArgs {
    #[command(flatten)]
    target: Target,
    /// Customers, each with one connection and one request in progress
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1000))]
    clients: u32,
    /// Mechanics who could come, online
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    mechanics: u32,
    /// How long each step lasts
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=300))]
    for_s: u64,
    /// The address on which the bare server listens
    #[arg(long)]
    bare: SocketAddr,
}

/// A request that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    List,
    One,
    Estimate,
    Refresh,
}

/// A customer, with the ids that their requests name.
#[derive(Debug, Clone)]
struct Client {
    customer: Customer,
    job: String,
    category: String,
}

/// The measurements of one route.
#[derive(Debug, Default)]
struct Seen {
    took: Samples,
    refused: u64,
}

impl Route {
    const ALL: [Self; 4] = [Self::List, Self::One, Self::Estimate, Self::Refresh];

    pub fn name(self) -> &'static str {
        match self {
            Route::List => "GET /jobs",
            Route::One => "GET /jobs/{id}",
            Route::Estimate => "POST /jobs/estimate",
            Route::Refresh => "POST /auth/refresh",
        }
    }

    fn request(self, authority: &str, client: &Client) -> Vec<u8> {
        let bearer = format!("Bearer {}", client.customer.token);
        let headers = [("authorization", &bearer[..])];
        match self {
            Route::List => request("GET", "/jobs", authority, &headers, ""),
            Route::One => request("GET", &format!("/jobs/{}", client.job), authority, &headers, ""),
            Route::Estimate => {
                let body = json!({
                    "vehicle_id": client.customer.vehicle_id, "service_category_id": client.category,
                    "pickup_lat": MIDDLE.lat, "pickup_lng": MIDDLE.lng,
                });
                request("POST", "/jobs/estimate", authority, &headers, &body.to_string())
            }
            Route::Refresh => {
                let body = json!({ "refreshToken": client.customer.refresh_token });
                request("POST", "/auth/refresh", authority, &[], &body.to_string())
            }
        }
    }
}

pub async fn run(args: ApiArgs) -> Result<(), Failure> {
    let api = args.target.api()?;
    let first = first_phone();
    let mechanics = people::mechanics(&api, &args.target.admins(), first, args.mechanics as usize).await?;
    let customers = people::customers(&api, first + 50_000, args.clients as usize).await?;
    let mut demand = Demand::new(&api, args.target.town(), customers.clone()).await?;
    demand.add(mechanics).await?;
    let mut clients = clients(&api, customers).await?;
    let settings = vec![
        ("clients", json!(args.clients)),
        ("mechanics", json!(args.mechanics)),
        ("jobs_each", json!(JOBS_EACH)),
        ("for_s", json!(args.for_s)),
    ];
    let mut report = Report::new("api", &args.target, settings).await;
    let answers = answers(args.target.authority(), &mut clients[0]).await?;
    let bare = start_bare(&args, &answers).await?;
    let head = ["server", "a second", "p50 ms", "p99 ms", "refused", "CPU us", "postgres us"];
    let head = format!("{:<22}{}", "", head.map(|name| format!("{name:>13}")).concat());
    report.row("columns", head, Value::Null);
    let authority = args.bare.to_string();
    for route in Route::ALL {
        let watched = Watched { server: bare.id() };
        let floor = step(&args, route, &authority, clients.clone(), watched, &mut report, "bare").await?;
        let watched = args.target.watched();
        let ours =
            step(&args, route, args.target.authority(), clients, watched, &mut report, "roadcall").await?;
        clients = ours.clients;
        let [rate, cpu] = [ours.per_s / floor.per_s, ours.each_us / floor.each_us];
        let line = format!("{:<22}{:>13}{rate:>13.2}{:>52.2}", "", "ratio", cpu);
        report.row(&format!("{}: ratio", route.name()), line, json!({ "per_s": rate, "cpu": cpu }));
        let what = format!("CPU us of {}; floor: a bare server", route.name());
        report.compared(what, ours.each_us, floor.each_us, "");
    }
    report.finish(args.target.output.json.as_deref())
}

/// Signs up the customers, each with jobs that they cancelled.
async fn clients(api: &Api, customers: Vec<Customer>) -> Result<Vec<Client>, Failure> {
    let category = people::categories(api, &customers[0].token).await?.into_iter().next();
    let category = category.ok_or("there is no category")?;
    let mut clients = Vec::new();
    for customer in customers {
        let mut job = String::new();
        for _ in 0..JOBS_EACH {
            let new = json!({
                "vehicle_id": customer.vehicle_id, "service_category_id": category,
                "pickup_address": "12 MG Road", "pickup_lat": MIDDLE.lat, "pickup_lng": MIDDLE.lng,
            });
            let made = api.post("/jobs", &customer.token, new).await?;
            job = made["id"].as_str().ok_or("a job without an id")?.to_owned();
            let reason = json!({ "reason_code": "changed_mind" });
            api.post(&format!("/jobs/{job}/cancel"), &customer.token, reason).await?;
        }
        clients.push(Client { customer, job, category: category.clone() });
    }
    Ok(clients)
}

/// Returns the service's answers to this client.
async fn answers(authority: &str, client: &mut Client) -> Result<Answers, Failure> {
    let (mut sender, mut answers) = (Sender::connect(authority).await?, Answers::new());
    for route in Route::ALL {
        let answer = sender.send(&route.request(authority, client)).await?;
        if answer.status != 200 {
            return Err(format!("{} was answered {}: {}", route.name(), answer.status, answer.body).into());
        }
        if let Some(token) = refreshed(&answer) {
            client.customer.refresh_token = token;
        }
        answers.insert(route.name().to_owned(), Prepared::from(answer));
    }
    Ok(answers)
}

/// Returns the next refresh token, where the answer has one.
fn refreshed(answer: &Answer) -> Option<String> {
    let (_, rest) = answer.body.split_once(r#""refreshToken":""#)?;
    Some(rest.split('"').next()?.to_owned())
}

/// Starts the bare server, as a process of its own that ends with the run.
async fn start_bare(args: &ApiArgs, answers: &Answers) -> Result<Child, Failure> {
    let file = std::env::temp_dir().join(format!("roadcall-bench-{}.json", std::process::id()));
    fs::write(&file, serde_json::to_string(answers)?)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["answers", "--listen", &args.bare.to_string(), "--file"]).arg(&file);
    let child = command.stdin(Stdio::null()).kill_on_drop(true).spawn()?;
    let mut tries = 0;
    while let Err(error) = Sender::connect(&args.bare.to_string()).await {
        tries += 1;
        if tries == 100 {
            return Err(error);
        }
        sleep(Duration::from_millis(50)).await;
    }
    // The server read the file before it listened.
    fs::remove_file(&file)?;
    Ok(child)
}

/// The result of one route over a while.
struct Measured {
    clients: Vec<Client>,
    per_s: f64,
    each_us: f64,
}

async fn step(
    args: &ApiArgs,
    route: Route,
    authority: &str,
    clients: Vec<Client>,
    watched: Watched,
    report: &mut Report,
    server: &str,
) -> Result<Measured, Failure> {
    let mut tasks = JoinSet::new();
    let (from, lasting) = (Instant::now() + WARM_UP, Duration::from_secs(args.for_s));
    for client in clients {
        tasks.spawn(ask(route, authority.to_owned(), client, from, from + lasting));
    }
    sleep(WARM_UP).await;
    let [(_, used), (_, postgres), _] = watched.over(lasting).await;
    let (mut clients, mut seen) = (Vec::new(), Seen::default());
    while let Some(done) = tasks.join_next().await {
        let (client, one) = done??;
        clients.push(client);
        seen.took.extend(one.took);
        seen.refused += one.refused;
    }
    let summary = seen.took.summary();
    let count = summary.map_or(0, |summary| summary.count) as f64;
    let (per_s, each_us) = (count / lasting.as_secs_f64(), used.cpu_s * 1e6 / count);
    let postgres_us = postgres.cpu_s * 1e6 / count;
    let ms = |of: fn(Summary) -> f64| summary.map_or(f64::NAN, of);
    let line = format!(
        "{:<22}{server:>13}{per_s:>13.0}{:>13.1}{:>13.1}{:>13}{each_us:>13.0}{postgres_us:>13.0}",
        route.name(),
        ms(|summary| summary.p50_ms),
        ms(|summary| summary.p99_ms),
        seen.refused,
    );
    let value = json!({
        "per_s": per_s, "took": summary, "refused": seen.refused, "cpu_us_each": each_us,
        "postgres_us_each": postgres_us,
    });
    report.row(&format!("{}: {server}", route.name()), line, value);
    Ok(Measured { clients, per_s, each_us })
}

/// Sends one request after the other; those that begin in this time count.
async fn ask(
    route: Route,
    authority: String,
    mut client: Client,
    from: Instant,
    until: Instant,
) -> Result<(Client, Seen), Failure> {
    let (mut sender, mut seen) = (Sender::connect(&authority).await?, Seen::default());
    loop {
        let asked = Instant::now();
        if asked >= until {
            return Ok((client, seen));
        }
        let answer = sender.send(&route.request(&authority, &client)).await?;
        let counts = asked >= from;
        if answer.status != 200 {
            seen.refused += u64::from(counts);
            continue;
        }
        if counts {
            seen.took.add(asked.elapsed());
        }
        if let Some(token) = refreshed(&answer) {
            client.customer.refresh_token = token;
        }
    }
}
