//! Prints the table of the results of several runs, from their files.

use std::{fs, path::PathBuf};

use clap::Args;
use serde_json::Value;

use crate::Failure;

#[derive(Debug, Args)]
pub struct TableArgs {
    /// The files that runs wrote with --json, in the order of the table
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub fn run(args: TableArgs) -> Result<(), Failure> {
    println!("| what | figure | aim |\n| --- | ---: | --- |");
    let mut conditions = Vec::new();
    for file in args.files {
        let run: Value = serde_json::from_str(&fs::read_to_string(&file)?)?;
        for result in run["results"].as_array().into_iter().flatten() {
            let (what, aim) =
                (result[0].as_str().unwrap_or_default(), result[2].as_str().unwrap_or_default());
            println!("| {what} | {} | {aim} |", shown(result[1].as_f64().unwrap_or(f64::NAN)));
        }
        let of = |name: &str| run["conditions"][name].as_str().unwrap_or_default().to_owned();
        conditions.push((of("cpu"), of("commit"), of("at")));
    }
    conditions.sort();
    if let (Some((cpu, commit, from)), Some((_, _, to))) = (conditions.first(), conditions.last()) {
        println!("\n{cpu}, commit {commit}, {from} to {to}");
    }
    Ok(())
}

/// Formats a value with three significant digits.
fn shown(value: f64) -> String {
    match value.abs() {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_three_significant_digits() {
        let shown = [795.2, 29.72, 1.456, 0.0312].map(shown);
        assert_eq!(shown, ["795", "29.7", "1.46", "0.031"]);
    }
}
