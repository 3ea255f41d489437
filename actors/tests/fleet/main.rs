//! Tests gateways and engines in a hostile world: messages are late, doubled or lost, leaders die or freeze and
//! come back believing that they lead, commits fail. Every answer must be true of what was committed.
//!
//! `ROADCALL_SEEDS=1000000 cargo test -p roadcall-actors --test fleet --release` tries more seeds; `ROADCALL_SEED=17` repeats one.

mod bus;
// Shared with the interleavings, which also check offers that expire.
#[allow(dead_code)]
#[path = "../interleavings/check.rs"]
mod check;
mod node;
mod play;
#[path = "../steps/mod.rs"]
mod steps;
mod watcher;

use std::{
    collections::BTreeMap,
    ops::Range,
    panic::{self, AssertUnwindSafe},
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use futures_util::FutureExt;
use play::{Play, Tally};

const SEEDS: u64 = 60;

#[test]
fn every_answer_is_true_whatever_happens_between_callers_and_the_engine() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("ROADCALL_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("ROADCALL_SEEDS").unwrap_or(SEEDS),
    };
    let is_whole = seeds.end - seeds.start >= SEEDS;
    let tally = try_all(seeds);
    println!("{tally:?}");
    let rarest = tally.0.iter().min_by_key(|(_, count)| **count);
    let kinds: BTreeMap<_, _> = Tally::EXPECTED.iter().map(|kind| (*kind, tally.0.get(kind))).collect();
    // A world in which too little happens proves nothing.
    assert!(
        !is_whole || kinds.values().all(|count| count.is_some_and(|count| *count >= 5)),
        "{rarest:?} of {kinds:?}"
    );
}

/// Tries all seeds on every core, until one breaks.
fn try_all(seeds: Range<u64>) -> Tally {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return Ok(tally);
            }
            if let Err(why) = actix::System::new().block_on(run(seed, &mut tally)) {
                next.store(seeds.end, Ordering::Relaxed);
                return Err(why);
            }
        }
    };
    let mut tally = Tally::default();
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            match worker.join() {
                Ok(Ok(tried)) => tally.add(&tried),
                Ok(Err(why)) => panic!("{why}"),
                Err(panicked) => panic::resume_unwind(panicked),
            }
        }
    });
    tally
}

async fn run(seed: u64, tally: &mut Tally) -> Result<(), String> {
    tokio::time::pause();
    let play = Play::new(seed);
    let outcome = AssertUnwindSafe(play.play()).catch_unwind().await;
    let broken = match outcome {
        Ok(Ok(())) => None,
        Ok(Err(why)) => Some(why),
        Err(_) => Some("it panicked".to_owned()),
    };
    if let Some(why) = broken {
        return Err(format!(
            "seed {seed} broke (ROADCALL_SEED={seed} repeats it): {why}\n  {}",
            play.report()
        ));
    }
    play.add_to(tally);
    play.end().await;
    Ok(())
}
