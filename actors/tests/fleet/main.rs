//! Gateways and engines in one world that is against them: messages are late, doubled or lost, leaders die or stand still and come
//! back believing, commits fail. Whatever people are told must be true of what was committed.
//!
//! `ROADCALL_SEEDS=1000000 cargo test -p roadcall-actors --test fleet --release` tries more seeds; `ROADCALL_SEED=17` repeats one.

mod bus;
// Shared with the interleavings, which also check offers that expire.
#[allow(dead_code)]
#[path = "../interleavings/check.rs"]
mod check;
mod node;
mod play;
mod watcher;

use std::{collections::BTreeMap, panic::AssertUnwindSafe};

use futures_util::FutureExt;
use play::{Play, Tally};

const SEEDS: u64 = 60;

#[test]
fn people_are_told_the_truth_whatever_happens_between_them_and_the_engine() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("ROADCALL_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("ROADCALL_SEEDS").unwrap_or(SEEDS),
    };
    let is_whole = seeds.end - seeds.start >= SEEDS;
    let mut tally = Tally::default();
    for seed in seeds {
        actix::System::new().block_on(run(seed, &mut tally));
    }
    println!("{tally:?}");
    let rarest = tally.0.iter().min_by_key(|(_, count)| **count);
    let kinds: BTreeMap<_, _> = Tally::EXPECTED.iter().map(|kind| (*kind, tally.0.get(kind))).collect();
    // A world in which too little happens proves nothing.
    assert!(
        !is_whole || kinds.values().all(|count| count.is_some_and(|count| *count >= 5)),
        "{rarest:?} of {kinds:?}"
    );
}

async fn run(seed: u64, tally: &mut Tally) {
    tokio::time::pause();
    let play = Play::new(seed);
    let outcome = AssertUnwindSafe(play.play()).catch_unwind().await;
    let broken = match outcome {
        Ok(Ok(())) => None,
        Ok(Err(why)) => Some(why),
        Err(_) => Some("it panicked".to_owned()),
    };
    if let Some(why) = broken {
        panic!("seed {seed} broke (ROADCALL_SEED={seed} repeats it): {why}\n  {}", play.report());
    }
    play.add_to(tally);
    play.end().await;
}
