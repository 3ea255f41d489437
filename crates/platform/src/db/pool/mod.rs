//! The connections themselves: a limited number, opened on demand, each lent to one borrower at a time.
//!
//! A pool of sqlx asks the server whether a connection lives each time it is lent out, and, in a task of its own, each time it
//! comes back: two round trips for a statement that needs one. Here, the borrower tells how its last statement ended. A
//! connection whose statement was answered goes to the next borrower as it is; the server is only asked if that is not known, or
//! after a pause.
//!
//! Connections are opened on a runtime of their own. A socket belongs to the runtime that opened it: a socket opened on an
//! HTTP worker would die with that worker while others still used it.

use std::{
    ops::{Deref, DerefMut},
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use sqlx::{Connection, Error, PgConnection, postgres::PgConnectOptions};
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout, timeout_at},
};

use super::leadership::Lease;

/// A connection that was idle for longer is asked whether it lives before it is lent out.
const FRESH: Duration = Duration::from_secs(1);
/// A connection that is idle for longer is closed; [`IDLE_LOOK`] is the interval of the check.
const IDLE_LIMIT: Duration = Duration::from_secs(600);
const IDLE_LOOK: Duration = Duration::from_secs(60);
/// An older connection is not lent out again, so that the memory that its session has gathered on the server is freed.
const AGE_LIMIT: Duration = Duration::from_secs(1_800);
/// How long a returned connection may take to answer, and a closing one to say goodbye.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// The first and the longest pause between tries to open a connection while the server is starting.
const RETRY: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(500)];

/// Counts broken connections and restarts of Postgres. Connections that were idle before the last one may be broken too.
#[derive(Debug, Clone, Default)]
pub(super) struct Breaks(Arc<AtomicU64>);

impl Breaks {
    pub(super) fn add(&self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }

    fn so_far(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

/// The type of tokio's deadlines.
type Deadline = tokio::time::Instant;

/// The pool, which is cheap to clone.
#[derive(Clone)]
pub struct Pool(Arc<Shared>);

struct Shared {
    connect: PgConnectOptions,
    lease: Lease,
    breaks: Breaks,
    /// How long a borrower waits.
    patience: Duration,
    most: u32,
    turns: Arc<Semaphore>,
    /// The idle connections. Of those for a purpose, the last to return is the first to be lent.
    idle: Mutex<Vec<Idle>>,
    open: Arc<AtomicU32>,
    /// The number of open connections that are meant for writes.
    for_writes: Arc<AtomicU32>,
    is_closed: AtomicBool,
    runtime: Handle,
}

/// An open connection.
struct Opened {
    connection: PgConnection,
    at: Instant,
    /// The number of [`Breaks`] before the connection last answered a ping.
    breaks: u64,
    /// Whether it was opened before its server led. A leader can't use it, since nobody has checked who leads.
    is_of_standby: bool,
    /// Counts it among the connections that are meant for [`Purpose::Write`], if it is one.
    for_writes: Option<Counted>,
    _counted: Counted,
}

/// Counts an open connection while it exists.
struct Counted(Arc<AtomicU32>);

impl Counted {
    fn new(open: &Arc<AtomicU32>) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        Self(open.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Idle {
    opened: Opened,
    since: Instant,
}

/// The purpose of a loan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A statement that writes for several callers together. Such statements are large, and each connection plans and keeps them
    /// for itself, so they get a connection that has run them before, and other statements get other connections.
    Write,
    Any,
}

/// The maximum number of connections that are meant for writes: more than usually write at the same time. While all of these are on
/// loan, any other connection writes.
const MAX_FOR_WRITES: u32 = 6;

/// How a borrower leaves a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// Its last statement was answered, and no transaction is open.
    Settled,
    /// An answer or a rollback may still be on its way.
    Unsettled,
    /// It may be inside a transaction.
    Unusable,
}

/// A connection on loan.
pub(super) struct Pooled {
    /// The connection, which only `drop` takes.
    opened: Option<Opened>,
    turn: Option<OwnedSemaphorePermit>,
    left: Left,
    pool: Pool,
}

impl Pool {
    /// Makes a pool without opening a connection. Connections are opened and tidied up on `runtime`.
    pub(super) fn new(
        connect: PgConnectOptions,
        most: u32,
        patience: Duration,
        lease: Lease,
        breaks: Breaks,
        runtime: Handle,
    ) -> Self {
        let turns = Arc::new(Semaphore::new(most as usize));
        let shared = Arc::new(Shared {
            connect,
            lease,
            breaks,
            patience,
            most,
            turns,
            idle: Mutex::default(),
            open: Arc::default(),
            for_writes: Arc::default(),
            is_closed: AtomicBool::new(false),
            runtime,
        });
        shared.runtime.spawn(close_the_long_idle(Arc::downgrade(&shared)));
        Self(shared)
    }

    /// Returns how many connections are open, and how many of them are idle.
    pub(super) fn connections(&self) -> (u32, usize) {
        (self.0.open.load(Ordering::Relaxed), self.0.idle.lock().len())
    }

    /// Returns the most recently used idle connection that suits the purpose, else any, without waiting, and whether it needs a
    /// ping first.
    pub(super) fn try_take(&self, purpose: Purpose) -> Option<(Pooled, bool)> {
        let turn = self.0.turns.clone().try_acquire_owned().ok()?;
        if self.is_closed() {
            return None;
        }
        let idle = self.pop_idle(purpose)?;
        let needs_ping = self.needs_ping(&idle);
        Some((Pooled::new(idle.opened, turn, self), needs_ping))
    }

    /// Waits for its turn, and returns a connection that lives. Fails with `PoolTimedOut` if no turn came in time or the server
    /// does not answer, and with `PoolClosed`.
    pub(super) async fn take(&self, purpose: Purpose) -> Result<Pooled, Error> {
        let deadline = (Instant::now() + self.0.patience).into();
        loop {
            if self.is_closed() {
                return Err(Error::PoolClosed);
            }
            let turn = timeout_at(deadline, self.0.turns.clone().acquire_owned());
            let turn = turn.await.map_err(|_| Error::PoolTimedOut)?.map_err(|_| Error::PoolClosed)?;
            if self.is_closed() {
                return Err(Error::PoolClosed);
            }
            let Some(idle) = self.pop_idle(purpose) else {
                // If the borrower gives up meanwhile, the new connection joins the idle ones.
                let opening = self.0.runtime.spawn(self.clone().open(turn, deadline, purpose));
                return opening.await.unwrap_or(Err(Error::PoolClosed));
            };
            let needs_ping = self.needs_ping(&idle);
            let mut pooled = Pooled::new(idle.opened, turn, self);
            if !needs_ping || timeout_at(deadline, pooled.check()).await.is_ok_and(|answer| answer.is_ok()) {
                return Ok(pooled);
            }
            pooled.discard();
        }
    }

    /// Has each idle connection pinged before it is lent: another connection broke, so these may be broken too.
    pub(super) fn suspect_idle(&self) {
        self.0.breaks.add();
    }

    fn needs_ping(&self, idle: &Idle) -> bool {
        idle.opened.breaks != self.0.breaks.so_far() || idle.since.elapsed() > FRESH
    }

    /// Stops lending, waits until every connection is back, and closes them.
    pub(super) async fn close(&self) {
        self.0.is_closed.store(true, Ordering::Release);
        // Borrowers who are already waiting first get their turn, and an error.
        let all = self.0.turns.acquire_many(self.0.most).await;
        drop(all);
        self.0.turns.close();
        let idle = std::mem::take(&mut *self.0.idle.lock());
        for Idle { opened, .. } in idle {
            opened.close().await;
        }
    }

    async fn open(
        self,
        turn: OwnedSemaphorePermit,
        deadline: Deadline,
        purpose: Purpose,
    ) -> Result<Pooled, Error> {
        let [mut pause, longest] = RETRY;
        loop {
            match timeout_at(deadline, self.connect(purpose)).await {
                Err(_) => return Err(Error::PoolTimedOut),
                Ok(Ok(opened)) => return Ok(Pooled::new(opened, turn, &self)),
                Ok(Err(error)) if is_starting(&error) => {}
                Ok(Err(error)) => return Err(error),
            }
            if timeout_at(deadline, sleep(pause)).await.is_err() {
                return Err(Error::PoolTimedOut);
            }
            pause = longest.min(pause * 2);
        }
    }

    async fn connect(&self, purpose: Purpose) -> Result<Opened, Error> {
        let Shared { connect, lease, open, .. } = &*self.0;
        let _counted = Counted::new(open);
        let (breaks, is_of_standby) = (self.0.breaks.so_far(), lease.is_standby());
        let mut connection = PgConnection::connect_with(connect).await?;
        lease.check_opened(&mut connection).await?;
        let for_writes = (purpose == Purpose::Write).then(|| self.another_for_writes()).flatten();
        Ok(Opened { connection, at: Instant::now(), breaks, is_of_standby, for_writes, _counted })
    }

    fn take_back(&self, opened: Opened, turn: Option<OwnedSemaphorePermit>, left: Left) {
        let is_at_its_end = self.is_closed() || opened.at.elapsed() > AGE_LIMIT;
        match left {
            Left::Settled if !is_at_its_end => {
                self.put(opened);
                drop(turn);
            }
            Left::Settled | Left::Unusable => {
                self.0.runtime.spawn(async move {
                    opened.close().await;
                    drop(turn);
                });
            }
            Left::Unsettled => {
                self.0.runtime.spawn(self.clone().settle(opened, turn));
            }
        }
    }

    /// Sends what is still to be sent, and reads what is still to come.
    async fn settle(self, mut opened: Opened, turn: Option<OwnedSemaphorePermit>) {
        match timeout(ANSWER_LIMIT, opened.ping(&self.0.breaks)).await {
            Ok(Ok(())) if self.is_closed() => opened.close().await,
            Ok(Ok(())) => self.put(opened),
            Ok(Err(error)) => {
                tracing::debug!(error.cause = %error, "a connection broke");
                self.suspect_idle();
            }
            Err(_) => tracing::warn!("a connection did not answer in time when it came back, and is closed"),
        }
        drop(turn);
    }

    /// Takes the idle connection for this purpose that returned last, else the last of all, unless the server has begun to lead
    /// since it was opened.
    fn pop_idle(&self, purpose: Purpose) -> Option<Idle> {
        let is_write = purpose == Purpose::Write;
        loop {
            let mut idle = {
                let mut all = self.0.idle.lock();
                let suitable = all.iter().rposition(|idle| idle.opened.for_writes.is_some() == is_write);
                let place = suitable.or(all.len().checked_sub(1))?;
                all.remove(place)
            };
            if !idle.opened.is_of_standby || self.0.lease.is_standby() {
                if is_write && idle.opened.for_writes.is_none() {
                    idle.opened.for_writes = self.another_for_writes();
                }
                return Some(idle);
            }
            self.0.runtime.spawn(idle.opened.close());
        }
    }

    /// Counts one more connection among those for writes, unless there are enough.
    fn another_for_writes(&self) -> Option<Counted> {
        let writes = &self.0.for_writes;
        (writes.load(Ordering::Relaxed) < MAX_FOR_WRITES).then(|| Counted::new(writes))
    }

    fn put(&self, opened: Opened) {
        self.0.idle.lock().push(Idle { opened, since: Instant::now() });
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed.load(Ordering::Acquire)
    }
}

/// Returns whether the server refuses connections because it is starting.
fn is_starting(error: &Error) -> bool {
    match error {
        Error::Io(error) => error.kind() == std::io::ErrorKind::ConnectionRefused,
        Error::Database(error) => error.is_transient_in_connect_phase(),
        _ => false,
    }
}

async fn close_the_long_idle(pool: Weak<Shared>) {
    loop {
        sleep(IDLE_LOOK).await;
        let Some(shared) = pool.upgrade() else { return };
        let long: Vec<Idle> = {
            let mut idle = shared.idle.lock();
            idle.extract_if(.., |idle| idle.since.elapsed() > IDLE_LIMIT).collect()
        };
        drop(shared);
        for Idle { opened, .. } in long {
            opened.close().await;
        }
    }
}

impl Opened {
    async fn ping(&mut self, breaks: &Breaks) -> Result<(), Error> {
        let before = breaks.so_far();
        self.connection.ping().await?;
        self.breaks = before;
        Ok(())
    }

    /// Says goodbye, so that the server's log has no broken connections.
    async fn close(self) {
        timeout(ANSWER_LIMIT, self.connection.close()).await.ok();
    }
}

impl Pooled {
    fn new(opened: Opened, turn: OwnedSemaphorePermit, pool: &Pool) -> Self {
        Self { opened: Some(opened), turn: Some(turn), left: Left::Unsettled, pool: pool.clone() }
    }

    /// Asks the server whether the connection lives.
    pub(super) async fn check(&mut self) -> Result<(), Error> {
        self.left = Left::Unsettled;
        self.opened.as_mut().expect(ON_LOAN).ping(&self.pool.0.breaks).await
    }

    /// Notes that the last statement was answered and no transaction is open, so that the connection can be lent out as it is.
    pub(super) fn settle(&mut self) {
        self.left = Left::Settled;
    }

    /// Has each idle connection pinged before it is lent, because this one broke.
    pub(super) fn suspect_others(&self) {
        self.pool.suspect_idle();
    }

    /// Notes that the connection must be closed, not lent out again.
    pub(super) fn give_up(&mut self) {
        self.left = Left::Unusable;
    }

    /// Drops a broken connection at once.
    fn discard(mut self) {
        self.opened.take();
    }
}

const ON_LOAN: &str = "a connection is on loan until it is dropped";

impl Deref for Pooled {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.opened.as_ref().expect(ON_LOAN).connection
    }
}

impl DerefMut for Pooled {
    fn deref_mut(&mut self) -> &mut PgConnection {
        // The borrower may use it again and give up halfway.
        if self.left == Left::Settled {
            self.left = Left::Unsettled;
        }
        &mut self.opened.as_mut().expect(ON_LOAN).connection
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        if let Some(opened) = self.opened.take() {
            self.pool.take_back(opened, self.turn.take(), self.left);
        }
    }
}

#[cfg(test)]
mod tests;
