//! The recorder of positions: bounded, in batches, behind the actors.
//!
//! A trail point is acknowledged when it is stored. When [`TrailRecorder::record`] finds the queue full it refuses at once;
//! the phone keeps the points and sends them again. Current positions are coalesced per mechanic.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::FutureExt;
use roadcall_actors::{
    ids::MechanicId,
    mechanic::state::{Fix, TrailPoint},
    ports::LoadError,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use super::queries::{self, PositionColumns, TrailColumns};
use crate::platform::db::Db;
use crate::platform::settings::EngineSettings;

/// Points written with one statement.
const BATCH: usize = 1000;
/// Current positions are written this often.
const POSITIONS_EVERY: Duration = Duration::from_secs(2);
/// How long a stop waits for what is queued.
const FLUSH_LIMIT: Duration = Duration::from_secs(3);
/// Pause between two tries of that.
const FLUSH_AGAIN: Duration = Duration::from_millis(20);

/// The recorder's near end; cheap to clone.
#[derive(Debug, Clone)]
pub struct TrailRecorder {
    queue: mpsc::UnboundedSender<Batch>,
    /// Bounds the points in the queue, which itself has no limit.
    room: Arc<Semaphore>,
    positions: Arc<Mutex<HashMap<MechanicId, Fix>>>,
    /// How many points the queue has room for.
    most: usize,
}

#[derive(Debug)]
struct Batch {
    points: Vec<TrailPoint>,
    stored: oneshot::Sender<Result<(), LoadError>>,
    /// Given back when the points are written, not when their sender stops waiting: so the queue stays bounded.
    _room: OwnedSemaphorePermit,
}

impl TrailRecorder {
    /// Starts the recorder's loops on the current runtime.
    pub fn start(db: Db, settings: &EngineSettings) -> Self {
        let (queue, batches) = mpsc::unbounded_channel();
        let most = settings.trail_queue;
        let trail = Self { queue, room: Arc::new(Semaphore::new(most)), positions: Arc::default(), most };
        actix_rt::spawn(write_trail(db.clone(), batches, Duration::from_millis(settings.trail_flush_ms)));
        actix_rt::spawn(write_positions(db.uncounted(), trail.positions.clone()));
        trail
    }

    /// Points that wait to be written.
    pub fn waiting(&self) -> usize {
        self.most.saturating_sub(self.room.available_permits())
    }

    /// Resolves when the points are stored, or surely not acknowledged.
    pub fn record(
        &self,
        points: Vec<TrailPoint>,
    ) -> impl Future<Output = Result<(), LoadError>> + Send + use<> {
        let count = u32::try_from(points.len()).unwrap_or(u32::MAX);
        let Ok(room) = self.room.clone().try_acquire_many_owned(count) else {
            return std::future::ready(Err(LoadError("the queue of trail points is full".to_owned())))
                .left_future();
        };
        let (stored, answer) = oneshot::channel();
        let sent = self.queue.send(Batch { points, stored, _room: room });
        async move {
            sent.map_err(|_| LoadError("the recorder has stopped".to_owned()))?;
            answer.await.unwrap_or_else(|_| Err(LoadError("the recorder has stopped".to_owned())))
        }
        .right_future()
    }

    /// Keeps the mechanic's current position for the next write; latest wins.
    pub fn record_position_later(&self, id: MechanicId, fix: Fix) {
        self.positions.lock().unwrap_or_else(PoisonError::into_inner).insert(id, fix);
    }

    /// Writes the positions that were not written yet, at a stop; tries again while the database is away.
    pub async fn flush(&self, db: &Db) {
        let write = async {
            while save(db, &self.positions).await.is_err() {
                tokio::time::sleep(FLUSH_AGAIN).await;
            }
        };
        if tokio::time::timeout(FLUSH_LIMIT, write).await.is_err() {
            tracing::warn!("the last positions could not be saved before the stop");
        }
    }
}

async fn write_trail(db: Db, mut batches: mpsc::UnboundedReceiver<Batch>, gather: Duration) {
    while let Some(first) = batches.recv().await {
        let mut count = first.points.len();
        let mut taken = vec![first];
        let until = tokio::time::sleep(gather);
        tokio::pin!(until);
        while count < BATCH {
            tokio::select! {
                more = batches.recv() => match more {
                    Some(batch) => {
                        count += batch.points.len();
                        taken.push(batch);
                    }
                    None => break,
                },
                () = &mut until => break,
            }
        }
        let mut columns = TrailColumns::default();
        taken.iter().flat_map(|batch| &batch.points).for_each(|point| columns.push(point));
        let written =
            queries::insert_trail(&db, &columns).await.map_err(|error| LoadError(error.to_string()));
        for batch in taken {
            // A phone that no longer waits sends the points again.
            batch.stored.send(written.clone()).ok();
        }
    }
}

async fn write_positions(db: Db, positions: Arc<Mutex<HashMap<MechanicId, Fix>>>) {
    let mut tick = tokio::time::interval(POSITIONS_EVERY);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    // Ends when every near end is gone.
    while Arc::strong_count(&positions) > 1 {
        tick.tick().await;
        if let Err(error) = save(&db, &positions).await {
            tracing::warn!(error.cause = %error, "saving positions failed and will be retried");
        }
    }
}

/// Writes what is due; what could not be written stays due.
async fn save(db: &Db, positions: &Mutex<HashMap<MechanicId, Fix>>) -> sqlx::Result<()> {
    let due = std::mem::take(&mut *positions.lock().unwrap_or_else(PoisonError::into_inner));
    if due.is_empty() {
        return Ok(());
    }
    let mut columns = PositionColumns::default();
    due.iter().for_each(|(id, fix)| columns.push(*id, fix));
    let saved = queries::save_positions(db, &columns).await;
    if saved.is_err() {
        let mut waiting = positions.lock().unwrap_or_else(PoisonError::into_inner);
        for (id, fix) in due {
            waiting.entry(id).or_insert(fix);
        }
    }
    saved
}

impl TrailColumns {
    fn push(&mut self, point: &TrailPoint) {
        let ping = &point.ping;
        self.job_ids.push(point.job_id.0);
        self.mechanic_profile_ids.push(point.mechanic_id.0);
        self.seqs.push(ping.seq);
        self.lats.push(ping.point.lat);
        self.lngs.push(ping.point.lng);
        self.accuracies_m.push(ping.accuracy_m);
        self.speeds_mps.push(ping.speed_mps);
        self.headings.push(ping.heading);
        self.are_mock.push(ping.is_mock);
        self.are_implausible.push(point.is_implausible);
        self.recorded.push(ping.recorded_at);
        self.corrected.push(point.recorded_at);
        self.received.push(point.received_at);
    }
}

impl PositionColumns {
    fn push(&mut self, id: MechanicId, fix: &Fix) {
        self.ids.push(id.0);
        self.lats.push(fix.point.lat);
        self.lngs.push(fix.point.lng);
        self.accuracies_m.push(fix.accuracy_m);
        self.seqs.push(fix.seq);
        self.recorded.push(fix.recorded_at);
        self.received.push(fix.received_at);
        self.are_implausible.push(fix.is_implausible);
    }
}
