//! The walls of the engine: what must never import what.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Files that decide: no actors, no runtime, no clock, no dice.
const PURE: &[&str] = &[
    "ids.rs",
    "concern.rs",
    "geo.rs",
    "eta.rs",
    "learning.rs",
    "vehicle.rs",
    "settings.rs",
    "refusal.rs",
    "job/model.rs",
    "job/moves.rs",
    "job/state.rs",
    "job/fee.rs",
    "job/items.rs",
    "mechanic/state.rs",
    "mechanic/watch.rs",
    "dispatcher/state.rs",
    "dispatcher/index.rs",
    "dispatcher/index/globe.rs",
    "dispatcher/index/nearest.rs",
    "dispatcher/assignment.rs",
    "dispatcher/assignment/search.rs",
    "dispatcher/assignment/repair.rs",
    "dispatcher/matching.rs",
    "dispatcher/components.rs",
    "dispatcher/solving.rs",
    "dispatcher/answers.rs",
    "dispatcher/planning.rs",
    "dispatcher/explaining.rs",
    "dispatcher/explain.rs",
    "dispatcher/view.rs",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The code of a file, without comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

fn assert_without(path: &Path, words: &[&str], why: &str) {
    let code = code(path);
    for word in words {
        assert!(!code.contains(word), "{} names {word}: {why}", path.display());
    }
}

fn files_of(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(source().join(folder)).expect("a folder of the crate");
    let files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    // A folder in it holds tests, or parts that are listed above.
    let files: Vec<_> = files.into_iter().filter(|path| path.is_file()).collect();
    assert!(files.len() > 3, "{folder} has its files");
    files
}

#[test]
fn the_engine_depends_on_no_web_sql_or_json_crate() {
    let manifest = fs::read_to_string(source().join("../Cargo.toml")).unwrap();
    let section = manifest.split("[dependencies]").nth(1).and_then(|rest| rest.split("\n[").next()).unwrap();
    let named = section.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    let names: Vec<_> = named.filter(|name| !name.is_empty() && !name.starts_with('#')).collect();
    let allowed = [
        "actix",
        "actix-rt",
        "chrono",
        "futures-util",
        "geo",
        "rand",
        "rustc-hash",
        "thiserror",
        "tokio",
        "tracing",
        "uuid",
    ];
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        assert!(
            allowed.contains(&name),
            "{name} is no crate for the engine: it decides, and leaves the rest to its ports"
        );
    }
}

#[test]
fn engine_types_are_not_serialised() {
    for folder in ["", "job", "mechanic", "dispatcher"] {
        for path in files_of(folder).iter().filter(|path| path.is_file()) {
            assert_without(path, &["Serialize", "serde"], "the service owns the wire");
        }
    }
}

#[test]
fn what_decides_knows_neither_actors_nor_the_time() {
    let words = [
        "actix",
        "tokio",
        "Utc::now",
        "Instant::now",
        "SystemTime",
        "clock::",
        "random::",
        "async ",
        ".await",
        "::actor",
    ];
    for name in PURE {
        assert_without(&source().join(name), &words, "pure files take the time as an argument");
    }
}

#[test]
fn jobs_and_mechanics_do_not_know_each_other() {
    for path in files_of("job") {
        assert_without(&path, &["mechanic::"], "jobs and mechanics meet in the dispatcher");
    }
    for path in files_of("mechanic") {
        assert_without(&path, &["job::"], "jobs and mechanics meet in the dispatcher");
    }
}

#[test]
fn the_time_and_the_dice_are_read_in_one_file_each() {
    for folder in ["", "job", "mechanic", "dispatcher", "simulation"] {
        for path in files_of(folder).iter().filter(|path| path.is_file()) {
            if !path.ends_with("clock.rs") {
                assert_without(path, &["Utc::now", "Instant::now", "SystemTime"], "clock.rs reads the time");
            }
            if !path.ends_with("random.rs") {
                assert_without(path, &["rand::", "now_v7", "new_v4"], "random.rs rolls the dice");
            }
        }
    }
}
