//! Measures a backup while whole jobs are done, as in `lifecycle`, and its restore in another folder: the cost for ongoing work,
//! how long both take, and whether the backup has every change that was acknowledged before it began.

use std::{
    collections::HashMap,
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;
use serde_json::json;
use sqlx::PgPool;
use tokio::{process::Command, time::sleep};
use uuid::Uuid;

use crate::{
    Failure, Target,
    cluster::{self, Cluster, Work},
    history::{copy, first_job},
    lifecycle::Working,
    pairs::pairs,
    report::Report,
    server::{self, Program},
};

#[derive(Debug, Args)]
pub struct BackupArgs {
    #[command(flatten)]
    target: Target,
    /// Jobs in the tables beforehand
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=2_000_000))]
    jobs: u32,
    /// Customers with their mechanics, who do one job after the other
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=400))]
    pairs: u32,
    /// How long they work before the backup begins, and again while it is made
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=600))]
    for_s: u64,
    /// The server's program, which makes the backup and restores it
    #[arg(long)]
    roadcall: PathBuf,
    /// The server's data folder, with its embedded cluster
    #[arg(long)]
    data_dir: PathBuf,
    /// The folder in which the backup is made and restored
    #[arg(long)]
    beside: PathBuf,
    /// The address on which the server of the restored data listens
    #[arg(long)]
    beside_listen: SocketAddr,
    /// The file for that server's output
    #[arg(long)]
    server_log: PathBuf,
}

/// A stretch of time, with the work at its beginning.
#[derive(Debug)]
struct Stretch {
    from: Work,
    since: Instant,
}

impl Stretch {
    async fn begin(cluster: &Cluster, db: &PgPool) -> Result<Self, Failure> {
        Ok(Self { from: cluster.work(db).await?, since: Instant::now() })
    }

    /// Returns the jobs that were paid a second, the transitions a second, and the seconds.
    async fn end(self, cluster: &Cluster, db: &PgPool) -> Result<[f64; 3], Failure> {
        let (to, took_s) = (cluster.work(db).await?, self.since.elapsed().as_secs_f64());
        let jobs = (to.paid - self.from.paid) as f64 / took_s;
        Ok([jobs, (to.transitions - self.from.transitions) as f64 / took_s, took_s])
    }
}

pub async fn run(args: BackupArgs) -> Result<(), Failure> {
    let api = Arc::new(args.target.api()?);
    let cluster = Cluster::of(&args.data_dir)?;
    let db = cluster.pool().await?;
    let (like, category) = first_job(&args.target, &api).await?;
    copy(&db, like, args.jobs, &mut 0).await?;
    let settings =
        vec![("jobs", json!(args.jobs)), ("pairs", json!(args.pairs)), ("for_s", json!(args.for_s))];
    let mut report = Report::new("backup", &args.target, settings).await;
    report.condition("durability", json!(cluster::durability(&db).await?));
    let head = ["", "jobs/s", "transitions/s", "took s"];
    report.row("columns", head.map(|name| format!("{name:>16}")).concat(), json!(head));

    let numbers = args.pairs..2 * args.pairs;
    let working = Working::start(
        &api,
        pairs(&api, &args.target.admins(), crate::first_phone(), numbers).await?,
        &category,
    );
    let before = Stretch::begin(&cluster, &db).await?;
    sleep(Duration::from_secs(args.for_s)).await;
    let before = before.end(&cluster, &db).await?;
    let acknowledged = entries(&db).await?;
    let meanwhile = Stretch::begin(&cluster, &db).await?;
    let to = args.beside.join("backups");
    roadcall(&args, &["backup", "--to"], &[&to, Path::new("--data-dir"), &args.data_dir]).await?;
    let meanwhile = meanwhile.end(&cluster, &db).await?;
    let after = Stretch::begin(&cluster, &db).await?;
    sleep(Duration::from_secs(args.for_s)).await;
    let after = after.end(&cluster, &db).await?;
    let seen = working.stop().await?;
    seen.check()?;
    for (name, [jobs, transitions, took_s]) in
        [("before", before), ("meanwhile", meanwhile), ("after", after)]
    {
        let line = format!("{name:>16}{jobs:>16.1}{transitions:>16.0}{took_s:>16.1}");
        report.row(
            name,
            line,
            json!({ "jobs_per_s": jobs, "transitions_per_s": transitions, "took_s": took_s }),
        );
    }

    let folder = only_folder(&to)?;
    let restored = args.beside.join("restored");
    let since = Instant::now();
    roadcall(&args, &["restore"], &[&folder, Path::new("--data-dir"), &restored]).await?;
    let restore_s = since.elapsed().as_secs_f64();
    let there = entries_of(&args, &restored).await?;
    let missing = acknowledged.iter().filter(|(job, seq)| there.get(*job).is_none_or(|there| there < seq));
    let missing = missing.count();
    let later = there.keys().filter(|job| !acknowledged.contains_key(*job)).count();
    let rows = [
        ("MB of the backup", size(&folder)? as f64 / 1e6),
        ("jobs in the tables when it began", acknowledged.len() as f64),
        ("of them not in it, or with less", missing as f64),
        ("jobs in it that came later", later as f64),
        ("restored and compared, s", restore_s),
        ("jobs/s meanwhile ÷ before", meanwhile[0] / before[0]),
    ];
    for (name, value) in rows {
        report.row(name, format!("{name:<40}{value:>12.2}"), json!(value));
    }
    report.figure("POST /jobs → its answer", seen.created());
    report.result("acknowledged jobs that a backup under load lacks", missing as f64, "0");
    report.compared("jobs a second during a backup; floor: before it", meanwhile[0], before[0], "");
    report.finish(args.target.output.json.as_deref())?;
    if missing > 0 {
        return Err(format!("{missing} acknowledged jobs are not in the backup, or with less").into());
    }
    Ok(())
}

async fn roadcall(args: &BackupArgs, words: &[&str], paths: &[&Path]) -> Result<(), Failure> {
    let mut command = Command::new(&args.roadcall);
    command.args(words).args(paths).stdin(Stdio::null()).kill_on_drop(true);
    let output = command.output().await?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    Err(format!("roadcall {}: {}", words[0], said.concat().trim()).into())
}

/// Returns how far the log of each job goes.
async fn entries(db: &PgPool) -> Result<HashMap<Uuid, i64>, Failure> {
    let entries = sqlx::query_as("select job_id, max(seq) from job_events group by job_id");
    Ok(entries.fetch_all(db).await?.into_iter().collect())
}

/// Returns the same from a data folder that no server has, with a server.
async fn entries_of(args: &BackupArgs, data_dir: &Path) -> Result<HashMap<Uuid, i64>, Failure> {
    let listen = args.beside_listen;
    let program = Program { roadcall: &args.roadcall, data_dir, log: &args.server_log, listen };
    let server = program.start().await?;
    server::until_answering(listen).await?;
    let db = Cluster::of(data_dir)?.pool().await?;
    let found = entries(&db).await;
    db.close().await;
    server.stop().await?;
    found
}

fn only_folder(of: &Path) -> Result<PathBuf, Failure> {
    let folders = fs::read_dir(of)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    folders.into_iter().find(|path| path.is_dir()).ok_or_else(|| "there is no backup".into())
}

fn size(of: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(of)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}
