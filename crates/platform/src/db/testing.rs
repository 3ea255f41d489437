//! A fresh, migrated database for each test.
//!
//! All tests of a checkout share one cluster without durability, in memory if there is enough (making a
//! database creates some 300 files, which takes ten times as long on a disk). The first test starts it, and
//! the others find it running. It outlives the test process on purpose (a static is never dropped), so the
//! next run finds it too; `script/test` gives it a folder of its own in `ROADCALL_TEST_CLUSTER` and stops it
//! at the end. If `DATABASE_URL` is set, the databases are made on that server instead.
//!
//! A database is a copy of a template to which the migrations were applied once. The template is named by a
//! hash of the migrations, so a changed migration makes a new template.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use std::{env, fs, process, thread};

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::sys::statvfs::statvfs;
use nix::unistd::{Pid, geteuid};
use sha2::{Digest, Sha256};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, raw_sql};
use tokio::runtime::Handle;
use tokio::sync::{OnceCell, oneshot};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::cluster::{self, ClusterOptions};
use super::data_lock::{DataLock, make_data_folder};
use super::embedded::Embedded;
use super::leadership::{LeadershipStatus, Lease};
use super::locate::Places;
use super::pool::{Breaks, Purpose};
use super::{Db, DbRoles, MIGRATOR, home, migrate, options_of, pool, queries};
use crate::settings::{DbSettings, Secret};

const MAX_CONNECTIONS: u32 = 300;
/// The number is small, because opening a connection, and preparing each statement on it, is much of what a test costs.
const POOL_CONNECTIONS: u32 = 4;
/// Many times the memory of the cluster, so that other programs have enough.
const MEMORY_WANTED_BYTES: u128 = 4 << 30;
/// How long the server may take to accept a connection while many tests start at once.
const PATIENCE: Duration = Duration::from_secs(30);
const BUILD_LOCK: i64 = 0x726f_6164_6361_6c6c;

/// The database that is copied for each test.
struct Template {
    name: String,
    maintenance: DbRoles,
    /// Whether the server has this option, as it does since Postgres 15. Before that, copying files is the only way.
    can_copy_files: bool,
}

static TEMPLATE: OnceCell<Template> = OnceCell::const_new();
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A migrated, empty database, dropped with this value (or, if the process ends first, by the next run).
#[derive(Debug)]
pub struct TestDatabase {
    /// A small pool as the database's owner; an application under test makes its own from [`TestDatabase::settings`].
    pub db: Db,
    roles: DbRoles,
    name: String,
}

/// Makes a database for one test. Panics if there is no Postgres: no test can run without it.
pub async fn fresh_database() -> TestDatabase {
    let template = TEMPLATE.get_or_init(prepare).await;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("{}{}_{number}", test_prefix(), process::id());
    // Copying the files takes about a third of the time of a copy page by page through the log, the default since Postgres 15.
    let strategy = if template.can_copy_files { " strategy file_copy" } else { "" };
    let create = format!(r#"create database "{name}" template "{}"{strategy}"#, template.name);
    let (said, answer) = oneshot::channel();
    let order = Order { on: template.maintenance.owner.clone(), sql: create, said: Some(said) };
    CARETAKER.send(order).expect("the caretaker runs until the process ends");
    answer.await.expect("the caretaker answers").unwrap_or_else(|error| panic!("{name}: {error}"));
    let roles = database_of(&template.maintenance, &name);
    let lease = Lease::candidate(Uuid::nil());
    let (owner, runtime) = (roles.owner.clone(), Handle::current());
    let pool = pool(&patient_settings(), owner, lease.clone(), Breaks::default(), runtime);
    pool.take(Purpose::Any).await.expect("a new database answers");
    let db = Db::new(pool, lease);
    TestDatabase { db, roles, name }
}

impl TestDatabase {
    /// Returns how to reach the database as its owner.
    pub fn connect_options(&self) -> &PgConnectOptions {
        &self.roles.owner
    }

    /// Returns how to reach the database as a role that is no superuser and may own other databases, if the server is the tests'
    /// own; else as its owner.
    pub fn ordinary_owner(&self) -> PgConnectOptions {
        let owner = self.roles.owner.clone();
        if owner.get_username() == cluster::ADMIN { owner.username(cluster::OWNER) } else { owner }
    }

    /// Returns how to reach the database as its owner, and as the service.
    pub fn roles(&self) -> &DbRoles {
        &self.roles
    }

    /// Returns the path of the server's log, if the server is the tests' own.
    pub fn server_log(&self) -> Option<PathBuf> {
        (self.roles.owner.get_username() == cluster::ADMIN).then(|| home::log_in(&cluster_folder()))
    }

    /// Makes its pool believe that another server has taken over.
    pub fn be_replaced(&self) {
        self.db.lease().end(LeadershipStatus::Replaced);
    }

    /// Returns the owner's address, as in `DATABASE_URL`.
    pub fn url(&self) -> String {
        self.roles.owner.to_url_lossy().into()
    }

    /// Returns settings that make the service use this database, as a role of its own if the server has one.
    pub fn settings(&self) -> DbSettings {
        let url = self.roles.service.to_url_lossy().into();
        DbSettings { url: Some(Secret(url)), owner_url: Some(Secret(self.url())), ..patient_settings() }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if let Some(template) = TEMPLATE.get() {
            let sql = format!(r#"drop database if exists "{}" with (force)"#, self.name);
            // If this fails, the sweep of the next run drops the database.
            CARETAKER.send(Order { on: template.maintenance.owner.clone(), sql, said: None }).ok();
        }
    }
}

/// Returns settings for many simultaneous tests on few cores, with long limits and without a URL.
pub fn patient_settings() -> DbSettings {
    DbSettings {
        url: None,
        owner_url: None,
        max_connections: POOL_CONNECTIONS,
        acquire_timeout_ms: 20_000,
        max_waiting: 256,
        statement_timeout_ms: 20_000,
        lock_timeout_ms: 20_000,
        idle_in_transaction_timeout_ms: 20_000,
        leader_silence_ms: 20_000,
    }
}

/// A statement that makes or drops a database.
struct Order {
    on: PgConnectOptions,
    sql: String,
    /// Receives the outcome, if somebody waits for it.
    said: Option<oneshot::Sender<sqlx::Result<()>>>,
}

/// Makes and drops the databases of all tests of a process, one after another, on one connection. It has a thread of its own,
/// since `drop` can't wait, and the runtime of a test ends with the test.
static CARETAKER: LazyLock<mpsc::Sender<Order>> = LazyLock::new(|| {
    let (sender, orders) = mpsc::channel::<Order>();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime for the databases of tests");
        let mut connection = None;
        for Order { on, sql, said } in orders {
            let done = runtime.block_on(async {
                let connected = match connection.take() {
                    Some(open) => open,
                    None => try_connect(&on).await?,
                };
                let open: &mut PgConnection = connection.insert(connected);
                raw_sql(AssertSqlSafe(sql)).execute(open).await.map(drop)
            });
            if done.is_err() {
                // The connection may be broken.
                connection = None;
            }
            if let Some(said) = said {
                said.send(done).ok();
            }
        }
    });
    sender
});

async fn prepare() -> Template {
    let given = env::var("DATABASE_URL").ok().filter(|url| !url.is_empty());
    let maintenance = match &given {
        Some(url) => DbRoles::same(options_of(url).expect("DATABASE_URL is an address")),
        None => database_of(&shared_cluster().await, "postgres"),
    };
    let mut connection = connect(&maintenance.owner).await;
    lock_for_building(&mut connection, BUILD_LOCK).await.expect("the lock for the template");
    if given.is_none() {
        queries::ensure_service_role(&mut connection).await.expect("the service's role");
        sweep(&mut connection).await;
    }
    let name = format!("roadcall_template_{}", hash_of_migrations());
    if !queries::database_exists(&mut connection, &name).await.expect("the list of databases") {
        build(&mut connection, &maintenance, &name).await;
    }
    let can_copy_files = connection.server_version_num().is_some_and(|version| version >= 150_000);
    connection.close().await.expect("the maintenance connection closes");
    Template { name, maintenance, can_copy_files }
}

/// Builds the template under another name first, so that a half-built template is never copied.
async fn build(connection: &mut PgConnection, maintenance: &DbRoles, name: &str) {
    let building = format!("{name}_building");
    run(connection, format!(r#"drop database if exists "{building}" with (force)"#)).await;
    run(connection, format!(r#"create database "{building}" template template0"#)).await;
    let applied = migrate(&database_of(maintenance, &building)).await;
    applied.expect("the migrations apply to an empty database");
    run(connection, format!(r#"alter database "{building}" rename to "{name}""#)).await;
}

/// Drops the databases that ended test processes left behind.
async fn sweep(connection: &mut PgConnection) {
    let idle = idle_databases(connection, test_prefix()).await.expect("the list of databases");
    for name in idle {
        let pid = name.strip_prefix(test_prefix()).and_then(|rest| rest.split('_').next()?.parse().ok());
        // This process has made no database yet, so a database with its number was another process's.
        let has_ended =
            |pid| pid == process::id() as i32 || kill(Pid::from_raw(pid), None) == Err(Errno::ESRCH);
        if pid.is_some_and(has_ended) {
            run(connection, format!(r#"drop database if exists "{name}""#)).await;
        }
    }
}

/// Returns the checkout's cluster, which is started if necessary, and left running. The owner is its superuser, since tests make
/// databases.
async fn shared_cluster() -> DbRoles {
    let folder = cluster_folder();
    let starting = exclusive(&folder).await;
    let by_superuser = |roles: DbRoles| DbRoles { owner: roles.owner.username(cluster::ADMIN), ..roles };
    if let Some(running) = cluster::running(&folder).map(by_superuser)
        && PgConnection::connect_with(&running.owner).await.is_ok()
    {
        return running;
    }
    let lock = DataLock::take(&folder).expect("the lock of the test cluster");
    let options = ClusterOptions { max_connections: MAX_CONNECTIONS, durable: false, is_tethered: false };
    let embedded = Embedded::start(lock, options, Places::of_this_machine()).await.expect("a test cluster");
    let roles = by_superuser(embedded.roles().clone());
    embedded.detach().await.expect("the test cluster goes on alone");
    drop(starting);
    roles
}

/// Returns how to reach another database of the same server.
fn database_of(roles: &DbRoles, name: &str) -> DbRoles {
    let at = |connect: &PgConnectOptions| connect.clone().database(name);
    DbRoles { owner: at(&roles.owner), service: at(&roles.service) }
}

/// Lets one test process at a time look for the cluster and start it. A start has limits, so this ends.
async fn exclusive(folder: &Path) -> fs::File {
    let folder = folder.to_path_buf();
    let locking = spawn_blocking(move || {
        make_data_folder(&folder).expect("the folder of the test cluster");
        let owner = fs::metadata(&folder).expect("the folder of the test cluster").uid();
        assert_eq!(owner, geteuid().as_raw(), "{} was made by somebody else", folder.display());
        let file = fs::File::create(folder.join("starting")).expect("a file in a folder of ours");
        file.lock().expect("a lock on a local file");
        file
    });
    locking.await.expect("locking does not panic")
}

/// Returns the cluster's folder: one per user and checkout, unless `ROADCALL_TEST_CLUSTER` names it.
fn cluster_folder() -> PathBuf {
    let given = env::var_os("ROADCALL_TEST_CLUSTER").filter(|folder| !folder.is_empty());
    given.map(PathBuf::from).unwrap_or_else(|| {
        let checkout = hex::encode(Sha256::digest(env!("CARGO_MANIFEST_DIR")));
        // The 2 marks clusters in which the owner of the service's database is no superuser.
        place().join(format!("roadcall-test-pg2-{}-{}", geteuid(), &checkout[..8]))
    })
}

/// Returns where tests keep clusters: in memory if there is room, else in the temporary folder. `script/test`
/// makes the same choice.
pub fn place() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let free =
        statvfs(memory).map_or(0, |disk| disk.blocks_available() as u128 * disk.fragment_size() as u128);
    if free >= MEMORY_WANTED_BYTES { memory.to_path_buf() } else { env::temp_dir() }
}

fn test_prefix() -> &'static str {
    "roadcall_test_"
}

fn hash_of_migrations() -> String {
    let mut hash = Sha256::new();
    for migration in MIGRATOR.iter() {
        hash.update(migration.version.to_be_bytes());
        hash.update(&migration.checksum);
    }
    hex::encode(&hash.finalize()[..6])
}

async fn connect(options: &PgConnectOptions) -> PgConnection {
    try_connect(options).await.expect("the test server answers")
}

async fn try_connect(options: &PgConnectOptions) -> sqlx::Result<PgConnection> {
    let connected = tokio::time::timeout(PATIENCE, PgConnection::connect_with(options)).await;
    connected.map_err(|_| sqlx::Error::Io(ErrorKind::TimedOut.into()))?
}

/// Runs a statement. Names of databases can't be bind parameters; here they consist of digits, letters and underscores.
async fn run(connection: &mut PgConnection, sql: String) {
    let shown = sql.clone();
    raw_sql(AssertSqlSafe(sql)).execute(connection).await.unwrap_or_else(|e| panic!("{shown}: {e}"));
}

/// Lets one process at a time build something that is shared; the lock is held until the connection closes.
async fn lock_for_building(connection: &mut PgConnection, key: i64) -> sqlx::Result<()> {
    sqlx::query("select pg_advisory_lock($1)").bind(key).execute(connection).await.map(drop)
}

/// Returns the databases whose name starts with `prefix` and that have no connections.
async fn idle_databases(connection: &mut PgConnection, prefix: &str) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar(
        "select d.datname::text from pg_catalog.pg_database d
          where starts_with(d.datname::text, $1)
            and not exists (select 1 from pg_catalog.pg_stat_activity a where a.datname = d.datname)",
    )
    .bind(prefix)
    .fetch_all(connection)
    .await
}
