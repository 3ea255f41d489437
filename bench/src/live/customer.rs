//! A customer: creates a job, watches the mechanic, cancels, and is free for the next job.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use roadcall_client::{Socket, frame, kind_of};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};

use super::{World, ledger::Figure};
use crate::{
    people,
    plan::{Place, PlannedJob},
};

/// How long a job may wait for its mechanic before it counts as not offered, or not accepted.
const PATIENCE: Duration = Duration::from_secs(10);
/// The number of frames that may wait to be sent over one customer's socket.
const OUTGOING: usize = 16;

#[derive(Debug)]
pub struct Customer {
    person: people::Customer,
    frames: mpsc::Sender<String>,
}

impl Customer {
    /// Creates a customer, and the channel of frames that their socket sends.
    pub fn new(person: people::Customer) -> (Self, mpsc::Receiver<String>) {
        let (frames, outgoing) = mpsc::channel(OUTGOING);
        (Self { person, frames }, outgoing)
    }
}

/// Reads and writes a customer's socket until the run stops or the socket ends.
pub async fn run_socket(world: Arc<World>, mut socket: Socket, mut outgoing: mpsc::Receiver<String>) {
    let mut stop = world.stop.clone();
    let ended = loop {
        let done = tokio::select! {
            _ = stop.changed() => break Ok(()),
            Some(text) = outgoing.recv() => socket.send(text).await,
            text = socket.next() => text.map(|text| hear(&world, &text)),
        };
        if done.is_err() {
            break done;
        }
    };
    if let Err(why) = ended {
        world.ledger.add(format!("error: a customer's socket: {why}"));
    }
    socket.close().await;
}

fn hear(world: &World, text: &str) {
    let now = Instant::now();
    let kind = kind_of(text);
    match kind {
        "location.updated" => {
            let frame: Value = serde_json::from_str(text).unwrap_or_default();
            let (job, data) = (frame["job_id"].as_str().unwrap_or_default(), &frame["data"]);
            let degrees = |field: &str| data[field].as_f64().unwrap_or_default();
            let position = Place { lat: degrees("lat"), lng: degrees("lng") }.key();
            let mechanic = data["mechanic_profile_id"].as_str().and_then(|id| world.pings.get(id));
            world.ledger.shown(job, position, mechanic.and_then(|pings| pings.at(position)), now);
        }
        "job.updated" | "job.snapshot" if text.contains(r#""status":"accepted""#) => {
            let frame: Value = serde_json::from_str(text).unwrap_or_default();
            world.ledger.told_customer(frame["job_id"].as_str().unwrap_or_default(), now);
        }
        "error" => {
            let frame: Value = serde_json::from_str(text).unwrap_or_default();
            let code = frame["error"]["code"].as_str().unwrap_or_default();
            world.ledger.add(format!("error: job.subscribe: {code}"));
        }
        _ => {}
    }
    world.ledger.add(format!("frames to customers: {kind}"));
}

/// Plays one job from its planned moment to its end. `counts` is false during the warm-up.
pub async fn run_job(world: Arc<World>, planned: PlannedJob, n: usize, due: Instant, counts: bool) {
    let Some(customer) = world.take_customer() else {
        world.ledger.add("jobs not made: no customer was free");
        return;
    };
    let body = json!({
        "vehicle_id": customer.person.vehicle_id,
        "service_category_id": world.categories[n % world.categories.len()],
        "pickup_address": "12 MG Road",
        "pickup_lat": planned.pickup.lat,
        "pickup_lng": planned.pickup.lng,
    });
    let started = Instant::now();
    let made = world.api.post("/jobs", &customer.person.token, body).await;
    let took = started.elapsed();
    match made {
        Ok(job) => {
            let id = job["id"].as_str().unwrap_or_default();
            if counts {
                world.ledger.measure(Figure::StartLag, started.saturating_duration_since(due));
                world.ledger.measure(Figure::PostJob, took);
            }
            let accepted = world.ledger.made(id, counts);
            watch_and_cancel(&world, &customer, id, accepted, counts.then_some(started)).await;
        }
        Err(refused) => world.ledger.refused("POST /jobs", refused.code()),
    }
    world.give_back(customer);
}

async fn watch_and_cancel(
    world: &World,
    customer: &Customer,
    job: &str,
    accepted: Arc<Notify>,
    started: Option<Instant>,
) {
    let say = |kind| customer.frames.try_send(frame(kind, "s", json!({ "job_id": job })));
    if say("job.subscribe").is_err() {
        world.ledger.add("error: a customer's socket takes nothing");
    }
    let is_accepted = tokio::time::timeout(PATIENCE, accepted.notified()).await.is_ok();
    if is_accepted {
        tokio::time::sleep(world.hold).await;
    }
    let asked = Instant::now();
    let path = format!("/jobs/{job}/cancel");
    let cancelled =
        world.api.post(&path, &customer.person.token, json!({ "reason_code": "changed_mind" })).await;
    let took = asked.elapsed();
    say("job.unsubscribe").ok();
    let offered_at = world.ledger.forget(job);
    let fee = match cancelled {
        Ok(job) => job["cancellation_fee"].as_f64().unwrap_or_default(),
        Err(refused) => return world.ledger.refused("POST /jobs/{id}/cancel", refused.code()),
    };
    if fee > 0.0 {
        world.ledger.add("jobs that cost a fee");
    }
    let Some(started) = started else { return };
    world.ledger.measure(Figure::Cancel, took);
    world.ledger.add("jobs measured");
    match offered_at {
        Some(at) => world.ledger.measure(Figure::JobToOffer, at.saturating_duration_since(started)),
        None => world.ledger.add("jobs not offered within 10 s"),
    }
    if offered_at.is_some() && !is_accepted {
        world.ledger.add("jobs offered but not accepted within 10 s");
    }
}
