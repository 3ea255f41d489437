//! The database: a pool of connections, the migrations, and the Postgres that the service runs for itself
//! when `DATABASE_URL` names none.
//!
//! | file | what |
//! | --- | --- |
//! | `data_lock.rs` | one server per data folder |
//! | `dump.rs` | copies of the whole database, by `pg_dump` and `pg_restore` |
//! | `locate.rs` | finds PostgreSQL's programs |
//! | `home.rs` | where the embedded cluster is |
//! | `access.rs` | who may connect to the embedded cluster |
//! | `roles.rs` | the owner of a database, and the service |
//! | `user.rs` | the user that Postgres runs as, and folders that belong to that user alone |
//! | `cluster.rs` | initdb, start, adopt |
//! | `postmaster.rs` | a running postmaster, and how it ends |
//! | `embedded.rs` | the guard, and the supervisor that brings Postgres back |
//! | `work.rs` | the kinds of work that requests ask for |
//! | `admission.rs` | which requests get a connection first, and which are refused early |
//! | `pool/` | the connections, and who may have one next |
//! | `connections.rs` | `Db`: lends connections out, takes them back clean |
//! | `engine_db.rs` | the `Db` that only the leader uses |
//! | `remembered/` | rows that the leader need not read again |
//! | `leadership/` | one engine for one database; the others are standbys |
//! | `schema.rs` | the migrations, and which programs a schema fits |
//! | `testing.rs` | a fresh, migrated database for each test |
//! | `write_queue/` | writes together what arrives during a write |
//! | `writes.rs` | whether the database takes writes |
//! | `time_zone.rs` | whether Postgres knows the operator's time zone |
//!
//! Every connection has limits: a statement, a wait for a lock and an idle transaction end by themselves, so
//! that no request can hold what others wait for. A pool without a free connection refuses after
//! [`DbSettings::acquire_timeout_ms`], and the caller gets a 503.

mod access;
mod admission;
mod batches;
mod clocks;
mod cluster;
mod connections;
mod data_lock;
mod dump;
mod embedded;
mod engine_db;
mod error;
mod home;
mod leadership;
pub mod locate;
mod pool;
mod postmaster;
mod queries;
mod remembered;
mod roles;
mod rows;
mod run_query;
mod schema;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod time_zone;
mod user;
mod work;
mod write_queue;
mod writes;

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use parking_lot::Mutex;
use roadcall_base::{clock::Clock, random::Random};
use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};
use tokio::runtime::{Handle, Runtime};
use tokio::sync::oneshot;
use tokio::task::{AbortHandle, JoinHandle, spawn_blocking};
use tokio::time::timeout;
use uuid::Uuid;

pub use admission::{AdmittedRequest, Overloaded, WorkQueues, carried, in_place};
pub use batches::{Batches, Loaded, NotLoaded};
pub use clocks::follow_clock;
pub use cluster::ClusterOptions;
pub use connections::{Db, Transaction};
pub use data_lock::{DataLock, NO_LINK, STAGE, open_no_link};
pub use dump::{Dump, DumpSource, Snapshot};
pub use embedded::Embedded;
pub use engine_db::EngineDb;
pub use error::DbError;
pub use home::MADE_FOR;
use leadership::Candidate;
use pool::{Breaks, Pool, Purpose};

use crate::settings::DbSettings;
pub use leadership::{LeadershipStatus, Lease, RELEASE, is_unheard, say_unheard};
pub use queries::allow_long_reads;
pub use remembered::{REMEMBERED_FOR, RememberedRows, RowChange};
pub use roles::DbRoles;
pub use rows::{Columns, OrderedRow, StoredRow, read, read_in_order, read_part};
pub use run_query::RunQuery;
pub use schema::{Contract, MIGRATOR, Schema, contract_of, migrate, schema};
pub use work::Work;
pub use write_queue::{Interrupted, WORTH_ANOTHER, WriteQueue};
pub use writes::Writes;

/// The connections of an embedded cluster beyond the pool: for commands beside the server, psql and maintenance.
const CONNECTIONS_BESIDE_THE_POOL: u32 = 16;

/// How long a server that did not answer may take to give the reason.
const LOOK_LIMIT: Duration = Duration::from_secs(2);

/// How many statements a connection keeps prepared. A statement that had to make room is planned anew, for its arguments at first;
/// a job with its payment and the workers use more than sqlx's hundred.
const PREPARED: usize = 400;

/// How long a closing pool waits for its connections to return.
const CLOSE_LIMIT: Duration = Duration::from_secs(10);

/// The pool, and everything that has to live as long as the pool.
#[derive(derive_more::Debug)]
// The connect options may hold a password.
#[debug("Database {{ keeper: {keeper:?}, .. }}")]
pub struct Database {
    db: Db,
    /// The database that only the leader uses; the same as `db` on a server that is alone.
    engine: EngineDb,
    /// The pools, of which that of requests is the first.
    pools: Mutex<Vec<Pool>>,
    settings: DbSettings,
    breaks: Breaks,
    roles: DbRoles,
    leader_silence: Duration,
    keeper: Keeper,
    give_up: Arc<Mutex<Option<GiveUp>>>,
    /// The task that confirms the lock of this server's last lead, or shows that the server lives.
    keeping: Arc<Mutex<Option<AbortHandle>>>,
    runtime: ConnectionRuntime,
}

/// A request to give up the lead; the inner sender confirms that it is done.
type GiveUp = oneshot::Sender<oneshot::Sender<()>>;

/// The lead, which a server may give up.
#[derive(Debug, Clone)]
pub struct HeldLead(Arc<Mutex<Option<GiveUp>>>);

impl HeldLead {
    /// Lets another server lead, without waiting for this one's end. Does nothing on a server that does not lead.
    pub async fn give_up(&self) {
        let asking = self.0.lock().take();
        let Some(asking) = asking else { return };
        let (given_up, is_given_up) = oneshot::channel();
        if asking.send(given_up).is_ok() {
            is_given_up.await.ok();
        }
    }
}

/// Postgres's code for a missing table.
const UNDEFINED_TABLE: &str = "42P01";

/// A report about a database.
#[derive(Debug)]
pub struct DatabaseReport {
    /// The version of Postgres, such as "15.8 (Debian 15.8-1)".
    pub version: String,
    pub size_bytes: i64,
    /// How far, at least, this machine's clock is ahead of the database's.
    pub clock_ahead: TimeDelta,
    pub schema: Schema,
}

/// Makes a report about a database.
pub async fn report(db: &Db, clock: &Clock) -> sqlx::Result<DatabaseReport> {
    let before = clock.machine_now();
    let (version, size_bytes, its_time) = queries::report(db).await?;
    let clock_ahead = clocks::ahead(before, its_time, clock.machine_now());
    let schema = match schema(db).await {
        // No server has ever run on this database.
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(UNDEFINED_TABLE) => {
            Schema::Older
        }
        found => found?,
    };
    Ok(DatabaseReport { version, size_bytes, clock_ahead, schema })
}

/// Which servers serve on a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serving {
    /// The server that leads.
    Leader,
    /// Every server of a cluster; the leader runs the engine, on connections of its own.
    Members,
}

/// The thread on which connections are opened. Tasks that still run on it end when this is dropped.
struct ConnectionRuntime(Option<Runtime>);

impl ConnectionRuntime {
    fn start() -> Result<Self, DbError> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("database").enable_all().build();
        runtime.map(|runtime| Self(Some(runtime))).map_err(DbError::Thread)
    }

    fn handle(&self) -> Handle {
        self.0.as_ref().map_or_else(Handle::current, |runtime| runtime.handle().clone())
    }
}

impl Drop for ConnectionRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // A thread of another runtime may not wait for this one.
            runtime.shutdown_background();
        }
    }
}

#[derive(Debug)]
enum Keeper {
    /// We run Postgres ourselves; the guard holds the folder's lock.
    Embedded(Box<Embedded>),
    /// `DATABASE_URL` names the server. The data folder is still ours alone, since it has other contents.
    Elsewhere { _lock: DataLock },
    /// A command beside a running server has nothing to keep.
    Guest,
}

impl Database {
    /// Opens the database for the server: takes the data folder's lock, starts the embedded Postgres unless the settings name
    /// a server, and connects. The schema may still be old: see [`Database::migrate`]. Refuses a folder with an interrupted
    /// restore.
    pub async fn open(settings: &DbSettings, data_dir: &Path, serving: Serving) -> Result<Self, DbError> {
        Self::open_as(settings, data_dir, serving, false).await
    }

    /// Opens the database for a restore: an embedded Postgres ends with this process, even if that is killed.
    pub async fn open_to_fill(settings: &DbSettings, data_dir: &Path) -> Result<Self, DbError> {
        Self::open_as(settings, data_dir, Serving::Leader, true).await
    }

    async fn open_as(
        settings: &DbSettings,
        data_dir: &Path,
        serving: Serving,
        is_tethered: bool,
    ) -> Result<Self, DbError> {
        let folder = data_dir.to_path_buf();
        let locking = spawn_blocking(move || {
            let lock = DataLock::take(&folder)?;
            data_lock::refuse_unfinished_restore(lock.folder())?;
            Ok::<_, DbError>(lock)
        });
        let lock = locking.await.map_err(|error| DbError::file("can't lock", data_dir)(error.into()))??;
        let (roles, keeper) = match settings.server() {
            Some(url) => (roles_of(settings, url)?, Keeper::Elsewhere { _lock: lock }),
            None => {
                let max_connections = settings.max_connections + CONNECTIONS_BESIDE_THE_POOL;
                let options = ClusterOptions { max_connections, durable: true, is_tethered };
                let embedded = Embedded::start(lock, options, locate::Places::of_this_machine()).await?;
                (embedded.roles().clone(), Keeper::Embedded(Box::new(embedded)))
            }
        };
        Self::connected(settings, roles, keeper, serving).await
    }

    /// Opens the database for a command such as `admin create`: like [`Database::open`], but if a server is
    /// running on the same data folder, uses that server's Postgres.
    pub async fn open_beside(settings: &DbSettings, data_dir: &Path) -> Result<Self, DbError> {
        if let Some(url) = settings.server() {
            data_lock::refuse_unfinished_restore(data_dir)?;
            return Self::connected(settings, roles_of(settings, url)?, Keeper::Guest, Serving::Leader).await;
        }
        match Self::open(settings, data_dir, Serving::Leader).await {
            Err(DbError::AlreadyServed { data_dir, .. }) => {
                let roles = cluster::running(&data_dir).ok_or(DbError::NotReady { data_dir })?;
                Self::connected(settings, roles, Keeper::Guest, Serving::Leader).await
            }
            opened => opened,
        }
    }

    /// Returns whether a database exists that [`Database::open_beside`] need not make first.
    pub fn is_there(settings: &DbSettings, data_dir: &Path) -> Result<bool, DbError> {
        Ok(settings.server().is_some() || home::existing(data_dir)?.is_some())
    }

    /// Refuses a data folder with an interrupted restore.
    pub fn refuse_unfinished_restore(data_dir: &Path) -> Result<(), DbError> {
        data_lock::refuse_unfinished_restore(data_dir)
    }

    /// Stops the Postgres and removes the outside clusters that a process left behind when it failed or was killed while working
    /// in this folder, given by its absolute path. The folder itself stays, and nothing in it is followed or started.
    pub async fn clear_leftovers(data_dir: &Path) -> Result<(), DbError> {
        embedded::clear_leftovers(data_dir).await
    }

    /// Keeps the clusters that were made outside for this folder from being cleared: they go to another data folder.
    /// Blocks on the disk.
    pub fn keep_outside(data_dir: &Path) -> Result<(), DbError> {
        home::keep_outside(data_dir)
    }

    /// Returns the shared database, which is cheap to clone.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Returns the database of the engine and its journal, whose statements no longer run once another server leads.
    pub fn engine_db(&self) -> &EngineDb {
        &self.engine
    }

    /// Returns a name that is the same for every server on this database, and different for servers on another one.
    pub async fn name(&self) -> Result<String, DbError> {
        queries::name(&self.db).await.map_err(DbError::Unreachable)
    }

    /// Makes a report for people who check whether everything is well.
    pub async fn report(&self, clock: &Clock) -> Result<DatabaseReport, DbError> {
        report(&self.db, clock).await.map_err(DbError::Unreachable)
    }

    /// Tries whether the database takes writes, for the same people.
    pub async fn try_to_write(&self) -> Result<Writes, DbError> {
        writes::try_once(&self.db).await.map_err(DbError::Unreachable)
    }

    /// Waits until this server's engine is the one that runs on this database, and keeps it so until the database is
    /// closed or another server takes over; see [`Lease::replaced`].
    pub fn lead(&self) -> impl Future<Output = Result<(), DbError>> + Send + use<> {
        // No other server can reach an embedded database, so silence alone, such as a restart of Postgres, means nothing.
        let is_ours_alone = self.embedded().is_some();
        let (lease, member) = (self.engine.lease(), self.db.lease().server());
        let candidate =
            Candidate::new(&self.roles.service, lease, member, self.leader_silence, is_ours_alone);
        let (runtime, give_up, keeping) = (self.runtime.handle(), self.give_up.clone(), self.keeping.clone());
        async move {
            let leading = runtime.spawn(async move {
                let mut candidate = candidate;
                candidate.lead().await;
                candidate
            });
            let mut aborted = AbortOnDrop(leading);
            let candidate = (&mut aborted.0).await.map_err(|_| DbError::Stopped)?;
            let (asks, asked_to) = oneshot::channel();
            *give_up.lock() = Some(asks);
            let keeps = runtime.spawn(candidate.keep(asked_to));
            *keeping.lock() = Some(keeps.abort_handle());
            Ok(())
        }
    }

    /// Lets this former leader, which another server has replaced, lead again: [`Database::lead`] waits for it. The
    /// server does so under a new name, because everything under the earlier name is ended for good.
    pub fn stand_again(&self) {
        if let Some(keeping) = self.keeping.lock().take() {
            keeping.abort();
        }
        let lease = Lease::candidate(Uuid::from_bytes(Random::system().bytes::<16>()));
        let (service, breaks, runtime) =
            (self.roles.service.clone(), self.breaks.clone(), self.runtime.handle());
        let engine = pool(&self.settings, service, lease.clone(), breaks, runtime.clone());
        self.engine.replace(Db::new(engine.clone(), lease));
        let mut pools = self.pools.lock();
        let before = pools.split_off(1);
        pools.push(engine);
        runtime.spawn(async move {
            futures_util::future::join_all(before.iter().map(Pool::close)).await;
        });
    }

    /// Returns whether any server leads on this database, as far as Postgres knows.
    pub async fn is_led(&self) -> Result<bool, DbError> {
        queries::is_led(&self.db.uncounted()).await.map_err(DbError::Unreachable)
    }

    /// Returns a handle with which the lead can be given up.
    pub fn held_lead(&self) -> HeldLead {
        HeldLead(self.give_up.clone())
    }

    /// Returns the embedded Postgres, if there is one.
    pub fn embedded(&self) -> Option<&Embedded> {
        match &self.keeper {
            Keeper::Embedded(embedded) => Some(embedded),
            Keeper::Elsewhere { .. } | Keeper::Guest => None,
        }
    }

    /// Returns how to reach the database as its owner, and as the service.
    pub fn roles(&self) -> &DbRoles {
        &self.roles
    }

    /// Brings the schema up to date, on a connection of its own: building an index may take longer than any request's statement.
    pub async fn migrate(&self) -> Result<(), DbError> {
        migrate(&self.roles).await
    }

    /// Closes the pool, then stops the embedded Postgres. Any later use of the pool gets an error.
    pub async fn close(self) -> Result<(), DbError> {
        let pools = self.pools.into_inner();
        let closing = futures_util::future::join_all(pools.iter().map(Pool::close));
        if timeout(CLOSE_LIMIT, closing).await.is_err() {
            tracing::warn!("connections were still in use when the pool closed");
        }
        match self.keeper {
            Keeper::Embedded(embedded) => embedded.stop().await,
            Keeper::Elsewhere { .. } | Keeper::Guest => Ok(()),
        }
    }

    async fn connected(
        settings: &DbSettings,
        roles: DbRoles,
        keeper: Keeper,
        serving: Serving,
    ) -> Result<Self, DbError> {
        let runtime = ConnectionRuntime::start()?;
        let server = Uuid::from_bytes(Random::system().bytes::<16>());
        let lease = Lease::candidate(server);
        let breaks = match &keeper {
            Keeper::Embedded(embedded) => embedded.restarts(),
            Keeper::Elsewhere { .. } | Keeper::Guest => Breaks::default(),
        };
        let pool = |lease: &Lease| {
            pool(settings, roles.service.clone(), lease.clone(), breaks.clone(), runtime.handle())
        };
        let first = if serving == Serving::Members { Lease::member(server) } else { lease.clone() };
        let requests = pool(&first);
        let db = Db::new(requests.clone(), first);
        let (engine, pools) = match serving {
            Serving::Leader => (db.clone(), vec![requests.clone()]),
            Serving::Members => {
                let engine = pool(&lease);
                (Db::new(engine.clone(), lease), vec![requests.clone(), engine])
            }
        };
        // This connection only finds out whether the server answers.
        let look = runtime.handle().spawn(async move { requests.take(Purpose::Any).await.map(drop) });
        let answered = match look.await.map_err(|_| DbError::Stopped) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(DbError::Unreachable(reason(&roles.service, error).await)),
            Err(error) => Err(error),
        };
        match answered {
            Ok(()) => {
                let leader_silence = Duration::from_millis(settings.leader_silence_ms);
                Ok(Self {
                    db,
                    engine: engine.into(),
                    pools: Mutex::new(pools),
                    settings: settings.clone(),
                    breaks,
                    roles,
                    leader_silence,
                    keeper,
                    give_up: Arc::default(),
                    keeping: Arc::default(),
                    runtime,
                })
            }
            Err(error) => {
                if let Keeper::Embedded(embedded) = keeper {
                    embedded.stop().await?;
                }
                Err(error)
            }
        }
    }
}

/// Finds out why there was no connection: a pool reports only that it has waited, since the server might just have been starting.
async fn reason(service: &PgConnectOptions, error: sqlx::Error) -> sqlx::Error {
    if !matches!(error, sqlx::Error::PoolTimedOut) {
        return error;
    }
    match timeout(LOOK_LIMIT, PgConnection::connect_with(service)).await {
        Ok(Err(refused)) => refused,
        Ok(Ok(_)) | Err(_) => error,
    }
}

/// Notes that the engine has taken up everything that was committed before this server led.
pub async fn note_ready(engine_db: &EngineDb) {
    let db = engine_db.current();
    if let Err(error) = queries::note_ready(&db, db.lease().term()).await {
        tracing::warn!(%error, "the time of the take-over could not be noted");
    }
}

/// Ends the task when its owner is dropped.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Returns a pool with every limit of the settings. Its connections use indexes wherever there are any: a plan that was made while a
/// table was small is kept when it no longer is
/// ([ADR 156](../../../../docs/adr/0156-few-connections-write-and-plans-use-indexes.md)).
fn pool(
    settings: &DbSettings,
    connect: PgConnectOptions,
    lease: Lease,
    breaks: Breaks,
    runtime: Handle,
) -> Pool {
    let connect =
        connect.statement_cache_capacity(PREPARED).application_name(&lease.session_name()).options([
            ("statement_timeout", settings.statement_timeout_ms.to_string()),
            ("lock_timeout", settings.lock_timeout_ms.to_string()),
            ("idle_in_transaction_session_timeout", settings.idle_in_transaction_timeout_ms.to_string()),
            ("enable_seqscan", "off".to_owned()),
            // Postgres now expects immense costs of a statement that has to read a whole table, and would compile it first.
            ("jit", "off".to_owned()),
        ]);
    let patience = Duration::from_millis(settings.acquire_timeout_ms);
    Pool::new(connect, settings.max_connections, patience, lease, breaks, runtime)
}

fn roles_of(settings: &DbSettings, url: &str) -> Result<DbRoles, DbError> {
    let service = options_of(url)?;
    match settings.owner() {
        Some(owner) => Ok(DbRoles { owner: options_of(owner)?, service }),
        None => Ok(DbRoles::same(service)),
    }
}

fn options_of(url: &str) -> Result<PgConnectOptions, DbError> {
    PgConnectOptions::from_str(url).map_err(|_| DbError::BadUrl)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Secret;

    #[test]
    fn settings_never_print_the_database_password() {
        let url = Some(Secret("postgres://u:hunter2@h/d".to_owned()));
        let settings = DbSettings { url: url.clone(), owner_url: url, ..testing::patient_settings() };
        assert!(!format!("{settings:?}").contains("hunter2"));
    }

    #[test]
    fn a_malformed_database_url_is_refused_without_repeating_it() {
        for url in ["", "hunter2", "postgres//u:hunter2@h", "postgres://u:hunter2@h:port/d"] {
            let error = options_of(url).expect_err(url);
            assert!(matches!(error, DbError::BadUrl));
            assert!(!error.to_string().contains("hunter2"));
        }
    }
}
