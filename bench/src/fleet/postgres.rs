//! The cluster's Postgres.

use std::{fs, net::Ipv4Addr, path::PathBuf};

use sqlx::{PgPool, postgres::PgPoolOptions};
use tokio::process::Command;

use super::run;
use crate::Failure;

/// Runs as another user if this process is root's, since Postgres refuses to.
#[derive(Debug)]
pub struct Postgres {
    folder: PathBuf,
    port: u16,
    options: String,
    programs: PathBuf,
    pub pool: PgPool,
}

impl Postgres {
    /// Starts a new cluster. `hosts` are the addresses that servers use.
    pub(super) async fn start(folder: PathBuf, port: u16, hosts: &[Ipv4Addr]) -> Result<Self, Failure> {
        // Another user may not be able to enter a folder of root's.
        let elsewhere = std::env::temp_dir().join(format!("roadcall-postgres-{}", std::process::id()));
        let folder = if is_root() { elsewhere } else { folder };
        let postgres = Self::prepared(folder, port, hosts).await?;
        let data = postgres.data();
        let mut initdb = postgres.command("initdb");
        initdb.args(["-U", "roadcall", "--auth=trust", "-D"]).arg(&data);
        run(initdb, "").await?;
        // Only connections of this machine's servers are trusted.
        let trust: String = hosts.iter().map(|host| format!("host all all {host}/24 trust\n")).collect();
        let hba = data.join("pg_hba.conf");
        fs::write(&hba, fs::read_to_string(&hba)? + &trust)?;
        postgres.start_again().await?;
        Ok(postgres)
    }

    /// Makes a folder for a Postgres, without data so far.
    async fn prepared(folder: PathBuf, port: u16, hosts: &[Ipv4Addr]) -> Result<Self, Failure> {
        fs::create_dir_all(&folder)?;
        if is_root() {
            let mut chown = Command::new("chown");
            chown.arg("postgres").arg(&folder);
            run(chown, "").await?;
        }
        let programs = programs().ok_or("no initdb: ./script/bootstrap installs PostgreSQL")?;
        let listen: Vec<String> =
            [Ipv4Addr::LOCALHOST].iter().chain(hosts).map(Ipv4Addr::to_string).collect();
        let options = format!(
            "-p {port} -k '{}' -c listen_addresses='{}' -c max_connections=200",
            folder.display(),
            listen.join(",")
        );
        let url = format!("postgres://roadcall@127.0.0.1:{port}/postgres");
        let pool = PgPoolOptions::new().max_connections(4).connect_lazy(&url)?;
        Ok(Self { folder, port, options, programs, pool })
    }

    /// Starts another Postgres on a copy of these files as they are now, as in a base backup.
    pub(super) async fn copied(&self, port: u16) -> Result<Self, Failure> {
        let copy = Self::prepared(self.folder.with_extension("copy"), port, &[]).await?;
        let mut backup = self.command("pg_basebackup");
        backup.args(["-h", "127.0.0.1", "-p", &self.port.to_string(), "-U", "roadcall"]);
        backup.args(["-X", "stream", "--checkpoint=fast", "-D"]).arg(copy.data());
        run(backup, "").await?;
        copy.start_again().await?;
        Ok(copy)
    }

    /// Resets the leadership to that of some terms ago, as a restore of older files does.
    pub async fn take_back_terms(&self) -> Result<(), Failure> {
        let older = "with older as (
                update leadership set term = greatest(term - 5, 1), server = gen_random_uuid(), to_end = '{}'
                returning term)
            delete from take_overs using older where take_overs.term >= older.term";
        sqlx::query(older).execute(&self.pool).await?;
        Ok(())
    }

    /// Takes the files of a copy in place of its own. Neither of the two runs.
    pub fn take_files_of(&self, copy: &Self) -> Result<(), Failure> {
        fs::remove_dir_all(self.data())?;
        Ok(fs::rename(copy.data(), self.data())?)
    }

    pub async fn start_again(&self) -> Result<(), Failure> {
        let mut start = self.command("pg_ctl");
        start.args(["-w", "-o", &self.options, "-l"]).arg(self.folder.join("log"));
        start.arg("-D").arg(self.data()).arg("start");
        // The server would keep this process's pipes open.
        start.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null());
        let status = start.stderr(std::process::Stdio::null()).status().await?;
        if status.success() { Ok(()) } else { Err(format!("pg_ctl start: {status}").into()) }
    }

    /// Stops Postgres; `immediate` is like a crash.
    pub async fn stop(&self, mode: &str) -> Result<(), Failure> {
        let mut stop = self.command("pg_ctl");
        stop.args(["-w", "-m", mode, "-D"]).arg(self.data()).arg("stop");
        run(stop, "").await.map(drop)
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn command(&self, program: &str) -> Command {
        let path = self.programs.join(program);
        if !is_root() {
            return Command::new(path);
        }
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(path);
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let mut stop = self.command("pg_ctl").into_std();
        stop.args(["-m", "immediate", "-D"]).arg(self.data()).arg("stop");
        stop.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).status().ok();
        fs::remove_dir_all(&self.folder).ok();
    }
}

fn is_root() -> bool {
    nix::unistd::Uid::effective().is_root()
}

/// Returns the folder of the newest version that has all the programs that are used here.
fn programs() -> Option<PathBuf> {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = debian.map(|version| version.path().join("bin")).collect();
    folders.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&path));
    folders
        .into_iter()
        .rev()
        .find(|folder| ["initdb", "pg_ctl", "pg_basebackup"].iter().all(|name| folder.join(name).is_file()))
}
