//! How long exact assignments take, by size and by how scarce mechanics are. Every answer's proof is checked, outside
//! of the measured time.

use std::time::{Duration, Instant};

use clap::Args;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use roadcall_actors::dispatcher::assignment::{Budget, Problem, Row, certify, solve};
use serde_json::json;

use crate::{Failure, Output, report::Report};

/// Seconds a kilometre takes: 24 km/h along ways 1.35 times as long as the straight line.
const SECONDS_PER_KM: f64 = 3600.0 / 24.0 * 1.35;
/// What it costs to leave a job unassigned, in seconds.
const UNASSIGNED_S: i64 = 7_200;
/// Jobs, mechanics, and how many of the nearest mechanics may serve a job (0 is all).
const SIZES: [(usize, usize, usize); 6] = [
    (95, 215, 0),
    (215, 95, 0),
    (1_000, 1_000, 20),
    (5_000, 5_000, 20),
    (5_000, 2_500, 20),
    (2_500, 5_000, 20),
];

#[derive(Debug, Clone, Args)]
pub struct AssignmentArgs {
    #[command(flatten)]
    output: Output,
    /// Instances of each size; the seeds go on from 1
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    instances: u64,
}

/// How prices come about.
#[derive(Debug, Clone, Copy)]
enum Prices {
    /// Jobs and mechanics anywhere in a square with one mechanic to a km²; the price is the way's time. Neighbours
    /// compete for the same few, so this is the harder kind.
    City,
    /// Any mechanics, any price up to an hour.
    Random,
}

pub fn run(args: AssignmentArgs) -> Result<(), Failure> {
    let settings = vec![("instances", json!(args.instances)), ("unassigned_s", json!(UNASSIGNED_S))];
    let mut report = Report::without_server("assignment", &args.output, settings);
    report.row(
        "columns",
        format!(
            "{:>7}{:>11}{:>8}{:>12}{:>8}{:>10}{:>10}{:>12}",
            "jobs", "mechanics", "edges", "unassigned", "prices", "median ms", "max ms", "steps"
        ),
        json!(["jobs", "mechanics", "edges", "unassigned", "prices", "median_ms", "max_ms", "median_steps"]),
    );
    for (jobs, mechanics, degree) in SIZES {
        for (prices, name) in [(Prices::City, "city"), (Prices::Random, "random")] {
            let mut runs = Vec::new();
            for seed in 1..=args.instances {
                runs.push(one(seed, jobs, mechanics, degree, prices)?);
            }
            let median = |of: &dyn Fn(&Run) -> u64| {
                let mut all: Vec<u64> = runs.iter().map(of).collect();
                all.sort_unstable();
                all[all.len() / 2]
            };
            let ms = |ns: u64| ns as f64 / 1e6;
            let median_ms = ms(median(&|run| run.took.as_nanos() as u64));
            let max_ms = ms(runs.iter().map(|run| run.took.as_nanos() as u64).max().unwrap_or_default());
            let [edges, unassigned, steps] =
                [median(&|run| run.edges), median(&|run| run.unassigned), median(&|run| run.steps)];
            report.row(
                &format!("{jobs} x {mechanics} {name}"),
                format!(
                    "{jobs:>7}{mechanics:>11}{edges:>8}{unassigned:>12}{name:>8}{median_ms:>10.3}{max_ms:>10.3}{steps:>12}"
                ),
                json!([jobs, mechanics, edges, unassigned, name, median_ms, max_ms, steps]),
            );
        }
    }
    report.finish(args.output.json.as_deref())
}

/// What one instance took.
#[derive(Debug)]
struct Run {
    took: Duration,
    edges: u64,
    unassigned: u64,
    steps: u64,
}

fn one(seed: u64, jobs: usize, mechanics: usize, degree: usize, prices: Prices) -> Result<Run, Failure> {
    let rows = match prices {
        Prices::City => city(seed, jobs, mechanics, degree),
        Prices::Random => random(seed, jobs, mechanics, degree),
    };
    let problem = Problem::new(rows, mechanics)?;
    let start = Instant::now();
    let solution = solve(&problem, Budget::UNLIMITED);
    let took = start.elapsed();
    certify(&problem, &solution)?;
    if !solution.is_exact {
        return Err("an answer without a budget was not exact".into());
    }
    let unassigned = solution.columns_of_rows.iter().filter(|column| column.is_none()).count();
    let (edges, unassigned) = (problem.edge_count() as u64, unassigned as u64);
    Ok(Run { took, edges, unassigned, steps: solution.steps })
}

fn city(seed: u64, jobs: usize, mechanics: usize, degree: usize) -> Vec<Row> {
    let mut dice = StdRng::seed_from_u64(seed);
    let side_km = (mechanics as f64).sqrt();
    let mut somewhere = |n: usize| -> Vec<(f64, f64)> {
        (0..n).map(|_| (dice.random_range(0.0..side_km), dice.random_range(0.0..side_km))).collect()
    };
    let (jobs, mechanics) = (somewhere(jobs), somewhere(mechanics));
    let row = |(x, y): (f64, f64)| {
        let price = |(to_x, to_y): &(f64, f64)| ((x - to_x).hypot(y - to_y) * SECONDS_PER_KM).round() as i64;
        let mut edges: Vec<(u32, i64)> = (0..).zip(mechanics.iter().map(price)).collect();
        edges.sort_unstable_by_key(|(mechanic, price)| (*price, *mechanic));
        edges.truncate(if degree == 0 { usize::MAX } else { degree });
        Row { unassigned_cost: UNASSIGNED_S, edges }
    };
    jobs.into_iter().map(row).collect()
}

fn random(seed: u64, jobs: usize, mechanics: usize, degree: usize) -> Vec<Row> {
    let mut dice = StdRng::seed_from_u64(seed);
    let mut row = || {
        let columns: Vec<u32> = match degree {
            0 => (0..mechanics as u32).collect(),
            _ => (0..degree).map(|_| dice.random_range(0..mechanics as u32)).collect(),
        };
        let edges = columns.into_iter().map(|column| (column, dice.random_range(0..3_600))).collect();
        Row { unassigned_cost: UNASSIGNED_S, edges }
    };
    (0..jobs).map(|_| row()).collect()
}
