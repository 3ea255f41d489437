//! Mechanics on a job, each watched by their customer, who is shown the mechanic's position.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use parking_lot::Mutex;
use roadcall_client::{Api, Socket, frame, kind_of};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::phone::{Connection, Phone};
use crate::{
    Failure, Target, first_phone,
    pairs::{Pair, pairs},
    people,
    plan::{Place, Town, Walker},
};

/// The number of positions of one mechanic that are remembered until they are shown.
const REMEMBERED: usize = 256;
/// Half the side of the square in which a mechanic at work drives about.
const YARD_M: f64 = 1_000.0;
/// The number of jobs that are begun at once.
const BEGINNING_AT_ONCE: usize = 8;

/// Durations that tasks gather until a step is over.
#[derive(Debug, Default)]
pub struct Times(Mutex<Vec<Duration>>);

impl Times {
    pub fn add(&self, took: Duration) {
        self.0.lock().push(took);
    }

    pub fn take(&self) -> Vec<Duration> {
        std::mem::take(&mut self.0.lock())
    }
}

/// The positions that one mechanic sent, and how long they took to reach their customer.
#[derive(Debug)]
pub struct Shown {
    sent: Mutex<VecDeque<((i64, i64), Instant)>>,
    times: Arc<Times>,
}

impl Shown {
    fn new(times: Arc<Times>) -> Self {
        Self { sent: Mutex::default(), times }
    }

    pub fn sent(&self, position: (i64, i64), at: Instant) {
        let mut sent = self.sent.lock();
        sent.truncate(REMEMBERED - 1);
        sent.push_front((position, at));
    }

    /// Records that the customer has read this position; each counts once.
    fn read(&self, position: (i64, i64), now: Instant) {
        let mut sent = self.sent.lock();
        if let Some(newest) = sent.iter().position(|(one, _)| *one == position) {
            self.times.add(now.saturating_duration_since(sent[newest].1));
            sent.truncate(newest);
        }
    }
}

/// Customers who watch until they are dropped.
#[derive(Debug)]
pub struct Watchers {
    pub times: Arc<Times>,
    _reading: JoinSet<()>,
}

/// Prepares as many pairs as asked for, each with a job under way: the mechanics' phones, and the customers who watch.
pub async fn watched(target: &Target, api: &Api, count: u32) -> Result<(Vec<Phone>, Watchers), Failure> {
    let pairs = pairs(api, &target.admins(), first_phone(), 0..count).await?;
    let token = &pairs.first().ok_or("nobody to watch")?.mechanic.token;
    let category = people::categories(api, token).await?.into_iter().next().ok_or("there is no category")?;
    let (times, mut reading) = (Arc::<Times>::default(), JoinSet::new());
    let at_work = stream::iter(pairs.into_iter().zip(0u64..)).map(|(mut pair, n)| {
        let (category, times) = (&category, times.clone());
        async move {
            let job = pair.begin(api, category).await?.job;
            pair.start_work(api, &job).await?;
            let mut socket = Socket::open(api, &pair.customer.token).await?;
            socket.send(frame("job.subscribe", "s", json!({ "job_id": job }))).await?;
            let Pair { socket: phone, at, seq, .. } = pair;
            let shown = Arc::new(Shown::new(times));
            let walker = Walker::new(Town { middle: at, half_side_m: YARD_M }, n);
            let connection = Connection::Socket(Box::new(phone));
            Ok::<_, Failure>((Phone { connection, walker, seq, shown: Some(shown.clone()) }, socket, shown))
        }
    });
    let at_work: Vec<_> = at_work.buffer_unordered(BEGINNING_AT_ONCE).try_collect().await?;
    let mut phones = Vec::new();
    for (phone, socket, shown) in at_work {
        phones.push(phone);
        reading.spawn(read(socket, shown));
    }
    Ok((phones, Watchers { times, _reading: reading }))
}

async fn read(mut socket: Socket, shown: Arc<Shown>) {
    while let Ok(text) = socket.next().await {
        if kind_of(&text) == "location.updated" {
            let now = Instant::now();
            let frame: Value = serde_json::from_str(&text).unwrap_or_default();
            let degrees = |field: &str| frame["data"][field].as_f64().unwrap_or_default();
            shown.read(Place { lat: degrees("lat"), lng: degrees("lng") }.key(), now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_counts_once_and_older_ones_are_forgotten() {
        let times = Arc::<Times>::default();
        let (shown, start) = (Shown::new(times.clone()), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        for (place, ms) in [(1, 0), (2, 10), (3, 20)] {
            shown.sent((place, place), at(ms));
        }
        for (place, ms) in [(2, 15), (2, 16), (1, 17), (3, 25)] {
            shown.read((place, place), at(ms));
        }
        assert_eq!(times.take(), [5, 5].map(Duration::from_millis));
        assert!(times.take().is_empty());
    }
}
