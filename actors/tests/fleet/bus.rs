//! The bus between gateways and the engine: messages come late, twice, in another order or never.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::future::{BoxFuture, FutureExt};
use roadcall_actors::{
    broadcast::Broadcast,
    job::state::Refusal,
    protocol::{Answer, Notice, Request},
    random::Random,
    remote::{Link, Unanswered},
    settings::Tuning,
};
use tokio::sync::{mpsc, oneshot};

/// The time that a gateway waits for one answer.
const TRY: Duration = Duration::from_millis(1_000);

/// The conditions for messages.
#[derive(Debug, Clone, Copy)]
pub struct Weather {
    /// The limit below which each direction takes any time.
    pub delay_ms: u32,
    /// The number of lost messages of a thousand.
    pub lost: u32,
    pub repeated: u32,
}

pub const CALM: Weather = Weather { delay_ms: 2, lost: 0, repeated: 0 };

/// A request on its way, with the address for its answer.
#[derive(Debug)]
pub struct Letter {
    pub request: String,
    pub reply: Reply,
}

/// Sends an answer back, under the same conditions. Each copy of a request has a reply; the first answer counts.
#[derive(Debug, Clone)]
pub struct Reply {
    bus: Bus,
    gateway: usize,
    to: Arc<Mutex<Option<oneshot::Sender<Sent>>>>,
}

#[derive(Debug)]
enum Sent {
    NobodyServes,
    Answer(String),
}

/// An engine's subscription.
#[derive(Debug, Clone)]
struct Subscription {
    term: u64,
    letters: mpsc::UnboundedSender<Letter>,
}

#[derive(Debug)]
struct Inner {
    random: Random,
    weather: Weather,
    /// The engines that the bus believes to be there.
    subscriptions: Vec<Subscription>,
    /// The term of the engine that each gateway believes to serve.
    believed: Vec<u64>,
    /// The gateways whose messages go nowhere.
    cut: BTreeSet<usize>,
    /// The channels on which gateways hear broadcasts.
    ears: Vec<mpsc::UnboundedSender<Broadcast>>,
}

/// The bus. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Bus(Arc<Mutex<Inner>>);

impl Bus {
    pub fn new(random: Random, gateways: usize) -> Self {
        let (subscriptions, believed, cut) = (Vec::new(), vec![0; gateways], BTreeSet::new());
        let (weather, ears) = (CALM, Vec::new());
        Self(Arc::new(Mutex::new(Inner { random, weather, subscriptions, believed, cut, ears })))
    }

    /// Lets the next gateway begin to listen.
    pub fn listen(&self) -> mpsc::UnboundedReceiver<Broadcast> {
        let (ear, heard) = mpsc::unbounded_channel();
        self.locked().ears.push(ear);
        heard
    }

    /// Sends something to every gateway, to each under the same conditions.
    pub fn broadcast(&self, broadcast: &Broadcast) {
        let text = serde_json::to_string(broadcast).expect("a broadcast that can be written down");
        let ears = self.locked().ears.clone();
        for (gateway, ear) in ears.into_iter().enumerate() {
            for after in self.copies(gateway) {
                let (ear, text) = (ear.clone(), text.clone());
                actix_rt::spawn(async move {
                    tokio::time::sleep(after).await;
                    ear.send(serde_json::from_str(&text).expect("a broadcast that can be read again")).ok();
                });
            }
        }
    }

    pub fn set_weather(&self, weather: Weather) {
        self.locked().weather = weather;
    }

    pub fn cut(&self, gateway: usize) {
        self.locked().cut.insert(gateway);
    }

    pub fn mend(&self) {
        self.locked().cut.clear();
    }

    /// Lets an engine begin to serve. Gateways learn of it one after the other.
    pub fn subscribe(&self, term: u64) -> mpsc::UnboundedReceiver<Letter> {
        let (letters, received) = mpsc::unbounded_channel();
        let mut inner = self.locked();
        inner.subscriptions.push(Subscription { term, letters });
        for gateway in 0..inner.believed.len() {
            let after = Duration::from_millis(u64::from(inner.random.below(1_000)));
            let bus = self.clone();
            actix_rt::spawn(async move {
                tokio::time::sleep(after).await;
                let believed = &mut bus.locked().believed[gateway];
                *believed = term.max(*believed);
            });
        }
        received
    }

    /// Notices that an engine is gone.
    pub fn unsubscribe(&self, term: u64) {
        self.locked().subscriptions.retain(|subscription| subscription.term != term);
    }

    /// Returns when each copy of a message arrives.
    fn copies(&self, gateway: usize) -> Vec<Duration> {
        let inner = self.locked();
        let (random, weather) = (&inner.random, inner.weather);
        let copies = match () {
            () if inner.cut.contains(&gateway) || random.below(1_000) < weather.lost => 0,
            () if random.below(1_000) < weather.repeated => 2,
            () => 1,
        };
        (0..copies).map(|_| Duration::from_millis(u64::from(random.below(weather.delay_ms)))).collect()
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reply {
    pub fn nobody_serves(&self) {
        self.send(|| Sent::NobodyServes);
    }

    pub fn answer(&self, answer: &Result<Answer, Refusal>) {
        let text = serde_json::to_string(answer).expect("an answer that can be written down");
        self.send(|| Sent::Answer(text.clone()));
    }

    fn send(&self, sent: impl Fn() -> Sent) {
        for after in self.bus.copies(self.gateway) {
            let (to, sent) = (self.to.clone(), sent());
            actix_rt::spawn(async move {
                tokio::time::sleep(after).await;
                if let Some(to) = to.lock().unwrap_or_else(PoisonError::into_inner).take() {
                    to.send(sent).ok();
                }
            });
        }
    }
}

/// The link from one gateway to the engine.
#[derive(Debug)]
pub struct GatewayLink {
    pub bus: Bus,
    pub gateway: usize,
}

impl GatewayLink {
    async fn carry(&self, request: Request) -> Result<Result<Answer, Refusal>, Unanswered> {
        let request = serde_json::to_string(&request).expect("a request that can be written down");
        let subscription = {
            let inner = self.bus.locked();
            let term = inner.believed[self.gateway];
            inner.subscriptions.iter().find(|subscription| subscription.term == term).cloned()
        };
        let Some(subscription) = subscription else { return Err(Unanswered::NobodyServes) };
        let (to, answered) = oneshot::channel();
        let to = Arc::new(Mutex::new(Some(to)));
        let copies = self.bus.copies(self.gateway);
        let is_doubled = copies.len() > 1;
        for after in copies {
            let reply = Reply { bus: self.bus.clone(), gateway: self.gateway, to: to.clone() };
            let (letters, letter) =
                (subscription.letters.clone(), Letter { request: request.clone(), reply });
            actix_rt::spawn(async move {
                tokio::time::sleep(after).await;
                letters.send(letter).ok();
            });
        }
        // Only the copies on their way can answer now.
        drop(to);
        match tokio::time::timeout(TRY, answered).await {
            Ok(Ok(Sent::Answer(text))) => {
                Ok(serde_json::from_str(&text).expect("an answer that can be read again"))
            }
            // Nothing is known of another copy.
            Ok(Ok(Sent::NobodyServes)) if !is_doubled => Err(Unanswered::NobodyServes),
            Ok(_) | Err(_) => Err(Unanswered::Lost),
        }
    }
}

impl Link for GatewayLink {
    fn send(
        &self,
        request: Request,
        _: Duration,
    ) -> BoxFuture<'_, Result<Result<Answer, Refusal>, Unanswered>> {
        // Everything here runs on one thread; only the trait requires more.
        self.carry(request).boxed()
    }

    fn tell(&self, _: Notice) {}

    fn tune(&self, _: Tuning) {}
}
