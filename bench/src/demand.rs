//! Customers who create jobs at a rate, and mechanics on sockets who are offered them. Nobody accepts: a customer cancels once
//! the job was offered, so supply lasts, and no other transition is measured.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use parking_lot::Mutex;
use roadcall_client::{Api, ClientError, Socket, frame, kind_of};
use serde_json::{Value, json};
use tokio::{
    sync::oneshot,
    task::JoinSet,
    time::{MissedTickBehavior, interval_at, sleep, sleep_until, timeout},
};

use crate::{
    Failure,
    people::{self, Customer, Mechanic},
    plan::{self, PlannedJob, Town, Walker, ping},
    resources::Watched,
    samples::{Samples, Summary},
};

/// How long a job may wait for its first offer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often free mechanics send their position: the interval that the service asks for (`dispatch.slow_interval_s`).
const PING_EVERY: Duration = Duration::from_secs(15);
/// The number of sockets that are opened at once.
const OPENING_AT_ONCE: usize = 32;
/// The maximum number of tries of a cancellation, at most one a second.
const CANCEL_TRIES: u32 = 30;
/// How long jobs may take to end after the last one began.
const WIND_DOWN: Duration = Duration::from_secs(60);
/// The jobs a second that are tried to find out how many a server carries, and how long each is tried.
const RAMP: [f64; 10] = [5.0, 10.0, 25.0, 50.0, 75.0, 100.0, 150.0, 200.0, 300.0, 400.0];
const RAMP_STEP: Duration = Duration::from_secs(5);

/// Everyone who takes part, until this is dropped.
#[derive(Debug)]
pub struct Demand {
    shared: Arc<Shared>,
    town: Town,
    mechanics: JoinSet<()>,
}

#[derive(Debug)]
struct Shared {
    api: Api,
    categories: Vec<String>,
    free: Mutex<Vec<Customer>>,
    /// The offers by job.
    offers: Mutex<HashMap<String, Offer>>,
}

/// The offer of a job. Its frame may arrive before the answer that names the job.
#[derive(Debug)]
enum Offer {
    Expected(oneshot::Sender<Instant>),
    Made(Instant),
}

/// The outcome of one planned job.
#[derive(Debug)]
pub struct Outcome {
    pub began: Instant,
    /// How late the generator was.
    late: Duration,
    /// The time from the request to its answer.
    took: Duration,
    /// The time from the request to the first offer.
    offered: Option<Duration>,
    /// The refusal; `None` if the job was created.
    refused: Option<String>,
}

/// The summary of many jobs.
#[derive(Debug)]
pub struct Tally {
    /// The times from the request to its 201.
    pub created: Option<Summary>,
    /// The times from the request to the first offer.
    pub offered: Option<Summary>,
    /// The times of refused requests.
    pub turned_away: Option<Summary>,
    /// How late the generator was.
    pub late: Option<Summary>,
    pub not_offered: u64,
    /// The number of refusals by answer.
    pub refused: BTreeMap<String, u64>,
}

impl Demand {
    pub async fn new(api: &Api, town: Town, customers: Vec<Customer>) -> Result<Self, Failure> {
        let token = &customers.first().ok_or("there is no customer")?.token;
        let categories = people::categories(api, token).await?;
        let (free, offers) = (Mutex::new(customers), Mutex::default());
        let shared = Arc::new(Shared { api: api.clone(), categories, free, offers });
        Ok(Self { shared, town, mechanics: JoinSet::new() })
    }

    /// Goes online with these mechanics as well.
    pub async fn add(&mut self, mechanics: Vec<Mechanic>) -> Result<(), Failure> {
        let (api, town) = (self.shared.api.clone(), self.town);
        let opened = stream::iter(mechanics.into_iter().zip(self.mechanics.len()..)).map(|(one, n)| {
            let (api, mut walker) = (&api, Walker::new(town, n as u64));
            async move {
                let mut socket = Socket::open(api, &one.token).await?;
                socket.send(frame("availability.set", "on", json!({ "is_available": true }))).await?;
                socket.send(ping(1, walker.drive(PING_EVERY))).await?;
                while !socket.next().await?.contains(r#""ref":"p1""#) {}
                Ok::<_, Failure>((socket, walker))
            }
        });
        let mut opened = opened.buffer_unordered(OPENING_AT_ONCE);
        while let Some((socket, walker)) = opened.try_next().await? {
            self.mechanics.spawn(drive_about(self.shared.clone(), socket, walker));
        }
        Ok(())
    }

    /// Creates so many jobs a second for so long, and waits until they have ended, or for a limited time.
    pub async fn jobs(&self, per_s: f64, lasting: Duration, seed: u64) -> Vec<Outcome> {
        let planned = plan::jobs(per_s, lasting, self.town, seed);
        let (start, mut outcomes) = (Instant::now() + Duration::from_millis(50), Vec::new());
        let mut jobs = JoinSet::new();
        for (job, n) in planned.into_iter().zip(0usize..) {
            let due = start + job.at;
            sleep_until(due.into()).await;
            jobs.spawn(self.shared.clone().job(job, n, due));
            while let Some(Ok(outcome)) = jobs.try_join_next() {
                outcomes.push(outcome);
            }
        }
        sleep_until((start + lasting).into()).await;
        let end = sleep_until((Instant::now() + WIND_DOWN).into());
        tokio::pin!(end);
        loop {
            let done = tokio::select! {
                () = &mut end => break,
                done = jobs.join_next() => done,
            };
            match done {
                Some(Ok(outcome)) => outcomes.push(outcome),
                Some(Err(_)) => {}
                None => break,
            }
        }
        outcomes
    }

    /// Returns the highest rate up to `most` at which both the jobs' results and the share of the machine's cores that server and
    /// database use are fine.
    pub async fn highest_rate(
        &self,
        watched: Watched,
        most: f64,
        is_fine: impl Fn(f64, &Tally) -> bool,
    ) -> Option<f64> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        let mut highest = None;
        for (per_s, seed) in RAMP.into_iter().filter(|per_s| *per_s <= most).zip(1_000..) {
            let (outcomes, [(_, server), (_, postgres), _]) =
                tokio::join!(self.jobs(per_s, RAMP_STEP, seed), watched.over(RAMP_STEP));
            let share = (server.cpu_percent + postgres.cpu_percent) / 100.0 / cores;
            if !is_fine(share, &Tally::of(outcomes.iter())) {
                break;
            }
            highest = Some(per_s);
        }
        highest
    }
}

impl Tally {
    pub fn of<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Self {
        let mut samples: [Samples; 4] = Default::default();
        let [created, offered, turned_away, late] = &mut samples;
        let (mut not_offered, mut refused) = (0, BTreeMap::new());
        for one in outcomes {
            late.add(one.late);
            match &one.refused {
                Some(answer) => {
                    turned_away.add(one.took);
                    *refused.entry(answer.clone()).or_default() += 1;
                }
                None => {
                    created.add(one.took);
                    one.offered.into_iter().for_each(|took| offered.add(took));
                    not_offered += u64::from(one.offered.is_none());
                }
            }
        }
        let [created, offered, turned_away, late] = samples.map(|samples| samples.summary());
        Self { created, offered, turned_away, late, not_offered, refused }
    }

    /// Returns whether every job was created and offered, and 99 of 100 offers were this fast.
    pub fn is_within(&self, p99_ms: f64) -> bool {
        let is_fast = self.offered.is_some_and(|offered| offered.p99_ms <= p99_ms);
        is_fast && self.refused.is_empty() && self.not_offered == 0
    }
}

impl Shared {
    async fn job(self: Arc<Self>, planned: PlannedJob, n: usize, due: Instant) -> Outcome {
        let began = Instant::now();
        let late = began.saturating_duration_since(due);
        let outcome = |took, offered, refused| Outcome { began, late, took, offered, refused };
        let Some(customer) = self.free.lock().pop() else {
            return outcome(Duration::ZERO, None, Some("not sent: no customer was free".to_owned()));
        };
        let body = json!({
            "vehicle_id": customer.vehicle_id,
            "service_category_id": self.categories[n % self.categories.len()],
            "pickup_address": "12 MG Road",
            "pickup_lat": planned.pickup.lat,
            "pickup_lng": planned.pickup.lng,
        });
        let answer = self.api.post("/jobs", &customer.token, body).await;
        let took = began.elapsed();
        let outcome = match answer {
            Ok(job) => {
                let id = job["id"].as_str().unwrap_or_default();
                let offered = timeout(PATIENCE, self.offer(id)).await.ok().flatten();
                self.cancel(id, &customer).await;
                self.offers.lock().remove(id);
                outcome(took, offered.map(|at| at.saturating_duration_since(began)), None)
            }
            Err(refused) => outcome(took, None, Some(answer_of(&refused))),
        };
        self.free.lock().push(customer);
        outcome
    }

    /// Returns when the job was first offered.
    async fn offer(&self, job: &str) -> Option<Instant> {
        let expected = {
            let mut offers = self.offers.lock();
            if let Some(Offer::Made(at)) = offers.get(job) {
                return Some(*at);
            }
            let (sender, expected) = oneshot::channel();
            offers.insert(job.to_owned(), Offer::Expected(sender));
            expected
        };
        expected.await.ok()
    }

    fn offered(&self, job: &str, now: Instant) {
        let mut offers = self.offers.lock();
        if let Some(Offer::Expected(sender)) = offers.remove(job) {
            sender.send(now).ok();
        }
        offers.insert(job.to_owned(), Offer::Made(now));
    }

    /// Cancels the job, with as many tries as it takes: a customer who gives up leaves a job that occupies a mechanic.
    async fn cancel(&self, job: &str, customer: &Customer) {
        let (path, reason) = (format!("/jobs/{job}/cancel"), json!({ "reason_code": "changed_mind" }));
        for _ in 0..CANCEL_TRIES {
            let cancelled = self.api.post(&path, &customer.token, reason.clone()).await;
            let Err(error) = cancelled else { return };
            if !matches!(error.status(), None | Some(429 | 500..)) {
                return;
            }
            sleep(Duration::from_secs(error.retry_after_s().unwrap_or(1))).await;
        }
    }
}

/// Returns status and code, and whether the answer says when to come back.
fn answer_of(refused: &ClientError) -> String {
    let Some(status) = refused.status() else { return "no answer".to_owned() };
    let time = if refused.retry_after_s().is_some() { "with" } else { "without" };
    format!("{status} {} {time} Retry-After", refused.code())
}

/// Drives one mechanic, until the socket ends.
async fn drive_about(shared: Arc<Shared>, mut socket: Socket, mut walker: Walker) {
    let mut tick = interval_at((Instant::now() + PING_EVERY).into(), PING_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut seq = 1;
    loop {
        let done = tokio::select! {
            _ = tick.tick() => {
                seq += 1;
                socket.send(ping(seq, walker.drive(PING_EVERY))).await
            }
            text = socket.next() => text.map(|text| read(&shared, &text)),
        };
        if done.is_err() {
            return;
        }
    }
}

fn read(shared: &Shared, text: &str) {
    if kind_of(text) == "offer.created" {
        let now = Instant::now();
        let frame: Value = serde_json::from_str(text).unwrap_or_default();
        shared.offered(frame["data"]["job_id"].as_str().unwrap_or_default(), now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(offered_ms: Option<u64>, refused: Option<&str>) -> Outcome {
        let offered = offered_ms.map(Duration::from_millis);
        let refused = refused.map(str::to_owned);
        Outcome { began: Instant::now(), late: Duration::ZERO, took: Duration::ZERO, offered, refused }
    }

    #[test]
    fn a_rate_is_fine_only_if_every_job_was_offered_in_time() {
        let fast = || outcome(Some(10), None);
        let is_within = |outcomes: &[Outcome]| Tally::of(outcomes.iter()).is_within(20.0);
        assert!(is_within(&[fast(), fast()]));
        assert!(!is_within(&[fast(), outcome(Some(30), None)]));
        assert!(!is_within(&[fast(), outcome(None, None)]));
        assert!(!is_within(&[fast(), outcome(None, Some("503"))]));
        assert!(!is_within(&[]));
    }
}
