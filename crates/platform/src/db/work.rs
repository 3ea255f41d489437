//! The kinds of work that requests ask for, and each kind's share of the database.

use std::time::Duration;

use crate::settings::DbSettings;

/// The kind of work that a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Work that moves a job on: answers to offers, transitions, payments.
    Transition,
    /// A mechanic's positions.
    Position,
    /// A read of one thing, or any other change.
    Single,
    /// A list, a search or an export.
    List,
}

impl Work {
    pub const ALL: [Self; 4] = [Self::Transition, Self::Position, Self::Single, Self::List];

    /// Returns the kind's name in metrics and in the log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Transition => "transition",
            Self::Position => "position",
            Self::Single => "single",
            Self::List => "list",
        }
    }
}

/// How much of one kind of work is done at once, and how much of it may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) places: usize,
    pub(super) most_waiting: usize,
    /// How long a request waits for its first place.
    pub(super) patience: Duration,
}

impl Share {
    pub(super) fn of(work: Work, settings: &DbSettings) -> Self {
        let connections = settings.max_connections as usize;
        let (most_waiting, patience) =
            (settings.max_waiting, Duration::from_millis(settings.acquire_timeout_ms));
        match work {
            Work::Transition => Self { places: at_least_one(connections * 3 / 4), most_waiting, patience },
            // Positions need no connection of their own: the places limit how many wait for mechanics' actors.
            Work::Position => Self { places: most_waiting, most_waiting, patience },
            Work::Single => Self {
                places: at_least_one(connections / 2),
                most_waiting: at_least_one(most_waiting / 2),
                patience: patience / 2,
            },
            Work::List => Self {
                places: at_least_one(connections / 4),
                most_waiting: at_least_one(most_waiting / 8),
                patience: patience / 4,
            },
        }
    }
}

fn at_least_one(number: usize) -> usize {
    number.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::testing::patient_settings;

    fn share(work: Work, max_connections: u32, max_waiting: usize) -> Share {
        let limits = DbSettings { max_connections, max_waiting, ..patient_settings() };
        Share::of(work, &limits)
    }

    #[test]
    fn lists_leave_most_connections_to_others_and_give_up_first() {
        let [transition, _, single, list] = Work::ALL.map(|work| share(work, 20, 256));
        assert_eq!((transition.places, single.places, list.places), (15, 10, 5));
        assert_eq!((transition.most_waiting, single.most_waiting, list.most_waiting), (256, 128, 32));
        assert!(list.patience < single.patience && single.patience < transition.patience);
    }

    #[test]
    fn every_kind_of_work_has_a_place_however_small_the_pool() {
        for work in Work::ALL {
            let share = share(work, 2, 1);
            assert!(share.places > 0 && share.most_waiting > 0, "{work:?}");
        }
    }
}
