//! Phones that send location updates at a steady rate, and the answers that they get.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use roadcall_client::{Api, Socket, frame};
use serde_json::json;
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{MissedTickBehavior, interval_at, sleep_until},
};

use super::watchers::Shown;
use crate::{
    Failure,
    people::Mechanic,
    plan::{Place, Town, Walker, ping, point},
};

/// How long answers may come after the last ping of a step.
pub const GRACE: Duration = Duration::from_secs(2);
/// How long a step's late answers are read after that, so that the next step begins without them.
const DRAIN: Duration = Duration::from_secs(10);

/// One mechanic's phone between steps.
#[derive(Debug)]
pub struct Phone {
    pub connection: Connection,
    pub walker: Walker,
    pub seq: i64,
    /// The sent positions, where a customer watches.
    pub shown: Option<Arc<Shown>>,
}

#[derive(Debug)]
pub enum Connection {
    Socket(Box<Socket>),
    Http {
        api: Api,
        token: String,
    },
    /// The connection ended during an earlier step.
    Lost,
}

/// The measurements of one step.
#[derive(Debug, Default)]
pub struct Seen {
    pub sent: u64,
    pub accepted: u64,
    /// Updates that were refused, superseded or answered with an error.
    pub refused: u64,
    /// The times from writing an update to its receipt.
    pub took: Vec<Duration>,
}

/// The timing of a step: `count` senders take turns, and each sends once in `every`.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    pub start: Instant,
    pub until: Instant,
    pub every: Duration,
    pub count: u32,
}

impl Step {
    /// Plans a step that begins in a moment.
    pub fn new(rate: u32, lasting: Duration, count: usize) -> Self {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let every = Duration::from_secs_f64(f64::from(count) / f64::from(rate.max(1)));
        let start = Instant::now() + Duration::from_millis(100);
        Self { start, until: start + lasting, every, count }
    }

    /// Returns the moments at which the sender with this number sends; missed moments are made up for.
    pub fn ticks(&self, number: u32) -> tokio::time::Interval {
        let first = self.start + self.every * number / self.count.max(1);
        let mut ticks = interval_at(first.into(), self.every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        ticks
    }
}

impl Seen {
    pub fn add(&mut self, other: Self) {
        self.sent += other.sent;
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.took.extend(other.took);
    }

    fn read(&mut self, text: &str, waiting: &mut HashMap<i64, Instant>) {
        let reference =
            text.split(r#""ref":"p"#).nth(1).and_then(|rest| rest.split('"').next()?.parse().ok());
        let Some(sent) = reference.and_then(|seq: i64| waiting.remove(&seq)) else { return };
        // The echo server sends back what it received.
        if text.contains(r#""accepted":1,"#) || text.contains("recorded_at") {
            self.accepted += 1;
            self.took.push(sent.elapsed());
        } else {
            self.refused += 1;
        }
    }
}

/// Phones whose sockets are read while nobody sends: a phone that answers no ping of the server is disconnected.
#[derive(Debug)]
pub struct Resting {
    wake: watch::Sender<bool>,
    tasks: JoinSet<Phone>,
}

impl Resting {
    pub fn new(phones: Vec<Phone>) -> Self {
        let (wake, woken) = watch::channel(false);
        let mut tasks = JoinSet::new();
        for phone in phones {
            tasks.spawn(rest(phone, woken.clone()));
        }
        Self { wake, tasks }
    }

    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Lets all phones send at the step's rate.
    pub async fn step(self, step: Step) -> (Self, Seen) {
        self.wake.send(true).ok();
        let (phones, mut tasks) = (self.tasks.join_all().await, JoinSet::new());
        for (phone, number) in phones.into_iter().zip(0..) {
            tasks.spawn(send(phone, step, number));
        }
        let (mut phones, mut seen) = (Vec::new(), Seen::default());
        while let Some(done) = tasks.join_next().await {
            let Ok((phone, one)) = done else { continue };
            phones.push(phone);
            seen.add(one);
        }
        (Self::new(phones), seen)
    }
}

async fn rest(mut phone: Phone, mut woken: watch::Receiver<bool>) -> Phone {
    let Connection::Socket(socket) = &mut phone.connection else { return phone };
    loop {
        let read = tokio::select! {
            _ = woken.changed() => return phone,
            read = socket.next() => read,
        };
        if read.is_err() {
            phone.connection = Connection::Lost;
            return phone;
        }
    }
}

async fn send(mut phone: Phone, step: Step, number: u32) -> (Phone, Seen) {
    let Phone { connection, walker, seq, shown } = &mut phone;
    let mut next = |every| {
        *seq += 1;
        (*seq, walker.drive(every))
    };
    let (seen, is_lost) = match connection {
        Connection::Socket(socket) => over_socket(socket, &mut next, shown.as_deref(), step, number).await,
        Connection::Http { api, token } => (over_http(api, token, &mut next, step, number).await, false),
        Connection::Lost => (Seen::default(), false),
    };
    if is_lost {
        *connection = Connection::Lost;
    }
    (phone, seen)
}

/// Sends in an open loop: a ping is sent when it is due, whether or not the previous one was answered. Also returns whether the
/// socket ended.
async fn over_socket(
    socket: &mut Socket,
    next: &mut impl FnMut(Duration) -> (i64, Place),
    shown: Option<&Shown>,
    step: Step,
    number: u32,
) -> (Seen, bool) {
    let (mut seen, mut waiting) = (Seen::default(), HashMap::new());
    let mut tick = step.ticks(number);
    let end = sleep_until((step.until + GRACE).into());
    tokio::pin!(end);
    loop {
        let is_sending = Instant::now() < step.until;
        if !is_sending && waiting.is_empty() {
            return (seen, false);
        }
        let done = tokio::select! {
            () = &mut end => break,
            // A ping that is due after the end is left out, and so is the time until it.
            due = tick.tick(), if is_sending => {
                if due.into_std() >= step.until {
                    continue;
                }
                let (seq, at) = next(step.every);
                seen.sent += 1;
                if let Some(shown) = shown {
                    shown.sent(at.key(), Instant::now());
                }
                let text = ping(seq, at);
                waiting.insert(seq, Instant::now());
                socket.send(text).await
            }
            text = socket.next() => text.map(|text| seen.read(&text, &mut waiting)),
        };
        if done.is_err() {
            return (seen, true);
        }
    }
    let is_lost = drain(socket, &mut waiting).await;
    (seen, is_lost)
}

/// Reads late answers, which count as missing.
async fn drain(socket: &mut Socket, waiting: &mut HashMap<i64, Instant>) -> bool {
    let end = sleep_until((Instant::now() + DRAIN).into());
    tokio::pin!(end);
    while !waiting.is_empty() {
        let read = tokio::select! {
            () = &mut end => return false,
            read = socket.next() => read,
        };
        match read {
            Ok(text) => Seen::default().read(&text, waiting),
            Err(_) => return true,
        }
    }
    false
}

/// Sends with one request under way per phone: a phone that is late sends less.
async fn over_http(
    api: &Api,
    token: &str,
    next: &mut impl FnMut(Duration) -> (i64, Place),
    step: Step,
    number: u32,
) -> Seen {
    let mut seen = Seen::default();
    let mut tick = step.ticks(number);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while tick.tick().await.into_std() < step.until {
        let (seq, at) = next(step.every);
        seen.sent += 1;
        let body = json!({ "points": [point(seq, at)] });
        let asked = Instant::now();
        match api.post("/mechanics/me/location", token, body).await {
            Ok(receipt) if receipt["accepted"] == 1 => {
                seen.accepted += 1;
                seen.took.push(asked.elapsed());
            }
            _ => seen.refused += 1,
        }
    }
    seen
}

/// Connects the phones of these mechanics, who are online: over sockets, or over HTTP.
pub async fn connect(
    api: &Api,
    people: Vec<Mechanic>,
    over_sockets: bool,
    town: Town,
    seed: u64,
) -> Result<Vec<Phone>, Failure> {
    let opened = stream::iter(people.into_iter().zip(0u64..)).map(|(person, n)| async move {
        let is_available = json!({ "is_available": true });
        api.put("/mechanics/me/availability", &person.token, is_available).await?;
        let connection = if over_sockets {
            let mut open = Socket::open(api, &person.token).await?;
            // The first answer is out of the way before the first ping is measured.
            open.send(frame("availability.set", "on", json!({ "is_available": true }))).await?;
            while !open.next().await?.contains(r#""ref":"on""#) {}
            Connection::Socket(Box::new(open))
        } else {
            Connection::Http { api: api.clone(), token: person.token }
        };
        let walker = Walker::new(town, seed.wrapping_mul(1_000_003) + n);
        Ok::<_, Failure>(Phone { connection, walker, seq: 0, shown: None })
    });
    opened.buffer_unordered(32).try_collect().await
}
