//! The server's embedded cluster, seen from outside: a connection of its own, pgbench on it, and its counters.

use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use sqlx::{
    Connection, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions, PgSslMode},
};
use tokio::process::Command;

use crate::{Failure, samples::Samples};

/// The database that only pgbench uses.
const BESIDE: &str = "pgbench";

/// The cluster's superuser: the owner of the service's database can neither create another one nor change settings.
const SUPERUSER: &str = "roadcall_admin";

/// The embedded cluster's addresses and programs.
#[derive(Debug, Clone)]
pub struct Cluster {
    log: PathBuf,
    socket: PathBuf,
    /// The programs with which it was started.
    programs: PathBuf,
}

impl Cluster {
    /// Returns the cluster of a running server's data folder.
    pub fn of(data_dir: &Path) -> Result<Self, Failure> {
        let elsewhere = fs::read_to_string(data_dir.join("postgres.location")).ok();
        let folder = elsewhere.map_or_else(|| data_dir.join("postgres"), |path| PathBuf::from(path.trim()));
        // The file is Postgres's own: the postmaster's process is on line 1, the socket's folder on line 5.
        let file = fs::read_to_string(folder.join("pgdata/postmaster.pid"))?;
        let line = |number: usize| file.lines().nth(number - 1).map(str::trim).ok_or("postmaster.pid is cut");
        let program = fs::read_link(format!("/proc/{}/exe", line(1)?))?;
        let programs = program.parent().ok_or("the postmaster's program has no folder")?.to_owned();
        Ok(Self { log: data_dir.join("postgres.log"), socket: PathBuf::from(line(5)?), programs })
    }

    fn options(&self, database: &str) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass()
            .socket(&self.socket)
            .username(SUPERUSER)
            .database(database)
            .ssl_mode(PgSslMode::Disable)
    }

    pub async fn pool(&self) -> Result<PgPool, Failure> {
        Ok(PgPoolOptions::new().max_connections(2).connect_with(self.options("roadcall")).await?)
    }

    /// Creates pgbench's database and fills it.
    pub async fn prepare_pgbench(&self, scale: u32) -> Result<(), Failure> {
        let mut connection = PgConnection::connect_with(&self.options("postgres")).await?;
        sqlx::query("drop database if exists pgbench").execute(&mut connection).await?;
        sqlx::query("create database pgbench").execute(&mut connection).await?;
        connection.close().await?;
        self.pgbench(&["--initialize", "--quiet", "--scale", &scale.to_string()]).await.map(drop)
    }

    /// Returns the transactions a second of `pgbench -N`.
    pub async fn tps(&self, clients: u32, for_s: u64) -> Result<f64, Failure> {
        let (clients, time) = (clients.to_string(), for_s.to_string());
        let output = self
            .pgbench(&["--skip-some-updates", "--client", &clients, "--jobs", "2", "--time", &time])
            .await?;
        tps_of(&output).ok_or_else(|| format!("pgbench printed no tps:\n{output}").into())
    }

    /// Returns the times of `pgbench -N`'s transactions at this rate, without the time for which each waited for its turn.
    pub async fn transactions(&self, per_s: f64, clients: u32, for_s: u64) -> Result<Samples, Failure> {
        let folder = std::env::temp_dir().join(format!("roadcall-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let (rate, clients, time) = (format!("--rate={per_s}"), clients.to_string(), for_s.to_string());
        let prefix = format!("--log-prefix={}", folder.join("pgbench").display());
        let load = ["--skip-some-updates", "--client", &clients, "--time", &time, &rate, "--log", &prefix];
        let run = self.pgbench(&load).await;
        let mut took = Samples::default();
        for file in fs::read_dir(&folder)? {
            transactions_of(&fs::read_to_string(file?.path())?).for_each(|one| took.add(one));
        }
        fs::remove_dir_all(&folder)?;
        run.map(|_| took)
    }

    async fn pgbench(&self, arguments: &[&str]) -> Result<String, Failure> {
        let program = self.programs.join("pgbench");
        let mut command = Command::new(&program);
        command.arg("--host").arg(&self.socket).args(["--username", SUPERUSER]).args(arguments).arg(BESIDE);
        command.stdin(Stdio::null()).kill_on_drop(true);
        let output = command.output().await.map_err(|error| format!("{}: {error}", program.display()))?;
        if !output.status.success() {
            return Err(format!("pgbench: {}", String::from_utf8_lossy(&output.stderr).trim()).into());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The work that a database has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct Work {
    /// Transactions that have an id, because they wrote something.
    pub writes: i64,
    /// Entries of the jobs' logs: one for each transition.
    pub transitions: i64,
    /// Jobs that are paid.
    pub paid: i64,
}

impl Cluster {
    pub async fn work(&self, db: &PgPool) -> Result<Work, Failure> {
        Ok(sqlx::query_as(
            "select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as writes,
                (select count(*) from job_events) as transitions,
                (select count(*) from job_states where status = 'paid') as paid",
        )
        .fetch_one(db)
        .await?)
    }

    /// Makes Postgres log each statement, or stop doing so.
    pub async fn log_statements(&self, db: &PgPool, all: bool) -> Result<(), Failure> {
        let set =
            if all { "alter system set log_statement = 'all'" } else { "alter system reset log_statement" };
        sqlx::query(set).execute(db).await?;
        sqlx::query("select pg_reload_conf()").execute(db).await?;
        // Each session reads its settings again before its next statement.
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok(())
    }

    /// Returns the present end of the log.
    pub fn log_end(&self) -> Result<u64, Failure> {
        Ok(fs::metadata(&self.log)?.len())
    }

    /// Returns the statements that the log has from `start` to `end`.
    pub fn statements(&self, start: u64, end: u64) -> Result<Statements, Failure> {
        let mut text = String::new();
        let mut file = fs::File::open(&self.log)?;
        file.seek(SeekFrom::Start(start))?;
        file.take(end - start).read_to_string(&mut text)?;
        Ok(Statements::of(&text))
    }
}

/// Logged statements: how many, and which.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Statements {
    pub count: u64,
    /// The statements by their first words, the most frequent first.
    pub by_head: Vec<(String, u64)>,
}

/// Statements with the same first characters, this many, count as one.
const HEAD: usize = 100;

impl Statements {
    fn of(log: &str) -> Self {
        let mut heads = BTreeMap::<String, u64>::new();
        for line in log.lines() {
            let Some((_, rest)) = line.split_once("LOG:  ") else { continue };
            let is_statement = rest.starts_with("statement: ") || rest.starts_with("execute ");
            let Some((_, sql)) = rest.split_once(": ").filter(|_| is_statement) else { continue };
            let head: String =
                sql.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(HEAD).collect();
            *heads.entry(head).or_default() += 1;
        }
        let mut by_head: Vec<_> = heads.into_iter().collect();
        by_head.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Self { count: by_head.iter().map(|(_, count)| count).sum(), by_head }
    }
}

/// Reads the figure of `tps = 1234.567890 (without initial connection time)`.
fn tps_of(output: &str) -> Option<f64> {
    output.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok())
}

/// Reads the durations in pgbench's log: `client transaction time script epoch epoch_us lag`, with times in microseconds.
fn transactions_of(log: &str) -> impl Iterator<Item = Duration> {
    log.lines().filter_map(|line| {
        let fields: Vec<u64> = line.split(' ').map_while(|field| field.parse().ok()).collect();
        let [_, _, time, _, _, _, lag] = fields[..] else { return None };
        Some(Duration::from_micros(time.saturating_sub(lag)))
    })
}

/// How often a second the backends' waits are sampled.
const LOOKS_PER_S: f64 = 100.0;
/// The number of waits that are printed.
const WAITS: usize = 10;

/// Returns what backends of the server waited for meanwhile: how many at a time, on average, most first.
pub async fn waits(db: &PgPool, lasting: Duration) -> Result<Vec<(String, f64)>, Failure> {
    let mut seen = BTreeMap::<String, u64>::new();
    let mut ticks = tokio::time::interval(Duration::from_secs_f64(1.0 / LOOKS_PER_S));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let (since, mut looks) = (Instant::now(), 0_u32);
    while since.elapsed() < lasting {
        ticks.tick().await;
        looks += 1;
        let waiting: Vec<(String, i64)> = sqlx::query_as(
            "select case when state = 'idle in transaction' then 'the server''s turn in a transaction'
                    else coalesce(wait_event_type || ' ' || wait_event, 'running') end as wait, count(*)
            from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and state in ('active', 'idle in transaction')
            group by 1",
        )
        .fetch_all(db)
        .await?;
        for (wait, backends) in waiting {
            *seen.entry(wait).or_default() += backends.unsigned_abs();
        }
    }
    let mut waits: Vec<_> =
        seen.into_iter().map(|(wait, count)| (wait, count as f64 / f64::from(looks.max(1)))).collect();
    waits.sort_by(|one, other| other.1.total_cmp(&one.1));
    waits.truncate(WAITS);
    Ok(waits)
}

/// Writes everything that is only in memory to disk, so that no measurement pays for earlier work.
pub async fn checkpoint(db: &PgPool) -> Result<(), Failure> {
    sqlx::query("checkpoint").execute(db).await?;
    Ok(())
}

/// Brings the database into its state after a night: statistics for every table, and nothing left to tidy up.
pub async fn settle(db: &PgPool) -> Result<(), Failure> {
    sqlx::query("vacuum (analyze)").execute(db).await?;
    checkpoint(db).await
}

/// Returns the settings that decide the cost of a commit.
pub async fn durability(db: &PgPool) -> Result<String, Failure> {
    Ok(sqlx::query_scalar(
        "select string_agg(name || ' ' || setting, ', ' order by name) from pg_settings
        where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method')",
    )
    .fetch_one(db)
    .await?)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Statements, tps_of, transactions_of};

    #[test]
    fn statements_are_counted_by_their_first_words() {
        let log = "2026-01-01 UTC [7] LOG:  execute sqlx_s_1: select 1\n\t from x\n2026-01-01 UTC [7] LOG:  statement: BEGIN\n\
            2026-01-01 UTC [7] LOG:  execute <unnamed>: select 1\n2026-01-01 UTC [7] LOG:  received SIGHUP\n";
        let statements = Statements::of(log);
        assert_eq!(statements.count, 3);
        assert_eq!(statements.by_head, [("select 1".to_owned(), 2), ("BEGIN".to_owned(), 1)]);
    }

    #[test]
    fn a_transaction_is_timed_from_its_beginning_not_from_when_it_was_due() {
        let log = "0 1 2500 0 1700000000 123456 500\n1 1 skipped 0 1700000000 123456 500\n";
        assert_eq!(transactions_of(log).collect::<Vec<_>>(), [Duration::from_millis(2)]);
    }

    #[test]
    fn the_figure_is_read_from_the_output_of_pgbench() {
        let output = "latency average = 8.1 ms\ninitial connection time = 20.4 ms\n\
            tps = 987.654321 (without initial connection time)\n";
        assert_eq!(tps_of(output), Some(987.654321));
        assert_eq!(tps_of("nothing"), None);
    }
}
