//! One engine per database.
//!
//! Jobs and mechanics are actors in memory, so two servers on one database would be blind to each other. A session advisory lock,
//! held on a separate connection, decides which server leads; the others wait as hot standbys. Three rules keep a server that no
//! longer leads away from the database (docs/adr/0038):
//!
//! 1. Its [`Lease`] ends by itself if the lock was not confirmed in time, for instance after a SIGSTOP: then no connection is
//!    lent out. Postgres ends the session of a silent leader a little later, so the lease ends first.
//! 2. The new leader ends all sessions of earlier leaders, and waits until they are gone, before it reads anything.
//! 3. A connection opened after that finds another leader in the table `leadership`, and is closed.
//!
//! The same connection holds a second lock, which shows others that this server lives, whether it leads or stands by.

mod rules;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{
    ConnectOptions as _, Connection as _, Error, PgConnection, PgExecutor, postgres::PgConnectOptions,
};
use tokio::{
    sync::{Notify, oneshot, watch},
    time::timeout,
};
use uuid::Uuid;

use self::rules::{Look, Next, Step};
use super::queries;

/// The beginning of the name of a server's sessions in `pg_stat_activity`; a space and the server's id follow.
const SESSION_NAME: &str = "roadcall";
/// The release of this program.
pub const RELEASE: &str = env!("CARGO_PKG_VERSION");
/// How often a standby looks, and a leader that was cut off tries again.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// How long one attempt to connect, or a look, may take.
const LOOK_LIMIT: Duration = Duration::from_secs(2);
/// How often a leader looks that nobody can replace. The look only finds out whether its session still exists.
const LOOK_ALONE: Duration = Duration::from_secs(30);
/// How long a candidate lets the former leader go first once that has answered. It is longer than the pause between two answers,
/// one of which may be slow.
const HEAD_START_MS: u64 = 2_000;
/// How often a candidate looks that lets the former leader go first, while nobody has the lock.
const LOOK_SOON: Duration = Duration::from_millis(50);
/// The end of leases that do not end by themselves.
const FOR_EVER: u64 = u64::MAX;

/// The present role of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeadershipStatus {
    /// Another server leads, or none does yet.
    Standby,
    Leading,
    /// The lock could not be confirmed in time. As far as is known, no other server has led since then.
    CutOff,
    /// Another server has led in the meantime, so this one's memory is useless.
    Replaced,
    /// The requests of a server in a cluster, which use the database no matter which server leads.
    Member,
}

impl LeadershipStatus {
    /// Returns the text that `/health/ready` shows.
    pub fn as_check(self) -> &'static str {
        match self {
            LeadershipStatus::Standby => "standby: another server leads on this database",
            LeadershipStatus::Leading | LeadershipStatus::Member => "ok",
            LeadershipStatus::CutOff => "cut off: the lock on the database could not be confirmed",
            LeadershipStatus::Replaced => "replaced: another server took over",
        }
    }
}

/// Tells whether this server may use the database. It is cheap to clone.
#[derive(derive_more::Debug, Clone)]
#[debug("Lease {{ standing: {:?}, .. }}", self.standing())]
pub struct Lease(Arc<Inner>);

struct Inner {
    server: Uuid,
    made_at: Instant,
    /// When the lease ends, in milliseconds since `made_at`.
    ends_ms: AtomicU64,
    standing: watch::Sender<LeadershipStatus>,
    /// The number of this server's term; 0 before it leads.
    term: AtomicI64,
    /// Whether a standby's last look at the lock was answered.
    is_answered: AtomicBool,
    /// Whether the server is about to stop, and shall no longer become the leader.
    is_retired: AtomicBool,
    /// Until when the former leader goes first, in milliseconds since `made_at`.
    head_start_ends_ms: AtomicU64,
    /// Signals that it now matters whether the former leader answers.
    asks_for_leader: Notify,
}

impl Lease {
    fn new(server: Uuid, ends_ms: u64, standing: LeadershipStatus) -> Self {
        let (ends_ms, standing) = (AtomicU64::new(ends_ms), watch::Sender::new(standing));
        let (made_at, is_answered) = (Instant::now(), AtomicBool::new(true));
        let (term, is_retired) = (AtomicI64::default(), AtomicBool::default());
        let (head_start_ends_ms, asks_for_leader) = (AtomicU64::default(), Notify::new());
        Self(Arc::new(Inner {
            server,
            made_at,
            ends_ms,
            standing,
            term,
            is_answered,
            is_retired,
            head_start_ends_ms,
            asks_for_leader,
        }))
    }

    /// Returns the lease of a server that does not lead yet. Until it leads, it may use the database, for instance to migrate it.
    pub(super) fn candidate(server: Uuid) -> Self {
        Self::new(server, FOR_EVER, LeadershipStatus::Standby)
    }

    /// Returns the lease of requests in a cluster, which nobody takes over.
    pub(super) fn member(server: Uuid) -> Self {
        Self::new(server, FOR_EVER, LeadershipStatus::Member)
    }

    /// Returns `PoolClosed` once the lease has ended: nothing was sent, so nothing has happened.
    pub fn check(&self) -> Result<(), Error> {
        if self.is_held() { Ok(()) } else { Err(Error::PoolClosed) }
    }

    /// Returns whether the database may be used now. The clock continues while the process is stopped.
    pub fn is_held(&self) -> bool {
        self.elapsed_ms() < self.0.ends_ms.load(Ordering::Acquire)
    }

    /// Returns this server's present role.
    pub fn standing(&self) -> LeadershipStatus {
        match *self.0.standing.borrow() {
            LeadershipStatus::Leading if !self.is_held() => LeadershipStatus::CutOff,
            standing => standing,
        }
    }

    /// Returns whether this is a standby that would lead if the leader ended now.
    pub fn could_take_over(&self) -> bool {
        self.standing() == LeadershipStatus::Standby && self.0.is_answered.load(Ordering::Relaxed)
    }

    /// Returns whether this server has not led yet. Until then, its connections are not compared with the table `leadership`.
    pub(super) fn is_standby(&self) -> bool {
        *self.0.standing.borrow() == LeadershipStatus::Standby
    }

    /// Resolves when another server has taken over.
    pub async fn replaced(&self) {
        let mut standing = self.0.standing.subscribe();
        if standing.wait_for(|standing| *standing == LeadershipStatus::Replaced).await.is_err() {
            std::future::pending().await
        }
    }

    /// Returns the id under which the server leads, or makes its requests. The id changes at each start, and each time
    /// that the server stands for the lead again.
    pub fn server(&self) -> Uuid {
        self.0.server
    }

    /// Returns the number of this server's term as the leader; 0 before it leads.
    pub fn term(&self) -> i64 {
        self.0.term.load(Ordering::Acquire)
    }

    /// Returns the name of this server's sessions. The sessions of a member's requests have a different name: they remain when
    /// the lead goes to another server.
    pub(super) fn session_name(&self) -> String {
        match *self.0.standing.borrow() {
            LeadershipStatus::Member => format!("{SESSION_NAME} requests {}", self.0.server),
            _ => session_name(self.0.server),
        }
    }

    /// Notes that the server is about to stop. If it does not lead, it no longer will.
    pub fn retire(&self) {
        self.0.is_retired.store(true, Ordering::Release);
    }

    /// Notes whether the present or former leader answers. If it does, and has lost only its session in
    /// Postgres, it gets its lock back first, since it has everything in memory.
    pub fn let_leader_go_first(&self, it_answers: bool) {
        let ends_ms = if it_answers { self.elapsed_ms() + HEAD_START_MS } else { 0 };
        self.0.head_start_ends_ms.store(ends_ms, Ordering::Release);
    }

    /// Resolves when nobody has the lock, and this server would take it if the former leader did not answer.
    pub async fn asks_for_leader(&self) {
        self.0.asks_for_leader.notified().await;
    }

    fn lets_leader_go_first(&self) -> bool {
        self.elapsed_ms() < self.0.head_start_ends_ms.load(Ordering::Acquire)
    }

    /// Returns whether this server leads, and may use what is only for the leader.
    pub fn is_leading(&self) -> bool {
        self.standing() == LeadershipStatus::Leading
    }

    /// Checks whether the server may use a connection that was just opened.
    pub(super) async fn check_opened(&self, connection: &mut PgConnection) -> Result<(), Error> {
        self.check()?;
        if self.is_standby() || self.standing() == LeadershipStatus::Member {
            return Ok(());
        }
        if queries::leader(connection).await? == Some(self.0.server) {
            return Ok(());
        }
        self.end(LeadershipStatus::Replaced);
        Err(Error::PoolClosed)
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.0.made_at.elapsed().as_millis()).unwrap_or(FOR_EVER)
    }

    /// Extends the lease after the lock was confirmed.
    pub(super) fn renew(&self, ends_ms: u64) {
        self.0.ends_ms.store(ends_ms, Ordering::Release);
        self.0.standing.send_if_modified(|standing| {
            std::mem::replace(standing, LeadershipStatus::Leading) != LeadershipStatus::Leading
        });
    }

    /// Ends this server's lead, whatever its candidate does.
    pub fn fail(&self) {
        self.end(LeadershipStatus::Replaced);
    }

    pub(super) fn end(&self, standing: LeadershipStatus) {
        self.0.ends_ms.store(0, Ordering::Release);
        self.0.standing.send_replace(standing);
    }
}

/// Notes that a server which used to hear the leader of this term no longer reaches it. Leaders of an earlier release look for
/// this.
pub async fn say_unheard(db: impl PgExecutor<'_>, term: i64) -> Result<(), Error> {
    queries::say_unheard(db, term).await
}

/// Returns whether a server has noted that about the present leader within the last second.
pub async fn is_unheard(db: impl PgExecutor<'_>) -> Result<bool, Error> {
    queries::is_unheard(db).await
}

fn session_name(server: Uuid) -> String {
    format!("{SESSION_NAME} {server}")
}

/// Holds the lock, or tries to get it.
pub(super) struct Candidate {
    connect: PgConnectOptions,
    lease: Lease,
    /// The id of the server, whether it leads or not.
    member: Uuid,
    /// How long Postgres keeps a silent session.
    session_limit: Duration,
    /// Whether no other server can reach the database, so that the lease does not end by itself.
    is_ours_alone: bool,
    session: Option<Session>,
}

/// The result of one attempt to lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    Yes,
    /// Another server leads.
    No,
    /// The lock is free, but the former leader answers, and goes first.
    NotYet,
}

/// The session that has the lock, or tries to get it. While it lasts, others see that this server lives.
struct Session {
    connection: PgConnection,
    backend: i32,
}

impl Candidate {
    pub(super) fn new(
        connect: &PgConnectOptions,
        lease: Lease,
        member: Uuid,
        session_limit: Duration,
        is_ours_alone: bool,
    ) -> Self {
        // 0 means no limit.
        let limit_ms = if is_ours_alone { 0 } else { session_limit.as_millis() as u64 };
        let connect = connect.clone().application_name(&format!("{SESSION_NAME} leadership")).options([
            ("statement_timeout", LOOK_LIMIT.as_millis() as u64),
            ("idle_session_timeout", limit_ms),
            // These find a leader whose machine is silently gone, if the connection is TCP.
            ("tcp_keepalives_idle", 1),
            ("tcp_keepalives_interval", 1),
            ("tcp_keepalives_count", 3),
        ]);
        Self {
            connect: connect.disable_statement_logging(),
            lease,
            member,
            session_limit,
            is_ours_alone,
            session: None,
        }
    }

    /// Waits until this server leads: until it has the lock, and no session of an earlier leader is left.
    pub(super) async fn lead(&mut self) {
        loop {
            if self.lease.0.is_retired.load(Ordering::Acquire) {
                self.stay_alive().await;
            }
            let asked_ms = self.lease.elapsed_ms();
            let taken = self.take().await;
            self.lease.0.is_answered.store(taken.is_ok(), Ordering::Relaxed);
            let pause = match taken {
                Ok(Taken::Yes) => {
                    self.renew(asked_ms);
                    return;
                }
                Ok(Taken::No) => LOOK_AGAIN,
                Ok(Taken::NotYet) => {
                    self.lease.0.asks_for_leader.notify_one();
                    LOOK_SOON
                }
                Err(error) => {
                    tracing::warn!(%error, "the lock on the database could not be checked; will retry");
                    self.session = None;
                    LOOK_AGAIN
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Keeps confirming the lock, until another server has taken over or the lead is given up; all changes in memory must be
    /// written by then. After that, only shows that this server lives.
    pub(super) async fn keep(mut self, mut give_up: oneshot::Receiver<oneshot::Sender<()>>) {
        let mut was_cut_off = false;
        loop {
            let pause = if was_cut_off { LOOK_AGAIN } else { self.look_every() };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                Ok(given_up) = &mut give_up => return self.give_up(given_up).await,
            }
            let asked_ms = self.lease.elapsed_ms();
            let look = self.look().await;
            match rules::next(look) {
                Next { step: Step::Renew, .. } => {
                    self.renew(asked_ms);
                    if std::mem::take(&mut was_cut_off) {
                        tracing::info!("this server holds the lock on the database again");
                    }
                }
                Next { step: Step::TryAgain, why } => {
                    self.session = None;
                    if !std::mem::replace(&mut was_cut_off, true) {
                        tracing::warn!(why, "the lock on the database was not confirmed");
                    }
                }
                Next { step: Step::GiveUp, why } => {
                    tracing::error!(why, "this server lost the lock on the database and leads no more");
                    self.lease.end(LeadershipStatus::Replaced);
                    give_up.close();
                    // The session may have the lock again, if the other server is gone by now. In a cluster, this
                    // server's requests continue.
                    self.session = None;
                    self.stay_alive().await;
                }
            }
        }
    }

    /// Lets another server lead at once.
    async fn give_up(mut self, given_up: oneshot::Sender<()>) {
        self.lease.end(LeadershipStatus::Replaced);
        if let Some(session) = &mut self.session
            && let Err(error) = within_limit(queries::unlock(&mut session.connection)).await
        {
            tracing::warn!(%error, "the lock on the database could not be given up; its session ends instead");
            self.session = None;
        }
        given_up.send(()).ok();
        self.stay_alive().await;
    }

    /// Keeps the session until the runtime ends, as a sign of life for the requests that continue. Postgres ends a silent
    /// session.
    async fn stay_alive(&mut self) -> ! {
        loop {
            if let Ok(session) = self.session().await
                && within_limit(queries::backend(&mut session.connection)).await.is_err()
            {
                self.session = None;
            }
            tokio::time::sleep(self.look_every()).await;
        }
    }

    fn look_every(&self) -> Duration {
        if self.is_ours_alone { LOOK_ALONE } else { self.session_limit / 4 }
    }

    /// Renews the lease so that it ends before Postgres ends the session behind it, earlier by a quarter.
    fn renew(&self, asked_ms: u64) {
        let term_ms = (self.session_limit * 3 / 4).as_millis() as u64;
        self.lease.renew(if self.is_ours_alone { FOR_EVER } else { asked_ms + term_ms });
    }

    /// Tries once to get the lock and to become the leader.
    async fn take(&mut self) -> Result<Taken, Error> {
        let (server, member) = (self.lease.0.server, self.member);
        let lets_leader_go_first = self.lease.lets_leader_go_first();
        let session = self.session().await?;
        if lets_leader_go_first {
            let is_led = within_limit(queries::is_led(&mut session.connection)).await?;
            return Ok(if is_led { Taken::No } else { Taken::NotYet });
        }
        if !within_limit(queries::try_lock(&mut session.connection)).await? {
            return Ok(Taken::No);
        }
        if !within_limit(queries::holds_lock(&mut session.connection, session.backend)).await? {
            tracing::error!("{}", rules::POOLED);
            self.session = None;
            return Ok(Taken::No);
        }
        let taken =
            within_limit(queries::take_over(&mut session.connection, server, member, RELEASE)).await?;
        if !taken.to_end.is_empty() {
            tracing::info!("took over from another server");
        }
        for name in taken.to_end.into_iter().map(session_name) {
            while !within_limit(queries::end_sessions(&mut session.connection, &name)).await? {
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        }
        within_limit(queries::all_ended(&mut session.connection, server)).await?;
        self.lease.0.term.store(taken.term, Ordering::Release);
        Ok(Taken::Yes)
    }

    async fn look(&mut self) -> Look {
        let server = self.lease.0.server;
        match self.confirm().await {
            Ok(true) => Look::Confirmed,
            Ok(false) => Look::Pooled,
            Err(_) => {
                // The session is gone, or its answers are late: a new session finds out who has the lock.
                self.session = None;
                match self.find_out(server).await {
                    Ok(look) => look,
                    Err(_) => Look::Unreachable,
                }
            }
        }
    }

    async fn confirm(&mut self) -> Result<bool, Error> {
        let session = self.session.as_mut().ok_or(Error::PoolClosed)?;
        within_limit(queries::holds_lock(&mut session.connection, session.backend)).await
    }

    async fn find_out(&mut self, server: Uuid) -> Result<Look, Error> {
        let session = self.session().await?;
        let has_lock = within_limit(queries::try_lock(&mut session.connection)).await?;
        let leader = within_limit(queries::leader(&mut session.connection)).await?;
        Ok(match (has_lock, leader == Some(server)) {
            (true, true) => Look::TakenAgain,
            (false, true) => Look::HeldElsewhere,
            (_, false) => Look::AnotherLed,
        })
    }

    async fn session(&mut self) -> Result<&mut Session, Error> {
        if self.session.is_none() {
            let mut connection = within_limit(PgConnection::connect_with(&self.connect)).await?;
            let backend = within_limit(queries::backend(&mut connection)).await?;
            within_limit(queries::show_life(&mut connection, self.member)).await?;
            self.session = Some(Session { connection, backend });
        }
        self.session.as_mut().ok_or(Error::PoolClosed)
    }
}

/// Limits the time of a look, since a peer that is cut off gives neither an answer nor an error.
async fn within_limit<T>(look: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    timeout(LOOK_LIMIT, look).await.unwrap_or(Err(Error::PoolTimedOut))
}
