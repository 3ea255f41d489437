//! The threads that actors run on.

use std::thread::{self, ThreadId};

use actix::{Arbiter, ArbiterHandle};

/// The choice of threads for actors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Jobs, mechanics and the dispatcher each run on a thread of their own: a long match delays no position.
    OwnThreads,
    /// All run on the caller's thread, for tests under paused time.
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

/// A thread that reads mechanics' sockets. The actor of a mechanic moves to their socket's thread, so that a
/// position does not have to wake another thread.
#[derive(Debug, Clone)]
pub(crate) struct SocketThread {
    thread: ThreadId,
    arbiter: ArbiterHandle,
}

impl SocketThread {
    /// Returns the caller's thread, or `None` if no actor can run on it.
    pub(crate) fn current() -> Option<Self> {
        Some(Self { thread: thread::current().id(), arbiter: Arbiter::try_current()? })
    }

    pub(crate) fn is_current(&self) -> bool {
        self.thread == thread::current().id()
    }

    pub(crate) fn arbiter(&self) -> &ArbiterHandle {
        &self.arbiter
    }
}
