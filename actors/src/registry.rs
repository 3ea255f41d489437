//! The running actors by id. Generic, so that it knows no kind of actor.

use std::{
    collections::hash_map::Entry,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

use actix::{Actor, Addr};
use rustc_hash::FxHashMap;

/// Addresses by id. Lists of them are in the order of ids, so that a seeded run can be repeated.
#[derive(Debug)]
pub(crate) struct Registry<Id, A: Actor>(Mutex<FxHashMap<Id, Addr<A>>>);

impl<Id, A: Actor> Default for Registry<Id, A> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<Id: Ord + Copy + Hash, A: Actor> Registry<Id, A> {
    /// Passes the address of the actor with this id to `with`, after starting one if none is running.
    ///
    /// Senders borrow the registered address: each clone of an address gets a mailbox slot of its own, past the capacity.
    pub(crate) fn with<T>(
        &self,
        id: Id,
        start: impl FnOnce() -> Addr<A>,
        with: impl FnOnce(&Addr<A>) -> T,
    ) -> T {
        match locked(&self.0).entry(id) {
            Entry::Occupied(entry) if entry.get().connected() => with(entry.get()),
            Entry::Occupied(mut entry) => {
                entry.insert(start());
                with(entry.get())
            }
            Entry::Vacant(entry) => with(entry.insert(start())),
        }
    }

    /// Returns whether an actor with this id runs.
    pub(crate) fn is_running(&self, id: Id) -> bool {
        locked(&self.0).get(&id).is_some_and(Addr::connected)
    }

    /// Returns whether messages to this id go to exactly this actor, not to one that has replaced it.
    pub(crate) fn has(&self, id: Id, addr: &Addr<A>) -> bool {
        locked(&self.0).get(&id) == Some(addr)
    }

    /// Removes exactly this actor, not one that has replaced it.
    pub(crate) fn remove(&self, id: Id, addr: &Addr<A>) {
        let mut actors = locked(&self.0);
        if actors.get(&id) == Some(addr) {
            actors.remove(&id);
        }
    }

    /// Directs messages to this id to the successor from now on, unless another one has replaced the actor already.
    pub(crate) fn replace(&self, id: Id, addr: &Addr<A>, successor: impl FnOnce() -> Addr<A>) {
        if let Some(registered) = locked(&self.0).get_mut(&id).filter(|registered| *registered == addr) {
            *registered = successor();
        }
    }

    pub(crate) fn all(&self) -> Vec<(Id, Addr<A>)> {
        let mut all: Vec<_> = locked(&self.0).iter().map(|(id, addr)| (*id, addr.clone())).collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }

    pub(crate) fn ids(&self) -> Vec<Id> {
        let mut ids: Vec<_> = locked(&self.0).keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    pub(crate) fn count(&self) -> usize {
        locked(&self.0).len()
    }

    /// Returns the actors that ended without being removed: they panicked.
    pub(crate) fn dead(&self) -> Vec<Id> {
        // The supervisor asks every second, so no address is cloned for it.
        let registered = locked(&self.0);
        let dead = registered.iter().filter(|(_, addr)| !addr.connected());
        let mut dead: Vec<_> = dead.map(|(id, _)| *id).collect();
        dead.sort_unstable();
        dead
    }
}

/// Locks, even after a panic elsewhere: what these mutexes guard is consistent between any two statements.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
