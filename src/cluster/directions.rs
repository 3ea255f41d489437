//! The leader that Postgres names, and the subjects of messages to it.

use std::sync::{Arc, PoisonError, RwLock};

use super::{
    nodes::Nodes,
    subject::{Leader, ToLeader},
};

/// The leader that Postgres last named. All clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Directions {
    leader: Arc<RwLock<Option<Leader>>>,
    nodes: Nodes,
}

impl Directions {
    pub(super) fn new(nodes: &Nodes) -> Self {
        Self { leader: Arc::default(), nodes: nodes.clone() }
    }

    /// Returns the server that led when Postgres was last asked; `None` if none is known.
    pub(super) fn leader(&self) -> Option<Leader> {
        *self.leader.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the leader. Returns whether the leader or its term has changed.
    pub(super) fn lead_to(&self, leader: Option<Leader>) -> bool {
        let mut known = self.leader.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *known, leader) != leader
    }

    /// Returns the leader's subject; `None` if no leader is known.
    pub(super) fn subject(&self, what: ToLeader) -> Option<String> {
        self.leader().map(|leader| self.subject_of(leader, what))
    }

    /// Returns the subject of any leader, for instance the last one.
    pub(super) fn subject_of(&self, leader: Leader, what: ToLeader) -> String {
        match self.nodes.is_of_release_0_1(leader.server) {
            true => what.subject_of_term(leader.term),
            false => what.subject(leader),
        }
    }
}
