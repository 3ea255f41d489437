//! Copies of a whole database, made by PostgreSQL's own programs, `pg_dump` and `pg_restore`.
//!
//! A dump shows one moment, which a transaction of ours shows too, so everything else read there, such as the number of rows
//! of each table, is true of the dump. After a restore, the owner's role owns everything; privileges are not restored but
//! granted anew, because the service's role may have another name here.

use std::collections::BTreeMap;
use std::io::{PipeReader, PipeWriter};
use std::path::Path;
use std::process::Stdio;

use percent_encoding::percent_decode_str;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, Row, raw_sql};
use tokio::process::Command;

use super::error::DbError;
use super::locate::{self, Places, Tools};
use super::roles::DbRoles;
use super::user::command_as;
use super::{Database, migrate, queries};

const BEGIN: &str = "begin isolation level repeatable read, read only";

/// How long a dump waits for a table that is being migrated.
const LOCK_WAIT: &str = "60s";

/// How many names of existing relations a refusal lists.
const NAMES_SHOWN: i64 = 5;

/// How many lines of a program's complaint are passed on.
const LINES_SHOWN: usize = 5;

/// Files with the certificates that the system trusts, for programs older than version 16.
const TRUSTED: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

/// One moment of a database, as its owner sees it, for as long as this lives.
#[derive(derive_more::Debug)]
// The connect options may hold a password.
#[debug("Snapshot {{ schema: {schema:?}, server: {server:?}, .. }}")]
pub struct Snapshot {
    connection: PgConnection,
    owner: PgConnectOptions,
    id: String,
    schema: String,
    server: u32,
}

/// The source of a dump.
#[derive(Debug)]
pub enum DumpSource<'a> {
    /// The folder that [`Snapshot::dump`] made.
    Folder(&'a Path),
    /// The stream that [`Snapshot::dump_into`] wrote.
    Pipe(PipeReader),
}

/// A dump, with the data needed to restore it.
#[derive(Debug)]
pub struct Dump<'a> {
    pub source: DumpSource<'a>,
    /// The schema that was dumped.
    pub schema: &'a str,
    /// The major version of the Postgres that was dumped.
    pub server: u32,
    /// The major version of the `pg_dump` that made the dump.
    pub pg_dump: u32,
}

impl Snapshot {
    pub async fn begin(roles: &DbRoles) -> Result<Self, DbError> {
        let owner = unhurried(&roles.owner);
        let mut connection = PgConnection::connect_with(&owner).await.map_err(DbError::Unreachable)?;
        raw_sql(BEGIN).execute(&mut connection).await.map_err(DbError::Reading)?;
        let (id, schema) = queries::export_snapshot(&mut connection).await.map_err(DbError::Reading)?;
        let server = major_of(&connection);
        Ok(Self { connection, owner, id, schema: schema.unwrap_or_default(), server })
    }

    /// Returns the connection, to read other data of the same moment.
    pub fn connection(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// Returns the schema that has the service's tables.
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// Returns the major version of the dumped Postgres, such as 15.
    pub fn server(&self) -> u32 {
        self.server
    }

    /// Returns the newest migration; `None` if none was ever applied.
    pub async fn newest_migration(&mut self) -> Result<Option<i64>, DbError> {
        let connection = &mut self.connection;
        if !queries::has_migrations(connection).await.map_err(DbError::Reading)? {
            return Ok(None);
        }
        let applied = queries::applied_migrations(connection).await.map_err(DbError::Reading)?;
        Ok(applied.into_iter().map(|(number, _)| number).max())
    }

    /// Counts the rows of each table, which reads all of them.
    pub async fn rows(&mut self) -> Result<BTreeMap<String, i64>, DbError> {
        let counting = queries::counting_statement(&mut self.connection).await.map_err(DbError::Reading)?;
        let Some(counting) = counting else { return Ok(BTreeMap::new()) };
        // Postgres itself has quoted the names in the statement.
        let rows = raw_sql(AssertSqlSafe(counting)).fetch_all(&mut self.connection).await;
        let rows = rows.map_err(DbError::Reading)?;
        let counted = rows.iter().map(|row| sqlx::Result::Ok((row.try_get(0)?, row.try_get(1)?)));
        counted.collect::<Result<_, _>>().map_err(DbError::Reading)
    }

    /// Dumps the moment into a folder that does not exist yet, and returns the major version of the `pg_dump` that did it.
    pub async fn dump(&self, into: &Path) -> Result<u32, DbError> {
        let arguments = ["--format=directory".to_owned(), format!("--file={}", into.display())];
        self.dumped(&arguments, Streams::none(), into).await
    }

    /// Dumps the moment as one stream, of which nothing is on the disk before its reader puts it there.
    pub async fn dump_into(&self, pipe: PipeWriter) -> Result<u32, DbError> {
        let streams = Streams { stdout: pipe.into(), ..Streams::none() };
        self.dumped(&["--format=custom".to_owned()], streams, Path::new("/")).await
    }

    async fn dumped(&self, how: &[String], streams: Streams, place: &Path) -> Result<u32, DbError> {
        let tools = for_dump(locate::tools(&Places::of_this_machine()), self.server)?;
        let of_moment = [format!("--snapshot={}", self.id), format!("--lock-wait-timeout={LOCK_WAIT}")];
        let arguments = [how, &of_moment].concat();
        run(Program { tools: &tools, name: "pg_dump", streams }, &arguments, &self.owner, place).await?;
        Ok(tools.major)
    }
}

impl Database {
    /// Returns the names of some existing tables, views and sequences, which are in the way of a restore.
    pub async fn in_the_way(&self) -> Result<Vec<String>, DbError> {
        let mut owner = self.owner().await?;
        queries::relations(&mut owner, NAMES_SHOWN).await.map_err(DbError::Reading)
    }

    /// Restores a dump into this database, which is empty. The SQL in a dump runs as the owner, who must not be able to leave the
    /// database. A database on a separate server gets all of the dump or nothing; in an embedded one, two processes share the
    /// work of a folder, and after a failure the database is unusable.
    pub async fn restore(&self, dump: Dump<'_>) -> Result<(), DbError> {
        let mut owner = self.owner().await?;
        let server = major_of(&owner);
        if queries::may_run_programs(&mut owner).await.map_err(DbError::Reading)? {
            let role = self.roles.owner.get_username().to_owned();
            return Err(DbError::MightyOwner { role });
        }
        owner.close().await.map_err(DbError::Unreachable)?;
        let needed = dump.server.max(dump.pg_dump);
        if server < needed {
            return Err(DbError::OlderThanDump { dump: needed, server });
        }
        let tools = for_restore(locate::tools(&Places::of_this_machine()), dump.pg_dump, server)?;
        let database = self.roles.owner.get_database().unwrap_or_else(|| self.roles.owner.get_username());
        let (archive, streams, place) = match dump.source {
            DumpSource::Folder(folder) => (Some(folder), Streams::none(), folder),
            DumpSource::Pipe(pipe) => {
                (None, Streams { stdin: pipe.into(), ..Streams::none() }, Path::new("/"))
            }
        };
        let is_shared = archive.is_some() && self.embedded().is_some();
        let how = if is_shared { "--jobs=2" } else { "--single-transaction" };
        let mut arguments = vec![
            "--exit-on-error".to_owned(),
            "--no-owner".to_owned(),
            "--no-privileges".to_owned(),
            how.to_owned(),
            format!("--schema={}", dump.schema),
            format!("--dbname={database}"),
        ];
        arguments.extend(archive.map(|archive| archive.display().to_string()));
        let program = Program { tools: &tools, name: "pg_restore", streams };
        run(program, &arguments, &unhurried(&self.roles.owner), place).await
    }

    /// Migrates the schema as a start does, and grants the privileges that a restore leaves out.
    pub async fn take_over_restored(&self) -> Result<(), DbError> {
        migrate(&self.roles).await?;
        let mut owner = self.owner().await?;
        queries::close_functions(&mut owner).await.map_err(DbError::Grant)?;
        owner.close().await.map_err(DbError::Unreachable)
    }

    async fn owner(&self) -> Result<PgConnection, DbError> {
        PgConnection::connect_with(&unhurried(&self.roles.owner)).await.map_err(DbError::Unreachable)
    }
}

/// Removes the limits that requests have, since reading everything takes long.
fn unhurried(owner: &PgConnectOptions) -> PgConnectOptions {
    owner.clone().application_name("roadcall backup").options([
        ("statement_timeout", "0"),
        ("idle_in_transaction_session_timeout", "0"),
        ("lock_timeout", LOCK_WAIT),
    ])
}

fn major_of(connection: &PgConnection) -> u32 {
    connection.server_version_num().unwrap_or_default() / 10_000
}

/// Chooses the server's own version, so that the dump can be restored there, or else the next newer one. An older one can't
/// read the server.
fn for_dump(found: Vec<Tools>, server: u32) -> Result<Tools, DbError> {
    let fitting = found.iter().filter(|tools| tools.major >= server).min_by_key(|tools| tools.major).cloned();
    fitting.ok_or_else(|| no_tool("pg_dump", format!("{server} or newer"), found))
}

/// Chooses a version that reads the dump and sets nothing that the server does not know.
fn for_restore(found: Vec<Tools>, dumped_by: u32, server: u32) -> Result<Tools, DbError> {
    let fits = |tools: &&Tools| (dumped_by..=server).contains(&tools.major);
    let fitting = found.iter().filter(fits).max_by_key(|tools| tools.major).cloned();
    let wanted = if dumped_by == server { server.to_string() } else { format!("{dumped_by} to {server}") };
    fitting.ok_or_else(|| no_tool("pg_restore", wanted, found))
}

fn no_tool(program: &'static str, wanted: String, found: Vec<Tools>) -> DbError {
    let mut found: Vec<String> =
        found.iter().map(|tools| format!("{} (in {})", tools.major, tools.dir.display())).collect();
    found.dedup();
    DbError::NoTool { program, wanted, found }
}

/// The standard input and output of a program.
struct Streams {
    stdin: Stdio,
    stdout: Stdio,
}

impl Streams {
    fn none() -> Self {
        Self { stdin: Stdio::null(), stdout: Stdio::null() }
    }
}

/// A program of PostgreSQL, with its streams.
struct Program<'a> {
    tools: &'a Tools,
    name: &'static str,
    streams: Streams,
}

/// Runs a program as this process's user. The program ends when this future is dropped.
async fn run(
    program: Program<'_>,
    arguments: &[String],
    connect: &PgConnectOptions,
    place: &Path,
) -> Result<(), DbError> {
    let Program { tools, name, streams } = program;
    let path = tools.dir.join(name);
    let mut command = command_as(None, &path, place.parent().unwrap_or(place));
    command.args(arguments).envs(environment(connect, tools.major));
    command.stdin(streams.stdin).stdout(streams.stdout).stderr(Stdio::piped());
    // This is a statement of its own, after which this process no longer holds an end of a pipe.
    let child = Command::from(command).kill_on_drop(true).spawn();
    let ended = child.map_err(DbError::file("can't run", &path))?.wait_with_output().await;
    let ended = ended.map_err(DbError::file("can't run", &path))?;
    if ended.status.success() {
        return Ok(());
    }
    let said = complaint(&String::from_utf8_lossy(&ended.stderr));
    let said = if said.is_empty() { format!("it ended with {}", ended.status) } else { said };
    Err(DbError::Tool { program: name, said })
}

/// Returns the lines that name the error. The lines after them quote rows, which hold phone numbers.
fn complaint(stderr: &str) -> String {
    let is_said = |line: &&str| line.contains("error: ") || line.contains("FATAL: ");
    stderr.lines().filter(is_said).take(LINES_SHOWN).collect::<Vec<_>>().join("; ")
}

/// Returns the variables that tell libpq where to connect. They are not arguments, which everybody may read.
fn environment(connect: &PgConnectOptions, major: u32) -> Vec<(&'static str, String)> {
    let url = connect.to_url_lossy();
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let host = match connect.get_socket() {
        Some(socket) => socket.display().to_string(),
        None => connect.get_host().to_owned(),
    };
    let database = connect.get_database().unwrap_or_else(|| connect.get_username());
    let mut all = vec![
        ("PGHOST", host),
        ("PGPORT", connect.get_port().to_string()),
        ("PGUSER", connect.get_username().to_owned()),
        ("PGDATABASE", database.to_owned()),
        ("PGAPPNAME", "roadcall backup".to_owned()),
        ("PGCONNECT_TIMEOUT", "30".to_owned()),
    ];
    all.extend(url.password().map(|password| ("PGPASSWORD", decoded(password))));
    all.extend(connect.get_options().map(|options| ("PGOPTIONS", options.to_owned())));
    for (name, value) in url.query_pairs() {
        let variable = match name.as_ref() {
            "sslmode" => "PGSSLMODE",
            "sslrootcert" => "PGSSLROOTCERT",
            "sslcert" => "PGSSLCERT",
            "sslkey" => "PGSSLKEY",
            _ => continue,
        };
        // The driver marks files with this prefix; a certificate that is not in a file can't be passed to a program.
        all.push((variable, value.strip_prefix("file: ").unwrap_or(&value).to_owned()));
    }
    let is_verified = all.iter().any(|(name, value)| *name == "PGSSLMODE" && value.starts_with("verify"));
    if is_verified && !all.iter().any(|(name, _)| *name == "PGSSLROOTCERT") {
        let system = (major >= 16).then_some("system");
        let trusted = system.or_else(|| TRUSTED.into_iter().find(|file| Path::new(file).is_file()));
        all.extend(trusted.map(|trusted| ("PGSSLROOTCERT", trusted.to_owned())));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(majors: &[u32]) -> Vec<Tools> {
        majors.iter().map(|major| Tools { dir: format!("/pg/{major}").into(), major: *major }).collect()
    }

    #[test]
    fn a_dump_is_made_by_the_servers_own_version_or_the_next_newer_one() {
        let chosen = |majors: &[u32], server| for_dump(tools(majors), server).map(|tools| tools.major);
        assert_eq!(chosen(&[17, 15, 16], 15).expect("its own"), 15);
        assert_eq!(chosen(&[18, 14, 17], 15).expect("a newer one"), 17);
        let refused = chosen(&[14], 15).expect_err("too old").to_string();
        assert!(refused.contains("15 or newer") && refused.contains("14 (in /pg/14)"), "{refused}");
    }

    #[test]
    fn a_dump_is_restored_by_a_version_that_both_sides_know() {
        let chosen =
            |majors: &[u32], dump, server| for_restore(tools(majors), dump, server).map(|tools| tools.major);
        assert_eq!(chosen(&[15, 17, 18], 15, 17).expect("the server's"), 17);
        assert_eq!(chosen(&[15, 18], 15, 17).expect("the dump's"), 15);
        let refused = chosen(&[14, 18], 15, 17).expect_err("none").to_string();
        assert!(refused.contains("15 to 17"), "{refused}");
    }

    #[test]
    fn programs_get_the_password_but_not_as_an_argument() {
        let url = "postgres://asha:p%40ss@db.example:6543/road?sslmode=verify-full&sslrootcert=/ca.pem";
        let connect: PgConnectOptions = url.parse().expect("an address");
        let told = environment(&unhurried(&connect), 17);
        let value = |name: &str| told.iter().find(|(told, _)| *told == name).map(|(_, value)| value.as_str());
        assert_eq!(value("PGPASSWORD"), Some("p@ss"));
        assert_eq!(value("PGHOST"), Some("db.example"));
        assert_eq!((value("PGPORT"), value("PGDATABASE")), (Some("6543"), Some("road")));
        assert_eq!((value("PGSSLMODE"), value("PGSSLROOTCERT")), (Some("verify-full"), Some("/ca.pem")));
        assert!(value("PGOPTIONS").is_some_and(|options| options.contains("statement_timeout=0")));
    }

    #[test]
    fn a_complaint_quotes_no_row() {
        let stderr = "pg_restore: error: COPY failed for table \"users\": ERROR:  duplicate key\n\
            DETAIL:  Key (phone)=(+919800000001) already exists.\nCONTEXT:  COPY users, line 1\n";
        let said = complaint(stderr);
        assert!(said.contains("duplicate key") && !said.contains("9800000001"), "{said}");
    }
}
