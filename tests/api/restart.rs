//! kill -9 of the server with jobs in every status, and the state after the restart.
//!
//! `ROADCALL_RESTART_JOBS=200 cargo test --test api restart -- --nocapture` prints the time it takes.

use std::{
    collections::BTreeMap,
    env,
    process::{Child, Command, Stdio},
    time::Instant,
};

use nix::{sys::signal::Signal, unistd::Pid};
use serde_json::{Value, json};

use crate::support::{
    Client, OnRoad, Stranded, TestApp, bodies::id_of, free_ports, plain_http, rows::until_blocked, spawn_app,
    spawn_app_with, until_so,
};

/// The state of a job before the kill.
const STATUSES: [&str; 8] =
    ["pending", "dispatching", "offered", "accepted", "en_route", "arrived", "in_progress", "completed"];

/// The service in its own process, on a test's database.
pub struct Server {
    child: Child,
    pub port: u16,
}

/// Settings under which offers survive the kill, and the limits do not count the test's set-up.
pub const SETTINGS: &[(&str, &str)] = &[
    ("ROADCALL__DISPATCH__OFFER_TTL_S", "600"),
    ("ROADCALL__DISPATCH__ATTEMPT_TTL_S", "900"),
    ("ROADCALL__LIMITS__PER_USER_PER_MINUTE", "100000"),
];

impl Server {
    pub fn start_with(app: &TestApp, settings: &[(&str, &str)]) -> Self {
        let [port] = free_ports();
        Self { child: Self::run(app, port, settings), port }
    }

    pub async fn get(&self, path: &str) -> reqwest::Result<reqwest::Response> {
        reqwest::get(format!("http://127.0.0.1:{}{path}", self.port)).await
    }

    pub async fn head(&self, path: &str) -> reqwest::Result<reqwest::Response> {
        reqwest::Client::new().head(format!("http://127.0.0.1:{}{path}", self.port)).send().await
    }

    /// Waits until `/health/ready` has this status.
    pub async fn until(&self, status: &str) {
        until_so(status, async || {
            let Ok(answer) = self.get("/health/ready").await else { return false };
            answer.json::<Value>().await.is_ok_and(|body| body["status"] == status)
        })
        .await;
    }

    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.child.id().try_into().expect("a process id"));
        nix::sys::signal::kill(pid, signal).expect("a running process");
    }

    /// Starts it on the same port after a kill.
    pub fn run_again(&mut self, app: &TestApp, settings: &[(&str, &str)]) {
        self.child = Self::run(app, self.port, settings);
    }

    fn run(app: &TestApp, port: u16, settings: &[(&str, &str)]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_roadcall"))
            .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data-dir"])
            .arg(app.data_dir.join(format!("process-{port}")))
            .env("DATABASE_URL", app.database.url())
            .envs(settings.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary")
    }

    pub async fn until_ready(&self) {
        let url = format!("http://127.0.0.1:{}/health/ready", self.port);
        let http = plain_http().build().expect("an HTTP client");
        until_so("the server is ready", async || {
            http.get(&url).send().await.is_ok_and(|answer| answer.status().is_success())
        })
        .await;
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("a running process");
        self.child.wait().expect("a dead process");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Starts a process on a database with admins; returns it with the app that all requests to it go through.
async fn spawn_process() -> (TestApp, Server) {
    let mut app = spawn_app().await;
    app.stop().await;
    let server = Server::start_with(&app, SETTINGS);
    app.address = ([127, 0, 0, 1], server.port).into();
    server.until_ready().await;
    (app, server)
}

/// Makes a customer and a mechanic far from all others, with a job in `status`.
async fn bring(
    app: &TestApp,
    admin: &Client,
    number: usize,
    status: &str,
) -> (Stranded, Option<OnRoad>, String) {
    let place = (-60.0 + (number / 100) as f64, -170.0 + 2.0 * (number % 100) as f64);
    let stranded = app.breakdown_at(place).await;
    if status == "pending" {
        let at = app.service.clock.now() + chrono::TimeDelta::hours(20);
        let mut call = stranded.call_body();
        call["scheduled_for"] = json!(at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true));
        let job = id_of(&stranded.client.post("/jobs", call).await.expect(201));
        return (stranded, None, job);
    }
    if status == "dispatching" {
        let job = id_of(&stranded.call().await);
        return (stranded, None, job);
    }
    let mut mechanic = app.on_road_at(admin, (place.0 + 0.001, place.1)).await;
    let job = id_of(&stranded.call().await);
    if status == "offered" {
        mechanic.offer().await;
        return (stranded, Some(mechanic), job);
    }
    mechanic.accept().await;
    if status != "accepted" {
        mechanic.tell(&job, "en-route", json!({})).await;
    }
    if !["accepted", "en_route"].contains(&status) {
        mechanic.tell(&job, "arrive", json!({"override_reason": "here"})).await;
    }
    if ["in_progress", "completed"].contains(&status) {
        let code = stranded.job(&job).await["start_code"].clone();
        mechanic.tell(&job, "start", json!({"start_code": code})).await;
    }
    if status == "completed" {
        mechanic.tell(&job, "complete", json!({"outcome": "fixed"})).await;
    }
    (stranded, Some(mechanic), job)
}

#[actix_web::test]
async fn after_kill_9_every_job_is_unchanged_and_goes_on() {
    let count: usize = env::var("ROADCALL_RESTART_JOBS").ok().and_then(|n| n.parse().ok()).unwrap_or(16);
    let (app, mut server) = spawn_process().await;
    let admin = app.admin().await;
    let mut jobs = Vec::new();
    for number in 0..count {
        jobs.push(bring(&app, &admin, number, STATUSES[number % STATUSES.len()]).await);
    }
    let before = shown(&jobs).await;

    server.kill();
    let started = Instant::now();
    server.run_again(&app, SETTINGS);
    server.until_ready().await;
    let ready_after = started.elapsed();

    assert_eq!(shown(&jobs).await, before, "every job is as it was");
    let mut by_status: BTreeMap<String, usize> = BTreeMap::new();
    for job in &before {
        *by_status.entry(job["status"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    println!("{count} jobs, ready {} ms after the start: {by_status:?}", ready_after.as_millis());
    for (index, brought) in jobs.iter_mut().enumerate() {
        go_on(&app, &admin, STATUSES[index % STATUSES.len()], brought).await;
    }
}

type Brought = (Stranded, Option<OnRoad>, String);

/// Returns the jobs without their outlook, which depends on who is online at this moment.
async fn shown(jobs: &[Brought]) -> Vec<Value> {
    let mut shown = Vec::new();
    for (stranded, _, job) in jobs {
        let mut job = stranded.job(job).await;
        job["outlook"].take();
        shown.push(job);
    }
    shown
}

/// Checks that work in progress can be finished, and that waiting jobs are still served.
async fn go_on(app: &TestApp, admin: &Client, status: &str, (stranded, mechanic, job): &mut Brought) {
    if status == "pending" {
        return drop(stranded.cancel(job).await);
    }
    if status == "dispatching" {
        let place = (stranded.place.0 + 0.001, stranded.place.1);
        let mut late = app.on_road_at(admin, place).await;
        assert_eq!(late.accept().await["id"], job.as_str(), "a waiting job is matched by the new process");
        return;
    }
    let mechanic = mechanic.as_mut().expect("someone is on it");
    if status == "offered" {
        let offers = mechanic.client.get("/mechanics/me/offers").await.expect(200);
        let accept = format!("/offers/{}/accept", id_of(&offers["data"][0]));
        mechanic.client.post(&accept, json!({})).await.expect(200);
    }
    if ["offered", "accepted"].contains(&status) {
        mechanic.tell(job, "en-route", json!({})).await;
    }
    if ["offered", "accepted", "en_route"].contains(&status) {
        mechanic.tell(job, "arrive", json!({"override_reason": "here"})).await;
    }
    if !["in_progress", "completed"].contains(&status) {
        let code = stranded.job(job).await["start_code"].clone();
        mechanic.tell(job, "start", json!({"start_code": code})).await;
    }
    if status != "completed" {
        mechanic.tell(job, "complete", json!({"outcome": "fixed"})).await;
    }
}

/// Checks that mechanics who are only available are loaded while people are served, and that jobs wait for them.
#[actix_web::test]
async fn a_mechanic_silent_since_the_start_is_offered_the_next_job() {
    let mut app = spawn_app_with(|settings| settings.limits.per_user_per_minute = 100_000).await;
    let admin = app.admin().await;
    let (mechanic, stranded) = (app.on_road(&admin).await, app.breakdown().await);
    app.restart().await;
    let now = |person: &Client| app.anonymous().with_token(person.token().expect("signed in"));
    let (customer, mechanic) = (now(&stranded.client), now(&mechanic.client));
    let job = id_of(&customer.post("/jobs", stranded.call_body()).await.expect(201));
    // The mechanic has no open socket, so nothing signals the offer.
    let offers = mechanic.get_until("/mechanics/me/offers", |offers| offers["data"] != json!([])).await;
    assert_eq!(offers["data"][0]["job_id"], job.as_str());
}

#[actix_web::test]
async fn after_kill_9_in_the_middle_of_a_request_its_repeat_is_carried_out_at_once() {
    let (app, mut server) = spawn_process().await;
    let stranded = app.breakdown().await;
    let body = stranded.call_body();
    let call = async || stranded.client.post_once("/jobs", &body, "k").await;
    let mut holder = app.database.db.begin().await.unwrap();
    sqlx::query("lock table job_events in access exclusive mode").execute(&mut *holder).await.unwrap();
    let url = format!("http://{}/jobs", app.address);
    let http = plain_http().build().expect("an HTTP client");
    let first = http.post(url).bearer_auth(stranded.client.token().expect("signed in"));
    let first = actix_web::rt::spawn(first.header("idempotency-key", "k").json(&body).send());
    until_blocked(&app.database.db).await;
    let refused = call().await;
    assert_eq!(refused.header("retry-after"), Some("1"), "the same process works on it");
    refused.refused(409, "IDEMPOTENCY_IN_FLIGHT");

    server.kill();
    assert!(first.await.expect("the task").is_err(), "nobody was answered");
    holder.rollback().await.unwrap();
    server.run_again(&app, SETTINGS);
    server.until_ready().await;
    let made = call().await.expect(201);
    assert_eq!(call().await.expect(201)["id"], made["id"]);
    assert_eq!(stranded.client.get("/jobs").await.expect(200)["total"], 1);
}
