//! Transactions that book for the same mechanics run in every order of their steps: none waits for ever, and no wallet is
//! overdrawn. They are played in a model of the wallets' locks, where careless programs are seen to fail, and on Postgres.

use std::{
    collections::{BTreeSet, VecDeque},
    pin::pin,
};

use futures_util::{
    FutureExt,
    future::{Either, LocalBoxFuture, select},
};
use roadcall::{
    accounting::ledger::{self, Account, EntryKind, LedgerEntry},
    platform::db::Transaction,
    service::Service,
};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::support::{TestApp, spawn_app, within};

/// The initial amount in both wallets.
const FUNDS: i64 = 100;

#[derive(Debug, Clone, Copy)]
enum Step {
    /// Takes both wallets' locks.
    LockBoth,
    /// Takes so much out of a mechanic's wallet, or all that is left.
    Take(usize, i64),
    /// Books one entry, by which both mechanics owe more.
    ChargeBoth(i64),
    Commit,
}
use Step::{ChargeBoth, Commit, LockBoth, Take};

/// Fees that both are charged for, a refund that both pay for, and a withdrawal.
const PROGRAMS: [&[Step]; 3] =
    [&[ChargeBoth(10), Commit], &[LockBoth, Take(1, 30), Take(0, 60), Commit], &[Take(0, 80), Commit]];
/// The same programs without the refund's locks: it takes its wallets in the wrong order.
const CARELESS: [&[Step]; 3] =
    [&[ChargeBoth(10), Commit], &[Take(1, 30), Take(0, 60), Commit], &[Take(0, 80), Commit]];

/// The outcome of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ran {
    /// The step is done and took this amount.
    Done(i64),
    Waits,
}

/// A world in which the programs run.
trait World {
    async fn run(&mut self, program: usize, step: Step) -> Ran;
    /// Returns the present outcome of a program's waiting step.
    async fn again(&mut self, program: usize) -> Ran;
    /// Returns the amounts available in both wallets, and owed by both.
    async fn end(&mut self) -> [[i64; 2]; 2];
}

/// The choices of a run: which of so many programs went on.
type Path = Vec<(usize, usize)>;

/// Plays the programs along the path, then always the first that can go on. Returns `false` if all remaining programs wait.
async fn play(world: &mut impl World, programs: [&[Step]; 3], path: &mut Path) -> bool {
    let (mut at, mut waits, mut taken) = ([0; 3], BTreeSet::new(), [0; 2]);
    for depth in 0.. {
        let can_run: Vec<usize> = (0..3)
            .filter(|program| at[*program] < programs[*program].len() && !waits.contains(program))
            .collect();
        if can_run.is_empty() {
            break;
        }
        if path.len() == depth {
            path.push((0, can_run.len()));
        }
        let program = can_run[path[depth].0];
        let mut moved = vec![(program, world.run(program, programs[program][at[program]]).await)];
        // Its commit may let others go on.
        for waiting in waits.clone() {
            moved.push((waiting, world.again(waiting).await));
        }
        for (program, ran) in moved {
            let Ran::Done(paise) = ran else {
                waits.insert(program);
                continue;
            };
            if let Take(wallet, _) = programs[program][at[program]] {
                taken[wallet] += paise;
            }
            waits.remove(&program);
            at[program] += 1;
        }
    }
    if !waits.is_empty() {
        return false;
    }
    let [available, owed] = world.end().await;
    assert_eq!(available, taken.map(|paise| FUNDS - paise), "{path:?}");
    assert!(available.iter().all(|paise| *paise >= 0), "{path:?}");
    assert_eq!(owed, [10, 10], "{path:?}");
    true
}

/// Moves to the next path that was not taken; returns `false` after the last.
fn next(path: &mut Path) -> bool {
    while let Some((choice, choices)) = path.pop() {
        if choice + 1 < choices {
            path.push((choice + 1, choices));
            return true;
        }
    }
    false
}

/// Wallets and their locks in memory.
#[derive(Debug, Default)]
struct Model {
    holder: [Option<usize>; 2],
    queue: [VecDeque<usize>; 2],
    available: [i64; 2],
    owed: [i64; 2],
    /// The step of each program that has not got its locks yet.
    pending: [Option<Step>; 3],
}

impl Model {
    /// Takes the step's locks one after the other.
    fn has_locks(&mut self, program: usize, step: Step) -> bool {
        let wanted: &[usize] = match step {
            LockBoth | ChargeBoth(_) => &[0, 1],
            Take(0, _) => &[0],
            Take(..) => &[1],
            Commit => &[],
        };
        wanted.iter().all(|wallet| {
            let is_next = self.queue[*wallet].front().is_none_or(|first| *first == program);
            match self.holder[*wallet] {
                Some(holder) if holder == program => true,
                None if is_next => {
                    self.queue[*wallet].pop_front();
                    self.holder[*wallet] = Some(program);
                    true
                }
                _ => {
                    if !self.queue[*wallet].contains(&program) {
                        self.queue[*wallet].push_back(program);
                    }
                    false
                }
            }
        })
    }
}

impl World for Model {
    async fn run(&mut self, program: usize, step: Step) -> Ran {
        self.pending[program] = Some(step);
        self.again(program).await
    }

    async fn again(&mut self, program: usize) -> Ran {
        let Some(step) = self.pending[program] else { unreachable!("it waits for nothing") };
        if !self.has_locks(program, step) {
            return Ran::Waits;
        }
        self.pending[program] = None;
        match step {
            LockBoth => {}
            Take(wallet, most) => {
                let taken = most.min(self.available[wallet]);
                self.available[wallet] -= taken;
                return Ran::Done(taken);
            }
            ChargeBoth(paise) => self.owed = self.owed.map(|owed| owed + paise),
            Commit => self.holder = self.holder.map(|holder| holder.filter(|holder| *holder != program)),
        }
        Ran::Done(0)
    }

    async fn end(&mut self) -> [[i64; 2]; 2] {
        [self.available, self.owed]
    }
}

/// Returns the number of orders, and whether some end in a deadlock.
async fn orders_of(programs: [&[Step]; 3]) -> (usize, bool) {
    let (mut path, mut orders, mut deadlocks) = (Path::new(), 0, false);
    loop {
        let mut model = Model { available: [FUNDS; 2], ..Model::default() };
        deadlocks |= !play(&mut model, programs, &mut path).await;
        orders += 1;
        if !next(&mut path) {
            return (orders, deadlocks);
        }
    }
}

#[tokio::test]
async fn wallets_locked_in_one_order_never_deadlock_and_the_model_finds_other_orders() {
    let (orders, deadlocks) = orders_of(PROGRAMS).await;
    assert!(orders > 50 && !deadlocks, "{orders}");
    assert!(orders_of(CARELESS).await.1, "a refund that locks one wallet after the other");
}

/// A step under way with its transaction, and the amount that it took.
type Running = LocalBoxFuture<'static, (Option<Transaction>, i64)>;

/// A transaction on a connection of its own.
struct Session {
    backend: i32,
    transaction: Option<Transaction>,
    running: Option<Running>,
}

/// The real ledger.
struct Postgres<'a> {
    app: &'a TestApp,
    wallets: [Uuid; 2],
    owed: [i64; 2],
    sessions: Vec<Session>,
}

impl<'a> Postgres<'a> {
    async fn begin(app: &'a TestApp, wallets: [Uuid; 2]) -> Self {
        let (mut tx, mut owed) = (app.service.db.begin().await.unwrap(), [0; 2]);
        for (wallet, owed) in wallets.into_iter().zip(&mut owed) {
            let there = ledger::balances(&mut *tx, wallet).await.unwrap();
            *owed = there.owed_paise;
            book(&app.service, &mut tx, vec![(Account::Available(wallet), FUNDS - there.available_paise)])
                .await;
        }
        tx.commit().await.unwrap();
        let mut sessions = Vec::new();
        for _ in PROGRAMS {
            let mut tx = app.service.db.begin().await.unwrap();
            let backend = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut *tx).await.unwrap();
            sessions.push(Session { backend, transaction: Some(tx), running: None });
        }
        Self { app, wallets, owed, sessions }
    }
}

/// Books an entry of these postings, against the money at the gateway.
async fn book(service: &Service, tx: &mut PgConnection, mut postings: Vec<(Account, i64)>) {
    let sum: i64 = postings.iter().map(|(_, paise)| paise).sum();
    postings.push((Account::GatewayClearing, -sum));
    let now = service.clock.now();
    let key = format!("test:{}", service.random.id(now));
    let entry = LedgerEntry { kind: EntryKind::Capture, key, job_id: None, note: None, postings };
    assert!(ledger::post(tx, &service.random, now, entry).await.unwrap(), "booked before");
}

async fn take_step(
    mut tx: Transaction,
    step: Step,
    wallets: [Uuid; 2],
    service: Service,
) -> (Option<Transaction>, i64) {
    let mut taken = 0;
    match step {
        LockBoth => ledger::lock(&mut tx, &[wallets[1], wallets[0]]).await.unwrap(),
        Take(wallet, most) => {
            let there = ledger::lock_balances(&mut tx, wallets[wallet]).await.unwrap().available_paise;
            taken = most.min(there);
            book(&service, &mut tx, vec![(Account::Available(wallets[wallet]), -taken)]).await;
        }
        ChargeBoth(paise) => {
            book(&service, &mut tx, wallets.map(|wallet| (Account::Owed(wallet), -paise)).to_vec()).await;
        }
        Commit => {
            tx.commit().await.unwrap();
            return (None, 0);
        }
    }
    (Some(tx), taken)
}

impl World for Postgres<'_> {
    async fn run(&mut self, program: usize, step: Step) -> Ran {
        let session = &mut self.sessions[program];
        let tx = session.transaction.take().expect("one step at a time");
        session.running =
            Some(take_step(tx, step, self.wallets, Service::clone(&self.app.service)).boxed_local());
        self.again(program).await
    }

    async fn again(&mut self, program: usize) -> Ran {
        let session = &mut self.sessions[program];
        let mut running = session.running.take().expect("it waits for nothing");
        let blocked = async {
            let sql = "select cardinality(pg_blocking_pids($1)) > 0";
            while !sqlx::query_scalar::<_, bool>(sql)
                .bind(session.backend)
                .fetch_one(&self.app.database.db)
                .await
                .unwrap()
            {}
        };
        match within("the step ends or waits", select(&mut running, pin!(blocked))).await {
            Either::Left(((transaction, taken), _)) => {
                session.transaction = transaction;
                Ran::Done(taken)
            }
            Either::Right(_) => {
                session.running = Some(running);
                Ran::Waits
            }
        }
    }

    async fn end(&mut self) -> [[i64; 2]; 2] {
        let mut end = [[0; 2]; 2];
        for (at, wallet) in self.wallets.into_iter().enumerate() {
            let there = ledger::balances(&self.app.database.db, wallet).await.unwrap();
            end[0][at] = there.available_paise;
            end[1][at] = there.owed_paise - self.owed[at];
        }
        end
    }
}

#[actix_web::test]
async fn postgres_neither_deadlocks_nor_overdraws_in_any_order() {
    let app = spawn_app().await;
    let profiles = [app.registered_mechanic().await, app.registered_mechanic().await];
    let wallets = profiles.map(|mechanic| mechanic.profile_id.parse().expect("an id"));
    let mut path = Path::new();
    loop {
        let mut postgres = Postgres::begin(&app, wallets).await;
        assert!(play(&mut postgres, PROGRAMS, &mut path).await, "all wait: {path:?}");
        if !next(&mut path) {
            break;
        }
    }
    app.sound_ledger().await;
}
