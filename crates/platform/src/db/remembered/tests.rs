use std::{cell::Cell, convert::Infallible};

use chrono::DateTime;
use sqlx::postgres::PgConnectOptions;
use tokio::runtime::Handle;

use super::*;
use crate::db::{Breaks, Db, Lease, pool, testing::patient_settings};

const ROW: Uuid = Uuid::from_u128(7);

/// A memory, and the row behind it.
struct Read {
    rows: RememberedRows,
    engine_db: EngineDb,
    clock: Clock,
    /// The row as Postgres has it.
    stored: Cell<u32>,
    /// How often it was read.
    reads: Cell<u32>,
}

/// Returns the database of a lead.
fn led(lead: u128) -> Db {
    let lease = Lease::candidate(Uuid::from_u128(lead));
    lease.renew(u64::MAX);
    let connect = PgConnectOptions::new();
    let pool = pool(&patient_settings(), connect, lease.clone(), Breaks::default(), Handle::current());
    Db::new(pool, lease)
}

fn memory() -> Read {
    let (engine_db, clock) = (EngineDb::from(led(1)), Clock::controlled(DateTime::UNIX_EPOCH));
    clock.stop();
    let rows = RememberedRows::new(&engine_db, &clock);
    Read { rows, engine_db, clock, stored: Cell::new(0), reads: Cell::new(0) }
}

impl Read {
    async fn get_during(&self, meanwhile: impl FnOnce()) -> u32 {
        let read = async {
            let stored = self.stored.get();
            self.reads.set(self.reads.get() + 1);
            meanwhile();
            Ok::<_, Infallible>(Some(stored))
        };
        let Ok(row) = self.rows.get_or_read(ROW, read).await;
        *row.expect("a row")
    }

    async fn get(&self) -> u32 {
        self.get_during(|| ()).await
    }

    /// Returns the row, and whether it had to be read.
    async fn look(&self) -> (u32, bool) {
        let before = self.reads.get();
        (self.get().await, self.reads.get() > before)
    }
}

#[tokio::test]
async fn a_row_is_read_once_until_it_changes_or_its_time_is_over() {
    let memory = memory();
    assert_eq!(memory.look().await, (0, true));
    memory.clock.advance(REMEMBERED_FOR - Duration::from_millis(1));
    assert_eq!(memory.look().await, (0, false));
    memory.clock.advance(Duration::from_millis(1));
    assert_eq!(memory.look().await, (0, true));
    memory.stored.set(1);
    memory.rows.forget(ROW);
    assert_eq!(memory.look().await, (1, true));
    memory.rows.forget_all();
    assert_eq!(memory.look().await, (1, true));
    memory.rows.forget_if(ROW, |row: &u32| *row < 1);
    assert_eq!(memory.look().await, (1, false));
    memory.rows.forget_if(ROW, |row: &u32| *row < 2);
    assert_eq!(memory.look().await, (1, true));
}

#[tokio::test]
async fn a_row_that_may_have_changed_while_it_was_read_is_not_remembered() {
    let memory = memory();
    let forgets: [fn(&RememberedRows); 4] = [
        |rows| rows.forget(ROW),
        RememberedRows::forget_all,
        |rows| rows.begin(ROW).end::<u32>(None),
        |rows| rows.suspect(ROW),
    ];
    for forget in forgets {
        memory.get_during(|| forget(&memory.rows)).await;
        assert!(!memory.rows.has(ROW));
    }
}

#[tokio::test]
async fn a_row_is_read_while_its_change_is_under_way_and_then_known_as_the_change_left_it() {
    let memory = memory();
    memory.get().await;
    let change = memory.rows.begin(ROW);
    for stored in 0..2 {
        memory.stored.set(stored);
        assert_eq!(memory.look().await, (stored, true), "committed, perhaps");
    }
    change.end(Some(1_u32));
    assert_eq!(memory.look().await, (1, false));
}

#[tokio::test]
async fn a_change_leaves_nothing_in_memory_if_another_one_was_near() {
    let memory = memory();
    let (one, other) = (memory.rows.begin(ROW), memory.rows.begin(ROW));
    other.end(Some(2_u32));
    assert!(!memory.rows.has(ROW), "the first may come after it");
    one.end(Some(1_u32));
    assert!(!memory.rows.has(ROW), "the other may have come after it");
}

#[tokio::test]
async fn a_row_is_read_for_half_a_minute_after_a_change_of_unknown_outcome() {
    let memory = memory();
    let unknown: [fn(&RememberedRows); 2] = [|rows| drop(rows.begin(ROW)), |rows| rows.suspect(ROW)];
    for change in unknown {
        change(&memory.rows);
        memory.rows.begin(ROW).end(Some(1_u32));
        for _ in 0..30 {
            memory.get().await;
            assert!(!memory.rows.has(ROW));
            memory.clock.advance(Duration::from_secs(1));
        }
        memory.get().await;
        assert!(memory.rows.has(ROW));
    }
}

#[tokio::test]
async fn only_the_leader_remembers_rows_and_only_those_that_it_read_in_this_lead() {
    let memory = memory();
    memory.get().await;
    memory.engine_db.replace(led(2));
    assert_eq!(memory.look().await, (0, true), "an earlier lead");
    assert!(memory.rows.is_in_use());
    memory.engine_db.lease().fail();
    assert_eq!(memory.look().await, (0, true), "another server leads");
    assert!(!memory.rows.has(ROW) && !memory.rows.is_in_use());
}

#[tokio::test]
async fn a_memory_that_is_full_goes_on_with_new_rows() {
    let memory = memory();
    for number in 0..10_000 {
        let id = Uuid::from_u128(number);
        let Ok(_) = memory.rows.get_or_read(id, async { Ok::<_, Infallible>(Some(1_u32)) }).await;
        assert!(memory.rows.has(id));
    }
    let count: usize = memory.rows.shards.iter().map(|shard| shard.lock().rows.len()).sum();
    assert!(count <= SHARDS * MAX_ROWS, "{count}");
}
