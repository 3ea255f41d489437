//! The server's embedded cluster, seen from beside: rows that no route makes so fast, counts, and pgbench on it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant, SystemTime},
};

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;
use sqlx::{
    Connection, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions, PgSslMode},
};
use tokio::{process::Command, time::sleep};
use uuid::Uuid;

use super::plan::Order;
use crate::Failure;

/// The database that pgbench has to itself.
const BESIDE: &str = "pgbench";
/// How long the inbox may take to empty.
const EMPTY_LIMIT: Duration = Duration::from_secs(300);
const LOOK: Duration = Duration::from_millis(20);

/// How to reach it.
#[derive(Debug, Clone)]
pub struct Cluster {
    socket: PathBuf,
    /// The programs that it was started with.
    programs: PathBuf,
}

impl Cluster {
    /// The cluster of a running server's data folder.
    pub fn of(data_dir: &Path) -> Result<Self, Failure> {
        let elsewhere = fs::read_to_string(data_dir.join("postgres.location")).ok();
        let folder = elsewhere.map_or_else(|| data_dir.join("postgres"), |path| PathBuf::from(path.trim()));
        // Postgres's own file: the postmaster's process on line 1, the socket's folder on line 5.
        let file = fs::read_to_string(folder.join("pgdata/postmaster.pid"))?;
        let line = |number: usize| file.lines().nth(number - 1).map(str::trim).ok_or("postmaster.pid is cut");
        let program = fs::read_link(format!("/proc/{}/exe", line(1)?))?;
        let programs = program.parent().ok_or("the postmaster's program has no folder")?.to_owned();
        Ok(Self { socket: PathBuf::from(line(5)?), programs })
    }

    fn options(&self, database: &str) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass()
            .socket(&self.socket)
            .username("roadcall")
            .database(database)
            .ssl_mode(PgSslMode::Disable)
    }

    pub async fn pool(&self) -> Result<PgPool, Failure> {
        Ok(PgPoolOptions::new().max_connections(2).connect_with(self.options("roadcall")).await?)
    }

    /// Makes the database and fills it.
    pub async fn prepare_pgbench(&self, scale: u32) -> Result<(), Failure> {
        let mut connection = PgConnection::connect_with(&self.options("postgres")).await?;
        sqlx::query("drop database if exists pgbench").execute(&mut connection).await?;
        sqlx::query("create database pgbench").execute(&mut connection).await?;
        connection.close().await?;
        self.pgbench(&["--initialize", "--quiet", "--scale", &scale.to_string()]).await.map(drop)
    }

    /// Transactions a second of `pgbench -N`.
    pub async fn tps(&self, clients: u32, for_s: u64) -> Result<f64, Failure> {
        let (clients, time) = (clients.to_string(), for_s.to_string());
        let told = self
            .pgbench(&["--skip-some-updates", "--client", &clients, "--jobs", "2", "--time", &time])
            .await?;
        tps_of(&told).ok_or_else(|| format!("pgbench told no tps:\n{told}").into())
    }

    async fn pgbench(&self, arguments: &[&str]) -> Result<String, Failure> {
        let program = self.programs.join("pgbench");
        let mut command = Command::new(&program);
        command.arg("--host").arg(&self.socket).args(["--username", "roadcall"]).args(arguments).arg(BESIDE);
        command.stdin(Stdio::null()).kill_on_drop(true);
        let output = command.output().await.map_err(|error| format!("{}: {error}", program.display()))?;
        if !output.status.success() {
            return Err(format!("pgbench: {}", String::from_utf8_lossy(&output.stderr).trim()).into());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// `tps = 1234.567890 (without initial connection time)`
fn tps_of(told: &str) -> Option<f64> {
    told.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok())
}

/// Copies of a completed job with what is due for it, and an order at the gateway for each. Logs of the jobs are not
/// copied.
pub async fn copy_with_orders(
    db: &PgPool,
    run: &str,
    like: Uuid,
    count: usize,
) -> Result<Vec<Order>, Failure> {
    let (random, now) = (Random::system(), DateTime::<Utc>::from(SystemTime::now()));
    let new = || std::iter::repeat_with(|| random.id(now)).take(count).collect::<Vec<_>>();
    let (jobs, payments) = (new(), new());
    let orders: Vec<String> = (0..count).map(|n| format!("order_{run}{n}")).collect();
    let mut tx = db.begin().await?;
    for copy in [
        "insert into jobs select (jsonb_populate_record(j, jsonb_build_object('id', copy))).*
            from jobs j, unnest($2::uuid[]) copy where j.id = $1",
        "insert into job_dues select (jsonb_populate_record(d, jsonb_build_object('job_id', copy))).*
            from job_dues d, unnest($2::uuid[]) copy where d.job_id = $1",
    ] {
        sqlx::query(copy).bind(like).bind(&jobs).execute(&mut *tx).await?;
    }
    // Beyond the run's end: until then the service does not ask the gateway about them.
    let amounts: Vec<i64> = sqlx::query_scalar(
        "insert into payments (id, customer_id, purpose, job_id, channel, status, amount_paise, currency, gateway,
            gateway_order_id, is_open, expires_at, asked_at, created_at, updated_at)
        select new.id, due.customer_id, 'job', new.job_id, 'online', 'created', due.due_paise, 'INR', 'sandbox',
            new.order_id, true, now() + interval '1 day', now() + interval '1 day', now(), now()
        from unnest($1::uuid[], $2::uuid[], $3::text[]) as new (id, job_id, order_id)
            join job_dues due on due.job_id = new.job_id
        returning amount_paise",
    )
    .bind(&payments)
    .bind(&jobs)
    .bind(&orders)
    .fetch_all(&mut *tx)
    .await?;
    tx.commit().await?;
    sqlx::query("analyze").execute(db).await?;
    if amounts.len() != count {
        return Err(format!("{} of {count} orders were made", amounts.len()).into());
    }
    // All copies owe the same.
    let amount_paise = amounts[0];
    Ok(orders.into_iter().map(|id| Order { id, amount_paise }).collect())
}

/// Waits until no event is pending. `None` where the limit was reached.
pub async fn until_empty(db: &PgPool) -> Result<Option<Instant>, Failure> {
    let end = Instant::now() + EMPTY_LIMIT;
    let is_pending = "select exists (select from webhook_events where status = 'pending')";
    while Instant::now() < end {
        if !sqlx::query_scalar::<_, bool>(is_pending).fetch_one(db).await? {
            return Ok(Some(Instant::now()));
        }
        sleep(LOOK).await;
    }
    Ok(None)
}

/// The state at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct End {
    /// Orders of the run whose payment is captured, and whose job is paid.
    pub captured: i64,
    pub paid: i64,
    /// Events of the run that were stored, and that were dealt with.
    pub stored: i64,
    pub processed: i64,
    /// Tries that it took.
    pub attempts: i64,
}

pub async fn end(db: &PgPool, run: &str) -> Result<End, Failure> {
    Ok(sqlx::query_as(
        "select
            (select count(*) from payments where gateway_order_id like 'order_' || $1 || '%'
                and status = 'captured') as captured,
            (select count(*) from payments p join jobs j on j.id = p.job_id
                where p.gateway_order_id like 'order_' || $1 || '%' and j.status = 'paid') as paid,
            (select count(*) from webhook_events where event_id like 'evt_' || $1 || '%') as stored,
            (select count(*) from webhook_events where event_id like 'evt_' || $1 || '%'
                and status = 'processed') as processed,
            (select coalesce(sum(attempts), 0)::bigint from webhook_events
                where event_id like 'evt_' || $1 || '%') as attempts",
    )
    .bind(run)
    .fetch_one(db)
    .await?)
}

/// Writes down what is only in memory, so that no measurement pays for what was before it.
pub async fn checkpoint(db: &PgPool) -> Result<(), Failure> {
    sqlx::query("checkpoint").execute(db).await?;
    Ok(())
}

/// The settings that decide what a commit costs.
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
    use super::tps_of;

    #[test]
    fn the_figure_is_read_from_what_pgbench_prints() {
        let told = "latency average = 8.1 ms\ninitial connection time = 20.4 ms\n\
            tps = 987.654321 (without initial connection time)\n";
        assert_eq!(tps_of(told), Some(987.654321));
        assert_eq!(tps_of("nothing"), None);
    }
}
