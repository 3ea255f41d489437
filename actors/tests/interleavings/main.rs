//! Runs accept against decline, expiry, cancellation, release and crash: in any order, one mechanic gets the job,
//! and every answer matches what is committed.
//!
//! One interleaving starts with fresh jobs (one, or two that compete) and two to four mechanics. They have live
//! offers in parallel rounds, or one of them is assigned, or has lost the job because nothing came from their
//! phone. Two to six commands of different people (accept, decline, revoke, assign, navigate with another app,
//! release, reassign, take back, cancel, retry, a further job, a change of availability), findings of the watch,
//! and failures (an actor panics, the process ends and another begins, the journal is away) then start at once,
//! each after its own delay: none, some milliseconds, or to the microsecond just before, at and just after the end
//! of the offers and of their grace.
//!
//! Meanwhile the journal takes any time for each answer, and fails: refused, unknown and committed, unknown and not
//! committed, unknown and committed later, conflict, a panic before the commit or after it. When all callers have
//! their answers and memory matches the journal, the test checks what must hold after every commit, each job's log
//! by itself, everybody's answer against the logs, and that no mechanic stays reserved: the next interleaving in
//! the same world needs them all.
//!
//! `ROADCALL_INTERLEAVINGS=1000000 cargo test --release -p roadcall-actors --test interleavings` plays this many;
//! `ROADCALL_INTERLEAVING=17/3 cargo test -p roadcall-actors --test interleavings` repeats the third interleaving
//! after the first of the seventeenth world, with those before it in that world.

mod act;
mod check;
mod plan;
mod play;

use std::{collections::BTreeMap, io::Write, panic::AssertUnwindSafe};

use futures_util::FutureExt;
use plan::Plan;
use play::Play;
use roadcall_actors::random::Random;

/// The number of interleavings per world, one after another.
const PER_WORLD: u64 = 50;
/// The number of interleavings unless more are requested.
const SHORT: u64 = 3_000;
/// The number from which worlds of the ordered plans are numbered.
const ORDERS: u64 = 1 << 40;

/// The answers that must have been given for the test to mean something.
const EVERYTHING: &[(&str, &str)] = &[
    ("accept", "done"),
    ("accept", "done before"),
    ("accept", "refused"),
    ("accept", "unknown"),
    ("assign", "done"),
    ("assign", "unknown"),
    ("cancel", "done"),
    ("cancel", "refused"),
    ("cancel", "unknown"),
    ("decline", "done"),
    ("decline", "refused"),
    ("en-route", "done"),
    ("hand over", "done"),
    ("open", "refused"),
    ("open", "unknown"),
    ("reassign", "done"),
    ("release", "done"),
    ("release", "refused"),
    ("release", "unknown"),
    ("revoke", "done"),
    ("silence", "done"),
    ("take-back", "done"),
    ("take-back", "refused"),
    ("take-back", "unknown"),
];

/// The sums over all interleavings.
#[derive(Debug, Default)]
struct Sum {
    played: u64,
    told_of: u64,
    told: BTreeMap<(&'static str, &'static str), u64>,
    events: BTreeMap<&'static str, u64>,
}

#[test]
fn in_any_order_one_mechanic_gets_the_job_and_every_answer_is_true() {
    be_quiet_about_planned_panics();
    let mut sum = Sum::default();
    if let Some((world, last)) = repeated() {
        return play_world(world, last + 1, &mut sum);
    }
    let count = asked().unwrap_or(SHORT);
    for world in 0..count.div_ceil(PER_WORLD) {
        play_world(world, PER_WORLD.min(count - world * PER_WORLD), &mut sum);
        sum.tell_progress(count);
    }
    // A test in which too little happens proves nothing.
    let rarest = EVERYTHING.iter().min_by_key(|what| sum.told.get(what).copied().unwrap_or_default());
    let rarest = rarest.map(|what| (*what, sum.told.get(what).copied().unwrap_or_default()));
    assert!(count < SHORT || rarest.is_some_and(|(_, count)| count >= 20), "{rarest:?} of {:?}", sum.told);
    sum.tell("random interleavings");
}

#[test]
fn in_every_order_of_arrival_one_mechanic_gets_the_job() {
    be_quiet_about_planned_panics();
    let mut sum = Sum::default();
    let plans = orders();
    let worlds = plans.chunks(PER_WORLD as usize);
    for (world, plans) in worlds.enumerate() {
        if repeated().is_none() {
            play(ORDERS + world as u64, 2, plans, &mut sum);
        }
    }
    sum.tell("orders of arrival");
}

/// Returns every order of two commands and, if many interleavings are requested, of three, with every fault.
fn orders() -> Vec<Plan> {
    match asked() {
        Some(_) => [plan::every_order(2, true), plan::every_order(3, true)].concat(),
        None => plan::every_order(2, false),
    }
}

fn asked() -> Option<u64> {
    std::env::var("ROADCALL_INTERLEAVINGS").ok().and_then(|text| text.parse().ok())
}

/// Returns the world, and the number within it, to be repeated.
fn repeated() -> Option<(u64, u64)> {
    let text = std::env::var("ROADCALL_INTERLEAVING").ok()?;
    let (world, last) = text.split_once('/')?;
    Some((world.parse().ok()?, last.parse().ok()?))
}

fn play_world(world: u64, count: u64, sum: &mut Sum) {
    if let Some(order) = world.checked_sub(ORDERS) {
        let from = order * PER_WORLD;
        return play(world, 2, &orders()[from as usize..(from + count) as usize], sum);
    }
    let dice = Random::seeded(world.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mechanics = 2 + dice.below(3) as usize;
    let plans: Vec<Plan> = (0..count).map(|_| Plan::random(&dice, mechanics)).collect();
    play(world, mechanics, &plans, sum);
}

fn play(world: u64, mechanics: usize, plans: &[Plan], sum: &mut Sum) {
    actix::System::new().block_on(play_all(world, mechanics, plans, sum));
}

async fn play_all(world: u64, mechanics: usize, plans: &[Plan], sum: &mut Sum) {
    tokio::time::pause();
    let play = Play::new(world, mechanics).await;
    for (number, plan) in plans.iter().enumerate() {
        let played = AssertUnwindSafe(play.interleave(plan)).catch_unwind().await;
        let played = played.unwrap_or_else(|_| Err("a panic".to_owned()));
        if let Err(broken) = played {
            panic!(
                "{broken}\nin {plan:?}\n  {}\n{}ROADCALL_INTERLEAVING={world}/{number} cargo test -p roadcall-actors \
                 --test interleavings repeats it",
                play.report(),
                asked().map(|count| format!("ROADCALL_INTERLEAVINGS={count} ")).unwrap_or_default(),
            );
        }
        sum.played += 1;
    }
    for (what, count) in play.told.take() {
        *sum.told.entry(what).or_default() += count;
    }
    for (kind, count) in play.events() {
        *sum.events.entry(kind).or_default() += count;
    }
    play.end().await;
}

impl Sum {
    /// Reports the progress of a long run at intervals.
    fn tell_progress(&mut self, count: u64) {
        let twentieth = self.played * 20 / count;
        if asked().is_some() && twentieth > self.told_of {
            self.told_of = twentieth;
            say(&format!("{} of {count} interleavings", self.played));
        }
    }

    fn tell(&self, what: &str) {
        if asked().is_some() {
            say(&format!("{} {what}, nothing broken\n{:?}\n{:?}", self.played, self.told, self.events));
        }
    }
}

/// Writes past the test's capture, so that a long run shows its progress.
fn say(text: &str) {
    let mut out = std::io::stderr();
    drop(writeln!(out, "{text}"));
}

/// Hides the traces of planned panics, since hundreds of thousands of them would hide an unplanned one.
fn be_quiet_about_planned_panics() {
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload_as_str() != Some("a planned panic") {
            loud(panic);
        }
    }));
}
