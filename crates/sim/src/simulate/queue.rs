//! The queue of due steps: one for the whole city, in order of time, then of planning.

use std::{cmp::Reverse, collections::BinaryHeap};

use roadcall_actors::ids::OfferId;

use super::travel::Millis;

/// An action of a person or of the run. Numbers are places in the run's lists of customers and of mechanics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The customer creates their job.
    Call(usize),
    /// No mechanic accepted within the customer's patience.
    GiveUpSearch(usize),
    /// No mechanic arrived within the customer's patience.
    GiveUpWaiting(usize),
    /// The customer reacts to `no_mechanic_found`.
    Reconsider(usize),
    ShiftBegins(usize),
    ShiftEnds(usize),
    /// The break after a job that was given back ends.
    BreakEnds(usize),
    /// The phone sends its position, unless it was planned anew since.
    Ping(usize),
    Answer(usize, OfferId),
    /// The next act on the mechanic's job, unless their n-th engagement is over.
    Work(usize, u32),
    /// The phone loses its connection for the n-th time, and has it again.
    LoseConnection(usize, u32),
    Reconnect(usize),
    /// The phone asks for its state, as something may have been lost.
    Refresh(usize),
    Crash,
    /// The run looks at the prices of mechanics' time, for the roster.
    LookAtPrices,
    /// The run looks at the mechanics who are free beside held jobs.
    LookAtHolds,
    /// The service corrects its estimates by the trips that ended.
    LearnTrips,
}

/// Sorted by time, then by ordinal, of which each is given once.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Planned {
    at: Millis,
    ordinal: u64,
    step: Step,
}

#[derive(Debug, Default)]
pub struct Queue {
    heap: BinaryHeap<Reverse<Planned>>,
    planned: u64,
    /// The number of calls to come. Everything else that matters belongs to an open job.
    calls: usize,
}

impl Queue {
    pub fn plan(&mut self, at: Millis, step: Step) {
        self.planned += 1;
        self.calls += usize::from(matches!(step, Step::Call(_)));
        self.heap.push(Reverse(Planned { at, ordinal: self.planned, step }));
    }

    pub fn next_at(&self) -> Option<Millis> {
        self.heap.peek().map(|Reverse(planned)| planned.at)
    }

    /// Returns the next step that is due at `now`.
    pub fn due(&mut self, now: Millis) -> Option<Step> {
        self.heap.peek().filter(|Reverse(planned)| planned.at <= now)?;
        let Reverse(planned) = self.heap.pop()?;
        self.calls -= usize::from(matches!(planned.step, Step::Call(_)));
        Some(planned.step)
    }

    /// Returns the mechanic of the next step, if it is due and a ping.
    pub fn due_ping(&mut self, now: Millis) -> Option<usize> {
        let Reverse(planned) = self.heap.peek()?;
        let Step::Ping(mechanic) = planned.step else { return None };
        (planned.at <= now).then(|| {
            self.heap.pop();
            mechanic
        })
    }

    /// Returns whether every call was made.
    pub fn is_without_calls(&self) -> bool {
        self.calls == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_taken_by_time_and_then_in_the_order_of_planning() {
        let mut queue = Queue::default();
        queue.plan(20, Step::Call(1));
        queue.plan(10, Step::Ping(2));
        queue.plan(20, Step::Call(3));
        assert_eq!((queue.next_at(), queue.is_without_calls()), (Some(10), false));
        assert_eq!((queue.due(9), queue.due_ping(10)), (None, Some(2)));
        assert_eq!((queue.due(20), queue.due(20)), (Some(Step::Call(1)), Some(Step::Call(3))));
        assert!(queue.is_without_calls() && queue.due(99).is_none());
    }
}
