//! The other customers, who read their jobs all the time.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use roadcall_client::{Api, ClientError};
use tokio::{task::JoinSet, time::MissedTickBehavior};

use crate::{
    people::Customer,
    samples::{Samples, Summary},
};

/// The interval of requests, slower than a person's limit (`limits.per_user_per_minute`).
const EVERY: Duration = Duration::from_millis(200);

/// When a request began, how long it took, and its answer if not 200.
#[derive(Debug)]
struct Asked {
    at: Instant,
    took: Duration,
    refused: Option<String>,
}

/// Customers who read until this is dropped.
#[derive(Debug)]
pub struct Others {
    asked: Arc<Mutex<Vec<Asked>>>,
    _tasks: JoinSet<()>,
}

impl Others {
    pub fn start(api: &Api, customers: Vec<Customer>) -> Self {
        let (asked, mut tasks) = (Arc::<Mutex<Vec<Asked>>>::default(), JoinSet::new());
        for customer in customers {
            tasks.spawn(read(api.clone(), customer.token, asked.clone()));
        }
        Self { asked, _tasks: tasks }
    }

    /// Summarises the requests that began in this time: the times of those that succeeded, and the answers to the others.
    pub fn between(&self, from: Instant, until: Instant) -> (Option<Summary>, BTreeMap<String, u64>) {
        let (mut took, mut refused) = (Samples::default(), BTreeMap::new());
        let asked = self.asked.lock();
        for one in asked.iter().filter(|one| (from..until).contains(&one.at)) {
            match &one.refused {
                None => took.add(one.took),
                Some(why) => *refused.entry(why.clone()).or_default() += 1,
            }
        }
        (took.summary(), refused)
    }
}

async fn read(api: Api, token: String, asked: Arc<Mutex<Vec<Asked>>>) {
    let mut tick = tokio::time::interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        let at = Instant::now();
        let refused = api.get("/jobs", &token).await.err();
        let one = Asked { at, took: at.elapsed(), refused: refused.map(|refused| answer(&refused)) };
        asked.lock().push(one);
    }
}

fn answer(refused: &ClientError) -> String {
    refused.status().map_or_else(|| "no answer".to_owned(), |status| status.to_string())
}
