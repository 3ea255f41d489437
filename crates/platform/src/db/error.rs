//! The failures between the service and its Postgres. Every message is written for the person who started the
//! server: it names the folder or the setting, and says what to do.

use std::io;
use std::path::{Path, PathBuf};

/// The reason why the database could not be opened, migrated or stopped.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// Another process holds the lock of the data folder.
    #[error(
        "another roadcall server is using the data folder {}{}; stop it, or start this one with a \
         folder of its own (--data-dir)",
        data_dir.display(),
        holder.map(|pid| format!(" (process {pid})")).unwrap_or_default()
    )]
    AlreadyServed {
        /// The folder, as an absolute path.
        data_dir: PathBuf,
        /// The process that holds the lock, if it could be read.
        holder: Option<u32>,
    },

    /// A restore into the data folder was interrupted.
    #[error(
        "a restore into the data folder {} was interrupted, or is still under way, so there may be no data here, or half of it. Run \
         it again (roadcall restore FOLDER): it clears up first. Or, to go on with what is there, remove {}",
        data_dir.display(),
        stage.display()
    )]
    UnfinishedRestore {
        /// The data folder.
        data_dir: PathBuf,
        /// The folder that proves it.
        stage: PathBuf,
    },

    /// This machine has no usable PostgreSQL.
    #[error(
        "PostgreSQL was not found. Install it (Debian and Ubuntu: apt-get install postgresql; macOS: \
         brew install postgresql@17), put its `initdb` and `postgres` on the PATH, or set DATABASE_URL \
         to a server that runs elsewhere. Looked in: {}",
        looked_in.join(", ")
    )]
    NoBinaries {
        /// Every folder that was tried, in order.
        looked_in: Vec<String>,
    },

    /// This machine has PostgreSQL, but no version that can be used.
    #[error(
        "PostgreSQL {wanted} is needed{because}, and this machine has {}. Install that version, or set \
         DATABASE_URL to a server that runs elsewhere",
        found.join(", ")
    )]
    WrongVersion {
        /// The version, for example `14 or newer`.
        wanted: String,
        /// The reason why this version is needed; empty, or starts with a space.
        because: String,
        /// The versions that were found, with their folders.
        found: Vec<String>,
    },

    /// PostgreSQL refuses to run as root and no other user could be used.
    #[error(
        "PostgreSQL refuses to run as root, and neither of the users `postgres` and `nobody` can run {}; \
         start roadcall as an ordinary user, or set DATABASE_URL",
        binary.display()
    )]
    NoUser {
        /// The `postgres` program that was found.
        binary: PathBuf,
    },

    /// The system could not say who runs this process.
    #[error("the system can't say which user runs roadcall, so the embedded database can't let it in: {0}")]
    UserUnknown(#[source] io::Error),

    /// The cluster's files belong to a user that this process can't act as.
    #[error(
        "the database in {} belongs to user {owner}, and this process can't act as that user; {advice}",
        cluster.display()
    )]
    ForeignCluster {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The name or number of the owner.
        owner: String,
        /// The advice for the operator.
        advice: String,
    },

    /// The user that PostgreSQL runs as can't reach the cluster's folder.
    #[error(
        "PostgreSQL runs as user {user}, who can't enter {}; give that user the right to pass through \
         every folder above it (chmod o+x), or move the data folder",
        folder.display()
    )]
    Unenterable {
        /// The folder that can't be entered.
        folder: PathBuf,
        /// The name of the user.
        user: String,
    },

    /// The data folder names a cluster elsewhere, which does not exist.
    #[error(
        "the data folder {} keeps its database in {}, which is no longer there. Bring it back, or \
         delete {} to start with an empty database",
        data_dir.display(),
        cluster.display(),
        pointer.display()
    )]
    ClusterMissing {
        /// The data folder.
        data_dir: PathBuf,
        /// The folder where the cluster should be.
        cluster: PathBuf,
        /// The file that names it.
        pointer: PathBuf,
    },

    /// Others could write to this folder, or somebody else made it first.
    #[error("{} is not a private folder of user {owner}: remove it, or set TMPDIR to another place", folder.display())]
    NotPrivate {
        /// The folder.
        folder: PathBuf,
        /// The user who should own the folder.
        owner: String,
    },

    /// `initdb` failed or took too long.
    #[error("initdb could not make a database in {}: {output}", cluster.display())]
    InitDb {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The end of its output.
        output: String,
    },

    /// `postgres` ended by itself, or did not answer in time.
    #[error("PostgreSQL did not start in {}: {reason} (its log is {})", cluster.display(), log.display())]
    NotStarted {
        /// The cluster's folder.
        cluster: PathBuf,
        /// The last lines of its log, or what did not happen in time.
        reason: String,
        /// The path of the log.
        log: PathBuf,
    },

    /// The embedded server did not end in time.
    #[error("PostgreSQL (process {pid}) did not stop within {limit_s} s")]
    NotStopped {
        /// The id of its process.
        pid: i32,
        /// How long the service waited, in seconds.
        limit_s: u64,
    },

    /// A command needs the embedded database of a server that is still starting or stopping.
    #[error(
        "the server on the data folder {} is starting or stopping; try again in a moment",
        data_dir.display()
    )]
    NotReady {
        /// The data folder.
        data_dir: PathBuf,
    },

    /// The service's role could not get the privileges that it needs.
    #[error("the service's role could not be granted what it needs: {0}")]
    Grant(#[source] sqlx::Error),
    /// `DATABASE_URL` can't be read. Its text may hold a password and is not repeated.
    #[error("DATABASE_URL is not a Postgres address (postgres://user:password@host:5432/name)")]
    BadUrl,

    /// The server of `DATABASE_URL`, or the embedded one, does not answer properly.
    #[error("the database does not answer: {0}")]
    Unreachable(#[source] sqlx::Error),

    /// Postgres does not know the time zone.
    #[error(
        "Postgres does not know the time zone {name} of operator.time_zone: install tzdata on its machine and restart it, \
         or use the zone's present name"
    )]
    UnknownTimeZone {
        /// The name in the settings.
        name: String,
    },

    /// The system could not start another thread.
    #[error("the thread for the database's connections could not be started: {0}")]
    Thread(#[source] io::Error),

    /// The database is being closed.
    #[error("the database is being closed")]
    Stopped,

    /// A newer release has removed something from this database that this program needs.
    #[error(
        "the database is too new for this roadcall: migration {found} removed what this program needs, which knows \
         migrations up to {known}. Start the newer release, or restore a backup made before it"
    )]
    DatabaseNewer {
        /// The migration that this program does not know.
        found: i64,
        /// The newest migration that it knows; 0 if it knows none.
        known: i64,
    },

    /// An applied migration differs from the one in this program.
    #[error("migration {version} was changed after it had been applied to this database")]
    MigrationChanged {
        /// The number of the migration.
        version: i64,
    },

    /// A migration failed; all earlier ones are applied.
    #[error("the database could not be migrated: {0}")]
    Migrate(#[source] sqlx::migrate::MigrateError),

    /// This machine has no `pg_dump` or `pg_restore` of a suitable version.
    #[error(
        "{program} of PostgreSQL {wanted} is needed, and this machine has {}. Install that version (Debian and Ubuntu: \
         apt-get install postgresql-client)",
        if found.is_empty() { "none".to_owned() } else { found.join(", ") }
    )]
    NoTool {
        /// `pg_dump` or `pg_restore`.
        program: &'static str,
        /// The version, for example `17 or newer`.
        wanted: String,
        /// The versions that were found, with their folders.
        found: Vec<String>,
    },

    /// A dump can't be restored into an older Postgres than it comes from.
    #[error(
        "the backup comes from PostgreSQL {dump}, and this database is PostgreSQL {server}: restore it into {dump} or newer"
    )]
    OlderThanDump {
        /// The major version that the dump needs.
        dump: u32,
        /// The major version of the database.
        server: u32,
    },

    /// The SQL of a dump runs as the owner, and this owner could run programs.
    #[error(
        "the role {role} may run programs on the machine of the database, by itself or as another role, and so could a forged \
         backup: give the database to a role that is no superuser and a member of none (create role roadcall_owner login password \
         '…'; alter database … owner to roadcall_owner), and name that in ROADCALL__DATABASE__OWNER_URL"
    )]
    MightyOwner {
        /// The owner's role.
        role: String,
    },

    /// `pg_dump` or `pg_restore` ended with an error.
    #[error("{program} failed: {said}")]
    Tool {
        /// The name of the program.
        program: &'static str,
        /// Its own words, without the rows that it quotes.
        said: String,
    },

    /// A statement about the whole database failed.
    #[error("the database could not be read: {0}")]
    Reading(#[source] sqlx::Error),

    /// A file or folder could not be used.
    #[error("{doing} {}: {source}", path.display())]
    File {
        /// The failed action, for example `can't create`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl DbError {
    /// Names the file in an I/O error, which does not contain it.
    pub(crate) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| Self::File { doing, path, source }
    }
}
