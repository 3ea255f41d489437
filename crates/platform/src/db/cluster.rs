//! Makes a cluster and starts its postmaster, or adopts the one that already answers.
//!
//! A killed service leaves its postmaster running, and a killed postmaster leaves children that hold the
//! cluster's shared memory for a moment. So a start asks the socket first: a postmaster that answers is
//! adopted, and one that is starting up or shutting down is waited for. If none answers, a new one is
//! started, and if it ends because of those leftovers, the start is repeated until [`START_LIMIT`].
//! `postmaster.pid` is Postgres's own and is never touched.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{Connection, PgConnection};
use tokio::process::Command;
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use super::access;
use super::data_lock::NO_LINK;
use super::error::DbError;
use super::home::{Home, PORT, PidFile, may_have_socket, socket_in, sync_folder_of};
use super::postmaster::{Postmaster, SHELL, Started, TRY_AGAIN};
use super::queries;
use super::roles::DbRoles;

/// The owner of the service's database, who migrates it. In a cluster made by an earlier release, it is also the superuser.
pub(super) const OWNER: &str = "roadcall";
/// The superuser of all other clusters. It connects to the service's database only while that is empty.
pub(super) const ADMIN: &str = "roadcall_admin";
/// The role that the service connects as, which owns nothing.
pub(super) const SERVICE: &str = "roadcall_service";
const DATABASE: &str = "roadcall";
/// A database that every cluster has. The service keeps nothing in it.
const MAINTENANCE: &str = "postgres";

const INITDB_LIMIT: Duration = Duration::from_secs(120);
/// The limit includes the recovery after a crash, which replays at most one checkpoint's worth of log.
const START_LIMIT: Duration = Duration::from_secs(90);
const ASK_AGAIN: Duration = Duration::from_millis(25);
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
const LOG_TAIL_BYTES: u64 = 2_000;

/// Postgres's messages when leftovers of a killed postmaster are in its way, which disappear by themselves.
const LEFTOVERS: [&str; 2] = ["pre-existing shared memory block", "FATAL:  lock file \""];

/// Settings for tests, whose data need not survive.
const UNDURABLE: [(&str, &str); 7] = [
    // A test's database lives for seconds.
    ("autovacuum", "off"),
    ("fsync", "off"),
    ("full_page_writes", "off"),
    ("synchronous_commit", "off"),
    ("wal_level", "minimal"),
    ("max_wal_senders", "0"),
    ("max_wal_size", "256MB"),
];

/// SQLSTATEs of a server that will answer soon: it starts up or shuts down, or all connections are taken.
const SOON: [&str; 2] = ["57P03", "53300"];

/// How a cluster is run.
#[derive(Debug, Clone, Copy)]
pub struct ClusterOptions {
    /// The total number of connections that the cluster accepts.
    pub max_connections: u32,
    /// False only for tests, where an acknowledged commit need not be on the disk.
    pub durable: bool,
    /// True for restores: the cluster ends with this process, even if that is killed, and is not left for the next
    /// process to adopt.
    pub is_tethered: bool,
}

/// A cluster that exists on the disk, and how to reach it.
#[derive(Debug)]
pub(super) struct Cluster {
    home: Home,
    options: ClusterOptions,
}

enum Answer {
    Ready,
    Wait,
    Refusal(sqlx::Error),
    Silence,
}

impl Cluster {
    /// Makes the cluster if it does not exist yet.
    pub(super) async fn prepare(mut home: Home, options: ClusterOptions) -> Result<Self, DbError> {
        if !home.pgdata().exists() {
            if let Err(error) = init(&home, options).await {
                home.abandon();
                return Err(error);
            }
            home.remember()?;
        }
        Ok(Self { home, options })
    }

    /// Returns how to reach the service's database.
    pub(super) fn roles(&self) -> DbRoles {
        roles(&self.home.socket_dir)
    }

    /// Starts or adopts the postmaster and returns when it answers.
    pub(super) async fn launch(&self) -> Result<Postmaster, DbError> {
        access::restrict(&self.home.pgdata(), self.home.run_as.as_ref())?;
        let mut started = None;
        let answered = timeout(START_LIMIT, self.until_it_answers(&mut started)).await;
        if let Ok(result) = answered {
            return result.and_then(|()| self.found_running(started));
        }
        // A recovery that takes longer continues from its last restart point at the next start.
        if let Some(pid) = started.as_ref().and_then(Started::pid) {
            kill(pid, Signal::SIGINT).ok();
        }
        Err(self.not_started(format!("no answer within {} s; {}", START_LIMIT.as_secs(), self.log_tail())))
    }

    async fn until_it_answers(&self, started: &mut Option<Started>) -> Result<(), DbError> {
        let mut log_rotated = false;
        loop {
            match (ask(&self.maintenance()).await, started.as_mut()) {
                (Answer::Ready, _) => return Ok(()),
                (Answer::Refusal(error), _) => return Err(DbError::Unreachable(error)),
                (Answer::Wait, _) => {}
                (Answer::Silence, None) => *started = Some(self.spawn(&mut log_rotated)?),
                (Answer::Silence, Some(silent)) => {
                    if silent.has_ended().map_err(self.unwaitable())? {
                        self.refuse_unless_leftovers()?;
                        sleep(TRY_AGAIN).await;
                        *started = None;
                    }
                }
            }
            sleep(ASK_AGAIN).await;
        }
    }

    /// Makes the service's database and its roles if the cluster does not have them yet.
    pub(super) async fn ensure_database(&self) -> Result<(), DbError> {
        self.ensure_all().await.map_err(DbError::Unreachable)
    }

    async fn ensure_all(&self) -> sqlx::Result<()> {
        let mut connection = PgConnection::connect_with(&self.maintenance()).await?;
        if !queries::database_exists(&mut connection, DATABASE).await? {
            queries::create_database(&mut connection).await?;
            queries::make_the_owner_ordinary(&mut connection).await?;
            let mut inside = self.as_admin(DATABASE).await?;
            queries::give_the_schema(&mut inside).await?;
            inside.close().await?;
        }
        if !queries::is_superuser(&mut connection).await? {
            connection.close().await?;
            connection = self.as_admin(MAINTENANCE).await?;
        }
        queries::ensure_service_role(&mut connection).await?;
        connection.close().await
    }

    async fn as_admin(&self, database: &str) -> sqlx::Result<PgConnection> {
        PgConnection::connect_with(&connect_options(&self.home.socket_dir, ADMIN, database)).await
    }

    fn maintenance(&self) -> PgConnectOptions {
        connect_options(&self.home.socket_dir, OWNER, MAINTENANCE)
    }

    /// Returns the postmaster that answers: either our child, or an earlier process that its own file names.
    fn found_running(&self, started: Option<Started>) -> Result<Postmaster, DbError> {
        let named = PidFile::read(&self.home.pgdata()).map(|file| file.pid);
        let pid = named.ok_or_else(|| self.not_started("postmaster.pid can't be read".to_owned()))?;
        let pid = Pid::from_raw(pid);
        let adopted = started.as_ref().and_then(Started::pid) != Some(pid);
        if adopted {
            tracing::info!(postgres.pid = pid.as_raw(), "using the postgres of an earlier run");
        } else {
            let major = self.home.binaries.major;
            tracing::info!(postgres.pid = pid.as_raw(), postgres.major = major, "postgres started");
        }
        let postmaster = Postmaster::adopted(pid);
        Ok(if adopted { postmaster } else { Postmaster { started, ..postmaster } })
    }

    fn spawn(&self, log_rotated: &mut bool) -> Result<Started, DbError> {
        let log = self.open_log(log_rotated)?;
        let errors = log.try_clone().map_err(DbError::file("can't open", &self.home.log()))?;
        let mut command = self.home.command(&self.home.binaries.postgres());
        command.arg("-D").arg(self.home.pgdata());
        for (name, value) in self.parameters() {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        // The process group keeps Ctrl-C in the terminal away from Postgres: only the server gets it, and stops Postgres last.
        command.process_group(0).stdout(log).stderr(errors);
        let postgres = Command::from(command).spawn();
        let postgres = postgres.map_err(DbError::file("can't run", &self.home.binaries.postgres()))?;
        let started = Started::new(postgres);
        if self.options.is_tethered {
            started.tethered(self.home.command(Path::new(SHELL)))
        } else {
            Ok(started)
        }
    }

    fn parameters(&self) -> Vec<(&'static str, String)> {
        let mut all = self.common_parameters();
        if !self.options.durable {
            all.extend(UNDURABLE.map(|(name, value)| (name, value.to_owned())));
        } else {
            // A plan made while a table was empty is used until the table is analyzed.
            all.push(("autovacuum_naptime", "10s".to_owned()));
        }
        all
    }

    fn common_parameters(&self) -> Vec<(&'static str, String)> {
        // This is a list of folders, where quotes keep a comma in the path from ending the first one.
        let socket_dir = self.home.socket_dir.display().to_string().replace('"', "\"\"");
        vec![
            ("listen_addresses", String::new()),
            ("port", PORT.to_string()),
            ("unix_socket_directories", format!("\"{socket_dir}\"")),
            ("unix_socket_permissions", "0700".to_owned()),
            ("max_connections", self.options.max_connections.to_string()),
            ("shared_buffers", "128MB".to_owned()),
            ("logging_collector", "off".to_owned()),
            ("log_destination", "stderr".to_owned()),
            // Failing statements (`error` sorts below `log` here) and details are not logged: both quote values, and a unique
            // phone number is one. Every failure reaches the service, which logs it by name.
            ("log_min_messages", "log".to_owned()),
            ("log_min_error_statement", "panic".to_owned()),
            ("log_error_verbosity", "terse".to_owned()),
            ("log_checkpoints", "off".to_owned()),
            ("log_timezone", "UTC".to_owned()),
            ("timezone", "UTC".to_owned()),
            // Start-up searches the log for the reasons that it knows.
            ("lc_messages", "C".to_owned()),
        ]
    }

    /// Opens the log. The service hands it to Postgres, so that it is in the data folder whichever user Postgres
    /// runs as. Each start begins a new log and keeps the one before.
    fn open_log(&self, rotated: &mut bool) -> Result<File, DbError> {
        let path = self.home.log();
        if !*rotated && path.exists() {
            fs::rename(&path, path.with_extension("log.1")).map_err(DbError::file("can't rename", &path))?;
        }
        *rotated = true;
        OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .custom_flags(NO_LINK)
            .open(&path)
            .map_err(DbError::file("can't open", &path))
    }

    fn refuse_unless_leftovers(&self) -> Result<(), DbError> {
        let tail = self.log_tail();
        if LEFTOVERS.iter().any(|leftover| tail.contains(leftover)) {
            tracing::warn!("processes of a killed postgres are still ending; will retry");
            return Ok(());
        }
        Err(self.not_started(tail))
    }

    fn log_tail(&self) -> String {
        tail_of(&self.home.log()).unwrap_or_else(|error| format!("its log can't be read: {error}"))
    }

    fn not_started(&self, reason: String) -> DbError {
        DbError::NotStarted { cluster: self.home.pgdata(), reason, log: self.home.log() }
    }

    fn unwaitable(&self) -> impl FnOnce(std::io::Error) -> DbError {
        DbError::file("can't wait for", &self.home.binaries.postgres())
    }
}

/// Returns how to reach the service's database through the socket in that folder.
fn roles(socket_dir: &Path) -> DbRoles {
    let as_role = |role| connect_options(socket_dir, role, DATABASE);
    DbRoles { owner: as_role(OWNER), service: as_role(SERVICE) }
}

fn connect_options(socket_dir: &Path, role: &str, database: &str) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(socket_dir)
        .port(PORT)
        .username(role)
        .database(database)
        .ssl_mode(PgSslMode::Disable)
}

async fn ask(options: &PgConnectOptions) -> Answer {
    match timeout(ANSWER_LIMIT, PgConnection::connect_with(options)).await {
        Ok(Ok(connection)) => {
            connection.close().await.ok();
            Answer::Ready
        }
        Err(_) => Answer::Wait,
        Ok(Err(error)) => match error.as_database_error() {
            Some(said) if said.code().is_some_and(|code| SOON.contains(&code.as_ref())) => Answer::Wait,
            Some(_) => Answer::Refusal(error),
            None => Answer::Silence,
        },
    }
}

/// Stops the postmaster that a killed process has left running in this cluster's folder, and starts none. Its socket must answer,
/// since the process named in a stale file may be another program's by now.
pub(super) async fn stop_leftover(folder: &Path) -> Result<(), DbError> {
    let Some(PidFile { pid, socket_dir: Some(socket_dir) }) = PidFile::read(&folder.join("pgdata")) else {
        return Ok(());
    };
    if !may_have_socket(folder, &socket_dir) || !socket_in(&socket_dir).exists() {
        return Ok(());
    }
    match ask(&connect_options(&socket_dir, OWNER, MAINTENANCE)).await {
        Answer::Silence => Ok(()),
        Answer::Ready | Answer::Wait | Answer::Refusal(_) => {
            Postmaster::adopted(Pid::from_raw(pid)).stop().await
        }
    }
}

/// Returns how to reach the cluster that a server on this data folder runs, if its socket exists.
pub(super) fn running(data_dir: &Path) -> Option<DbRoles> {
    let folder = super::home::existing(data_dir).ok().flatten()?;
    let socket_dir = PidFile::read(&folder.join("pgdata"))?.socket_dir?;
    socket_in(&socket_dir).exists().then(|| roles(&socket_dir))
}

/// Runs `initdb` in a separate folder, which is renamed when it is complete and on the disk.
async fn init(home: &Home, options: ClusterOptions) -> Result<(), DbError> {
    let unfinished = home.pgdata_being_made();
    let failed = |output: String| DbError::InitDb { cluster: home.pgdata(), output };
    remove_unfinished(&unfinished).await?;
    let mut command = home.command(&home.binaries.initdb());
    command.arg("-D").arg(&unfinished).args(["--username", OWNER, "--auth", "reject", "--encoding", "UTF8"]);
    command.args(["--locale", "C", "--data-checksums", "--no-instructions"]);
    if !options.durable {
        command.arg("--no-sync");
    }
    let run = Command::from(command).stderr(Stdio::piped()).kill_on_drop(true).output();
    let output = timeout(INITDB_LIMIT, run)
        .await
        .map_err(|_| failed(format!("not done within {} s", INITDB_LIMIT.as_secs())))?
        .map_err(DbError::file("can't run", &home.binaries.initdb()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let pgdata = home.pgdata();
    fs::rename(&unfinished, &pgdata).map_err(DbError::file("can't rename", &unfinished))?;
    sync_folder_of(&pgdata).map_err(DbError::file("can't sync", &pgdata))
}

async fn remove_unfinished(folder: &Path) -> Result<(), DbError> {
    let path = folder.to_path_buf();
    let result = spawn_blocking(move || fs::remove_dir_all(path)).await.unwrap_or_else(|e| Err(e.into()));
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        result => result.map_err(DbError::file("can't remove", folder)),
    }
}

fn tail_of(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LOG_TAIL_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(LOG_TAIL_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}
