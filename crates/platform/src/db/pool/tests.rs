use std::time::Duration;

use sqlx::{Error, Executor, query_scalar, raw_sql};
use tokio::{runtime::Handle, time::timeout};
use uuid::Uuid;

use super::{Breaks, Pool, Purpose};
use crate::db::{
    Db,
    connections::Lent,
    leadership::Lease,
    testing::{TestDatabase, fresh_database},
};

/// The limit of waits that take milliseconds.
const LIMIT: Duration = Duration::from_secs(60);

fn of(database: &TestDatabase, most: u32, patience: Duration) -> (Pool, Db) {
    let lease = Lease::candidate(Uuid::nil());
    let connect = database.connect_options().clone();
    let pool = Pool::new(connect, most, patience, lease.clone(), Breaks::default(), Handle::current());
    (pool.clone(), Db::new(pool, lease))
}

async fn backend(db: &Db) -> Result<i32, Error> {
    query_scalar("select pg_backend_pid()").fetch_one(db).await
}

#[tokio::test]
async fn a_connection_whose_statement_was_answered_is_lent_on_as_it_is() {
    let database = fresh_database().await;
    let (pool, db) = of(&database, 2, LIMIT);
    let first = backend(&db).await.unwrap();
    assert_eq!(pool.connections(), (1, 1), "back at once");
    db.execute("select no_such_column").await.unwrap_err();
    db.begin().await.unwrap().commit().await.unwrap();
    assert_eq!(pool.connections(), (1, 1), "an answer is an answer, and a commit is an end");
    assert_eq!(backend(&db).await.unwrap(), first);
    pool.suspect_idle();
    assert!(pool.try_take(Purpose::Any).is_some_and(|(_, needs_ping)| needs_ping), "another one broke");
}

#[tokio::test]
async fn writes_for_several_callers_and_other_statements_prefer_connections_of_their_own() {
    async fn returned(mut lent: Lent) -> i32 {
        let pid = query_scalar("select pg_backend_pid()").fetch_one(&mut *lent).await;
        lent.ended(pid).unwrap()
    }
    let database = fresh_database().await;
    let (pool, db) = of(&database, 2, LIMIT);
    let (writer, other) = (db.acquire_to_write().await.unwrap(), db.acquire().await.unwrap());
    let (other, writer) = (returned(other).await, returned(writer).await);
    assert_eq!(backend(&db).await.unwrap(), other, "although the writer returned last");
    assert_eq!(
        returned(db.acquire_to_write().await.unwrap()).await,
        writer,
        "although the other one returned last"
    );
    let held = db.begin().await.unwrap();
    assert_eq!(backend(&db).await.unwrap(), writer, "no other one is idle");
    held.commit().await.unwrap();
    assert_eq!(pool.connections(), (2, 2));
}

#[tokio::test]
async fn a_dropped_transaction_is_rolled_back_before_its_connection_is_lent_again() {
    let database = fresh_database().await;
    let (pool, db) = of(&database, 1, LIMIT);
    let mut dropped = db.begin().await.unwrap();
    dropped.execute("create table left_behind ()").await.unwrap();
    drop(dropped);
    let exists = query_scalar::<_, bool>("select to_regclass('left_behind') is not null").fetch_one(&db);
    assert!(!timeout(LIMIT, exists).await.unwrap().unwrap());
    assert_eq!(pool.connections(), (1, 1));
}

#[tokio::test]
async fn an_abandoned_answer_is_read_by_nobody_else() {
    let database = fresh_database().await;
    let (_, db) = of(&database, 2, LIMIT);
    backend(&db).await.unwrap();
    let slow = timeout(Duration::from_millis(50), db.execute("select pg_sleep(1)"));
    slow.await.unwrap_err();
    for number in 0..4 {
        assert_eq!(query_scalar::<_, i32>("select $1").bind(number).fetch_one(&db).await.unwrap(), number);
    }
}

#[tokio::test]
async fn connections_ended_by_the_server_are_noticed_and_replaced() {
    let database = fresh_database().await;
    let (pool, db) = of(&database, 3, LIMIT);
    let three = [db.begin().await.unwrap(), db.begin().await.unwrap(), db.begin().await.unwrap()];
    for one in three {
        one.commit().await.unwrap();
    }
    let end = "select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()";
    database.db.execute(raw_sql(end)).await.unwrap();
    db.begin().await.expect("nothing has happened yet").commit().await.unwrap();
    // The other connections were suspected, asked, and found broken.
    assert!(backend(&db).await.is_ok() && backend(&db).await.is_ok());
    database.db.execute(raw_sql(end)).await.unwrap();
    // A connection that was in use a moment ago is not asked first: its statement finds out.
    backend(&db).await.ok();
    backend(&db).await.expect("all others were asked");
    assert!(pool.connections().0 <= 3);
}

#[tokio::test]
async fn a_waiting_borrower_gets_a_turn_or_an_error_in_time() {
    let database = fresh_database().await;
    let (pool, db) = of(&database, 1, Duration::from_secs(3));
    let held = db.begin().await.unwrap();
    assert!(matches!(backend(&db).await, Err(Error::PoolTimedOut)));
    held.commit().await.unwrap();
    backend(&db).await.expect("it is free again");
    pool.close().await;
    assert!(matches!(backend(&db).await, Err(Error::PoolClosed)));
    assert_eq!(pool.connections(), (0, 0));
}

#[tokio::test]
async fn closing_waits_for_connections_on_loan() {
    let database = fresh_database().await;
    let (pool, db) = of(&database, 2, LIMIT);
    let mut held = db.begin().await.unwrap();
    let closing = tokio::spawn(async move { pool.close().await });
    while !matches!(db.acquire().await, Err(Error::PoolClosed)) {
        tokio::task::yield_now().await;
    }
    held.execute("select 1").await.expect("it may finish");
    assert!(!closing.is_finished());
    held.commit().await.unwrap();
    timeout(LIMIT, closing).await.unwrap().unwrap();
}

#[tokio::test]
async fn idle_connections_are_asked_as_soon_as_a_statement_finds_another_broken() {
    let database = fresh_database().await;
    let (_, db) = of(&database, 2, LIMIT);
    let mut lent = db.acquire().await.unwrap();
    backend(&db).await.unwrap();
    let end = "select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()";
    database.db.execute(raw_sql(end)).await.unwrap();
    let broken = lent.execute("select 1").await;
    lent.ended(broken).unwrap_err();
    assert!(backend(&db).await.is_ok(), "the idle connection is replaced");
}
