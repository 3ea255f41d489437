//! A mechanic's phone: sends pings, and accepts every offer at once.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use roadcall_client::{Socket, frame, kind_of};
use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval_at};

use super::{
    World,
    ledger::{Figure, Ledger},
};
use crate::plan::{Place, Walker, ping};

/// The number of pings of one mechanic that are remembered until they are seen again.
const REMEMBERED: usize = 8;

#[derive(Debug, Clone, Copy)]
pub struct SentPing {
    pub seq: i64,
    pub position: (i64, i64),
    pub at: Instant,
    /// Whether the ping was sent while the run was measured.
    pub counts: bool,
}

/// The last pings of one mechanic.
#[derive(Debug, Default)]
pub struct SentPings(Mutex<VecDeque<SentPing>>);

impl SentPings {
    fn remember(&self, ping: SentPing) {
        let mut pings = self.0.lock();
        pings.truncate(REMEMBERED - 1);
        pings.push_front(ping);
    }

    fn find(&self, is_it: impl Fn(&SentPing) -> bool) -> Option<SentPing> {
        self.0.lock().iter().find(|ping| is_it(ping)).copied()
    }

    /// Returns the ping that sent this position.
    pub fn at(&self, position: (i64, i64)) -> Option<SentPing> {
        self.find(|ping| ping.position == position)
    }
}

/// Goes online, and stays until the run stops or the socket ends.
pub async fn run(
    world: Arc<World>,
    mut socket: Socket,
    profile_id: String,
    walker: Walker,
    every: Duration,
    phase: Duration,
) {
    let pings = world.pings[&profile_id].clone();
    let mut phone = Phone { world: world.clone(), pings, walker, seq: 0 };
    let mut tick = interval_at((Instant::now() + phase).into(), every);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut stop = world.stop.clone();
    let available = frame("availability.set", "on", json!({ "is_available": true }));
    let mut ended = socket.send(available).await;
    while ended.is_ok() {
        ended = tokio::select! {
            _ = stop.changed() => break,
            _ = tick.tick() => {
                let place = phone.walker.drive(every);
                let text = phone.ping(place);
                socket.send(text).await
            }
            text = socket.next() => match text.map(|text| phone.hear(&text)) {
                Ok(Some(answer)) => socket.send(answer).await,
                Ok(None) => Ok(()),
                Err(why) => Err(why),
            },
        };
    }
    if let Err(why) = ended {
        world.ledger.add(format!("error: a mechanic's socket: {why}"));
    }
    socket.close().await;
}

struct Phone {
    world: Arc<World>,
    pings: Arc<SentPings>,
    walker: Walker,
    seq: i64,
}

impl Phone {
    fn ledger(&self) -> &Ledger {
        &self.world.ledger
    }

    fn ping(&mut self, place: Place) -> String {
        self.seq += 1;
        let (position, counts) = (place.key(), self.ledger().is_counting());
        let text = ping(self.seq, place);
        self.pings.remember(SentPing { seq: self.seq, position, at: Instant::now(), counts });
        text
    }

    /// Takes a frame, and returns the answer to it, if there is one.
    fn hear(&mut self, text: &str) -> Option<String> {
        let now = Instant::now();
        match kind_of(text) {
            "offer.created" => return self.accept(text, now),
            "ack" => self.acknowledged(text, now),
            "error" => {
                let frame: Value = serde_json::from_str(text).unwrap_or_default();
                let code = frame["error"]["code"].as_str().unwrap_or_default();
                let what = match frame["ref"].as_str().and_then(|reference| reference.chars().next()) {
                    Some('p') => "location.update",
                    Some('o') => "availability.set",
                    _ => "offer.accept",
                };
                self.ledger().refused(what, code);
            }
            other => self.ledger().add(format!("frames to mechanics: {other}")),
        }
        None
    }

    fn accept(&self, text: &str, now: Instant) -> Option<String> {
        let frame_in: Value = serde_json::from_str(text).ok()?;
        let offer = &frame_in["data"];
        self.ledger().offered(offer["job_id"].as_str()?, now);
        self.ledger().add("frames to mechanics: offer.created");
        Some(frame("offer.accept", "a", json!({ "offer_id": offer["id"] })))
    }

    fn acknowledged(&self, text: &str, now: Instant) {
        let rest = text.strip_prefix(r#"{"type":"ack","ref":""#).unwrap_or_default();
        let seq = rest.strip_prefix('p').and_then(|rest| rest.split('"').next()?.parse::<i64>().ok());
        if let Some(seq) = seq {
            let ping = self.pings.find(|ping| ping.seq == seq);
            if let Some(ping) = ping.filter(|ping| ping.counts) {
                self.ledger().measure(Figure::PingAck, now - ping.at);
                if !text.contains(r#""accepted":1,"#) {
                    self.ledger().add("pings not accepted");
                }
            }
        } else if rest.starts_with("a\"") {
            let frame: Value = serde_json::from_str(text).unwrap_or_default();
            self.ledger().accepted(frame["data"]["id"].as_str().unwrap_or_default(), now);
        }
    }
}
