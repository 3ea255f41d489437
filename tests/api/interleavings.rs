//! Accept against decline, release, cancellation, expiry, lost commits and kill -9, on Postgres: the same idea as
//! `actors/tests/interleavings`, through HTTP and sockets.
//!
//! One interleaving is a customer's job, offered to three mechanics at once, and the actions that these four then take at
//! the same time, each after a delay of some milliseconds, or all around the end of the offers: accept over HTTP, over the
//! socket or over both, decline, give back the job just accepted, cancel. In every fourth one, a commit or the response to
//! one is lost on the wire to Postgres. One in ten instead loses the process, by kill -9, while they all send requests. At
//! the end the test checks its invariants in Postgres, and compares everybody's answers with it.
//!
//! `ROADCALL_INTERLEAVINGS=10000 cargo test --release --test api interleavings -- --nocapture` plays that many.

use std::{
    collections::BTreeMap,
    env,
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use futures_util::future::{join, join_all};
use roadcall::platform::db::Db;
use roadcall_actors::random::Random;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    restart::Server,
    support::{
        Answer, Client, OnRoad, Socket, Stranded, TestApp, bodies::id_of, spawn_app, spawn_app_behind,
        wire::Wire,
    },
};

const MECHANICS: usize = 3;
/// The number of interleavings that are played by default.
const SHORT: u64 = 40;
/// Longer than a long run takes.
const TOKEN_TTL_S: i64 = 86_400;
const OFFER_TTL_S: i64 = 2;
const GRACE_MS: i64 = 100;
/// Positions are sent again well before they are stale.
const PING_EVERY: Duration = Duration::from_secs(20);
/// How often one request is repeated while commits are lost.
const TRIES: u32 = 50;

/// Somebody's request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Accept,
    Decline,
    Release,
    Cancel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Became {
    Done,
    Refused,
    Unknown,
}

/// A request, its subject (the offer, or the job if there is no offer), and the outcome.
type Told = (What, Uuid, Became);

/// Three mechanics and a customer, out of everybody else's reach.
struct Ward {
    stranded: Stranded,
    mechanics: Vec<OnRoad>,
    place: (f64, f64),
    dice: Random,
    pinged: Instant,
    told: Vec<Told>,
}

#[actix_web::test]
async fn postgres_has_one_winner_and_every_answer_is_true_in_any_order() {
    let count = count() - count() / 10;
    let (app, wire) = spawn_app_behind(|settings| {
        settings.database.acquire_timeout_ms = 20_000;
        settings.dispatch.round_widths = vec![MECHANICS as u32];
        settings.dispatch.offer_ttl_s = OFFER_TTL_S;
        settings.dispatch.offer_grace_ms = GRACE_MS;
        settings.auth.access_token_ttl_s = TOKEN_TTL_S;
        settings.fees.free_cancellations = 1_000_000;
        settings.limits.per_user_per_minute = 1_000_000;
        settings.limits.create_job_per_minute = 1_000_000;
        settings.limits.admin_login_per_minute = 1_000_000;
    })
    .await;
    let mut wards = wards(&app, count).await;
    let (each, started) = (count.div_ceil(wards.len() as u64), Instant::now());
    let told = join_all(wards.iter_mut().map(|ward| ward.play(each, &wire))).await.concat();
    judge(&app.database.db, &told).await;
    tell("over HTTP and sockets", each * wards.len() as u64, started, &told);
}

#[actix_web::test]
async fn kill_9_during_everybodys_requests_leaves_one_winner() {
    let count = (count() / 10).max(1);
    let mut app = spawn_app().await;
    let settings = [
        ("ROADCALL__DISPATCH__ROUND_WIDTHS", "3"),
        ("ROADCALL__DISPATCH__OFFER_TTL_S", "10"),
        ("ROADCALL__FEES__FREE_CANCELLATIONS", "1000000"),
        ("ROADCALL__JOBS__MAX_WITHDRAWN_OFFERS", "1000000"),
        ("ROADCALL__AUTH__ACCESS_TOKEN_TTL_S", "86400"),
        ("ROADCALL__LIMITS__PER_USER_PER_MINUTE", "1000000"),
        ("ROADCALL__LIMITS__CREATE_JOB_PER_MINUTE", "1000000"),
    ];
    app.stop().await;
    let mut server = Server::start_with(&app, &settings);
    app.address = ([127, 0, 0, 1], server.port).into();
    server.until_ready().await;
    let mut wards = wards(&app, count).await;
    let (rounds, started) = (count.div_ceil(wards.len() as u64), Instant::now());
    let dice = Random::seeded(9);
    for round in 0..rounds {
        join_all(wards.iter_mut().map(|ward| ward.greet(&app, round > 0))).await;
        let jobs = join_all(wards.iter_mut().map(Ward::call)).await;
        let offers = join_all(wards.iter_mut().zip(&jobs).map(|(ward, job)| ward.offers(job))).await;
        let after = Duration::from_millis(u64::from(dice.below(60)));
        let asked = wards.iter_mut().zip(jobs.iter().zip(&offers));
        let asked = asked.map(|(ward, (job, offers))| ward.let_loose(job, offers, false));
        let killed = async {
            tokio::time::sleep(after).await;
            server.kill();
        };
        join(join_all(asked), killed).await;
        server.run_again(&app, &settings);
        server.until_ready().await;
        join_all(wards.iter_mut().zip(&jobs).map(|(ward, job)| ward.end(job))).await;
    }
    let told: Vec<Told> = wards.iter_mut().flat_map(|ward| std::mem::take(&mut ward.told)).collect();
    judge(&app.database.db, &told).await;
    tell("through kill -9", rounds * wards.len() as u64, started, &told);
}

fn count() -> u64 {
    env::var("ROADCALL_INTERLEAVINGS").ok().and_then(|text| text.parse().ok()).unwrap_or(SHORT)
}

fn tell(how: &str, count: u64, started: Instant, told: &[Told]) {
    let mut counts: BTreeMap<(What, Became), u32> = BTreeMap::new();
    told.iter().for_each(|(what, _, became)| *counts.entry((*what, *became)).or_default() += 1);
    println!("{count} interleavings {how} in {} s: {counts:?}", started.elapsed().as_secs());
}

/// Makes a useful number of wards, which play at the same time.
async fn wards(app: &TestApp, interleavings: u64) -> Vec<Ward> {
    let admin = app.admin().await;
    join_all((0..(interleavings / 50).clamp(4, 24)).map(|number| Ward::new(app, &admin, number))).await
}

impl Ward {
    async fn new(app: &TestApp, admin: &Client, number: u64) -> Self {
        let place = (10.0, 2.0 * number as f64);
        let stranded = app.breakdown_at(place).await;
        let on_road =
            (0..MECHANICS).map(|step| app.on_road_at(admin, (place.0, place.1 + 0.001 * step as f64)));
        let mechanics = join_all(on_road).await;
        let (dice, pinged) = (Random::seeded(number), Instant::now());
        Self { stranded, mechanics, place, dice, pinged, told: Vec::new() }
    }

    async fn play(&mut self, count: u64, wire: &Wire) -> Vec<Told> {
        for _ in 0..count {
            self.ping().await;
            let job = self.call().await;
            match self.dice.below(8) {
                0 => wire.lose_next_commit(""),
                1 => wire.lose_next_answer(""),
                _ => {}
            }
            let offers = self.offers(&job).await;
            self.let_loose(&job, &offers, true).await;
            self.end(&job).await;
        }
        std::mem::take(&mut self.told)
    }

    /// Connects everybody and sends their positions again after a restart.
    async fn greet(&mut self, app: &TestApp, is_new: bool) {
        for mechanic in &mut self.mechanics {
            if is_new {
                mechanic.socket = app.socket(&mechanic.client).await;
            }
            mechanic.ping(self.place).await;
        }
    }

    async fn ping(&mut self) {
        if self.pinged.elapsed() >= PING_EVERY {
            self.pinged = Instant::now();
            for mechanic in &mut self.mechanics {
                mechanic.ping(self.place).await;
            }
        }
    }

    /// Creates a job, once the previous one is over for the vehicle.
    async fn call(&mut self) -> String {
        for _ in 0..TRIES {
            let answer = self.stranded.client.post("/jobs", self.stranded.call_body()).await;
            match answer.status {
                201 => return id_of(&answer.body),
                503 => {}
                _ => panic!("{}", answer.text),
            }
            // The outcome was unknown: the job may exist.
            let jobs = self.stranded.client.get("/jobs?limit=1").await.expect(200);
            let last = &jobs["data"][0];
            if ["pending", "dispatching"].contains(&last["status"].as_str().unwrap_or_default()) {
                return id_of(last);
            }
        }
        panic!("no job could be made")
    }

    /// Returns each mechanic's offer of the job, once all have one.
    async fn offers(&mut self, job: &str) -> Vec<Value> {
        join_all(self.mechanics.iter_mut().map(|mechanic| offer_of(mechanic, job))).await
    }

    /// Makes everybody act at once as the dice say. Without sockets nobody waits for the end of the offers either, since
    /// the process won't live that long.
    async fn let_loose(&mut self, job: &str, offers: &[Value], is_over_sockets: bool) {
        let (dice, customer) = (&self.dice, &self.stranded.client);
        let begin = match dice.below(8) {
            0 if is_over_sockets => {
                expiry(&offers[0]) + chrono::TimeDelta::milliseconds(GRACE_MS * i64::from(dice.below(2)) - 5)
            }
            _ => DateTime::UNIX_EPOCH,
        };
        let lanes = self.mechanics.iter_mut().zip(offers).map(|(mechanic, offer)| {
            let http = Steps::of_mechanic(dice, job, offer);
            let by_socket = (is_over_sockets && dice.below(3) == 0).then(|| delay(dice));
            let (client, socket) = (&mechanic.client, &mut mechanic.socket);
            async move {
                until(begin).await;
                let (mut told, by_socket) = join(http.walk(client), accept(socket, offer, by_socket)).await;
                told.extend(by_socket);
                told
            }
        });
        let lanes: Vec<_> = lanes.collect();
        let customers = Steps::of_customer(dice, job);
        let cancelled = async {
            until(begin).await;
            customers.walk(customer).await
        };
        let (told, cancelled) = join(join_all(lanes), cancelled).await;
        self.told.extend(told.into_iter().flatten().chain(cancelled));
    }

    /// Ends the job, whatever its state, so that the next one can be created.
    async fn end(&mut self, job: &str) {
        let subject = uuid(job);
        for _ in 0..TRIES {
            let shown = self.stranded.client.get(&format!("/jobs/{job}")).await;
            if shown.status == 200 && shown.body["status"] == "cancelled" {
                return;
            }
            let path = format!("/jobs/{job}/cancel");
            let answer = self.stranded.client.post(&path, json!({"reason_code": "changed_mind"})).await;
            self.told.push((What::Cancel, subject, became(Some(&answer))));
        }
        panic!("job {job} does not end")
    }
}

/// One person's requests, one after the other.
struct Steps(Vec<(u64, What, String, Value, Uuid)>);

impl Steps {
    fn of_mechanic(dice: &Random, job: &str, offer: &Value) -> Self {
        let (id, subject) = (id_of(offer), uuid(&id_of(offer)));
        let accept = || (delay(dice), What::Accept, format!("/offers/{id}/accept"), json!({}), subject);
        let decline = || (delay(dice), What::Decline, format!("/offers/{id}/decline"), json!({}), subject);
        let give_back = json!({"reason_code": "personal"});
        let release = (delay(dice), What::Release, format!("/jobs/{job}/release"), give_back, uuid(job));
        Self(match dice.below(10) {
            0..=4 => vec![accept()],
            5 => vec![accept(), accept()],
            6 => vec![accept(), release],
            7 => vec![decline()],
            8 => vec![decline(), accept()],
            _ => Vec::new(),
        })
    }

    fn of_customer(dice: &Random, job: &str) -> Self {
        let why = json!({"reason_code": "changed_mind"});
        let cancel = (delay(dice), What::Cancel, format!("/jobs/{job}/cancel"), why, uuid(job));
        Self(if dice.below(3) == 0 { vec![cancel] } else { Vec::new() })
    }

    async fn walk(self, client: &Client) -> Vec<Told> {
        let mut told = Vec::new();
        for (wait_ms, what, path, body, subject) in self.0 {
            tokio::time::sleep(Duration::from_millis(wait_ms)).await;
            told.push((what, subject, became(client.try_post(&path, body).await.as_ref())));
        }
        told
    }
}

async fn accept(socket: &mut Socket, offer: &Value, wait_ms: Option<u64>) -> Option<Told> {
    tokio::time::sleep(Duration::from_millis(wait_ms?)).await;
    let became = match socket.ask("offer.accept", json!({"offer_id": offer["id"]})).await {
        Ok(_) => Became::Done,
        Err(error) if error["code"] == "OUTCOME_UNKNOWN" => Became::Unknown,
        Err(_) => Became::Refused,
    };
    Some((What::Accept, uuid(&id_of(offer)), became))
}

async fn offer_of(mechanic: &mut OnRoad, job: &str) -> Value {
    let is_its = |frame: &Value| frame["type"] == "offer.created" && frame["data"]["job_id"] == job;
    let mut frame = mechanic.socket.find("an offer of the job", is_its).await;
    frame["data"].take()
}

fn delay(dice: &Random) -> u64 {
    u64::from(dice.below(10))
}

fn expiry(offer: &Value) -> DateTime<Utc> {
    offer["expires_at"].as_str().expect("a time").parse().expect("a time")
}

async fn until(due: DateTime<Utc>) {
    let wait = due - roadcall_actors::clock::Clock::system().now();
    tokio::time::sleep(wait.to_std().unwrap_or_default()).await;
}

fn uuid(id: &str) -> Uuid {
    id.parse().expect("a UUID")
}

/// Returns the outcome of an answer; it is unknown if the connection ended.
fn became(answer: Option<&Answer>) -> Became {
    match answer {
        Some(answer) if answer.status < 300 => Became::Done,
        Some(answer) if answer.body["error"]["code"] != "OUTCOME_UNKNOWN" => Became::Refused,
        _ => Became::Unknown,
    }
}

/// The invariants of the rows, each with a query for the rows that break it.
const RULES: &[(&str, &str)] = &[
    (
        "a mechanic has at most one active job",
        "select mechanic_profile_id::text from jobs where status in ('accepted', 'en_route', 'arrived', 'in_progress')
        group by mechanic_profile_id having count(*) > 1",
    ),
    (
        "a mechanic has at most one pending offer",
        "select mechanic_profile_id::text from offers where status = 'pending'
        group by mechanic_profile_id having count(*) > 1",
    ),
    (
        "the log is dense, and the row counts as it does",
        "select j.id::text from job_states j join job_events e on e.job_id = j.id group by j.id
        having min(e.version) <> 1 or max(e.version) <> count(*) or j.version <> count(*)
            or min(e.seq) <> 1 or max(e.seq) <> count(e.seq) or j.seq <> count(e.seq)",
    ),
    (
        "a job is won once, unless it was given back",
        "select job_id::text from job_events group by job_id
        having count(*) filter (where kind = 'accepted') > 1 + count(*) filter (where kind = 'released')",
    ),
    (
        "who accepted has the job, or the log shows the release",
        "select o.id::text from offers o join jobs j on j.id = o.job_id
        where o.status = 'accepted' and j.accepted_offer_id is distinct from o.id and not exists (
            select from job_events e where e.job_id = o.job_id and e.kind = 'released'
                and e.data ->> 'mechanic_profile_id' = o.mechanic_profile_id::text)",
    ),
    (
        "an offer is accepted in time",
        "select id::text from offers where status = 'accepted' and settled_at > expires_at + interval '10 s'",
    ),
    (
        "of a job that ended, or has its mechanic, no offer is open",
        "select o.id::text from offers o join jobs j on j.id = o.job_id
        where o.status = 'pending' and j.status <> 'dispatching'",
    ),
    ("every job ended", "select id::text from jobs where status <> 'cancelled'"),
];

/// Queries for how often an action was committed, by offer or job.
const TRACES: &[(What, &str)] = &[
    (What::Accept, "select id, count(*) from offers where status = 'accepted' group by id"),
    (What::Decline, "select id, count(*) from offers where status = 'declined' group by id"),
    (What::Release, "select job_id, count(*) from job_events where kind = 'released' group by job_id"),
    (What::Cancel, "select job_id, count(*) from job_events where kind = 'cancelled' group by job_id"),
];

async fn judge(db: &Db, told: &[Told]) {
    for (rule, query) in RULES {
        let broken: Vec<String> = sqlx::query_scalar(*query).fetch_all(db).await.expect("an answer");
        assert!(broken.is_empty(), "{rule}, but not: {broken:?}");
    }
    for (what, query) in TRACES {
        let found: Vec<(Uuid, i64)> = sqlx::query_as(*query).fetch_all(db).await.expect("an answer");
        let found: BTreeMap<Uuid, i64> = found.into_iter().collect();
        let mut asked: BTreeMap<Uuid, (i64, i64)> = BTreeMap::new();
        for (_, subject, became) in told.iter().filter(|(asked, _, _)| asked == what) {
            let (done, unknown) = asked.entry(*subject).or_default();
            *done += i64::from(*became == Became::Done);
            *unknown += i64::from(*became == Became::Unknown);
        }
        for (subject, count) in &found {
            let (done, unknown) = asked.get(subject).copied().unwrap_or_default();
            assert!(
                *count <= done + unknown,
                "{what:?} of {subject} happened, and everybody was told otherwise"
            );
        }
        for (subject, (done, _)) in asked.iter().filter(|(_, (done, _))| *done > 0) {
            let count = found.get(subject).copied().unwrap_or_default();
            assert!(count > 0, "{what:?} of {subject} was told as done {done} times, and did not happen");
        }
    }
}
