//! The state that everybody in a run shares: the servers, and the observations.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use roadcall_client::{Api, ClientError, SocketEnd};
use serde_json::Value;
use tokio::{
    sync::{Notify, watch},
    time::{sleep, timeout},
};

use super::fault::Fault;
use crate::{Failure, report::Report};

/// The interval of checks whether servers are ready, as a proxy makes them.
const ASKED_EVERY: Duration = Duration::from_millis(500);
const ASKED_LIMIT: Duration = Duration::from_secs(1);
/// The events of the steps of a job.
const STEPS: [&str; 6] = ["accepted", "en_route", "arrived", "in_progress", "completed", "cancelled"];

#[derive(Debug)]
pub struct World {
    servers: Vec<Api>,
    are_ready: Vec<AtomicBool>,
    connected: AtomicUsize,
    /// Whether nobody with a job uses the service at the moment.
    are_away: watch::Sender<bool>,
    /// Notified whenever a person has received news.
    pub told: Notify,
    random: Mutex<StdRng>,
    seen: Mutex<Seen>,
}

/// Jobs by their ids.
type JobsSeen = HashMap<String, JobSeen>;

#[derive(Debug, Default)]
struct Seen {
    /// When the round began.
    began: Option<Instant>,
    jobs: JobsSeen,
    /// When each pair's last command was acknowledged.
    went_on: HashMap<String, Instant>,
    commands: Vec<Acknowledged>,
    /// The servers whose sockets ended, and when each socket had last received anything.
    closed: Vec<(usize, Instant)>,
    counts: BTreeMap<String, u64>,
    /// A violation that must not happen.
    broken: Option<String>,
}

/// The state of a job as people know it.
#[derive(Debug, Clone, Default)]
pub struct JobSeen {
    pub customer: String,
    /// Events that were acknowledged to somebody.
    pub acknowledged: Vec<&'static str>,
    /// Events of commands whose outcome is unknown.
    pub in_doubt: Vec<&'static str>,
    /// The numbers of the events that the customer's socket showed, in the order of their arrival.
    pub frames: Vec<i64>,
    /// The mechanic's points that were acknowledged while they worked on the job.
    pub points: Vec<i64>,
    /// How the job ended; `None` while it goes on.
    pub ended: Option<&'static str>,
    pub is_checked: bool,
}

#[derive(Debug)]
struct Acknowledged {
    server: usize,
    sent: Instant,
    took: Duration,
}

impl JobSeen {
    /// Returns the state of the job after the database was taken back. A job that had ended is checked once more; any step
    /// of another one may have been done.
    fn taken_back(self) -> Self {
        match self.ended {
            Some(_) => Self { is_checked: false, ..self },
            None => Self { in_doubt: STEPS.to_vec(), frames: Vec::new(), ..self },
        }
    }
}

impl RoundSeen {
    /// Reports the first broken promise. `outage` is how long Postgres was away.
    pub fn check(&self, fault: &Fault, outage: Duration) -> Result<(), String> {
        if self.closed[0] > 0 {
            return Err(format!("{} sockets ended on servers that nothing had happened to", self.closed[0]));
        }
        if let Some(limit) = fault.kind.again_within().map(|limit| limit + outage)
            && self.again.is_none_or(|again| again > limit)
        {
            return Err(format!("commands again after {:?}, and not within {limit:?}", self.again));
        }
        match self.again {
            Some(again) if !fault.kind.replaces_leader() || again < fault.lasting => Ok(()),
            again => Err(format!("no other server led meanwhile: commands again after {again:?}")),
        }
    }
}

/// The observations of one round.
#[derive(Debug)]
pub struct RoundSeen {
    pub again: Option<Duration>,
    pub took: Vec<Duration>,
    /// The sockets that ended on servers that the fault did not hit, and on the others.
    pub closed: [u64; 2],
}

impl World {
    pub fn new(servers: Vec<Api>, seed: u64) -> Self {
        let random = Mutex::new(StdRng::seed_from_u64(seed));
        let are_ready = servers.iter().map(|_| AtomicBool::new(true)).collect();
        Self {
            servers,
            are_ready,
            connected: AtomicUsize::default(),
            are_away: watch::Sender::new(false),
            told: Notify::new(),
            random,
            seen: Mutex::default(),
        }
    }

    /// Checks whether the servers are ready, until it is aborted.
    pub async fn watch_servers(self: Arc<Self>) {
        loop {
            join_all(self.servers.iter().zip(&self.are_ready).map(|(api, is_ready)| async move {
                let asked = timeout(ASKED_LIMIT, api.get("/health/ready", "")).await;
                is_ready.store(asked.is_ok_and(|answer| answer.is_ok()), Ordering::Relaxed);
            }))
            .await;
            sleep(ASKED_EVERY).await;
        }
    }

    /// Returns one of the servers that are ready, or any.
    pub fn pick(&self) -> (usize, &Api) {
        let ready: Vec<usize> = (0..self.servers.len())
            .filter(|server| self.are_ready[*server].load(Ordering::Relaxed))
            .collect();
        let all: Vec<usize> = (0..self.servers.len()).collect();
        let among = if ready.is_empty() { &all } else { &ready };
        let server = among.choose(&mut *self.random.lock()).copied().unwrap_or_default();
        (server, &self.servers[server])
    }

    /// Returns the server with this number, counted round, or another one if it is not ready. A caller that asks it often enough
    /// finds out at once when it answers again.
    pub fn pick_near(&self, number: usize) -> (usize, &Api) {
        let server = number % self.servers.len();
        match self.are_ready[server].load(Ordering::Relaxed) {
            true => (server, &self.servers[server]),
            false => self.pick(),
        }
    }

    /// Returns how long a phone waits before it opens a socket.
    pub fn pause(&self) -> Duration {
        Duration::from_millis(self.random.lock().random_range(20..300))
    }

    /// Returns a key for one request.
    pub fn key(&self) -> String {
        format!("{:032x}", self.random.lock().random::<u128>())
    }

    pub fn opened(&self) {
        self.connected.fetch_add(1, Ordering::Relaxed);
    }

    /// Records that a socket has ended which had been silent for so long.
    pub fn closed(&self, server: usize, silent_for: Duration, why: &SocketEnd) {
        self.connected.fetch_sub(1, Ordering::Relaxed);
        let mut seen = self.seen.lock();
        seen.closed.push((server, Instant::now() - silent_for));
        *seen.counts.entry(format!("sockets that ended: {why}")).or_default() += 1;
    }

    pub fn connected(&self) -> usize {
        self.connected.load(Ordering::Relaxed)
    }

    pub fn count(&self, what: impl Into<String>) {
        *self.seen.lock().counts.entry(what.into()).or_default() += 1;
    }

    /// Records a refusal, which is fine if it says when to come back.
    pub fn refused(&self, what: &str, refused: &ClientError) {
        self.count(format!("refused: {what}: {} {:?}", refused.code(), refused.status()));
        if refused.status().is_some_and(|status| status >= 500) && refused.retry_after_s().is_none() {
            self.break_because(format!("{what} was refused without Retry-After: {refused}"));
        }
    }

    /// Records a violation; only the first reason is kept.
    pub fn break_because(&self, why: String) {
        self.seen.lock().broken.get_or_insert(why);
    }

    pub fn is_broken(&self) -> bool {
        self.seen.lock().broken.is_some()
    }

    pub fn check(&self) -> Result<(), Failure> {
        match &self.seen.lock().broken {
            Some(why) => Err(why.clone().into()),
            None => Ok(()),
        }
    }

    /// Expects the jobs of this customer to go on, from now.
    pub fn expect(&self, customer: &str) {
        self.seen.lock().went_on.insert(customer.to_owned(), Instant::now());
    }

    /// Records that a command was sent, and acknowledged by this server.
    pub fn acknowledged(&self, customer: &str, server: usize, sent: Instant) {
        let mut seen = self.seen.lock();
        seen.went_on.insert(customer.to_owned(), Instant::now());
        seen.commands.push(Acknowledged { server, sent, took: sent.elapsed() });
    }

    pub fn all_went_on_since(&self, since: Instant) -> bool {
        self.seen.lock().went_on.values().all(|at| *at > since)
    }

    /// Makes everybody who has a job put the phone away, or take it out again.
    pub fn send_away(&self, are_away: bool) {
        self.are_away.send_replace(are_away);
    }

    pub async fn until_away(&self, are_away: bool) {
        let mut now = self.are_away.subscribe();
        now.wait_for(|now| *now == are_away).await.ok();
    }

    /// Returns what people know of all jobs.
    pub fn told_so_far(&self) -> JobsSeen {
        self.seen.lock().jobs.clone()
    }

    /// Makes people forget what they were told after that, since the database may not know it any longer. Everything else is
    /// checked again.
    pub fn take_back(&self, mut told: JobsSeen) {
        for (id, job) in &mut self.seen.lock().jobs {
            *job = told.remove(id).unwrap_or_default().taken_back();
        }
    }

    pub fn begin_round(&self) {
        let mut seen = self.seen.lock();
        seen.began = Some(Instant::now());
        seen.commands.clear();
        seen.closed.clear();
    }

    pub fn end_round(&self, fault: &Fault, over: Instant) -> RoundSeen {
        let seen = self.seen.lock();
        let began = seen.began.unwrap_or(over);
        let during = seen.commands.iter().filter(|command| command.sent >= began);
        let unharmed = |server: &usize| !fault.servers.contains(server);
        let all = fault.servers.len() == self.servers.len();
        let again = during.clone().filter(|command| all || unharmed(&command.server));
        let again = again.map(|command| command.sent + command.took).min();
        // A socket that fell silent earlier was hit by the previous round.
        let closed = seen.closed.iter().filter(|(_, heard_at)| *heard_at >= began);
        let (elsewhere, there): (Vec<&(usize, Instant)>, Vec<_>) =
            closed.partition(|(server, _)| unharmed(server));
        RoundSeen {
            again: again.map(|at| at - began),
            took: during.filter(|command| command.sent <= over).map(|command| command.took).collect(),
            closed: [elsewhere.len() as u64, there.len() as u64],
        }
    }

    /// Changes the knowledge of a job, and notifies those who wait.
    pub fn with_job<T>(&self, job: &str, change: impl FnOnce(&mut JobSeen) -> T) -> T {
        let changed = change(self.seen.lock().jobs.entry(job.to_owned()).or_default());
        self.told.notify_waiters();
        changed
    }

    pub fn frames(&self, job: &str) -> Vec<i64> {
        self.seen.lock().jobs.get(job).map(|job| job.frames.clone()).unwrap_or_default()
    }

    pub fn end_job(&self, job: &str, how: &'static str) {
        let mut seen = self.seen.lock();
        seen.jobs.entry(job.to_owned()).or_default().ended = Some(how);
        *seen.counts.entry(format!("jobs: {how}")).or_default() += 1;
    }

    /// Takes the jobs that have ended and were not checked yet.
    pub fn take_ended(&self) -> Vec<(String, JobSeen)> {
        let mut seen = self.seen.lock();
        let ended = seen.jobs.iter_mut().filter(|(_, job)| job.ended.is_some() && !job.is_checked);
        ended
            .map(|(id, job)| {
                job.is_checked = true;
                (id.clone(), job.clone())
            })
            .collect()
    }

    pub fn job_ids(&self) -> Vec<String> {
        self.seen.lock().jobs.keys().cloned().collect()
    }

    pub fn tell(&self, report: &mut Report) {
        for (what, count) in &self.seen.lock().counts {
            report.count(what, *count);
        }
    }
}

/// Returns the job and the number of a log entry that a frame shows, if it shows one.
pub fn logged(frame: &Value) -> Option<(&str, i64)> {
    Some((frame["job_id"].as_str()?, frame["seq"].as_i64()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_of_an_older_database_know_only_what_they_were_told_before_it() {
        let world = World::new(Vec::new(), 1);
        let hear = |job: &str, event| world.with_job(job, |job| job.acknowledged.push(event));
        hear("ended", "created");
        world.end_job("ended", "paid");
        assert_eq!(world.take_ended().len(), 1);
        hear("under way", "created");
        world.with_job("under way", |job| job.frames.push(1));
        let told = world.told_so_far();
        hear("under way", "accepted");
        hear("new", "created");
        world.take_back(told);

        let acknowledged = |job: &str| world.with_job(job, |job| job.acknowledged.clone());
        assert_eq!(acknowledged("under way"), ["created"]);
        assert!(world.frames("under way").is_empty(), "all events are shown again");
        assert!(acknowledged("new").is_empty());
        let ended = world.take_ended();
        let ended: Vec<&str> = ended.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ended, ["ended"], "it has to be there as before");
    }
}
