//! Abandons one operation after another at one boundary after another, while others write; then checks the result.

use std::{env, panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use roadcall_actors::random::Random;

use super::{
    giving_up::{End, Request, Until},
    promises::Waiting,
    sockets::Command,
};
use crate::support::{TestApp, wire::Wire};

/// The time that a message takes between the service and Postgres, each way.
const DELAY: Duration = Duration::from_millis(3);
/// More messages than any request sends.
const MAX_MESSAGES: u64 = 100;
/// In a sample, each operation is played at one of this many boundaries, and at the beginning of a transaction.
const SAMPLED_BOUNDARIES: u32 = 10;
/// The number of failures of a kind that are shown.
const SHOWN: usize = 8;
const SEED: u64 = 1;

/// The amount that is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Played {
    /// Every operation, at every boundary.
    All,
    /// Some operations at some boundaries, chosen by the seed.
    Sample(u64),
}

/// An operation that is about to be requested.
pub enum Ready {
    Http(Request),
    Frame(Box<Command>),
}

pub struct Storm<'a> {
    how: &'static str,
    app: &'a TestApp,
    wire: &'a Wire,
    played: Played,
    dice: Random,
    waiting: Waiting,
    operations: u64,
    resets: u64,
    /// The number of operations that were answered before they were abandoned, at one boundary at least.
    walked: u64,
    failed: Vec<String>,
}

impl Played {
    pub fn as_asked() -> Self {
        match env::var("ROADCALL_RESETS").as_deref() {
            Ok("all") => Self::All,
            Ok(seed) => Self::Sample(seed.parse().expect("ROADCALL_RESETS is `all` or a number")),
            Err(_) => Self::Sample(SEED),
        }
    }
}

impl<'a> Storm<'a> {
    pub async fn new(how: &'static str, app: &'a TestApp, wire: &'a Wire) -> Self {
        let played = Played::as_asked();
        let seed = if let Played::Sample(seed) = played { seed } else { SEED };
        let waiting = Waiting::new(app).await;
        Self {
            how,
            app,
            wire,
            played,
            dice: Random::seeded(seed),
            waiting,
            operations: 0,
            resets: 0,
            walked: 0,
            failed: Vec::new(),
        }
    }

    pub fn plays_all(&self) -> bool {
        self.played == Played::All
    }

    /// Returns all items, or this many in a sample.
    pub fn choose<T>(&self, from: impl Iterator<Item = T>, many: usize) -> Vec<T> {
        let mut left: Vec<T> = from.collect();
        if self.plays_all() {
            return left;
        }
        let mut chosen = Vec::new();
        while chosen.len() < many && !left.is_empty() {
            let index = self.dice.below(u32::try_from(left.len()).expect("few"));
            chosen.push(left.swap_remove(index as usize));
        }
        chosen
    }

    fn boundaries(&self) -> Vec<Until> {
        if self.plays_all() {
            return (1..=MAX_MESSAGES).map(Until::Messages).collect();
        }
        vec![Until::Messages(1 + u64::from(self.dice.below(SAMPLED_BOUNDARIES))), Until::Begin]
    }

    /// Creates something that the next step needs.
    pub async fn prepare<T>(&mut self, what: &str, happening: impl Future<Output = T>) -> Option<T> {
        self.wire.delay(Duration::ZERO);
        caught(&mut self.failed, what, happening).await
    }

    /// Abandons the same operation after one message, after two, until the response comes first.
    pub async fn walk(&mut self, what: &str, mut ready: impl AsyncFnMut() -> Ready) {
        self.operations += 1;
        let Self { app, wire, resets, .. } = *self;
        let mut is_answered = false;
        for until in self.boundaries() {
            let Some(ready) = self.prepare(&format!("preparing {what}"), ready()).await else { return };
            wire.at_rest().await;
            wire.delay(DELAY);
            let end = async {
                match ready {
                    Ready::Http(request) => request.give_up(app.address, wire.watch(), until).await,
                    Ready::Frame(command) => command.give_up(wire, until).await,
                }
            };
            let end = caught(&mut self.failed, what, end).await;
            caught(&mut self.failed, "those who wait", self.waiting.write(app)).await;
            match end {
                Some(End::Reset) => self.resets += 1,
                Some(End::Answered(status, text)) => {
                    if status >= 500 {
                        self.failed.push(format!("{what}: {status} {text}"));
                    }
                    is_answered = true;
                    if self.plays_all() {
                        break;
                    }
                }
                None => return,
            }
        }
        self.walked += u64::from(is_answered);
        if self.plays_all() {
            println!("{what}: {} boundaries", self.resets - resets);
        }
    }

    /// Checks the promises again, takes a job through its whole life, and prints the figures.
    pub async fn judge(mut self) {
        self.wire.delay(Duration::ZERO);
        self.waiting.look_again().await;
        let life = async {
            let scene = self.app.accepted_at((11.0, 75.0)).await;
            scene.serve().await;
            scene.pay_cash().await;
        };
        caught(&mut self.failed, "the life of a job", life).await;
        let (seen, figures) = (self.wire.traffic(), &self.waiting.figures);
        let failed: Vec<&String> = self.failed.iter().chain(&figures.failed).collect();
        let shown = format!(
            "{}, {:?}: {} operations ({} answered in the end), {} requests reset, {} messages; {} promises checked, \
             {} lost; {} connections left in a transaction, {} foreign statements; {} 5xx and other failures, {} refused",
            self.how,
            self.played,
            self.operations,
            self.walked,
            self.resets,
            seen.messages,
            figures.promised,
            figures.lost.len(),
            seen.left_open,
            seen.foreign,
            failed.len(),
            figures.refused.len(),
        );
        println!("{shown}");
        let some = |all: &[String]| all.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n");
        let failed: Vec<String> = failed.into_iter().cloned().collect();
        let is_fine = failed.is_empty()
            && figures.lost.is_empty()
            && figures.refused.is_empty()
            && (seen.left_open, seen.foreign) == (0, 0);
        assert!(
            is_fine,
            "{shown}\nfailed:\n{}\nlost:\n{}\nrefused:\n{}\nforeign:\n{}",
            some(&failed),
            some(&figures.lost),
            some(&figures.refused),
            some(&seen.examples),
        );
        assert!(
            self.resets >= self.operations && figures.promised > self.resets,
            "too little happened: {shown}"
        );
    }
}

/// Counts a failed expectation without ending the rest: the figures of the whole run say more.
async fn caught<T>(failed: &mut Vec<String>, what: &str, happening: impl Future<Output = T>) -> Option<T> {
    match AssertUnwindSafe(happening).catch_unwind().await {
        Ok(value) => Some(value),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
            failed.push(format!("{what}: {text}"));
            None
        }
    }
}
