//! `roadcall backup` and `roadcall restore` as people run them: the real program, beside servers of this process.

mod encrypted;
mod failing;
mod forged;
mod interrupted;
mod money;
mod signed;
mod whole;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::{AtomicU32, Ordering},
};

use roadcall::platform::{
    db::testing::TestDatabase,
    settings::{DbSettings, Secret},
};
use serde_json::Value;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, raw_sql};
use tokio::process::Command;

use crate::support::{until, within};

/// A test's own folder, which does not exist yet and is removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("roadcall-backup-{}-{number}", std::process::id()));
        fs::remove_dir_all(&path).ok();
        Self(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().unwrap()
    }

    /// Returns the names in it, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// A program's exit code and output.
struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Ended {
    #[track_caller]
    fn well(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.stdout, self.stderr);
        self.stdout
    }

    /// Returns its error message; panics unless it failed.
    #[track_caller]
    fn refused(self) -> String {
        assert_eq!(self.code, Some(1), "{}{}", self.stdout, self.stderr);
        self.stderr
    }
}

/// Returns a command on a data folder, and on a server's database if one is named.
fn roadcall(arguments: &[&str], data_dir: Option<&Path>, database: Option<&DbSettings>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_roadcall"));
    command.args(arguments).env_remove("DATABASE_URL").kill_on_drop(true);
    if let Some(data_dir) = data_dir {
        command.arg("--data-dir").arg(data_dir);
    }
    if let Some(settings) = database {
        command.env("DATABASE_URL", settings.server().unwrap());
        command.env("ROADCALL__DATABASE__OWNER_URL", settings.owner().unwrap());
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

async fn ended(mut command: Command) -> Ended {
    let output = within("the program ends", command.output()).await.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Gives a database a secret, which backups have as a file.
async fn give_secret(database: &TestDatabase) {
    let secret = "insert into generated_secrets (name, value, created_at) values ('token_secret', $1, now())";
    sqlx::query(secret).bind([7_u8; 32].as_slice()).execute(&database.db).await.unwrap();
}

/// Makes a backup, and returns its folder.
async fn backed_up(to: &Folder, more: &[&str], data_dir: &Path, database: Option<&DbSettings>) -> PathBuf {
    let arguments = [&["backup", "--to", to.text()], more].concat();
    let said = ended(roadcall(&arguments, Some(data_dir), database)).await.well();
    PathBuf::from(said.trim())
}

/// Waits until a server has made a backup by itself that meets the condition.
async fn until_backed_up(to: &Folder, is_it: impl Fn(&str) -> bool) -> PathBuf {
    until("a backup is made", async || {
        let mut names = if to.0.is_dir() { to.names() } else { Vec::new() }.into_iter();
        names.find(|name| !name.starts_with('.') && is_it(name)).map(|name| to.0.join(name))
    })
    .await
}

fn manifest(backup: &Path) -> Value {
    serde_json::from_slice(&fs::read(backup.join("manifest.json")).unwrap()).unwrap()
}

/// Creates another, empty database on the test's server, whose owner is no superuser. The sweep of test databases finds it by its
/// name.
async fn empty_database(beside: &TestDatabase) -> DbSettings {
    let roles = beside.roles();
    let name = format!("{}_again", roles.owner.get_database().unwrap());
    let mut owner = PgConnection::connect_with(&roles.owner).await.unwrap();
    let ordinary = beside.ordinary_owner();
    let create =
        format!(r#"create database "{name}" template template0 owner "{}""#, ordinary.get_username());
    raw_sql(AssertSqlSafe(create)).execute(&mut owner).await.unwrap();
    let url = |connect: &sqlx::postgres::PgConnectOptions| {
        Some(Secret(connect.clone().database(&name).to_url_lossy().to_string()))
    };
    DbSettings { url: url(&roles.service), owner_url: url(&ordinary), ..beside.settings() }
}
