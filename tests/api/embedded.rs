//! The Postgres that the service runs itself is created, kept, adopted, restarted or refused.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use roadcall::platform::db::testing::{fresh_database, patient_settings, place};
use roadcall::platform::{
    db::{ClusterOptions, DataLock, Database, DbError, DbRoles, Embedded, Serving, locate},
    settings::DbSettings,
};
use sqlx::{Connection, PgConnection};

use crate::support::until_so;

/// A test's own data folder, removed on drop. It is created as a user would: others may enter it.
pub struct DataDir(pub PathBuf);

impl DataDir {
    pub fn new() -> Self {
        // TMPDIR is not used: root may have it below a folder that nobody else can enter.
        let place = place();
        Self::below(if place == env::temp_dir() { Path::new("/tmp") } else { &place })
    }

    fn below(parent: &Path) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("roadcall-embedded-{}-{number}", std::process::id()));
        fs::remove_dir_all(&path).ok();
        Self(path)
    }

    pub async fn open(&self) -> Result<Database, DbError> {
        Database::open(&patient_settings(), &self.0, Serving::Leader).await
    }

    /// Returns the path in `postgres.location`, if the cluster is elsewhere.
    fn elsewhere(&self) -> Option<PathBuf> {
        fs::read_to_string(self.0.join("postgres.location")).ok().map(|text| PathBuf::from(text.trim()))
    }
}

impl Drop for DataDir {
    fn drop(&mut self) {
        if let Some(cluster) = self.elsewhere() {
            fs::remove_dir_all(cluster).ok();
        }
        fs::remove_dir_all(&self.0).ok();
    }
}

async fn owner(roles: &DbRoles) -> PgConnection {
    PgConnection::connect_with(&roles.owner).await.unwrap()
}

async fn write_a_note(roles: &DbRoles) {
    let mut owner = owner(roles).await;
    sqlx::query("create table if not exists note (text text not null)").execute(&mut owner).await.unwrap();
    sqlx::query("insert into note (text) values ('kept')").execute(&mut owner).await.unwrap();
}

async fn notes(roles: &DbRoles) -> i64 {
    sqlx::query_scalar("select count(*) from note").fetch_one(&mut owner(roles).await).await.unwrap()
}

pub fn pid_of(database: &Database) -> i32 {
    database.embedded().expect("no DATABASE_URL was given").pid()
}

fn is_alive(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    kill(Pid::from_raw(pid), None).is_ok() && !stat.contains(") Z ")
}

#[tokio::test]
async fn a_new_data_folder_gets_a_database_that_a_restart_keeps() {
    let folder = DataDir::new();
    let database = folder.open().await.unwrap();
    database.migrate().await.unwrap();
    write_a_note(database.roles()).await;
    let first = pid_of(&database);
    database.close().await.unwrap();
    assert!(!is_alive(first), "closing waits until postgres has ended");

    let database = folder.open().await.unwrap();
    database.migrate().await.unwrap();
    assert_eq!(notes(database.roles()).await, 1);
    assert_ne!(pid_of(&database), first);
    database.close().await.unwrap();
    assert!(folder.0.join("postgres.log.1").is_file(), "the log of the run before is kept");
}

#[tokio::test]
async fn a_second_server_on_the_same_data_folder_is_refused_with_the_reason() {
    let folder = DataDir::new();
    let first = folder.open().await.unwrap();
    let refusal = folder.open().await.expect_err("the folder is taken");
    let message = refusal.to_string();
    assert!(matches!(refusal, DbError::AlreadyServed { .. }), "{message}");
    for part in [&folder.0.display().to_string(), &std::process::id().to_string(), "--data-dir"] {
        assert!(message.contains(part), "{part} is missing in: {message}");
    }
    assert_eq!(first.db().acquire().await.map(drop).map_err(|e| e.to_string()), Ok(()), "the first goes on");
    first.close().await.unwrap();
    folder.open().await.expect("a closed server's folder is free").close().await.unwrap();
}

#[tokio::test]
async fn a_command_beside_a_running_server_uses_its_database() {
    let folder = DataDir::new();
    let server = folder.open().await.unwrap();
    write_a_note(server.roles()).await;
    let command = Database::open_beside(&patient_settings(), &folder.0).await.unwrap();
    assert_eq!(notes(command.roles()).await, 1);
    command.close().await.unwrap();
    assert!(is_alive(pid_of(&server)), "a command leaves the server's postgres alone");
    server.close().await.unwrap();
    let alone = Database::open_beside(&patient_settings(), &folder.0).await.unwrap();
    assert_eq!(notes(alone.roles()).await, 1, "without a server it starts the database itself");
    alone.close().await.unwrap();
}

#[tokio::test]
async fn the_postgres_of_a_killed_server_is_adopted_and_stopped_in_the_end() {
    let folder = DataDir::new();
    let first = start(&folder).await;
    let pid = first.pid();
    first.detach().await.unwrap();
    assert!(is_alive(pid));

    let database = folder.open().await.unwrap();
    assert_eq!(pid_of(&database), pid, "the same process");
    write_a_note(database.roles()).await;
    database.close().await.unwrap();
    assert!(!is_alive(pid));
}

#[tokio::test]
async fn a_killed_postmaster_is_replaced_at_the_next_start() {
    let folder = DataDir::new();
    let database = folder.open().await.unwrap();
    write_a_note(database.roles()).await;
    let pid = pid_of(&database);
    database.close().await.unwrap();

    let embedded = start(&folder).await;
    let killed = embedded.pid();
    embedded.detach().await.unwrap();
    kill(Pid::from_raw(killed), Signal::SIGKILL).unwrap();

    let database = folder.open().await.unwrap();
    assert!(![pid, killed].contains(&pid_of(&database)));
    assert_eq!(notes(database.roles()).await, 1);
    database.close().await.unwrap();
}

#[tokio::test]
async fn a_postmaster_killed_under_a_running_server_is_brought_back() {
    let folder = DataDir::new();
    let database = folder.open().await.unwrap();
    write_a_note(database.roles()).await;
    let killed = pid_of(&database);
    kill(Pid::from_raw(killed), Signal::SIGKILL).unwrap();

    until_so("postgres comes back", async || pid_of(&database) != killed).await;
    assert_eq!(notes(database.roles()).await, 1);
    let answered: i32 = sqlx::query_scalar("select 1").fetch_one(database.db()).await.unwrap();
    assert_eq!(answered, 1, "through the pool that was there before");
    let second = pid_of(&database);
    database.close().await.unwrap();
    assert!(!is_alive(second), "and is still stopped in the end");
}

#[tokio::test]
async fn the_log_of_postgres_never_quotes_values_of_statements() {
    let folder = DataDir::new();
    let database = folder.open().await.unwrap();
    let mut owner = owner(database.roles()).await;
    sqlx::query("create table phones (phone text primary key)").execute(&mut owner).await.unwrap();
    let insert = "insert into phones (phone) values ('+919800000001')";
    sqlx::query(insert).execute(&mut owner).await.unwrap();
    sqlx::query(insert).execute(&mut owner).await.expect_err("it is there already");
    sqlx::query("select '+919800000001'::int").execute(&mut owner).await.expect_err("no number");
    database.close().await.unwrap();
    let log = fs::read_to_string(folder.0.join("postgres.log")).unwrap();
    assert!(log.contains("database system is ready"), "{log}");
    assert!(!log.contains("9800000001"), "{log}");
}

#[tokio::test]
async fn an_interrupted_initdb_is_started_again() {
    let folder = DataDir::new();
    folder.open().await.unwrap().close().await.unwrap();
    let cluster = folder.0.join("postgres");
    fs::rename(cluster.join("pgdata"), cluster.join("pgdata.new")).unwrap();
    fs::remove_file(cluster.join("pgdata.new/PG_VERSION")).unwrap();

    let database = folder.open().await.unwrap();
    database.migrate().await.unwrap();
    database.close().await.unwrap();
    assert!(!cluster.join("pgdata.new").exists());
}

#[tokio::test]
async fn a_postgres_that_cannot_start_says_why() {
    let folder = DataDir::new();
    folder.open().await.unwrap().close().await.unwrap();
    let config = folder.0.join("postgres/pgdata/postgresql.conf");
    fs::write(config, "this is no setting\n").unwrap();
    let refusal = folder.open().await.expect_err("its settings can't be read").to_string();
    for part in ["syntax error", "postgresql.conf", "postgres.log"] {
        assert!(refusal.contains(part), "{part} is missing in: {refusal}");
    }
}

#[tokio::test]
async fn a_path_too_long_for_a_socket_gets_a_short_private_socket_folder() {
    let long = DataDir::new();
    let deep = long.0.join("d".repeat(60)).join("e".repeat(60));
    let database = Database::open(&patient_settings(), &deep, Serving::Leader).await.unwrap();
    write_a_note(database.roles()).await;
    let socket = database.roles().service.get_socket().unwrap().clone();
    assert!(!socket.starts_with(&long.0), "{}", socket.display());
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&socket).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o700);
    database.close().await.unwrap();
    fs::remove_dir_all(socket).unwrap();
}

/// Covers root's `./data`, which is often below a folder that the user of Postgres can't enter.
#[tokio::test]
async fn a_data_folder_below_one_that_postgres_cannot_enter_still_works() {
    let closed = DataDir::new();
    fs::create_dir(&closed.0).unwrap();
    fs::set_permissions(&closed.0, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let folder = DataDir::below(&closed.0);
    let database = folder.open().await.unwrap();
    write_a_note(database.roles()).await;
    database.close().await.unwrap();
    assert_eq!(folder.elsewhere().is_some(), nix::unistd::geteuid().is_root());

    let database = folder.open().await.unwrap();
    assert_eq!(notes(database.roles()).await, 1, "found again");
    database.close().await.unwrap();

    if let Some(cluster) = folder.elsewhere() {
        let away = cluster.with_extension(format!("away-{}", std::process::id()));
        fs::rename(&cluster, &away).unwrap();
        let opened = folder.open().await;
        // This is restored before any assertion: a failure must not leave it behind.
        fs::rename(&away, &cluster).unwrap();
        let refusal = opened.expect_err("an empty database must not replace a lost one");
        assert!(matches!(refusal, DbError::ClusterMissing { .. }), "{refusal}");
    }
}

#[test]
fn a_missing_postgres_is_reported_with_its_package_and_the_searched_places() {
    let error = locate::find(&locate::Places::only(&OsString::from("/nowhere:/dev")), None).unwrap_err();
    let message = error.to_string();
    for part in ["apt-get install postgresql", "brew install", "DATABASE_URL", "/nowhere", "/dev"] {
        assert!(message.contains(part), "{part} is missing in: {message}");
    }
}

#[test]
fn a_cluster_is_only_opened_with_the_version_that_made_it() {
    let found = locate::find(&locate::Places::of_this_machine(), None).unwrap();
    let same = locate::find(&locate::Places::of_this_machine(), Some(found.major)).unwrap();
    assert_eq!(same.major, found.major);
    let message = locate::find(&locate::Places::of_this_machine(), Some(7)).unwrap_err().to_string();
    assert!(message.contains("PostgreSQL 7 is needed"), "{message}");
    assert!(message.contains(&found.major.to_string()), "{message}");
}

#[tokio::test]
async fn a_database_that_a_newer_release_removed_something_from_is_refused() {
    let database = fresh_database().await;
    sqlx::query(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         values (99999999, 'contract of 99999998 drop what this release reads', true, ''::bytea, 0)",
    )
    .execute(&database.db)
    .await
    .unwrap();
    let error = roadcall::platform::db::migrate(database.roles()).await.unwrap_err();
    assert!(matches!(error, DbError::DatabaseNewer { found: 99_999_999, .. }), "{error}");
}

#[tokio::test]
async fn every_test_has_a_migrated_database_of_its_own() {
    let (one, other) = (fresh_database().await, fresh_database().await);
    write_a_note(one.roles()).await;
    let there: bool =
        sqlx::query_scalar("select to_regclass('note') is not null").fetch_one(&other.db).await.unwrap();
    assert!(!there);
    roadcall::platform::db::migrate(other.roles()).await.expect("nothing is left to migrate");
}

#[tokio::test]
async fn statements_and_waits_that_take_too_long_are_ended() {
    let database = fresh_database().await;
    let settings = DbSettings {
        statement_timeout_ms: 1_234,
        lock_timeout_ms: 345,
        idle_in_transaction_timeout_ms: 6_789,
        leader_silence_ms: 5_678,
        ..database.settings()
    };
    let folder = DataDir::new();
    let opened = Database::open(&settings, &folder.0, Serving::Leader).await.unwrap();
    let table = [
        ("statement_timeout", "1234ms"),
        ("lock_timeout", "345ms"),
        ("idle_in_transaction_session_timeout", "6789ms"),
    ];
    for (name, expected) in table {
        let value: String =
            sqlx::query_scalar("select current_setting($1)").bind(name).fetch_one(opened.db()).await.unwrap();
        assert_eq!(value, expected, "{name}");
    }
    let name: String = sqlx::query_scalar("select current_setting('application_name')")
        .fetch_one(opened.db())
        .await
        .unwrap();
    assert!(name.starts_with("roadcall "), "each server has sessions of its own name: {name}");
}

#[tokio::test]
async fn a_server_given_by_url_replaces_the_embedded_one() {
    let (given, folder) = (fresh_database().await, DataDir::new());
    write_a_note(given.roles()).await;
    let database = Database::open(&given.settings(), &folder.0, Serving::Leader).await.unwrap();
    assert!(database.embedded().is_none());
    assert_eq!(notes(database.roles()).await, 1);
    assert!(!folder.0.join("postgres").exists());
    database.close().await.unwrap();
}

async fn start(folder: &DataDir) -> Embedded {
    let options = ClusterOptions { max_connections: 20, durable: true, is_tethered: false };
    let lock = DataLock::take(&folder.0).unwrap();
    Embedded::start(lock, options, locate::Places::of_this_machine()).await.unwrap()
}

/// Checks that the server runs as another user than the one who started it; this needs root, who can act as both.
#[test]
fn postgres_never_runs_as_root() {
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    let folder = DataDir::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let database = folder.open().await.unwrap();
        let pid = pid_of(&database).to_string();
        let user = Command::new("ps").args(["-o", "user=", "-p", &pid]).output().unwrap();
        let user = String::from_utf8(user.stdout).unwrap();
        assert!(["postgres", "nobody"].contains(&user.trim()), "{user}");
        database.close().await.unwrap();
    });
}
