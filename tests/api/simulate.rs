//! The simulator, by its command line and by its report.

use std::process::Stdio;

use clap::Parser;
use roadcall::{cli::sim::simulated_settings, service::settings::Settings};
use roadcall_sim::{
    scenario::ScenarioFile,
    simulate::{self, Arguments, BUILT_IN, Scenario},
};
use sha2::{Digest, Sha256};
use tokio::process::Command;

use crate::support::within;

/// Parses the arguments like the command line.
#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

/// Arguments for a small city, which takes some seconds in a debug build.
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
fn the_same_seed_gives_the_same_bytes_with_any_number_of_parallel_runs() {
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
fn all_policies_play_the_same_day() {
    let report = simulated(&["--seeds", "1"]);
    let days: Vec<usize> = report
        .runs
        .policies
        .iter()
        .flat_map(|policy| report.runs.of(*policy, 1.0))
        .map(|ran| ran.outcome.jobs.len())
        .collect();
    assert!(days.len() == 5 && days[0] > 5 && days.iter().all(|jobs| *jobs == days[0]), "{days:?}");
}

#[test]
fn the_invariants_hold_after_every_step_despite_random_failures() {
    let faults =
        "journal-refusals=0.05,unknown-outcomes=0.05,lost-messages=0.05,dark-phones=0.1,crash-every=600";
    let report =
        simulated(&["--seeds", "2", "--policy", "ours,broadcast", "--faults", faults, "--check-every-step"]);
    let completed = report
        .runs
        .policies
        .iter()
        .flat_map(|policy| report.runs.of(*policy, 1.0))
        .map(|ran| ran.outcome.jobs.iter().filter(|job| job.is_completed).count());
    // There are about sixty jobs, in a city with too few mechanics.
    assert!(completed.sum::<usize>() > 12, "{}", report.table());
}

/// The digests of the built-in scenarios' values, which figures in documents rely on. A new key of scenario files changes all
/// of them; a change of a scenario changes its own and those of the scenarios that are like it.
const FROZEN: [(&str, &str); BUILT_IN.len()] = [
    ("low", "ceefb8d4cd29f11a"),
    ("even", "d695126c698b59c6"),
    ("scarce", "d6c0402c226394c0"),
    ("fewer", "5e5c6d8c7f78a0b8"),
    ("mix", "12ea3eb6c04c0c77"),
    ("moved", "44b83119938d1c68"),
    ("night", "6aea37a2a7a5a5a2"),
    ("rain", "b12c942eb2eb3440"),
    ("speed", "c97ab35eda2ab7cd"),
    ("roads2", "b0f12b487a5277bf"),
    ("roads5", "927e5209c7149a00"),
    ("quick", "b481cacf2b0fef26"),
    ("quickfast", "e3fcd017be0772b5"),
    ("sixfold", "070b7ffa2728ddfb"),
    ("late_etas", "cf9fe4befd298345"),
    ("village", "4a0e6393f65336e6"),
    ("two", "a10778896bc4ac73"),
    ("four", "7c9d2f39030bdfa5"),
    ("burst", "83290cc7837d12c5"),
    ("rare", "e66c13204986bf95"),
    ("decliners", "349d0e4fa424b473"),
];

fn built_in(name: &str) -> Scenario {
    Scenario::load(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn built_in_scenarios_equal_their_files_and_have_the_frozen_values() {
    let found = BUILT_IN.map(|(name, text)| {
        let path = format!("{}/bench/scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        assert_eq!(std::fs::read_to_string(path).unwrap(), text);
        let digest = Sha256::digest(format!("{:?}", built_in(name)));
        (name, digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect::<String>())
    });
    assert_eq!(found, FROZEN.map(|(name, digest)| (name, digest.to_owned())));
}

#[test]
fn three_cities_differ_in_the_number_of_calls_alone() {
    let even = built_in("even");
    for name in ["low", "scarce"] {
        let scenario = Scenario { title: even.title.clone(), jobs: even.jobs, ..built_in(name) };
        assert_eq!(format!("{scenario:?}"), format!("{even:?}"), "{name}");
    }
}

#[test]
fn a_scenario_based_on_another_differs_only_in_its_own_keys() {
    let parsed = |text: &str| Scenario::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let even = built_in("even");
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
fn impossible_scenarios_are_refused_with_their_keys() {
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
async fn bad_arguments_are_refused_by_name() {
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
fn a_report_without_spread_says_so() {
    let table = simulated(&["--seeds", "1", "--policy", "ours,nearest"]).table();
    assert!(table.contains("one seed tells nothing of the spread"), "{table}");
}
