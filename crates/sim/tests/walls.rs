//! Checks the order of the simulator: which modules must never import which.

#[path = "../../../actors/tests/imports/mod.rs"]
mod imports;

use std::collections::BTreeSet;

use imports::{circles, of_crate};

/// The modules of the crate, from the bottom up: each may use those of earlier lines.
const CRATE: &[&[&str]] = &[&["rng", "scenario"], &["city"], &["demo", "simulate"]];

/// The modules of `simulate`, from the bottom up: the day, its run, the report. A folder stands for all files in it.
const SIMULATE: &[&[&str]] = &[
    &["faults", "prices", "recording_outbound", "scenario", "stats"],
    &["places", "policy", "travel"],
    &["arguments", "demand", "mechanic_profiles", "outcome", "queue", "service"],
    &["people", "replay"],
    &["plan"],
    &["run"],
    &["phones", "tally"],
    &["driving"],
    &["customers", "mechanic_jobs"],
    &["mechanics"],
    &["play"],
    &["runs"],
    &["bound", "calibration", "groups", "roster"],
    &["report"],
    &["chart"],
];

/// Returns the module directly below `folder` that `module` is, or is within.
fn below<'a>(module: &'a [String], folder: &[&str]) -> Option<&'a str> {
    let is_within = folder.iter().zip(module).all(|(expected, name)| name == expected);
    module.get(folder.len()).filter(|_| is_within).map(String::as_str)
}

fn assert_order(folder: &[&str], layers: &[&[&str]]) {
    let place = |module: &str| layers.iter().position(|layer| layer.contains(&module));
    let mut checked = 0;
    for (module, imported) in of_crate() {
        let Some(own) = below(&module, folder) else { continue };
        let layer = place(own).unwrap_or_else(|| panic!("{}: add {own} to a layer", module.join("::")));
        for used in imported.iter().filter_map(|used| below(used, folder)).filter(|used| *used != own) {
            let is_below = place(used).is_some_and(|place| place < layer);
            assert!(is_below, "{} uses {used}, which is not below {own}", module.join("::"));
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} imports were checked");
}

#[test]
fn modules_use_only_the_layers_below_them() {
    assert_order(&[], CRATE);
    assert_order(&["simulate"], SIMULATE);
}

#[test]
fn files_import_each_other_in_no_circle() {
    let imports = of_crate();
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 200, "the search itself is broken");
    let circles = circles(&imports);
    assert!(circles.is_empty(), "move what these share into a file below them: {circles:?}");
}
