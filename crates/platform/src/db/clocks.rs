//! How far clocks are ahead of the database's, which all servers of a cluster follow.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_base::clock::Clock;

use super::{Database, Db, DbError, queries};

impl Database {
    /// Sets the clock by the database's, before anything is recorded with it.
    pub async fn set_clock(&self, clock: &Clock) -> Result<(), DbError> {
        follow_clock(&self.db, clock).await.map(drop).map_err(DbError::Unreachable)
    }
}

/// Compares a clock with the database's, which it follows. Returns how far the machine's own clock is ahead.
pub async fn follow_clock(db: &Db, clock: &Clock) -> sqlx::Result<TimeDelta> {
    // The connection comes first, since getting it may take a while.
    let mut connection = db.acquire().await?;
    let (before, machine_before) = (clock.now(), clock.machine_now());
    let theirs = queries::clock(&mut *connection).await?;
    let (after, machine_after) = (clock.now(), clock.machine_now());
    clock.correct(ahead(before, theirs, after));
    Ok(ahead(machine_before, theirs, machine_after))
}

/// Returns how far, at least, a clock is ahead of another that showed `theirs` at some moment between `before` and `after`.
pub(super) fn ahead(before: DateTime<Utc>, theirs: DateTime<Utc>, after: DateTime<Utc>) -> TimeDelta {
    if theirs < before {
        before - theirs
    } else if theirs > after {
        after - theirs
    } else {
        TimeDelta::zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_answer_is_not_a_difference_of_clocks() {
        let at = |ms| DateTime::UNIX_EPOCH + TimeDelta::milliseconds(ms);
        let ahead = |before, theirs, after| ahead(at(before), at(theirs), at(after)).num_milliseconds();
        assert_eq!(ahead(0, 900, 2_000), 0);
        assert_eq!(ahead(10_000, 4_000, 10_005), 6_000);
        assert_eq!(ahead(10_000, 40_000, 10_005), -29_995);
    }
}
