//! Rows that the server that leads remembers between two changes, so that reading them again costs no statement
//! ([ADR 145](../../../../../docs/adr/0145-the-leader-reads-from-memory.md)).
//!
//! A row is remembered only if no change of it began or ended on this server while it was being read. From the moment at which a
//! change begins, the row is read from Postgres, until the outcome of the change is known. Another server that has changed a row
//! tells the leader before it answers; if it can't, it waits until the leader no longer remembers the row.

use std::{any::Any, array, collections::HashMap, sync::Arc, time::Duration};

use parking_lot::{Mutex, MutexGuard};
use roadcall_base::clock::Clock;
use uuid::Uuid;

use super::engine_db::EngineDb;

const SHARDS: usize = 64;
/// The maximum number of rows that a shard remembers.
const MAX_ROWS: usize = 64;
/// How long a row is remembered: for less time than another server tries to tell the leader of a change.
pub const REMEMBERED_FOR: Duration = Duration::from_secs(4);
/// The time within which a commit with an unknown outcome may still happen. No transaction lasts longer.
const MAY_APPEAR_WITHIN: Duration = Duration::from_secs(30);

/// The rows that this server remembers while it leads. It is cheap to clone.
#[derive(Debug, Clone)]
pub struct RememberedRows {
    engine_db: EngineDb,
    clock: Clock,
    shards: Arc<[Mutex<Shard>; SHARDS]>,
}

#[derive(Debug, Default)]
struct Shard {
    rows: HashMap<Uuid, Remembered>,
    unsure: HashMap<Uuid, Unsure>,
    /// Counts everything after which a row that is being read must not be remembered.
    changes: u64,
}

/// A row in memory, and the moment since which it is known.
#[derive(Debug)]
struct Remembered {
    row: Arc<dyn Any + Send + Sync>,
    since: Since,
}

/// When a row was read, or was about to be.
#[derive(Debug, Clone, Copy)]
struct Since {
    /// The lead in which it was read: a later lead of the same server does not rely on it.
    lead: Uuid,
    at: Duration,
    /// The shard's changes until then.
    changes: u64,
}

/// A row whose state only Postgres knows.
#[derive(Debug, Default)]
struct Unsure {
    under_way: u32,
    /// When each change of unknown outcome has happened, or never will.
    until: Duration,
}

/// A change of a row that is under way. If it is dropped, its outcome is unknown.
#[derive(Debug)]
#[must_use]
pub struct RowChange {
    rows: RememberedRows,
    id: Uuid,
    /// `None` if this server does not lead.
    since: Option<Since>,
    is_over: bool,
}

impl RememberedRows {
    /// Creates an empty memory, which is used only while this server leads on this database.
    pub fn new(engine_db: &EngineDb, clock: &Clock) -> Self {
        let shards = Arc::new(array::from_fn(|_| Mutex::default()));
        Self { engine_db: engine_db.clone(), clock: clock.clone(), shards }
    }

    /// Returns the row, which is read unless it is remembered.
    pub async fn get_or_read<T: Any + Send + Sync, E>(
        &self,
        id: Uuid,
        read: impl Future<Output = Result<Option<T>, E>>,
    ) -> Result<Option<Arc<T>>, E> {
        let since = self.since(id);
        let known = since.and_then(|since| self.shard(id).find(id, since));
        if let Some(row) = known.and_then(|row| row.downcast::<T>().ok()) {
            return Ok(Some(row));
        }
        let row = read.await?.map(Arc::new);
        if let (Some(since), Some(row)) = (since, &row) {
            self.keep(id, since, row.clone());
        }
        Ok(row)
    }

    /// Notes that a change of the row is about to be sent to Postgres.
    pub fn begin(&self, id: Uuid) -> RowChange {
        let now = self.clock.elapsed();
        let mut shard = self.shard(id);
        shard.forget(id);
        shard.unsure(id, now).under_way += 1;
        drop(shard);
        RowChange { rows: self.clone(), id, since: self.since(id), is_over: false }
    }

    /// Notes that a transaction changes the row if it is committed, whether or not anybody learns of the commit.
    pub fn suspect(&self, id: Uuid) {
        let now = self.clock.elapsed();
        let mut shard = self.shard(id);
        shard.forget(id);
        shard.unsure(id, now).until = now + MAY_APPEAR_WITHIN;
    }

    /// Forgets the row. Call this after the commit of a change.
    pub fn forget(&self, id: Uuid) {
        self.shard(id).forget(id);
    }

    /// Forgets all rows. Call this after the commit of a change of many rows.
    pub fn forget_all(&self) {
        for shard in &*self.shards {
            let mut shard = shard.lock();
            shard.rows.clear();
            shard.changes += 1;
        }
    }

    /// Forgets the row if it is remembered in an older state than was read elsewhere.
    pub fn forget_if<T: Any + Send + Sync>(&self, id: Uuid, is_older: impl FnOnce(&T) -> bool) {
        let mut shard = self.shard(id);
        let row = shard.rows.get(&id).and_then(|known| known.row.downcast_ref::<T>());
        if row.is_some_and(is_older) {
            shard.forget(id);
        }
    }

    /// Returns whether the row is remembered.
    pub fn has(&self, id: Uuid) -> bool {
        self.since(id).is_some_and(|since| self.shard(id).find(id, since).is_some())
    }

    /// Returns whether this server leads, so that only its own memory counts.
    pub fn is_in_use(&self) -> bool {
        self.engine_db.lease().is_leading()
    }

    /// Returns the present moment in this server's lead; `None` if it does not lead.
    fn since(&self, id: Uuid) -> Option<Since> {
        let lease = self.engine_db.lease();
        let lead = lease.is_leading().then(|| lease.server())?;
        Some(Since { lead, at: self.clock.elapsed(), changes: self.shard(id).changes })
    }

    /// Remembers the row as it was at that moment, unless it may have changed since then.
    fn keep(&self, id: Uuid, since: Since, row: Arc<dyn Any + Send + Sync>) {
        let mut shard = self.shard(id);
        if shard.changes == since.changes && !shard.is_unsure(id, self.clock.elapsed()) {
            shard.make_room(since.at);
            shard.rows.insert(id, Remembered { row, since });
        }
    }

    fn shard(&self, id: Uuid) -> MutexGuard<'_, Shard> {
        // The end of an id is random.
        self.shards[usize::from(id.as_bytes()[15]) % SHARDS].lock()
    }
}

impl RowChange {
    /// Ends a change whose outcome is known. `after` is the row as the change left it; `None` if that is not known, or if nothing
    /// has changed.
    pub fn end<T: Any + Send + Sync>(mut self, after: Option<T>) {
        self.is_over = true;
        let mut shard = self.rows.shard(self.id);
        shard.end(self.id, None);
        // If the count is as it was, no other change of the row came in between.
        let since = self.since.filter(|since| shard.changes == since.changes);
        shard.changes += 1;
        let now = shard.changes;
        drop(shard);
        if let (Some(since), Some(row)) = (since, after) {
            self.rows.keep(self.id, Since { changes: now, ..since }, Arc::new(row));
        }
    }
}

impl Drop for RowChange {
    fn drop(&mut self) {
        if !self.is_over {
            let until = self.rows.clock.elapsed() + MAY_APPEAR_WITHIN;
            self.rows.shard(self.id).end(self.id, Some(until));
        }
    }
}

impl Shard {
    /// Returns the row, if it can be relied on at that moment.
    fn find(&self, id: Uuid, now: Since) -> Option<Arc<dyn Any + Send + Sync>> {
        let known = self.rows.get(&id).filter(|_| !self.is_unsure(id, now.at))?;
        let is_good = known.since.lead == now.lead && now.at < known.since.at + REMEMBERED_FOR;
        is_good.then(|| known.row.clone())
    }

    fn is_unsure(&self, id: Uuid, now: Duration) -> bool {
        self.unsure.get(&id).is_some_and(|unsure| !unsure.is_over(now))
    }

    fn forget(&mut self, id: Uuid) {
        self.rows.remove(&id);
        self.changes += 1;
    }

    /// Returns the row's entry among those whose state only Postgres knows.
    fn unsure(&mut self, id: Uuid, now: Duration) -> &mut Unsure {
        if self.unsure.len() >= MAX_ROWS {
            self.unsure.retain(|_, unsure| !unsure.is_over(now));
        }
        self.unsure.entry(id).or_default()
    }

    /// Ends a change of the row. If its outcome is unknown, it may happen until that time.
    fn end(&mut self, id: Uuid, may_happen_until: Option<Duration>) {
        let Some(unsure) = self.unsure.get_mut(&id) else { return };
        unsure.under_way = unsure.under_way.saturating_sub(1);
        unsure.until = unsure.until.max(may_happen_until.unwrap_or_default());
        if unsure.under_way == 0 && unsure.until.is_zero() {
            self.unsure.remove(&id);
        }
    }

    /// Makes room for another row.
    fn make_room(&mut self, now: Duration) {
        if self.rows.len() >= MAX_ROWS {
            self.rows.retain(|_, known| now < known.since.at + REMEMBERED_FOR);
        }
        if self.rows.len() >= MAX_ROWS {
            self.rows.clear();
        }
    }
}

impl Unsure {
    fn is_over(&self, now: Duration) -> bool {
        self.under_way == 0 && self.until <= now
    }
}

#[cfg(test)]
mod tests;
