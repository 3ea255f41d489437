//! The faults of commits: planned one by one, or at seeded rates.

use std::{collections::VecDeque, time::Duration};

use crate::random::Random;

/// The number of commits to which fault rates refer.
pub const RATED_COMMITS: u32 = 10_000;

/// The fault of one commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The commit certainly fails.
    Failed,
    /// The commit succeeds, but the answer is lost.
    UnknownCommitted,
    /// The commit fails, but the answer is "unknown".
    UnknownNotCommitted,
    /// The commit succeeds only after this long, although the answer "unknown" comes at once.
    UnknownCommittedLate(Duration),
    /// The commit fails as if another writer had changed the row.
    Conflict,
    /// The commit panics, and so does the actor that waits for it.
    Panic,
    /// The commit succeeds, and then it panics: the actor dies before it can inform anybody.
    PanicCommitted,
}

/// The faults of the next commits.
#[derive(Debug, Default)]
pub(super) struct Faults {
    planned: VecDeque<Fault>,
    rates: Option<(Random, Vec<(Fault, u32)>)>,
}

impl Faults {
    pub(super) fn plan(&mut self, faults: impl IntoIterator<Item = Fault>) {
        self.planned.extend(faults);
    }

    pub(super) fn rate(&mut self, random: Random, rates: Vec<(Fault, u32)>) {
        self.rates = Some((random, rates));
    }

    /// Returns the next fault. Planned faults come first; while any are left, none is drawn at random.
    pub(super) fn next(&mut self) -> Option<Fault> {
        if let Some(fault) = self.planned.pop_front() {
            return Some(fault);
        }
        let (random, rates) = self.rates.as_ref()?;
        let mut drawn = random.below(RATED_COMMITS);
        for (fault, rate) in rates {
            if drawn < *rate {
                return Some(*fault);
            }
            drawn -= rate;
        }
        None
    }
}

/// The time that answers take.
#[derive(Debug, Default)]
pub(super) enum Latency {
    #[default]
    None,
    Always(Duration),
    /// Whole milliseconds below the bound, drawn for each answer.
    Below(Random, Duration),
}

impl Latency {
    pub(super) fn next(&self) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Always(latency) => *latency,
            Self::Below(random, bound) => {
                let bound_ms = u32::try_from(bound.as_millis()).unwrap_or(u32::MAX);
                Duration::from_millis(u64::from(random.below(bound_ms)))
            }
        }
    }
}
