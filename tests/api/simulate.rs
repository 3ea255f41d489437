//! The simulator, by its command line and by its report.

use std::process::Stdio;

use clap::Parser;
use roadcall::{cli::sim::simulated_settings, service::settings::Settings};
use roadcall_sim::{
    scenario::ScenarioFile,
    simulate::{self, Arguments, BUILT_IN, Scenario},
};
use tokio::process::Command;

use crate::support::within;

/// Parses it like the command line.
#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

/// A small city: some seconds in a debug build.
const SMALL: [&str; 6] = ["--mechanics", "20", "--jobs", "16", "--hours", "1"];

fn arguments(more: &[&str]) -> Arguments {
    let line = ["simulate"].iter().chain(&SMALL).chain(more);
    Line::try_parse_from(line).unwrap_or_else(|error| panic!("{error}")).arguments
}

fn simulated(more: &[&str]) -> simulate::Report {
    let settings = simulated_settings(&Settings::load(None).unwrap());
    simulate::simulate(&arguments(more), settings).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_same_seed_gives_the_same_bytes_however_many_runs_go_on_at_once() {
    let texts = |threads: &str| {
        let report = simulated(&[
            "--policy",
            "ours,broadcast",
            "--sweep",
            "1.5",
            "--seeds",
            "1",
            "--threads",
            threads,
        ]);
        [report.table(), report.json(), report.chart()]
    };
    let (one, two) = (texts("1"), texts("2"));
    assert_eq!(one, two);
    let other = simulated(&["--policy", "ours,broadcast", "--sweep", "1.5", "--seeds", "1", "--seed", "3"]);
    assert_ne!(
        one[1].lines().skip(12).collect::<String>(),
        other.json().lines().skip(12).collect::<String>()
    );
}

#[test]
fn all_policies_meet_the_same_day() {
    let report = simulated(&["--seeds", "1"]);
    let days: Vec<usize> = report
        .policies
        .iter()
        .flat_map(|policy| report.runs(*policy, 1.0))
        .map(|ran| ran.outcome.jobs.len())
        .collect();
    assert!(days.len() == 5 && days[0] > 5 && days.iter().all(|jobs| *jobs == days[0]), "{days:?}");
}

#[test]
fn what_must_hold_holds_after_every_step_though_everything_fails_now_and_then() {
    let faults =
        "journal-refusals=0.05,unknown-outcomes=0.05,lost-messages=0.05,dark-phones=0.1,crash-every=600";
    let report =
        simulated(&["--seeds", "2", "--policy", "ours,broadcast", "--faults", faults, "--check-every-step"]);
    let completed = report
        .policies
        .iter()
        .flat_map(|policy| report.runs(*policy, 1.0))
        .map(|ran| ran.outcome.jobs.iter().filter(|job| job.is_completed).count());
    // Of about sixty, in a city with too few mechanics.
    assert!(completed.sum::<usize>() > 12, "{}", report.table());
}

#[test]
fn built_in_scenarios_are_the_files_and_the_frozen_ones_differ_as_they_say() {
    let lines = |name: &str| -> Vec<String> {
        let path = format!("{}/bench/scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let (_, built_in) = BUILT_IN.iter().find(|(built_in, _)| *built_in == name).unwrap();
        assert_eq!(text, *built_in);
        Scenario::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let settings = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        settings.map(str::to_owned).collect()
    };
    let even = lines("even");
    for (name, differing) in [("low", "jobs"), ("scarce", "jobs"), ("fewer", "mechanics"), ("rain", "jobs")] {
        let differs = lines(name).into_iter().zip(&even).filter(|(one, other)| one != *other);
        let keys = differs.map(|(line, _)| line.split(' ').next().unwrap().to_owned());
        // A line of a table has no key; the rain's speeds by hour are one.
        let keys: Vec<String> = keys.filter(|key| !key.is_empty()).collect();
        assert_eq!(keys, ["title", differing], "{name}");
    }
    for (name, _) in BUILT_IN {
        lines(name);
    }
}

#[test]
fn a_scenario_that_is_like_another_is_that_one_but_for_what_it_says() {
    let parsed = |text: &str| Scenario::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let even = parsed("title = \"x\"\nlike = \"even\"");
    let over = "title = \"x\"\nlike = \"even\"\njobs = 7\n[traffic]\nspeed_kmh = 30.0\n[[shifts]]\nfrom_hour = 1.0\nhours = 2.0\nweight = 1.0";
    let over = parsed(over);
    assert_eq!((over.jobs, over.traffic.speed_kmh, over.shifts.len()), (7, 30.0, 1));
    assert_eq!(
        (over.hours, over.traffic.detour, over.crews.len()),
        (even.hours, even.traffic.detour, even.crews.len())
    );
    let four = parsed("title = \"x\"\nlike = \"four\"");
    assert_eq!(
        (four.mechanics, four.city.radius_km, four.customers.patience_min),
        (4, 12.0, even.customers.patience_min)
    );
}

#[test]
fn scenarios_that_can_not_be_simulated_are_refused_with_their_keys() {
    let (_, even) = BUILT_IN.iter().find(|(name, _)| *name == "even").unwrap();
    for (from, to, named) in [
        ("hours = 12.0", "hours = 12.0\nspeed = 3", "unknown field `speed`"),
        ("hours = 12.0", "hours = -1.0", "hours must be"),
        ("jobs = ", "jobs = 0 #", "jobs must be"),
        ("percent = 41.0", "percent = 40.0", "the percents of categories must add up to 100"),
        ("\"lockout\", \"fuel\"]", "\"lockpick\"]", "crews[2].categories: lockpick is none"),
        ("accept = [0.55, 0.95]", "accept = [0.95, 0.55]", "behaviour.accept must be"),
        ("shape = \"disc\"", "shape = \"torus\"", "unknown variant"),
        ("hours = 12.0", "hours = 12.0\nlike = \"utopia\"", "utopia is none"),
        ("hours = 12.0", "hours = 12.0\nlike = \"low\"\nspeed = 3", "unknown field `speed`"),
        ("vehicle_type = \"commercial\"", "vehicle_type = \"boat\"", "demand.vehicles[3].vehicle_type: boat"),
        ("dark_min = 4.0", "dark_min = nan", "phones.dark_min must be"),
    ] {
        assert!(even.contains(from), "{from}");
        let why = Scenario::parse(&even.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(why.contains(named), "{to}: {why}");
    }
}

#[actix_web::test]
async fn odd_arguments_are_refused_by_name() {
    let cases: [(&[&str], &str); 15] = [
        (&["--mechanics", "0"], "--mechanics"),
        (&["--mechanics", "1000000"], "--mechanics"),
        (&["--jobs", "0"], "--jobs"),
        (&["--hours", "-3"], "--hours"),
        (&["--hours", "NaN"], "--hours"),
        (&["--seeds", "0"], "--seeds"),
        (&["--seeds", "1000", "--jobs", "100000", "--sweep", "10"], "--seeds"),
        (&["--policy", "luck"], "--policy"),
        (&["--policy", "nearest@5"], "--policy"),
        (&["--eta-error", "2"], "--eta-error"),
        (
            &["--policy", "ours@30,ours@31,ours@32,ours@33,ours@34,ours@35,ours@36,ours@37,ours@38,all"],
            "--policy",
        ),
        (&["--sweep", "0"], "--sweep"),
        (&["--faults", "sabotage=1"], "sabotage"),
        (&["--scenario", "nowhere"], "--scenario nowhere"),
        (&["--config", "nowhere.toml"], "nowhere.toml"),
    ];
    for (arguments, named) in cases {
        let mut command = Command::new(env!("CARGO_BIN_EXE_roadcall"));
        command.arg("simulate").args(arguments).stdin(Stdio::null());
        let output = within("the refusal", command.output()).await.unwrap();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && words.contains(named), "{arguments:?}: {words}");
    }
}

#[actix_web::test]
async fn the_command_prints_the_table_and_writes_the_files() {
    let folder = std::env::temp_dir().join(format!("roadcall-simulate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (json, svg) = (folder.join("figures.json"), folder.join("picture.svg"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_roadcall"));
    command.arg("simulate").args(SMALL).args(["--seeds", "2", "--policy", "ours,nearest@600", "--groups"]);
    command.arg("--json").arg(&json).arg("--svg").arg(&svg).stdin(Stdio::null());
    let output = within("the report", command.output()).await.unwrap();
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && table.contains("ours less nearest@600"), "{table}");
    assert!(table.contains("towing (") && table.contains("ours is worse than nearest@600 in"), "{table}");
    let figures: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(figures["runs"].as_array().unwrap().len(), 4, "{figures}");
    assert!(figures["policies"][0]["figures"][0]["mean"].is_number(), "{figures}");
    assert_eq!(figures["policies"][1]["policy"], "nearest@600");
    assert_eq!(figures["groups"].as_array().unwrap().len(), 20, "seven categories and three zones, twice");
    assert_eq!(figures["group_differences"].as_array().unwrap().len(), 10, "{figures}");
    let picture = std::fs::read_to_string(svg).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("sequential nearest@600"));
    std::fs::remove_dir_all(folder).ok();
}

#[test]
fn a_report_of_no_spread_says_so() {
    let table = simulated(&["--seeds", "1", "--policy", "ours,nearest"]).table();
    assert!(table.contains("one seed tells nothing of the spread"), "{table}");
}
