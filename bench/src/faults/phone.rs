//! Phones: each has a socket, and opens another when the socket ends or falls silent.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use roadcall_client::{Socket, SocketEnd, frame};
use serde_json::{Value, json};
use tokio::{
    sync::watch,
    time::{MissedTickBehavior, interval, sleep, timeout},
};

use super::world::{World, logged};
use crate::plan::{Place, point};

/// How long a socket may take to open.
const OPEN_LIMIT: Duration = Duration::from_secs(5);
/// How often a phone checks whether the server is there, and how long it trusts a silent one.
const TICK: Duration = Duration::from_secs(1);
const SILENCE: Duration = Duration::from_secs(8);
/// The maximum number of points in one message.
const MAX_POINTS: usize = 30;
/// How far a mechanic moves between two points, in degrees: some metres.
const STEP: f64 = 0.00004;

/// Keeps a socket open that follows nothing.
pub async fn look(world: Arc<World>, token: String) {
    loop {
        let (server, mut socket) = open(&world, &token).await;
        let why = only_look(&mut socket).await;
        world.closed(server, socket.silent_for(), &why);
    }
}

/// Reads until the socket ends, and returns how it ended.
async fn only_look(socket: &mut Socket) -> SocketEnd {
    let mut tick = ticks();
    loop {
        let done = tokio::select! {
            _ = tick.tick() => check(socket).await,
            text = socket.next() => text.map(drop),
        };
        if let Err(why) = done {
            return why;
        }
    }
}

/// Keeps the customer's socket open, which follows their job.
pub async fn follow(world: Arc<World>, token: String, mut job: watch::Receiver<Option<String>>) {
    loop {
        let (server, mut socket) = open(&world, &token).await;
        job.mark_changed();
        let why = follow_over(&world, &mut socket, &mut job).await;
        world.closed(server, socket.silent_for(), &why);
    }
}

async fn follow_over(
    world: &World,
    socket: &mut Socket,
    job: &mut watch::Receiver<Option<String>>,
) -> SocketEnd {
    let mut tick = ticks();
    let mut followed: Option<String> = None;
    loop {
        let done = tokio::select! {
            _ = tick.tick() => check(socket).await,
            _ = job.changed() => {
                let new = job.borrow_and_update().clone();
                subscribe(world, socket, followed.take(), new.as_deref()).await.map(|()| followed = new)
            }
            text = socket.next() => match text {
                Ok(text) => shown(world, socket, &text).await,
                Err(why) => Err(why),
            },
        };
        if let Err(why) = done {
            return why;
        }
    }
}

async fn subscribe(
    world: &World,
    socket: &mut Socket,
    old: Option<String>,
    new: Option<&str>,
) -> Result<(), SocketEnd> {
    if let Some(old) = old {
        socket.send(frame("job.unsubscribe", "u", json!({ "job_id": old }))).await?;
    }
    let Some(new) = new else { return Ok(()) };
    let since = world.with_job(new, |job| job.frames.last().copied().unwrap_or_default());
    socket.send(frame("job.subscribe", new, json!({ "job_id": new, "since_seq": since }))).await
}

async fn shown(world: &World, socket: &mut Socket, text: &str) -> Result<(), SocketEnd> {
    let frame: Value = serde_json::from_str(text).unwrap_or_default();
    if frame["type"] == "error" {
        world.count(format!("errors of sockets: {}", frame["error"]["code"].as_str().unwrap_or_default()));
        // The subscription was refused for now.
        if let Some(job) = frame["ref"].as_str().filter(|reference| reference.len() > 1) {
            sleep(TICK).await;
            return subscribe(world, socket, None, Some(job)).await;
        }
    }
    if let Some((job, seq)) = logged(&frame) {
        world.with_job(job, |job| job.frames.push(seq));
    }
    Ok(())
}

/// An offer to a mechanic.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offered {
    pub job: String,
    pub offer: String,
}

/// Keeps the mechanic's socket open: they are available and send their position.
pub async fn drive(
    world: Arc<World>,
    token: String,
    track: &mut Track,
    works_on: watch::Receiver<Option<String>>,
    offers: watch::Sender<Offered>,
) {
    loop {
        let (server, mut socket) = open(&world, &token).await;
        track.sent = None;
        let why = drive_over(&world, &mut socket, track, &works_on, &offers).await;
        world.closed(server, socket.silent_for(), &why);
    }
}

async fn drive_over(
    world: &World,
    socket: &mut Socket,
    track: &mut Track,
    works_on: &watch::Receiver<Option<String>>,
    offers: &watch::Sender<Offered>,
) -> SocketEnd {
    if let Err(why) = socket.send(frame("availability.set", "on", json!({ "is_available": true }))).await {
        return why;
    }
    let mut tick = ticks();
    loop {
        let done = tokio::select! {
            _ = tick.tick() => match check(socket).await {
                Ok(()) => {
                    let job = works_on.borrow().clone();
                    track.send(socket, job).await
                }
                Err(why) => Err(why),
            },
            text = socket.next() => text.map(|text| {
                let frame: Value = serde_json::from_str(&text).unwrap_or_default();
                match frame["type"].as_str().unwrap_or_default() {
                    "offer.created" => {
                        let of = |field: &str| frame["data"][field].as_str().unwrap_or_default().to_owned();
                        offers.send_replace(Offered { job: of("job_id"), offer: of("id") });
                    }
                    "ack" => track.acknowledged(world, &frame, works_on.borrow().as_deref()),
                    "error" => {
                        let code = frame["error"]["code"].as_str().unwrap_or_default();
                        world.count(format!("errors of sockets: {code}"));
                        track.refused(&frame);
                    }
                    _ => {}
                }
            }),
        };
        if let Err(why) = done {
            return why;
        }
    }
}

/// A mechanic's track: points are sent until they are acknowledged.
#[derive(Debug)]
pub struct Track {
    at: Place,
    seq: i64,
    waiting: VecDeque<Point>,
    /// The last point of the message that waits for its answer, and since when.
    sent: Option<(i64, Instant)>,
}

#[derive(Debug)]
struct Point {
    seq: i64,
    body: Value,
    /// The job that the mechanic worked on then.
    job: Option<String>,
}

impl Track {
    pub fn new(at: Place) -> Self {
        Self { at, seq: 0, waiting: VecDeque::new(), sent: None }
    }

    async fn send(&mut self, socket: &mut Socket, job: Option<String>) -> Result<(), SocketEnd> {
        self.seq += 1;
        let step = if self.seq % 2 == 0 { STEP } else { 0.0 };
        let place = Place { lat: self.at.lat + step, lng: self.at.lng };
        self.waiting.push_back(Point { seq: self.seq, body: point(self.seq, place), job });
        while self.waiting.len() > MAX_POINTS {
            self.waiting.pop_front();
        }
        if self.sent.is_some_and(|(_, at)| at.elapsed() < SILENCE) {
            return Ok(());
        }
        self.sent = Some((self.seq, Instant::now()));
        let points: Vec<&Value> = self.waiting.iter().map(|point| &point.body).collect();
        socket.send(frame("location.update", &format!("p{}", self.seq), json!({ "points": points }))).await
    }

    fn acknowledged(&mut self, world: &World, frame: &Value, works_on: Option<&str>) {
        let Some((last, _)) = self.sent.filter(|(last, _)| frame["ref"] == format!("p{last}")) else {
            return;
        };
        self.sent = None;
        let rejected = frame["data"]["rejected"].as_array();
        let reason = |seq: i64| {
            rejected.into_iter().flatten().find(|point| point["seq"] == seq).map(|point| &point["reason"])
        };
        let mut kept = VecDeque::new();
        for point in self.waiting.drain(..) {
            match reason(point.seq) {
                _ if point.seq > last => kept.push_back(point),
                Some(reason) if reason == "superseded" => kept.push_back(point),
                Some(reason) => world.count(format!("points rejected: {reason}")),
                None => {
                    if let Some(job) = point.job.filter(|job| works_on == Some(job)) {
                        world.with_job(&job, |job| job.points.push(point.seq));
                    }
                }
            }
        }
        self.waiting = kept;
    }

    fn refused(&mut self, frame: &Value) {
        if self.sent.is_some_and(|(last, _)| frame["ref"] == format!("p{last}")) {
            self.sent = None;
        }
    }
}

/// Opens a new socket on one of the servers, as soon as one accepts it.
async fn open(world: &World, token: &str) -> (usize, Socket) {
    loop {
        sleep(world.pause()).await;
        let (server, api) = world.pick();
        let opening = async {
            let mut socket = Socket::open(api, token).await.ok()?;
            socket.next().await.ok().map(|_hello| socket)
        };
        if let Ok(Some(socket)) = timeout(OPEN_LIMIT, opening).await {
            world.opened();
            return (server, socket);
        }
    }
}

fn ticks() -> tokio::time::Interval {
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

async fn check(socket: &mut Socket) -> Result<(), SocketEnd> {
    if socket.silent_for() > SILENCE {
        return Err(SocketEnd::Lost("silence".to_owned()));
    }
    socket.probe().await
}
