//! The threads that actors run on.

use actix::{Arbiter, ArbiterHandle};

/// Where actors run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Jobs, mechanics and the dispatcher each on a thread of their own: a long match delays no position.
    OwnThreads,
    /// All on the caller's thread, for tests under paused time.
    Here,
}

#[derive(Debug)]
pub(crate) struct Arbiters {
    pub jobs: ArbiterHandle,
    pub mechanics: ArbiterHandle,
    pub dispatcher: ArbiterHandle,
    /// Whether the threads were made for the engine.
    pub are_own: bool,
}

impl Arbiters {
    pub(crate) fn new(placement: Placement) -> Self {
        let arbiter = || match placement {
            Placement::Here => Arbiter::current(),
            Placement::OwnThreads => Arbiter::new().handle(),
        };
        let are_own = placement == Placement::OwnThreads;
        Self { jobs: arbiter(), mechanics: arbiter(), dispatcher: arbiter(), are_own }
    }
}
