//! Checks more than the tests do:
//! `cargo run --release -p roadcall-model -- --servers 3 --faults 3 --patient`

use std::{process::ExitCode, time::Instant};

use clap::Parser;
use roadcall_model::{Bounds, Fleet, Mutation, Report};

/// Checks everything that can happen within these bounds.
#[derive(Debug, Parser)]
struct Args {
    /// The number of servers
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    servers: u8,
    /// The number of faults
    #[arg(long, default_value_t = 2)]
    faults: u8,
    /// The number of changes that leaders make by themselves
    #[arg(long, default_value_t = 1)]
    ticks: u8,
    /// The number of tries that the gateway makes
    #[arg(long, default_value_t = 3, conflicts_with = "patient")]
    tries: u8,
    /// Let the gateway try until it has an answer, which it must get
    #[arg(long)]
    patient: bool,
    /// The rule to take away
    #[arg(long)]
    mutation: Option<Mutation>,
}

fn main() -> ExitCode {
    let Args { servers, faults, ticks, tries, patient, mutation } = Args::parse();
    let tries = (!patient).then_some(tries);
    let began = Instant::now();
    let fleet = Fleet { bounds: Bounds { servers, faults, ticks, tries }, mutation };
    let Report { states, broken } = fleet.check();
    println!("{states} states in {:.1} s", began.elapsed().as_secs_f64());
    for (property, way) in &broken {
        println!("broken: {property}");
        way.iter().for_each(|action| println!("  {action:?}"));
    }
    if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
