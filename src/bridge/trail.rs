//! The recorder of positions: bounded, in batches, behind the actors.
//!
//! A trail point is acknowledged when it is stored. If the queue is full, [`TrailRecorder::record`] refuses at once; the phone
//! keeps the points and sends them again. Current positions are coalesced per mechanic, and written when they differ enough from
//! what is written.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use futures_util::FutureExt;
use roadcall_actors::{
    geo::Point,
    ids::MechanicId,
    mechanic::state::{Fix, TrailPoint},
    ports::LoadError,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use super::queries::{self, PositionColumns, TrailColumns};
use crate::platform::db::{Db, EngineDb, LeadershipStatus};
use crate::tracking;

/// The maximum number of points in one statement.
const BATCH: usize = 1000;
/// How often current positions are checked.
const POSITIONS_EVERY: Duration = Duration::from_secs(2);
/// A position is written if the mechanic has moved this far from the written one, or that is this old.
const MOVED_M: f64 = 200.0;
const WRITTEN_FOR: Duration = Duration::from_secs(30);
/// The maximum number of positions in one statement, which takes a fraction of its time limit.
const POSITIONS_AT_ONCE: usize = 5_000;
/// How long a stop waits until the queued positions are written.
const FLUSH_LIMIT: Duration = Duration::from_secs(3);
/// The pause between two tries of that.
const FLUSH_AGAIN: Duration = Duration::from_millis(20);

/// The recorder's near end, which is cheap to clone.
#[derive(Debug, Clone)]
pub struct TrailRecorder {
    queue: mpsc::UnboundedSender<Batch>,
    /// Limits the points in the queue, which itself has no limit.
    room: Arc<Semaphore>,
    positions: Arc<Positions>,
    /// How many points the queue has room for.
    most: usize,
}

/// The current positions of all mechanics that are not written yet.
#[derive(Debug, Default)]
struct Positions {
    /// The positions that came since the last look.
    newest: Mutex<HashMap<MechanicId, Fix>>,
    /// The book, locked by the task that writes.
    book: tokio::sync::Mutex<Book>,
}

#[derive(Debug, Default)]
struct Book {
    waiting: HashMap<MechanicId, Fix>,
    /// The positions that were written within [`WRITTEN_FOR`].
    written: HashMap<MechanicId, (Point, Instant)>,
}

#[derive(Debug)]
struct Batch {
    /// The database of the lead under which the points came. Phones send points of an earlier lead to the new leader.
    db: Db,
    points: Vec<TrailPoint>,
    stored: oneshot::Sender<Result<(), LoadError>>,
    /// Returned when the points are written, not when their sender stops waiting, so that the queue stays bounded.
    _room: OwnedSemaphorePermit,
}

impl TrailRecorder {
    /// Starts the recorder's loops on the current runtime. At most so many points wait to be written.
    pub fn start(db: EngineDb, most: usize) -> Self {
        let (queue, batches) = mpsc::unbounded_channel();
        let trail = Self { queue, room: Arc::new(Semaphore::new(most)), positions: Arc::default(), most };
        actix_rt::spawn(write_trail(batches));
        actix_rt::spawn(write_positions(db, trail.positions.clone()));
        trail
    }

    /// Returns how many points wait to be written.
    pub fn waiting(&self) -> usize {
        self.most.saturating_sub(self.room.available_permits())
    }

    /// Resolves when the points are stored in `db`, or surely not acknowledged.
    pub fn record(
        &self,
        db: &Db,
        points: Vec<TrailPoint>,
    ) -> impl Future<Output = Result<(), LoadError>> + Send + use<> {
        let count = u32::try_from(points.len()).unwrap_or(u32::MAX);
        let Ok(room) = self.room.clone().try_acquire_many_owned(count) else {
            return std::future::ready(Err(LoadError("the queue of trail points is full".to_owned())))
                .left_future();
        };
        let (stored, answer) = oneshot::channel();
        let sent = self.queue.send(Batch { db: db.clone(), points, stored, _room: room });
        async move {
            sent.map_err(|_| LoadError("the recorder has stopped".to_owned()))?;
            answer.await.unwrap_or_else(|_| Err(LoadError("the recorder has stopped".to_owned())))
        }
        .right_future()
    }

    /// Keeps the mechanic's current position for the next write; latest wins.
    pub fn record_position_later(&self, id: MechanicId, fix: Fix) {
        self.positions.newest.lock().unwrap_or_else(PoisonError::into_inner).insert(id, fix);
    }

    /// Forgets the positions that were not written yet: another server leads, and has newer ones.
    pub async fn forget(&self) {
        let mut book = self.positions.book.lock().await;
        self.positions.newest.lock().unwrap_or_else(PoisonError::into_inner).clear();
        *book = Book::default();
    }

    /// Writes the positions that were not written yet, at a stop; tries again while the database is away.
    pub async fn flush(&self, db: &Db) {
        let write = async {
            while self.positions.save(db, WrittenNow::All).await.is_err() {
                tokio::time::sleep(FLUSH_AGAIN).await;
            }
        };
        if tokio::time::timeout(FLUSH_LIMIT, write).await.is_err() {
            tracing::warn!("the last positions could not be saved before the stop");
        }
    }
}

/// Writes the waiting batches at once; batches that come meanwhile go together into the next statement.
async fn write_trail(mut batches: mpsc::UnboundedReceiver<Batch>) {
    let mut of_next_lead: Option<Batch> = None;
    loop {
        let first = match of_next_lead.take() {
            None => batches.recv().await,
            first => first,
        };
        let Some(first) = first else { return };
        let db = first.db.clone();
        let (taken, next) = gather(first, &mut batches);
        of_next_lead = next;
        let mut columns = TrailColumns::default();
        taken.iter().flat_map(|batch| &batch.points).for_each(|point| columns.push(point));
        let written = tokio::select! {
            biased;
            // The answer may never come, and points of the next lead would wait for it.
            () = db.lease().replaced() => Err(LoadError("another server leads".to_owned())),
            written = queries::insert_trail(&db, &columns) => {
                written.map_err(|error| LoadError(error.to_string()))
            }
        };
        for batch in taken {
            // A phone that no longer waits sends the points again.
            batch.stored.send(written.clone()).ok();
        }
    }
}

/// Takes the first batch and those that wait behind it, up to a number of points. Stops at a batch of another lead, whose
/// connections write it, and returns that batch separately.
fn gather(first: Batch, batches: &mut mpsc::UnboundedReceiver<Batch>) -> (Vec<Batch>, Option<Batch>) {
    let (mut count, lead) = (first.points.len(), first.db.lease().server());
    let mut taken = vec![first];
    while count < BATCH
        && let Ok(batch) = batches.try_recv()
    {
        if batch.db.lease().server() != lead {
            return (taken, Some(batch));
        }
        count += batch.points.len();
        taken.push(batch);
    }
    (taken, None)
}

async fn write_positions(db: EngineDb, positions: Arc<Positions>) {
    let mut tick = tokio::time::interval(POSITIONS_EVERY);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    // The loop ends when every near end is gone.
    while Arc::strong_count(&positions) > 1 {
        tick.tick().await;
        if let Err(error) = positions.save(&db.current().uncounted(), WrittenNow::Due).await {
            tracing::warn!(error.cause = %error, "saving positions failed and will be retried");
        }
    }
}

/// The choice of positions to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WrittenNow {
    Due,
    All,
}

impl Positions {
    /// Writes the newest positions. Positions that could not be written stay due until another server leads, which writes
    /// newer ones.
    async fn save(&self, db: &Db, which: WrittenNow) -> sqlx::Result<()> {
        let mut book = self.book.lock().await;
        let newest = std::mem::take(&mut *self.newest.lock().unwrap_or_else(PoisonError::into_inner));
        if db.lease().standing() == LeadershipStatus::Replaced {
            book.waiting.clear();
            return Ok(());
        }
        book.waiting.extend(newest);
        let due = book.due(which, Instant::now());
        for some in due.chunks(POSITIONS_AT_ONCE) {
            let mut columns = PositionColumns::default();
            some.iter().for_each(|(id, fix)| columns.push(*id, fix));
            tokio::select! {
                biased;
                // The answer may never come: the connection may have silently lost its other end.
                () = db.lease().replaced() => {
                    book.waiting.clear();
                    return Ok(());
                }
                written = queries::save_positions(db, &columns) => written?,
            }
            book.wrote(some, Instant::now());
        }
        Ok(())
    }
}

impl Book {
    fn due(&mut self, which: WrittenNow, now: Instant) -> Vec<(MechanicId, Fix)> {
        self.written.retain(|_, (_, at)| now.duration_since(*at) < WRITTEN_FOR);
        let is_due = |id: &MechanicId, fix: &Fix| {
            let written = self.written.get(id);
            which == WrittenNow::All || written.is_none_or(|(at, _)| at.distance_m(fix.point) >= MOVED_M)
        };
        self.waiting.iter().filter(|(id, fix)| is_due(id, fix)).map(|(id, fix)| (*id, *fix)).collect()
    }

    fn wrote(&mut self, positions: &[(MechanicId, Fix)], now: Instant) {
        for (id, fix) in positions {
            self.waiting.remove(id);
            self.written.insert(*id, (fix.point, now));
        }
    }
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
        // A simulated position counts as implausible.
        self.are_doubtful.push(point.is_implausible);
        self.recorded.push(ping.recorded_at);
        self.corrected.push(point.recorded_at);
        self.hours.push(tracking::hour_of(point.received_at));
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

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use roadcall_actors::mechanic::state::PositionSource;
    use sqlx::{Executor, query_scalar};

    use super::*;
    use crate::platform::db::{Database, Serving, testing::fresh_database};

    fn at(lat: f64) -> Fix {
        Fix {
            point: Point::new(lat, 77.6),
            seq: 1,
            accuracy_m: None,
            speed_mps: None,
            heading: None,
            recorded_at: DateTime::UNIX_EPOCH,
            received_at: DateTime::UNIX_EPOCH,
            is_implausible: false,
            source: PositionSource::App,
        }
    }

    #[test]
    fn a_position_is_written_at_first_after_200_m_after_30_s_and_at_a_stop() {
        let (mut book, id, start) = (Book::default(), MechanicId(uuid::Uuid::nil()), Instant::now());
        let mut due = |lat: f64, which: WrittenNow, after_s: u64| {
            let now = start + Duration::from_secs(after_s);
            book.waiting.insert(id, at(lat));
            let due = book.due(which, now);
            book.wrote(&due, now);
            !due.is_empty()
        };
        assert!(due(12.970, WrittenNow::Due, 0));
        assert!(!due(12.971, WrittenNow::Due, 2), "111 m from there");
        assert!(due(12.972, WrittenNow::Due, 4), "222 m from there");
        assert!(!due(12.972, WrittenNow::Due, 33));
        assert!(due(12.972, WrittenNow::Due, 34));
        assert!(due(12.972, WrittenNow::All, 35));
    }

    #[tokio::test]
    async fn points_of_two_leads_are_not_written_together() {
        let database = fresh_database().await;
        let folder = std::env::temp_dir().join(format!("roadcall-trail-{}", std::process::id()));
        let server = Database::open(&database.settings(), &folder, Serving::Members).await.unwrap();
        let before = server.engine_db().current();
        server.stand_again();
        let now = server.engine_db().current();
        let (queue, mut batches) = mpsc::unbounded_channel();
        let (room, positions) = (Arc::new(Semaphore::new(1)), Arc::default());
        let trail = TrailRecorder { queue, room, positions, most: 1 };
        let waiting = [&before, &before, &now, &now].map(|db| trail.record(db, Vec::new()));
        let (taken, next) = gather(batches.try_recv().unwrap(), &mut batches);
        assert_eq!((taken.len(), next.is_some()), (2, true));
        let (taken, next) = gather(next.unwrap(), &mut batches);
        assert_eq!((taken.len(), next.is_some()), (2, false));
        assert_eq!(taken[0].db.lease().server(), now.lease().server());
        drop(waiting);
        server.close().await.unwrap();
        std::fs::remove_dir_all(&folder).ok();
    }

    #[tokio::test]
    async fn a_replaced_server_has_nothing_left_to_write() {
        let (database, positions) = (fresh_database().await, Positions::default());
        positions.newest.lock().unwrap().insert(MechanicId(uuid::Uuid::nil()), at(12.97));
        database.be_replaced();
        positions.save(&database.db, WrittenNow::Due).await.expect("nothing is due");
        assert!(positions.newest.lock().unwrap().is_empty());
        assert!(positions.book.lock().await.waiting.is_empty());
    }

    #[tokio::test]
    async fn a_server_replaced_while_it_writes_does_not_wait_for_the_answer() {
        let (database, positions) = (fresh_database().await, Positions::default());
        positions.newest.lock().unwrap().insert(MechanicId(uuid::Uuid::nil()), at(12.97));
        let mut busy = database.db.begin().await.unwrap();
        busy.execute("lock table mechanic_profiles").await.unwrap();
        let replaced = async {
            let waits = "select exists (select from pg_locks where not granted
                and database = (select oid from pg_database where datname = current_database()))";
            while !query_scalar::<_, bool>(waits).fetch_one(&mut *busy).await.unwrap() {}
            database.be_replaced();
        };
        let (saved, ()) = tokio::join!(positions.save(&database.db, WrittenNow::Due), replaced);
        saved.expect("nothing is left to write");
        assert!(positions.book.lock().await.waiting.is_empty());
    }
}
