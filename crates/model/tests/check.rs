//! Checks two servers and a few faults in every order, and checks that each rule is needed.

use std::time::Instant;

use roadcall_model::{Bounds, COUNTED, FENCED, Fleet, Mutation, ONCE, REFUSED, Report};

/// A patient gateway, and enough faults for all mutations but one.
const SHORT: Bounds = Bounds { servers: 2, faults: 2, ticks: 1, tries: None };

fn check(what: &str, bounds: Bounds, mutation: Option<Mutation>) -> Report {
    let began = Instant::now();
    let report = Fleet { bounds, mutation }.check();
    println!("{what}: {} states in {:.1} s", report.states, began.elapsed().as_secs_f64());
    report
}

fn assert_right(what: &str, bounds: Bounds, at_least: usize) {
    let Report { states, broken } = check(what, bounds, None);
    assert!(broken.is_empty(), "{what}: {broken:#?}");
    assert!(states >= at_least, "{what}: a world of {states} states is smaller than it was");
}

/// Asserts that the property does not hold without the rule.
fn assert_needed(mutation: Mutation, bounds: Bounds, property: &str) {
    let Report { broken, .. } = check(&format!("{mutation:?}"), bounds, Some(mutation));
    let names: Vec<_> = broken.iter().map(|(name, _)| *name).collect();
    assert!(names.contains(&property), "{mutation:?} breaks only {names:?}");
}

#[test]
fn every_answer_is_true_in_every_order_of_events() {
    let bounds = Bounds { servers: 2, faults: 1, ticks: 1, tries: Some(3) };
    assert_right("a gateway that gives up", bounds, 500_000);
}

#[test]
fn a_patient_caller_gets_a_true_answer() {
    let bounds = Bounds { faults: 3, ..SHORT };
    assert_right("a patient gateway", bounds, 400_000);
}

#[test]
fn three_servers_take_over_from_one_another() {
    assert_right("three servers", Bounds { servers: 3, ..SHORT }, 300_000);
}

#[test]
fn every_rule_is_needed() {
    let mutations = [
        (Mutation::LoadBeforeSessionsEnd, FENCED),
        (Mutation::NoCheckOfNewConnections, FENCED),
        (Mutation::CommitWithoutComparing, COUNTED),
        (Mutation::RefusalWithoutLog, REFUSED),
        (Mutation::OnlyTheLastLeaderIsEnded, FENCED),
        (Mutation::StandbysConnectionsPass, FENCED),
        (Mutation::NotReadMeansRefused, REFUSED),
        (Mutation::DoubtIsForgotten, REFUSED),
        (Mutation::OneCopySpeaksForAll, REFUSED),
        (Mutation::NoKeyOnCommands, ONCE),
    ];
    for (mutation, property) in mutations {
        assert_needed(mutation, SHORT, property);
    }
    let impatient = Bounds { faults: 0, tries: Some(1), ..SHORT };
    assert_needed(Mutation::TryUnderWayIsForgotten, impatient, REFUSED);
}
