//! Whether the database takes writes: a database whose disk is full, or that was made read-only, still answers reads.
//!
//! The database is tried only when somebody asks, and then once in some seconds for all callers (docs/adr/0118).

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use sqlx::Error;
use tokio::time::timeout;

use super::{connections::Db, queries};

/// How long an answer is given to all callers.
const FRESH: TimeDelta = TimeDelta::seconds(5);
/// How soon the database is tried again after a trial that contradicts the answer.
const DOUBT: TimeDelta = TimeDelta::seconds(1);
/// The time limit of a trial. A database that takes longer is slow, which shows nothing about whether it takes writes.
const LIMIT: Duration = Duration::from_secs(1);
/// The time limit of a trial that is not repeated.
const LONG_LIMIT: Duration = Duration::from_secs(10);

/// Whether the database takes writes, or why it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    Taken,
    /// The disk of Postgres is full.
    NoRoom,
    /// Postgres follows another one, or was made read-only: some hosts do that before a disk is full.
    ReadOnly,
    /// Postgres can't write its files, or may not.
    Failing,
}

impl Writes {
    /// Returns the text that `/health/ready` shows.
    pub fn as_check(self) -> &'static str {
        match self {
            Writes::Taken => "ok",
            Writes::NoRoom => "refused: the database's disk is full",
            Writes::ReadOnly => "refused: the database is read-only",
            Writes::Failing => "refused: Postgres can't write its files",
        }
    }

    /// Returns what a trial shows, or `None` if it shows nothing. Only Postgres's own statements about its disk count: a late
    /// answer, a lock or too many connections are no reason to report that writes are refused.
    fn shown_by(trial: &Result<(), Error>) -> Option<Self> {
        let Err(error) = trial else { return Some(Writes::Taken) };
        let code = error.as_database_error()?.code()?;
        match &*code {
            // disk_full
            "53100" => Some(Writes::NoRoom),
            // read_only_sql_transaction
            "25006" => Some(Writes::ReadOnly),
            // These are io_error, and insufficient_privilege, which also stands for a disk that the system made read-only.
            "58030" | "42501" => Some(Writes::Failing),
            _ => None,
        }
    }
}

/// The knowledge about writes, shared by all clones.
#[derive(Debug, Clone, Default)]
pub(super) struct WriteCheck(Arc<Mutex<Known>>);

#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// The answer for all callers; `None` before the first trial.
    told: Option<Writes>,
    /// The result of the last trial, if it differs from the answer.
    doubt: Option<Writes>,
    /// When the last trial began.
    tried_at: Option<DateTime<Utc>>,
}

impl Known {
    /// Returns whether the caller shall try now. Meanwhile, other callers get the known answer.
    fn begin(&mut self, now: DateTime<Utc>) -> bool {
        let good_for = if self.doubt.is_some() { DOUBT } else { FRESH };
        // A clock may be put back.
        if self.tried_at.is_some_and(|tried_at| (now - tried_at).abs() < good_for) {
            return false;
        }
        self.tried_at = Some(now);
        true
    }

    /// Notes the result of a trial. The answer changes after two equal trials in a row; it is returned if it has changed.
    fn note(&mut self, shown: Writes) -> Option<Writes> {
        if self.told.is_some_and(|told| told != shown) && self.doubt != Some(shown) {
            self.doubt = Some(shown);
            return None;
        }
        let before = self.told.replace(shown).unwrap_or(Writes::Taken);
        self.doubt = None;
        (before != shown).then_some(shown)
    }
}

impl WriteCheck {
    fn note(&self, shown: Writes) {
        let changed = self.0.lock().note(shown);
        match changed {
            None => {}
            Some(Writes::Taken) => tracing::info!("the database takes writes again"),
            Some(refused) => tracing::error!(why = refused.as_check(), "the database takes no writes"),
        }
    }
}

impl Db {
    /// Returns whether the database takes writes, as found within the last seconds, or as found earlier while nobody can find
    /// out, because the database is away or has too much to do.
    pub async fn writes(&self, now: DateTime<Utc>) -> Writes {
        let is_due = self.write_check.0.lock().begin(now);
        if is_due {
            let trial = timeout(LIMIT, try_to_write(self)).await.unwrap_or(Err(Error::PoolTimedOut));
            if let Some(shown) = Writes::shown_by(&trial) {
                self.write_check.note(shown);
            }
        }
        let told = self.write_check.0.lock().told;
        told.unwrap_or(Writes::Taken)
    }
}

/// Tries once, for a caller who can wait. Fails if the trial shows nothing about writes.
pub(super) async fn try_once(db: &Db) -> Result<Writes, Error> {
    let trial = timeout(LONG_LIMIT, try_to_write(db)).await.unwrap_or(Err(Error::PoolTimedOut));
    match Writes::shown_by(&trial) {
        Some(shown) => Ok(shown),
        None => trial.map(|()| Writes::Taken),
    }
}

/// Rewrites a row unchanged, and sorts on the disk. The row alone would show nothing: it has its place in its page, and the log
/// has room in a file that it keeps, while a table could no longer grow.
async fn try_to_write(db: &Db) -> Result<(), Error> {
    // This transaction makes no work for workers.
    let mut tx = db.uncounted().begin().await?;
    queries::sort_on_disk(&mut tx).await?;
    queries::take_room(&mut tx).await?;
    queries::write_again(&mut tx).await?;
    tx.commit().await
}

#[cfg(test)]
mod tests {
    use sqlx::raw_sql;
    use tokio::runtime::Handle;
    use uuid::Uuid;

    use super::*;
    use crate::db::{
        leadership::Lease,
        pool::{Breaks, Pool},
        testing::{TestDatabase, fresh_database},
    };

    const LED: &str = "insert into take_overs (term, server, release, led_at)
        values (1, '00000000-0000-0000-0000-000000000000', '0.0.0', now())";

    async fn led_database() -> TestDatabase {
        let database = fresh_database().await;
        raw_sql(LED).execute(&database.db).await.expect("a take-over");
        database
    }

    async fn shown(db: &Db) -> Option<Writes> {
        Writes::shown_by(&try_to_write(db).await)
    }

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    #[test]
    fn an_answer_changes_when_two_trials_in_a_row_agree() {
        let mut known = Known::default();
        assert_eq!(known.note(Writes::Taken), None);
        assert_eq!(known.note(Writes::NoRoom), None, "once is no news");
        assert_eq!(known.note(Writes::Taken), None);
        assert_eq!(known.note(Writes::NoRoom), None);
        assert_eq!((known.note(Writes::NoRoom), known.told), (Some(Writes::NoRoom), Some(Writes::NoRoom)));
        assert_eq!(known.note(Writes::Taken), None);
        assert_eq!(known.note(Writes::Taken), Some(Writes::Taken));
        let mut started_on_a_full_disk = Known::default();
        assert_eq!(started_on_a_full_disk.note(Writes::NoRoom), Some(Writes::NoRoom), "nothing was known");
    }

    #[test]
    fn one_caller_tries_for_all_within_seconds_and_sooner_after_a_contradiction() {
        let mut known = Known::default();
        assert!(known.begin(at(100)));
        known.note(Writes::Taken);
        assert!(!known.begin(at(104)));
        assert!(known.begin(at(105)));
        known.note(Writes::NoRoom);
        assert!(known.begin(at(106)), "in doubt");
        known.note(Writes::NoRoom);
        assert!(!known.begin(at(107)));
        assert!(known.begin(at(7)), "a clock that was put back");
    }

    #[tokio::test]
    async fn a_healthy_database_takes_writes_and_one_whose_tables_cannot_grow_does_not() {
        let database = led_database().await;
        assert_eq!(shown(&database.db).await, Some(Writes::Taken));
        let full = "create function no_room() returns trigger language plpgsql as
                'begin raise exception ''No space left on device'' using errcode = ''disk_full''; end';
            create trigger no_room before update on take_overs for each row execute function no_room()";
        raw_sql(full).execute(&database.db).await.expect("a trigger");
        assert_eq!(shown(&database.db).await, Some(Writes::NoRoom));
    }

    #[tokio::test]
    async fn a_trial_needs_room_on_the_disk() {
        let database = led_database().await;
        let mut tx = database.db.begin().await.expect("a transaction");
        // By Postgres's own limit, any file that the sort needs is too much.
        raw_sql("set local temp_file_limit = 0").execute(&mut *tx).await.expect("the tests' owner may");
        queries::sort_on_disk(&mut tx).await.expect("settings");
        let refused = queries::take_room(&mut tx).await.expect_err("no room");
        // configuration_limit_exceeded
        assert_eq!(refused.as_database_error().and_then(|error| error.code()).as_deref(), Some("53400"));
    }

    #[tokio::test]
    async fn a_read_only_database_is_not_called_full() {
        let database = led_database().await;
        let read_only =
            "do 'begin execute format(''alter database %I set default_transaction_read_only = on'',
            current_database()); end'";
        raw_sql(read_only).execute(&database.db).await.expect("the owner may");
        // The setting holds for sessions that begin afterwards.
        let (lease, runtime) = (Lease::candidate(Uuid::nil()), Handle::current());
        let connect = database.connect_options().clone();
        let pool = Pool::new(connect, 1, Duration::from_secs(60), lease.clone(), Breaks::default(), runtime);
        assert_eq!(shown(&Db::new(pool, lease)).await, Some(Writes::ReadOnly));
    }

    #[tokio::test]
    async fn a_database_that_is_busy_or_away_shows_nothing_about_writes() {
        assert_eq!(Writes::shown_by(&Err(Error::PoolTimedOut)), None);
        let database = led_database().await;
        let mut holder = database.db.begin().await.expect("a transaction");
        raw_sql("lock table take_overs").execute(&mut *holder).await.expect("a lock");
        let mut tx = database.db.begin().await.expect("a transaction");
        raw_sql("set local lock_timeout = 1").execute(&mut *tx).await.expect("a limit");
        let waited = queries::write_again(&mut tx).await;
        assert!(waited.is_err());
        assert_eq!(Writes::shown_by(&waited), None);
    }
}
