//! Positions go to the engine in batches, and their receipts come back in batches: a message costs more than its contents.
//!
//! The answer to a batch contains the receipts that were known at once. The receipt of a position whose trail is still to be
//! stored comes later, with others of its kind, and keeps nobody waiting.

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use roadcall_actors::{
    job::state::Refusal,
    protocol::{Call, Locate},
    remote::Unanswered,
};
use tokio::{
    sync::{Semaphore, mpsc, oneshot, watch},
    time::{sleep, timeout},
};

use super::{
    directions::Directions,
    link::LocalEngine,
    messages::{Positions, Receipt, Receipts},
    serving::OLDEST,
    subject::{self, ToLeader},
};
use crate::platform::bus::{Bus, BusSubscription, Lane, Opened, Received, Unheard, Unreadable};

/// How long the first position of a batch waits for others, and the first receipt.
const GATHERED_FOR: Duration = Duration::from_millis(25);
/// How many points fill a batch: some 64 kB, of the megabyte that NATS permits.
const MAX_POINTS_PER_BATCH: usize = 256;
/// The maximum number of positions that wait to be sent; further ones are not sent.
const MAX_WAITING: usize = 16_384;
/// The maximum number of batches in progress at the engine; a further batch is refused at once.
const MAX_BATCHES: usize = 512;

type Settle = oneshot::Sender<Result<Receipt, Unanswered>>;

/// Sends positions to the engine on another server. It is cheap to clone.
#[derive(Clone)]
pub(super) struct PingSender {
    waiting: mpsc::Sender<(Locate, Settle)>,
    sent: Arc<Sent>,
}

impl fmt::Debug for PingSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PingSender").field("sent", &self.sent.locked().len()).finish_non_exhaustive()
    }
}

/// The positions that have no receipt yet.
#[derive(Default)]
struct Sent {
    next: AtomicU64,
    settle: Mutex<HashMap<u64, Settle>>,
}

impl PingSender {
    /// Starts sending. An answer may take `within`.
    pub(super) fn start(bus: &Bus, directions: Directions, within: Duration) -> Self {
        let (waiting, received) = mpsc::channel(MAX_WAITING);
        let sent = Arc::<Sent>::default();
        bus.spawn(send_all(bus.clone(), received, sent.clone(), directions, within));
        Self { waiting, sent }
    }

    pub(super) async fn send(&self, locate: Locate) -> Result<Receipt, Unanswered> {
        let (settle, settled) = oneshot::channel();
        // If that many wait, the phone does better to send its newest position later.
        self.waiting.try_send((locate, settle)).map_err(|_| Unanswered::NobodyServes)?;
        settled.await.unwrap_or(Err(Unanswered::Lost))
    }

    /// Takes receipts that were not known at once.
    pub(super) fn take_receipts(&self, received: &Received) {
        if let Ok(receipts) = received.read::<Receipts>() {
            self.sent.take(receipts);
        }
    }
}

impl Sent {
    fn locked(&self) -> MutexGuard<'_, HashMap<u64, Settle>> {
        self.settle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn number(&self, batch: Vec<(Locate, Settle)>) -> Positions {
        let mut settle = self.locked();
        let numbered = batch.into_iter().map(|(locate, settled)| {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            settle.insert(number, settled);
            (number, locate)
        });
        Positions(numbered.collect())
    }

    fn take(&self, Receipts(receipts): Receipts) {
        let mut settle = self.locked();
        for (number, receipt) in receipts {
            // The caller may have given up.
            settle.remove(&number).map(|settled| settled.send(Ok(receipt)));
        }
    }

    /// Returns whether any of these positions still has no receipt.
    fn has_any(&self, numbers: &[u64]) -> bool {
        let settle = self.locked();
        numbers.iter().any(|number| settle.contains_key(number))
    }

    fn give_up(&self, numbers: &[u64], why: Unanswered) {
        let mut settle = self.locked();
        for number in numbers {
            settle.remove(number).map(|settled| settled.send(Err(why)));
        }
    }
}

async fn send_all(
    bus: Bus,
    mut waiting: mpsc::Receiver<(Locate, Settle)>,
    sent: Arc<Sent>,
    directions: Directions,
    within: Duration,
) {
    while let Some(first) = waiting.recv().await {
        if waiting.len() < MAX_POINTS_PER_BATCH {
            sleep(GATHERED_FOR).await;
        }
        let batch = gather(first, &mut waiting);
        let positions = sent.number(batch);
        let (bus, sent, subject) = (bus.clone(), sent.clone(), directions.subject(ToLeader::Pings));
        // The next batch does not wait for the receipts of this one.
        tokio::spawn(async move {
            let numbers: Vec<u64> = positions.0.iter().map(|(number, _)| *number).collect();
            let asked = match subject {
                None => Err(Unheard::Nobody),
                Some(subject) => bus.request::<Result<Receipts, Refusal>>(&subject, &positions, within).await,
            };
            match asked {
                Ok(Ok(receipts)) => sent.take(receipts),
                Ok(Err(refusal)) => {
                    let refused = numbers.iter().map(|number| (*number, Err(refusal.clone())));
                    sent.take(Receipts(refused.collect()));
                }
                Err(Unheard::Nobody) => sent.give_up(&numbers, Unanswered::NobodyServes),
                Err(Unheard::Lost) => sent.give_up(&numbers, Unanswered::Lost),
            }
            if sent.has_any(&numbers) {
                sleep(within).await;
                sent.give_up(&numbers, Unanswered::Lost);
            }
        });
    }
}

/// Takes the first position and those that wait, up to a number of points. A phone that was out of reach sends many at once.
fn gather(first: (Locate, Settle), waiting: &mut mpsc::Receiver<(Locate, Settle)>) -> Vec<(Locate, Settle)> {
    let mut points = first.0.pings.len();
    let mut batch = vec![first];
    while points < MAX_POINTS_PER_BATCH
        && let Ok(next) = waiting.try_recv()
    {
        points += next.0.pings.len();
        batch.push(next);
    }
    batch
}

/// Takes positions on the leader's side, until `ends` is true.
pub(super) async fn take_positions(
    bus: Bus,
    local: LocalEngine,
    mut batches: BusSubscription,
    mut ends: watch::Receiver<bool>,
) {
    let room = Arc::new(Semaphore::new(MAX_BATCHES));
    while let Some(received) = batches.next_until(&mut ends).await {
        let opened = match bus.open::<Positions>(&received) {
            Ok(opened) => opened,
            Err(Unreadable::Newer) => {
                bus.answer_on(
                    Lane::Receipts,
                    &received,
                    &refused("a server of a newer release sends positions"),
                );
                continue;
            }
            Err(Unreadable::Malformed) => continue,
        };
        // The same rule holds for every request.
        if !local.lease.is_held() || opened.age > OLDEST {
            continue;
        }
        let Ok(place) = room.clone().try_acquire_owned() else {
            bus.answer_on(Lane::Receipts, &received, &refused("the engine has too many positions"));
            continue;
        };
        let (bus, engine) = (bus.clone(), local.clone());
        local.engine.spawn_beside_mechanics(async move {
            locate_all(&bus, &engine, &received, opened).await;
            drop(place);
        });
    }
}

fn refused(why: &str) -> Result<Receipts, Refusal> {
    Err(Refusal::Unavailable(why.to_owned()))
}

async fn locate_all(bus: &Bus, local: &LocalEngine, received: &Received, opened: Opened<Positions>) {
    let Positions(positions) = opened.body;
    let mut under_way: FuturesUnordered<_> = positions
        .into_iter()
        .map(|(number, locate)| async move { (number, locate.answer_on(&local.engine).await) })
        .collect();
    let mut is_first = true;
    while !under_way.is_empty() {
        let mut receipts = Receipts::default();
        let gather = async {
            while let Some(receipt) = under_way.next().await {
                receipts.0.push(receipt);
            }
        };
        // This waits for all receipts, or for those of the next moment.
        timeout(GATHERED_FOR, gather).await.ok();
        if receipts.0.is_empty() && !is_first {
            receipts.0.extend(under_way.next().await);
        }
        if !local.lease.is_held() {
            return;
        }
        match std::mem::take(&mut is_first) {
            true => bus.answer_on(Lane::Receipts, received, &Ok::<_, Refusal>(receipts)),
            false => bus.publish_on(Lane::Receipts, &subject::receipts(opened.from), &receipts),
        }
    }
}

#[cfg(test)]
mod tests {
    use roadcall_actors::{
        geo::Point,
        ids::MechanicId,
        position::{Ping, PositionSource},
    };

    use super::*;

    fn locate(points: usize) -> Locate {
        let ping = Ping {
            seq: 1,
            point: Point { lat: 12.9, lng: 77.6 },
            accuracy_m: None,
            speed_mps: None,
            heading: None,
            recorded_at: chrono::DateTime::UNIX_EPOCH,
            is_mock: false,
        };
        let mechanic = MechanicId(uuid::Uuid::nil());
        Locate {
            mechanic,
            pings: vec![ping; points],
            source: PositionSource::App,
            received_ago: chrono::TimeDelta::zero(),
        }
    }

    #[tokio::test]
    async fn a_batch_is_limited_by_its_points_not_by_its_phones() {
        let (sender, mut waiting) = mpsc::channel(1_000);
        for points in [1, 200, 100, 1] {
            sender.try_send((locate(points), oneshot::channel().0)).unwrap();
        }
        let mut sizes = Vec::new();
        while let Ok(first) = waiting.try_recv() {
            sizes.push(gather(first, &mut waiting).len());
        }
        assert_eq!(sizes, [3, 1]);
    }

    fn receipt() -> Receipt {
        Err(Refusal::NotFound)
    }

    #[tokio::test]
    async fn each_position_gets_its_own_receipt_and_only_once() {
        let sent = Sent::default();
        let (settles, settled): (Vec<_>, Vec<_>) = (0..3).map(|_| oneshot::channel()).unzip();
        let batch = settles.into_iter().map(|settle| (locate(1), settle)).collect();
        let numbers: Vec<u64> = sent.number(batch).0.into_iter().map(|(number, _)| number).collect();
        sent.take(Receipts(vec![(numbers[1], receipt()), (99, receipt())]));
        assert!(sent.has_any(&numbers));
        sent.give_up(&numbers, Unanswered::Lost);
        assert!(!sent.has_any(&numbers));
        sent.take(Receipts(vec![(numbers[0], receipt())]));
        let mut told = Vec::new();
        for settled in settled {
            told.push(settled.await.unwrap());
        }
        assert!(matches!(
            told[..],
            [Err(Unanswered::Lost), Ok(Err(Refusal::NotFound)), Err(Unanswered::Lost)]
        ));
    }
}
