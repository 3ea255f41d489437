//! Prints the table of the results of several runs, with their floors and conditions, from their files.

use std::{fs, path::PathBuf};

use clap::Args;
use serde_json::Value;

use crate::{Failure, report::told};

#[derive(Debug, Args)]
pub struct TableArgs {
    /// The files that runs wrote with --json, in the order of the table
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub fn run(args: TableArgs) -> Result<(), Failure> {
    let read = |file: &PathBuf| Ok::<Value, Failure>(serde_json::from_str(&fs::read_to_string(file)?)?);
    let runs = args.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    [results(&runs), conditions(&runs)].concat().iter().for_each(|line| println!("{line}"));
    Ok(())
}

fn results(runs: &[Value]) -> Vec<String> {
    let head = ["| what | figure | floor | figure ÷ floor | aim |", "| --- | ---: | ---: | ---: | --- |"];
    let rows = runs.iter().flat_map(|run| run["results"].as_array().into_iter().flatten()).map(|result| {
        let [what, aim] = ["what", "aim"].map(|name| result[name].as_str().unwrap_or_default());
        let [figure, floor, ratio] =
            ["figure", "floor", "ratio"].map(|name| result[name].as_f64().map(shown).unwrap_or_default());
        format!("| {what} | {figure} | {floor} | {ratio} | {aim} |")
    });
    head.map(str::to_owned).into_iter().chain(rows).collect()
}

/// Returns the conditions that all runs had, and those of each run with its settings.
fn conditions(runs: &[Value]) -> Vec<String> {
    let Some(first) = runs.first() else { return Vec::new() };
    let mut lines = vec![String::new(), format!("All runs: {}", of_run(runs, first, true)), String::new()];
    for run in runs {
        let settings = run["settings"].as_object().map(told).unwrap_or_default();
        let scenario = run["scenario"].as_str().unwrap_or_default();
        lines.push(format!("- {scenario}, {settings}: {}", of_run(runs, run, false)));
    }
    lines
}

/// Returns the conditions of a run that all runs had, or the other ones.
fn of_run(runs: &[Value], run: &Value, shared: bool) -> String {
    let is_shared =
        |name: &String, value: &Value| runs.iter().all(|other| other["conditions"][name.as_str()] == *value);
    let own = run["conditions"].as_object().into_iter().flatten();
    let wanted = own.filter(|(name, value)| is_shared(name, value) == shared);
    told(&wanted.map(|(name, value)| (name.clone(), value.clone())).collect())
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
    use serde_json::json;

    use super::*;

    #[test]
    fn a_figure_has_three_significant_digits() {
        let shown = [795.2, 29.72, 1.456, 0.0312].map(shown);
        assert_eq!(shown, ["795", "29.7", "1.46", "0.031"]);
    }

    #[test]
    fn a_table_has_floors_ratios_and_the_conditions_that_differ() {
        let run = |scenario: &str, results: Value, load: &str| {
            json!({ "scenario": scenario, "settings": { "for_s": 20 }, "results": results,
                "conditions": { "cores": 2, "load_before": load } })
        };
        let compared =
            json!([{ "what": "pings", "figure": 30.0, "floor": 15.0, "ratio": 2.0, "aim": "2 at most" }]);
        let alone = json!([{ "what": "ready, s", "figure": 0.5, "aim": "" }]);
        let runs = [run("pings", compared, "0.1"), run("recovery", alone, "0.7")];
        let lines = [results(&runs), conditions(&runs)].concat();
        assert_eq!(
            lines[2..],
            [
                "| pings | 30.0 | 15.0 | 2.00 | 2 at most |",
                "| ready, s | 0.500 |  |  |  |",
                "",
                "All runs: cores 2",
                "",
                "- pings, for_s 20: load_before 0.1",
                "- recovery, for_s 20: load_before 0.7",
            ]
        );
    }
}
