//! The walls of the engine: which modules must never import which.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Files that decide: no actors, no runtime, no clock, no randomness.
const PURE: &[&str] = &[
    "ids.rs",
    "concern.rs",
    "geo.rs",
    "eta.rs",
    "learning.rs",
    "vehicle.rs",
    "settings.rs",
    "status.rs",
    "named.rs",
    "position.rs",
    "offer.rs",
    "commit.rs",
    "refusal.rs",
    "assigning.rs",
    "job/model.rs",
    "job/command.rs",
    "job/event.rs",
    "job/state.rs",
    "job/apply.rs",
    "job/decide/mod.rs",
    "job/decide/searching.rs",
    "job/decide/assigned.rs",
    "job/decide/closed.rs",
    "job/fee.rs",
    "job/cache.rs",
    "job/corrections.rs",
    "job/effects.rs",
    "job/items.rs",
    "mechanic/state.rs",
    "mechanic/positions.rs",
    "mechanic/history.rs",
    "mechanic/watch.rs",
    "dispatcher/state.rs",
    "dispatcher/advice.rs",
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
    "dispatcher/queries.rs",
    "dispatcher/outlook.rs",
    "dispatcher/pricing.rs",
    "dispatcher/guard.rs",
    "experience.rs",
    "experience/calls.rs",
    "experience/holds.rs",
    "experience/work.rs",
];

/// The modules of the crate, from the bottom up: each may use those of earlier lines.
const LAYERS: &[&[&str]] = &[
    &["named", "ids", "clock", "random", "geo", "learning", "commit", "registry", "shutdown", "placement"],
    &["vehicle", "status", "concern", "eta"],
    &["experience"],
    &["settings", "refusal", "offer"],
    &["position", "tuning", "messages"],
    &["outbound"],
    &["job", "mechanic"],
    &["dispatcher", "assigning"],
    &["ports"],
    &["context"],
    &["supervisor"],
    &["engine"],
    &["observe"],
];
/// In-memory ports and test worlds: may use everything, and nothing may use it.
const SIMULATION: &str = "simulation";

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
    for path in rust_files(&source()).iter().filter(|path| !path.starts_with(source().join(SIMULATION))) {
        assert_without(path, &["Serialize", "serde"], "the service owns the wire");
    }
}

#[test]
fn modules_that_decide_know_neither_actors_nor_the_time() {
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
    for path in rust_files(&source().join("job")) {
        assert_without(&path, &["mechanic::"], "jobs and mechanics meet in the dispatcher");
    }
    for path in rust_files(&source().join("mechanic")) {
        assert_without(&path, &["job::"], "jobs and mechanics meet in the dispatcher");
    }
}

#[test]
fn time_and_randomness_are_read_in_one_file_each() {
    let in_tests_folder = |path: &PathBuf| {
        path.strip_prefix(source()).is_ok_and(|path| path.iter().any(|name| name == "tests"))
    };
    for path in rust_files(&source()).into_iter().filter(|path| !in_tests_folder(path)) {
        if !path.ends_with("clock.rs") {
            assert_without(&path, &["Utc::now", "Instant::now", "SystemTime"], "clock.rs reads the time");
        }
        if !path.ends_with("random.rs") {
            assert_without(&path, &["rand::", "now_v7", "new_v4"], "random.rs rolls the dice");
        }
    }
}

#[test]
fn modules_use_only_the_layers_below_them() {
    let layer = |module: &str| LAYERS.iter().position(|layer| layer.contains(&module));
    let mut checked = 0;
    for path in rust_files(&source()).into_iter().filter(|path| !is_test(path)) {
        let module = module_of(&path);
        let Some(top) = module.first().filter(|top| *top != SIMULATION) else { continue };
        let own = layer(top).unwrap_or_else(|| panic!("{}: add {top} to LAYERS", path.display()));
        for used in used_modules(&code(&path), module.len()) {
            let is_below = layer(&used).is_some_and(|used| used < own);
            assert!(used == *top || is_below, "{} uses {used}, which is not below {top}", path.display());
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked} paths were checked");
}

#[test]
fn every_form_of_a_path_is_checked() {
    let used = |code, depth| used_modules(code, depth).into_iter().collect::<Vec<_>>();
    assert_eq!(used("use crate::a::B;", 1), ["a"]);
    assert_eq!(used("use crate::{\n    a::{b, c},\n    d as e,\n    f,\n};", 1), ["a", "d", "f"]);
    assert_eq!(used("pub use super::{super::a::B, c};", 2), ["a"]);
    assert_eq!(used("use super::a;", 2), [""; 0], "a sibling");
    assert_eq!(used("fn f() { crate::a::f(super::b()); super::super::c::g() }", 2), ["a", "c"]);
}

/// Sources in a folder and those within it.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the crate") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files.extend(rust_files(&path)),
            false if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
            false => {}
        }
    }
    files
}

/// Tests may use what is above the module that they test.
fn is_test(path: &Path) -> bool {
    let relative = path.strip_prefix(source()).expect("a file of the crate").with_extension("");
    relative.iter().any(|name| name.to_string_lossy().ends_with("tests"))
}

/// `["job", "actor"]` for `job/actor.rs`, `["job"]` for `job/mod.rs`, nothing for `lib.rs`.
fn module_of(path: &Path) -> Vec<String> {
    let relative = path.strip_prefix(source()).expect("a file of the crate").with_extension("");
    let names = relative.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != "mod" && name != "lib").collect()
}

/// The top-level modules that code `depth` modules below the root names by `crate::…` or `super::…`.
fn used_modules(code: &str, depth: usize) -> BTreeSet<String> {
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut used = BTreeSet::new();
    for start in ["crate::", "super::"] {
        for (index, _) in code.match_indices(start) {
            let is_continued = code[..index].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
            if !is_continued {
                expand(&code[index..], depth, &mut used);
            }
        }
    }
    used
}

/// Adds the top-level modules of the path that `code` begins with, `above` modules below the root.
fn expand(code: &str, above: usize, used: &mut BTreeSet<String>) {
    let code = code.trim_start();
    if let Some(rest) = code.strip_prefix("crate::") {
        return expand(rest, 0, used);
    }
    if let Some(rest) = code.strip_prefix("super::") {
        return expand(rest, above.saturating_sub(1), used);
    }
    if let Some(group) = code.strip_prefix('{') {
        let (mut depth, mut item) = (0, 0);
        for (index, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => return expand(&group[item..index], above, used),
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&group[item..index], above, used);
                    item = index + 1;
                }
                _ => {}
            }
        }
    }
    let name: String = code.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    if above == 0 && !name.is_empty() {
        used.insert(name);
    }
}
