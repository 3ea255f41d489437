//! The only way to the database: [`Db`] lends connections out and takes them back clean.
//!
//! A client that resets its connection, a timeout or a stop may drop any future at any `await`. For a single statement that is
//! harmless: the driver counts the answers that are still on their way, and reads them before the connection is lent out again.
//! For `BEGIN` it is not: the driver counts a transaction only once the answer has arrived, so a future that is dropped in
//! between would return a connection that is still inside a transaction. [`Transaction`] therefore marks its connection before it
//! sends `BEGIN`, and a connection that still has the mark is closed, never returned.

use std::{
    ops::{Deref, DerefMut},
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use futures_util::{StreamExt, TryStreamExt, future::BoxFuture, stream, stream::BoxStream};
use sqlx::{
    Describe, Either, Error, Execute, Executor, PgConnection, Postgres, SqlStr,
    postgres::{
        PgDatabaseError, PgQueryResult, PgRow, PgSeverity, PgStatement, PgTransactionManager, PgTypeInfo,
    },
};
use sqlx_core::transaction::TransactionManager as _;

use super::{
    admission::{self, Place},
    leadership::Lease,
    pool::{Pool, Pooled, Purpose},
    writes::WriteCheck,
};

/// Begins a transaction for several reads that must be consistent.
const BEGIN_SNAPSHOT: &str = "begin isolation level repeatable read, read only";

/// The shared database. It is cheap to clone. As an executor it runs one statement, which commits by itself.
#[derive(derive_more::Debug, Clone)]
// The pool's connect options may hold a password.
#[debug("Db {{ size: {:?}, waiting: {:?} }}", self.connections().0, self.waiting())]
pub struct Db {
    pool: Pool,
    waiting: Arc<AtomicUsize>,
    returned: Arc<AtomicU64>,
    lease: Lease,
    pub(super) write_check: WriteCheck,
}

/// A connection on loan.
#[derive(derive_more::Debug)]
#[debug("Lent {{ .. }}")]
pub struct Lent {
    /// The connection, which only `drop` takes.
    connection: Option<Pooled>,
    /// The place of the request that borrows the connection; returned after the connection.
    place: Option<Arc<Place>>,
    returned: Arc<AtomicU64>,
}

/// A transaction. If it is dropped without [`Transaction::commit`], it is rolled back.
#[derive(derive_more::Debug, derive_more::Deref, derive_more::DerefMut)]
#[debug("Transaction {{ stage: {stage:?}, .. }}")]
pub struct Transaction {
    #[deref(forward)]
    #[deref_mut(forward)]
    connection: Lent,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// `BEGIN` may be on its way: the connection may or may not be inside a transaction.
    Beginning,
    Open,
    Ended,
}

impl Db {
    pub(super) fn new(pool: Pool, lease: Lease) -> Self {
        let (waiting, returned, write_check) = (Arc::default(), Arc::default(), WriteCheck::default());
        Self { pool, waiting, returned, lease, write_check }
    }

    /// Begins a transaction. Fails as [`Db::acquire`] does.
    pub async fn begin(&self) -> Result<Transaction, Error> {
        self.begin_with(None).await
    }

    /// Begins a read-only transaction whose statements all see the same moment.
    pub async fn begin_snapshot(&self) -> Result<Transaction, Error> {
        self.begin_with(Some(BEGIN_SNAPSHOT)).await
    }

    async fn begin_with(&self, statement: Option<&'static str>) -> Result<Transaction, Error> {
        self.lease.check()?;
        let place = admission::place().await?;
        if let Some((connection, _)) = self.lend_idle(Purpose::Any) {
            let connection = connection.in_place(place.clone());
            match Transaction::begin(connection, statement).await {
                // The connection died while it was idle. Nothing can have happened in it.
                Err(error) if is_broken(&error) => self.pool.suspect_idle(),
                begun => return begun,
            }
        }
        Transaction::begin(self.wait_for_connection(Purpose::Any).await?.in_place(place), statement).await
    }

    /// Borrows a connection for several statements that commit by themselves. Fails with `PoolTimedOut` if none is free within
    /// `database.acquire_timeout_ms`, with [`Overloaded`](admission::Overloaded) if too many requests of the kind wait, and at
    /// once if this server may not use the database, or not any longer.
    pub async fn acquire(&self) -> Result<Lent, Error> {
        self.acquire_for(Purpose::Any).await
    }

    /// Borrows a connection, as [`Db::acquire`] does, for a statement that writes for several callers together: one of few that
    /// run such statements.
    pub async fn acquire_to_write(&self) -> Result<Lent, Error> {
        self.acquire_for(Purpose::Write).await
    }

    async fn acquire_for(&self, purpose: Purpose) -> Result<Lent, Error> {
        self.lease.check()?;
        let place = admission::place().await?;
        if let Some((mut connection, needs_ping)) = self.lend_idle(purpose) {
            if !needs_ping || connection.check().await.is_ok() {
                return Ok(connection.in_place(place));
            }
            connection.close_on_drop();
            self.pool.suspect_idle();
        }
        Ok(self.wait_for_connection(purpose).await?.in_place(place))
    }

    /// Returns how many requests, workers and actors wait for a connection now.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Returns how many connections are open, and how many of them are idle.
    pub fn connections(&self) -> (u32, usize) {
        self.pool.connections()
    }

    /// Returns how many connections were returned. If the number has not changed, this server has written
    /// nothing in the meantime.
    pub fn returned(&self) -> u64 {
        self.returned.load(Ordering::Acquire)
    }

    /// Returns the same database, for statements that add no work for workers: [`Db::returned`] does not count them.
    pub fn uncounted(&self) -> Self {
        Self { returned: Arc::default(), ..self.clone() }
    }

    /// Returns the lease, which tells whether this server may use the database.
    pub fn lease(&self) -> &Lease {
        &self.lease
    }

    async fn wait_for_connection(&self, purpose: Purpose) -> Result<Lent, Error> {
        let _counted = Waiting::count(&self.waiting);
        let taken = tokio::select! {
            taken = self.pool.take(purpose) => taken,
            () = self.lease.replaced() => Err(Error::PoolClosed),
        };
        let connection = self.lend(taken?);
        // The lease is checked again, since the wait may have been long.
        self.lease.check()?;
        Ok(connection)
    }

    fn lend_idle(&self, purpose: Purpose) -> Option<(Lent, bool)> {
        self.pool.try_take(purpose).map(|(connection, needs_ping)| (self.lend(connection), needs_ping))
    }

    fn lend(&self, connection: Pooled) -> Lent {
        Lent { connection: Some(connection), place: None, returned: self.returned.clone() }
    }
}

/// Returns whether the connection is unusable after this error. Postgres reports the end of a session as a FATAL error of
/// its own.
fn is_broken(error: &Error) -> bool {
    match error {
        Error::Database(answer) => answer
            .try_downcast_ref::<PgDatabaseError>()
            .is_none_or(|answer| matches!(answer.severity(), PgSeverity::Fatal | PgSeverity::Panic)),
        Error::RowNotFound
        | Error::TypeNotFound { .. }
        | Error::ColumnIndexOutOfBounds { .. }
        | Error::ColumnNotFound(_)
        | Error::ColumnDecode { .. }
        | Error::Encode(_)
        | Error::Decode(_) => false,
        _ => true,
    }
}

struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn count(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

const ON_LOAN: &str = "a connection is on loan until it is dropped";

impl Lent {
    fn in_place(mut self, place: Option<Arc<Place>>) -> Self {
        self.place = place;
        self
    }

    async fn check(&mut self) -> Result<(), Error> {
        self.connection.as_mut().expect(ON_LOAN).check().await
    }

    /// Closes the connection instead of taking it back.
    fn close_on_drop(&mut self) {
        self.connection.as_mut().expect(ON_LOAN).give_up();
    }

    /// Returns the connection after its last statement, which ended like this. Without this call, the pool first asks the server
    /// whether the connection still works.
    pub fn ended<T>(mut self, end: Result<T, Error>) -> Result<T, Error> {
        match &end {
            Err(error) if is_broken(error) => self.connection.as_ref().expect(ON_LOAN).suspect_others(),
            _ => self.settle(),
        }
        end
    }

    fn settle(&mut self) {
        self.connection.as_mut().expect(ON_LOAN).settle();
    }
}

impl Deref for Lent {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        self.connection.as_ref().expect(ON_LOAN)
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.connection.as_mut().expect(ON_LOAN)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.connection.take();
        self.returned.fetch_add(1, Ordering::Release);
    }
}

impl Transaction {
    async fn begin(connection: Lent, statement: Option<&'static str>) -> Result<Self, Error> {
        let mut transaction = Self { connection, stage: Stage::Beginning };
        PgTransactionManager::begin(&mut transaction.connection, statement.map(SqlStr::from_static)).await?;
        transaction.stage = Stage::Open;
        Ok(transaction)
    }

    /// Commits. After an error that is not the database's own, the commit may have happened: see `error::commit_error`.
    pub async fn commit(mut self) -> Result<(), Error> {
        PgTransactionManager::commit(&mut self.connection).await?;
        self.end();
        Ok(())
    }

    /// Rolls back, and waits until that has happened.
    pub async fn rollback(mut self) -> Result<(), Error> {
        PgTransactionManager::rollback(&mut self.connection).await?;
        self.end();
        Ok(())
    }

    fn end(&mut self) {
        self.stage = Stage::Ended;
        self.connection.settle();
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        match self.stage {
            Stage::Beginning => self.connection.close_on_drop(),
            // The rollback is sent before anything else on this connection, at the latest while it is returned.
            Stage::Open => PgTransactionManager::start_rollback(&mut self.connection),
            Stage::Ended => {}
        }
    }
}

impl<'d> Executor<'d> for &'d Db {
    type Database = Postgres;

    fn execute<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<PgQueryResult, Error>>
    where
        'd: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        Box::pin(async move {
            let mut connection = self.acquire().await?;
            let end = connection.execute(query).await;
            connection.ended(end)
        })
    }

    fn fetch_all<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Vec<PgRow>, Error>>
    where
        'd: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        Box::pin(async move {
            let mut connection = self.acquire().await?;
            let end = connection.fetch_all(query).await;
            connection.ended(end)
        })
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<PgRow>, Error>>
    where
        'd: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        Box::pin(async move {
            let mut connection = self.acquire().await?;
            let end = connection.fetch_optional(query).await;
            connection.ended(end)
        })
    }

    /// Fetches all rows at once, since every list has a limit.
    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Result<Either<PgQueryResult, PgRow>, Error>>
    where
        'd: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let all = async move {
            let mut connection = self.acquire().await?;
            let rows = connection.fetch_many(query).try_collect::<Vec<_>>().await;
            let rows = connection.ended(rows)?;
            Ok::<_, Error>(stream::iter(rows.into_iter().map(Ok)))
        };
        stream::once(all).try_flatten().boxed()
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [PgTypeInfo],
    ) -> BoxFuture<'e, Result<PgStatement, Error>>
    where
        'd: 'e,
    {
        Box::pin(async move { self.acquire().await?.prepare_with(sql, parameters).await })
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, Result<Describe<Postgres>, Error>>
    where
        'd: 'e,
    {
        Box::pin(async move { self.acquire().await?.describe(sql).await })
    }
}
