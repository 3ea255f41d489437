//! Checks the walls of the engine: which modules must never import which.

mod imports;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use imports::{CratePath, circles, code, imports, is_test, module_of, of_crate, paths, rust_files, source};

/// Files that decide, without actors, runtime, clock or randomness.
const PURE: &[&str] = &[
    "ids.rs",
    "concern.rs",
    "../../crates/base/src/geo.rs",
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
    "wire/mod.rs",
    "assigning.rs",
    "job/account.rs",
    "job/model.rs",
    "job/command.rs",
    "job/event.rs",
    "job/event_name.rs",
    "job/state.rs",
    "job/apply.rs",
    "job/decide/mod.rs",
    "job/decide/searching.rs",
    "job/decide/assigned.rs",
    "job/decide/closed.rs",
    "job/decide/corrections.rs",
    "job/decide/items.rs",
    "job/decide/rules.rs",
    "job/decide/towing.rs",
    "job/fee.rs",
    "job/cache/mod.rs",
    "job/corrections.rs",
    "job/demand.rs",
    "job/destination.rs",
    "job/effects.rs",
    "job/items.rs",
    "job/lessons.rs",
    "mechanic/state.rs",
    "mechanic/positions.rs",
    "mechanic/received.rs",
    "mechanic/skew/mod.rs",
    "mechanic/history.rs",
    "mechanic/parked/mod.rs",
    "mechanic/watch/mod.rs",
    "dispatcher/state.rs",
    "dispatcher/advice.rs",
    "dispatcher/index/mod.rs",
    "dispatcher/index/globe.rs",
    "dispatcher/index/nearest.rs",
    "dispatcher/assignment/mod.rs",
    "dispatcher/assignment/problem.rs",
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
    "dispatcher/worth.rs",
    "dispatcher/guard.rs",
    "experience/mod.rs",
    "experience/calls.rs",
    "experience/holds.rs",
    "experience/work.rs",
];

/// The modules of the crate, from the bottom up: each may use those of earlier lines. `roadcall-base` has `clock`,
/// `geo` and `random`.
const LAYERS: &[&[&str]] = &[
    &["wire"],
    &[
        "named",
        "ids",
        "clock",
        "random",
        "geo",
        "learning",
        "commit",
        "registry",
        "shutdown",
        "placement",
        "traces",
    ],
    &["vehicle", "status", "concern", "eta"],
    &["experience"],
    &["settings", "refusal", "offer"],
    &["position", "tuning", "messages", "audience"],
    &["outbound"],
    &["broadcast"],
    &["job", "mechanic"],
    &["dispatcher", "assigning"],
    &["ports"],
    &["context"],
    &["supervisor"],
    &["engine"],
    &["observe", "taking_up"],
    &["protocol"],
    &["handle", "server"],
    &["remote"],
];
/// The in-memory ports and test worlds, which may use everything while nothing may use them.
const SIMULATION: &str = "simulation";

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
        // The crate has only the interface, without an exporter: ADR 106.
        "opentelemetry",
        "roadcall-base",
        "rustc-hash",
        "serde",
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

/// The state that only its own actor and the journal have.
const STATE: &[(&str, &str)] = &[
    ("job/model.rs", "pub struct Job {"),
    ("job/model.rs", "pub enum Stage {"),
    ("job/event.rs", "pub enum Event {"),
    ("job/command.rs", "pub struct Done {"),
    ("mechanic/state.rs", "pub struct Mechanic {"),
];

#[test]
fn state_is_not_serialised() {
    for (file, item) in STATE {
        let code = code(&source().join(file));
        let (before, _) = code.split_once(item).unwrap_or_else(|| panic!("{file} has no {item}"));
        let attributes = before.rsplit("\n\n").next().unwrap_or_default();
        assert!(attributes.contains("derive("), "{file}, {item}: the search itself is broken");
        assert!(!attributes.contains("Serialize"), "{file}, {item}: only plain data goes to other processes");
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
    let files =
        [source(), source().join("../../crates/base/src")].into_iter().flat_map(|folder| rust_files(&folder));
    for path in files.filter(|path| !in_tests_folder(path)) {
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
        let used: BTreeSet<String> =
            paths(&code(&path), &module).into_iter().filter_map(|path| path.into_iter().next()).collect();
        for used in used {
            let is_below = layer(&used).is_some_and(|used| used < own);
            assert!(used == *top || is_below, "{} uses {used}, which is not below {top}", path.display());
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked} paths were checked");
}

/// Files that import each other in a circle can only be understood together.
const MAX_FILES_IN_A_CIRCLE: usize = 3;

#[test]
fn files_import_each_other_in_no_large_circle() {
    let imports = of_crate();
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 300, "the search itself is broken");
    for circle in circles(&imports) {
        let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
        assert!(
            names.len() <= MAX_FILES_IN_A_CIRCLE,
            "{} files import each other in a circle, move what they share into one below them: {names:?}",
            names.len()
        );
    }
}

#[test]
fn circles_are_found() {
    let path = |path: &str| path.split("::").map(str::to_owned).collect::<CratePath>();
    let sources = [
        ("a", "use crate::{b::B, e};"),
        ("b", "fn f() { crate::c::inner::f() }"),
        ("c", "mod inner;\npub use inner::C;"),
        ("c::inner", "use super::super::d::D;"),
        ("d", "use crate::a;\nfn f(a: a::A) {}"),
        ("e", "use crate::c::C;"),
        ("f", "use crate::g::G;"),
        ("g", "fn f() -> super::f::F {}"),
        ("h", "use super::{a, g};"),
    ];
    let sources = sources.map(|(module, code)| (path(module), code.to_owned())).into();
    let found = circles(&imports(&sources, &[path("c")].into()));
    let circle = |modules: &[&str]| modules.iter().map(|module| path(module)).collect::<BTreeSet<_>>();
    assert_eq!(found, [circle(&["a", "b", "c::inner", "d", "e"]), circle(&["f", "g"])].into());
}

#[test]
fn every_form_of_a_path_is_checked() {
    let used = |code, module: &str| {
        let module: CratePath = module.split("::").map(str::to_owned).collect();
        paths(code, &module).into_iter().map(|path| path.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(used("use crate::a::B;", "m"), ["a::B"]);
    let group = "use crate::{\n    a::{self, b, c},\n    d as e,\n    f,\n};";
    assert_eq!(used(group, "m"), ["a", "a::b", "a::c", "d", "f"]);
    assert_eq!(used("pub use super::{super::a::B, c};", "m::n"), ["a::B", "m::c"]);
    assert_eq!(used("use super::a::*;", "m::n"), ["m::a"]);
    let code = "fn f() { crate::a::f(super::b()); super::super::c::g() }";
    assert_eq!(used(code, "m::n"), ["a::f", "c::g", "m::b"]);
    assert_eq!(used("mod a;\nuse self::b::C;\nfn f() { a::g() }", "m"), ["m::a::g", "m::b::C"]);
    assert_eq!(used("use crate::a::b;\nfn f() { b::c::g() }", "m"), ["a::b", "a::b::c::g"]);
}
