//! Who is near: the engine's index in process and through the dispatcher, beside Redis and PostGIS, all with the same
//! points, questions and moves.

pub mod city;
pub mod dispatcher;
mod grid;
mod postgis;
mod redis;

use std::{path::PathBuf, time::Duration};

use clap::Args;
use serde_json::json;

use self::city::City;
use crate::{Failure, Output, report::Report};

/// How far a question reaches.
pub const WITHIN_M: f64 = 5_000.0;
/// How many are asked for.
pub const K: usize = 10;

#[derive(Debug, Clone, Args)]
pub struct IndexArgs {
    #[command(flatten)]
    output: Output,
    /// Moving points
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1_000..=1_000_000))]
    points: u32,
    /// The side of the square city, in km
    #[arg(long, default_value_t = 50.0)]
    side_km: f64,
    /// Each figure is the median of so many runs
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=100))]
    runs: u32,
    /// The same seed gives the same points, questions and moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A Redis server's socket; without one Redis is left out
    #[arg(long, value_name = "PATH")]
    redis: Option<PathBuf>,
    /// The folder of a PostgreSQL server's socket, with the role and database `postgres` and PostGIS; without one it
    /// is left out
    #[arg(long, value_name = "PATH")]
    postgres: Option<PathBuf>,
}

/// What one way of asking or moving took, run by run.
#[derive(Debug)]
struct Measured {
    what: String,
    /// Questions or moves in each run.
    count: usize,
    took: Vec<Duration>,
    note: String,
}

impl Measured {
    fn new(what: &str, count: usize, took: Vec<Duration>) -> Self {
        Self { what: what.to_owned(), count, took, note: String::new() }
    }

    fn noted(mut self, note: String) -> Self {
        self.note = note;
        self
    }
}

pub async fn run(args: IndexArgs) -> Result<(), Failure> {
    let settings = vec![
        ("points", json!(args.points)),
        ("side_km", json!(args.side_km)),
        ("within_m", json!(WITHIN_M)),
        ("k", json!(K)),
        ("runs", json!(args.runs)),
        ("seed", json!(args.seed)),
    ];
    let mut report = Report::without_server("index", &args.output, settings);
    let city = City::new(args.points as usize, args.side_km, args.seed);
    let runs = args.runs as usize;
    let [each, per_s, of] = ["each", "per second", "of"];
    report.row(
        "columns",
        format!("{:<58}{each:>14}{per_s:>14}{of:>9}", "median"),
        json!(["ns", "per_s", "of"]),
    );
    let expected = grid::run(&mut report, &city, runs);
    tell(&mut report, dispatcher::run(&city, &expected, runs)?);
    match &args.redis {
        Some(socket) => tell(&mut report, redis::run(socket, &city, &expected, runs)?),
        None => skip(&mut report, "Redis", "redis-server"),
    }
    match &args.postgres {
        Some(folder) => tell(&mut report, postgis::run(folder, &city, &expected, runs).await?),
        None => skip(&mut report, "PostGIS", "postgresql-15 postgresql-15-postgis-3"),
    }
    report.finish(args.output.json.as_deref())
}

fn tell(report: &mut Report, all: Vec<Measured>) {
    for measured in all {
        let Measured { what, count, mut took, note } = measured;
        took.sort_unstable();
        let ns = took[took.len() / 2].as_nanos() as f64 / count as f64;
        let per_s = 1e9 / ns;
        let line = format!("{what:<58}{:>14}{per_s:>14.0}{count:>9}  {note}", readable(ns));
        report.row(&what, line, json!([ns.round(), per_s.round(), count, note]));
    }
}

fn readable(ns: f64) -> String {
    match ns {
        ns if ns < 10_000.0 => format!("{ns:.0} ns"),
        ns if ns < 10_000_000.0 => format!("{:.1} µs", ns / 1e3),
        ns => format!("{:.1} ms", ns / 1e6),
    }
}

fn skip(report: &mut Report, name: &str, package: &str) {
    let line = format!("{name}: not installed: apt-get install {package}");
    report.row(name, line, json!("not installed"));
}
