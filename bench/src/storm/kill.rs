//! Lets everybody come back after the server was killed: measures how long that takes, its cost for other customers, and whether
//! the jobs under way are unchanged.

use std::{
    collections::BTreeMap,
    ops::Range,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use roadcall_client::{Api, Socket, kind_of};
use serde_json::{Value, json};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{sleep, timeout, timeout_at},
};

use super::{
    StormArgs,
    client::{Client, FIRST_PAUSE, Pace, Role, Seen, Server},
    failures,
    others::Others,
    times,
};
use crate::{
    Failure, first_phone,
    pairs::{Pair, pairs},
    people::{self, Mechanic},
    plan::{Place, Town, Walker, ping},
    report::Report,
    server::{self, Program},
};

/// The number of sockets that are opened at once before the server is killed.
const OPENING_AT_ONCE: usize = 32;
/// The number of customers who read their jobs all the time.
const OTHERS: usize = 8;
/// How long these customers are watched before the server is killed, and how long a position may take to be shown.
const BEFORE: Duration = Duration::from_secs(5);
const SHOWN_LIMIT: Duration = Duration::from_secs(10);
/// Half the side of the square in which a mechanic on a job moves: at the pickup.
const YARD_M: f64 = 50.0;

/// A job under way, as it was before the server was killed.
struct Job {
    id: String,
    status: Value,
    mechanic: Value,
    customer_token: String,
    /// The clients of its mechanic and its customer.
    mechanic_client: usize,
    customer_client: usize,
}

/// A client that came back: its observations meanwhile, and its socket.
type Back = (Client, Seen, Option<Socket>);

/// Everyone who is connected.
struct Crowd {
    server: Server,
    pace: Pace,
    /// Each waits for its socket's end and opens a new one.
    tasks: JoinSet<Back>,
    /// Turns true when the port answers again.
    answers: watch::Sender<bool>,
}

pub async fn run(
    args: &StormArgs,
    api: &Api,
    server: &Server,
    people: Vec<Mechanic>,
    report: &mut Report,
) -> Result<(), Failure> {
    let (Some(roadcall), Some(data_dir), Some(log)) = (&args.roadcall, &args.data_dir, &args.server_log)
    else {
        return Err("--kill needs --roadcall, --data-dir and --server-log".into());
    };
    let program = Program { roadcall, data_dir, log, listen: server.address };
    let others = people::customers(api, first_phone() + 80_000, OTHERS).await?;
    let mut pid = args.target.server_pid.ok_or("--kill needs --server-pid")?;
    let mut running = None;
    for (count, wave) in args.waves().iter().zip(0..) {
        let mechanics = people.iter().take(*count as usize).zip(0..);
        let clients = mechanics.map(|(one, n)| Client::mechanic(n, one.token.clone(), args.walker(n)));
        let mut crowd = Crowd::new(server.clone(), args.no_jitter);
        crowd.connect(api, clients.collect()).await?;
        // The pairs are elsewhere each time: those of the previous wave still have their jobs.
        let numbers = wave * args.jobs..(wave + 1) * args.jobs;
        let jobs = jobs_under_way(args, api, &mut crowd, numbers).await?;
        let others = Others::start(api, others.clone());
        let (started, outcome) = kill_and_return(args, &program, pid, crowd).await?;
        pid = started.pid;
        running = Some(started);
        outcome.tell(report, &others, *count);
        let unharmed = unharmed(api, jobs, outcome.back).await;
        let line = format!("{count}: jobs under way unharmed: {} of {}", unharmed, args.jobs);
        report.row(&format!("{count}: unharmed"), line, json!([unharmed, args.jobs]));
    }
    if let Some(running) = running {
        running.stop().await?;
    }
    Ok(())
}

impl Crowd {
    fn new(server: Server, no_jitter: bool) -> Self {
        let pace = if no_jitter { Pace::InStep } else { Pace::Jitter };
        Self { server, pace, tasks: JoinSet::new(), answers: watch::channel(false).0 }
    }

    /// Adds clients; mechanics are available, with a location.
    async fn connect(&mut self, api: &Api, clients: Vec<Client>) -> Result<(), Failure> {
        let server = self.server.clone();
        let opened = stream::iter(clients).map(|client| opened(api, &server, client));
        let mut opened = opened.buffer_unordered(OPENING_AT_ONCE);
        while let Some((client, socket)) = opened.try_next().await? {
            self.add(client, socket);
        }
        Ok(())
    }

    fn add(&mut self, client: Client, socket: Socket) {
        let (server, answered) = (self.server.clone(), self.answers.subscribe());
        self.tasks.spawn(come_back(client, socket, server, self.pace, answered));
    }
}

async fn opened(api: &Api, server: &Server, mut client: Client) -> Result<(Client, Socket), Failure> {
    if matches!(client.role, Role::Mechanic { .. }) {
        let body = json!({ "is_available": true });
        api.put("/mechanics/me/availability", &client.token, body).await?;
    }
    match client.connect(server, Pace::InStep).await {
        (Seen { settled: Some(_), .. }, Some(socket)) => Ok((client, socket)),
        (seen, _) => Err(format!("a client could not connect: {seen:?}").into()),
    }
}

/// Begins the jobs, every other one up to the work itself; their mechanics and customers are clients as well.
async fn jobs_under_way(
    args: &StormArgs,
    api: &Api,
    crowd: &mut Crowd,
    numbers: Range<u32>,
) -> Result<Vec<Job>, Failure> {
    let mut pairs = pairs(api, &args.target.admins(), first_phone() + 90_000, numbers).await?;
    let Some(first) = pairs.first() else { return Ok(Vec::new()) };
    let categories = people::categories(api, &first.mechanic.token).await?;
    let category = categories.first().ok_or("there is no category")?;
    let (mut jobs, connected) = (Vec::new(), crowd.tasks.len());
    for (pair, n) in pairs.iter_mut().zip(0..) {
        let id = pair.begin(api, category).await?.job;
        if n % 2 == 1 {
            pair.start_work(api, &id).await?;
        }
        let shown = api.get(&format!("/jobs/{id}"), &pair.customer.token).await?;
        jobs.push(Job {
            id,
            status: shown["status"].clone(),
            mechanic: shown["mechanic_profile_id"].clone(),
            customer_token: pair.customer.token.clone(),
            mechanic_client: connected + 2 * n,
            customer_client: connected + 2 * n + 1,
        });
    }
    for (pair, job) in pairs.into_iter().zip(&jobs) {
        let Pair { customer, mechanic, socket, at, seq } = pair;
        let walker = Box::new(Walker::new(Town { middle: at, half_side_m: YARD_M }, seq.unsigned_abs()));
        let role = Role::Mechanic { walker, seq };
        crowd.add(Client { number: job.mechanic_client, token: mechanic.token, role }, socket);
        let role = Role::Watcher { job: job.id.clone(), since_seq: 0 };
        let watcher = Client { number: job.customer_client, token: customer.token, role };
        crowd.connect(api, vec![watcher]).await?;
    }
    Ok(jobs)
}

/// The outcome from killing the server until everyone is back.
struct Outcome {
    quiet: Instant,
    killed: Instant,
    answering: Instant,
    over: Instant,
    back: Vec<Back>,
    expected: usize,
}

async fn kill_and_return(
    args: &StormArgs,
    program: &Program<'_>,
    pid: u32,
    mut crowd: Crowd,
) -> Result<(server::Server, Outcome), Failure> {
    let (expected, quiet) = (crowd.tasks.len(), Instant::now());
    sleep(BEFORE).await;
    let killed = Instant::now();
    server::kill_now(pid, program.listen).await?;
    let started = program.start().await?;
    let answering = server::until_answering(program.listen).await?;
    crowd.answers.send_replace(true);
    let mut back = Vec::new();
    let end = answering + Duration::from_secs(args.for_s);
    while let Ok(Some(done)) = timeout_at(end.into(), crowd.tasks.join_next()).await {
        back.push(done?);
    }
    let outcome = Outcome { quiet, killed, answering, over: Instant::now(), back, expected };
    Ok((started, outcome))
}

/// Waits for the socket's end, and opens a new one.
async fn come_back(
    mut client: Client,
    mut socket: Socket,
    server: Server,
    pace: Pace,
    mut answered: watch::Receiver<bool>,
) -> Back {
    while let Ok(text) = socket.next().await {
        client.role.read(&text);
    }
    drop(socket);
    match pace {
        Pace::InStep => drop(answered.wait_for(|is_answered| *is_answered).await),
        Pace::Jitter => sleep(pace.pause(FIRST_PAUSE, client.number, 0)).await,
    }
    let (seen, socket) = client.connect(&server, pace).await;
    (client, seen, socket)
}

impl Outcome {
    fn tell(&self, report: &mut Report, others: &Others, count: u32) {
        let seen = || self.back.iter().map(|(_, seen, _)| seen);
        let settled = seen().filter_map(|one| one.settled).map(|(at, _)| at);
        let (located, last) = (settled.clone().count(), settled.max());
        let seconds = |from: Instant, to: Instant| to.saturating_duration_since(from).as_secs_f64();
        let closed_s = seconds(self.killed, self.answering);
        let all_s = last.filter(|_| located == self.expected).map(|last| seconds(self.answering, last));
        let rows = [
            ("killed → the port answers", json!(closed_s), format!("{closed_s:.1} s")),
            (
                "the port answers → all back and located",
                json!(all_s),
                all_s.map_or_else(
                    || format!("NOT ALL IN {:.0} s", seconds(self.answering, self.over)),
                    |s| format!("{s:.1} s"),
                ),
            ),
            ("back and located", json!(located), format!("{located} of {}", self.expected)),
        ];
        for (name, value, text) in rows {
            let name = format!("{count}: {name}");
            report.row(&name, format!("{name:<54}{text:>12}"), value);
        }
        let [hello, first] = times(self.answering, seen());
        report.figure(&format!("{count}: the port answers → hello"), hello);
        report.figure(&format!("{count}: first frame → its answer"), first);
        let (before, _) = others.between(self.quiet, self.killed);
        let (during, refused) = others.between(self.answering, last.unwrap_or(self.over));
        report.figure(&format!("{count}: others' GET /jobs before"), before);
        report.figure(&format!("{count}: others' GET /jobs until all are back"), during);
        for (what, number) in counts(seen(), refused) {
            report.count(&format!("{count}: {what}"), number);
        }
        for failure in failures(seen()) {
            report.row(&failure.clone(), format!("    {failure}"), json!(failure));
        }
    }
}

/// Counts tries and their outcomes, and refusals of the clients and of the other customers by status.
fn counts<'a>(seen: impl Iterator<Item = &'a Seen>, others: BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    let mut add = |what: String, number: u64| *counts.entry(what).or_default() += number;
    for one in seen {
        let (closed, failed) = (u64::from(one.closed), u64::from(one.failed));
        let refused: u64 = one.refused.values().map(|(all, _)| u64::from(*all)).sum();
        add("tries while the port was closed".to_owned(), closed);
        add("tries that failed".to_owned(), failed);
        add("tries".to_owned(), refused + failed + u64::from(one.hello.is_some()));
        for (status, (all, untimed)) in &one.refused {
            add(format!("refused {status}"), u64::from(*all));
            add(format!("refused {status} without Retry-After"), u64::from(*untimed));
        }
    }
    for (answer, number) in others {
        add(format!("others' GET /jobs answered {answer}"), number);
    }
    counts
}

/// Counts the jobs that have the same status and mechanic, and show their customer where the mechanic is.
async fn unharmed(api: &Api, jobs: Vec<Job>, back: Vec<Back>) -> usize {
    let mut sockets: BTreeMap<usize, (Client, Socket)> = BTreeMap::new();
    for (client, _, socket) in back {
        if let Some(socket) = socket {
            sockets.insert(client.number, (client, socket));
        }
    }
    let mut unharmed = 0;
    for job in jobs {
        let shown = api.get(&format!("/jobs/{}", job.id), &job.customer_token).await.unwrap_or_default();
        let is_same = shown["status"] == job.status && shown["mechanic_profile_id"] == job.mechanic;
        let sides = sockets.remove(&job.mechanic_client).zip(sockets.remove(&job.customer_client));
        let Some((mechanic, (_, customer))) = sides.filter(|_| is_same) else { continue };
        unharmed += usize::from(timeout(SHOWN_LIMIT, is_shown(mechanic, customer)).await.unwrap_or(false));
    }
    unharmed
}

/// Returns whether the customer is shown where the mechanic is now.
async fn is_shown((client, mut mechanic): (Client, Socket), mut customer: Socket) -> bool {
    let Role::Mechanic { mut walker, seq } = client.role else { return false };
    let at = walker.drive(Duration::from_secs(1));
    if mechanic.send(ping(seq + 1, at)).await.is_err() {
        return false;
    }
    while let Ok(text) = customer.next().await {
        let frame: Value = serde_json::from_str(&text).unwrap_or_default();
        let degrees = |field: &str| frame["data"][field].as_f64().unwrap_or_default();
        let shown = Place { lat: degrees("lat"), lng: degrees("lng") };
        if kind_of(&text) == "location.updated" && shown.key() == at.key() {
            return true;
        }
    }
    false
}
