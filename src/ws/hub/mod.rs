//! The registry of connected sessions. Through it the engine reaches sockets, by user and by job, and never waits for
//! one.

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use actix::prelude::*;
use futures_util::future::{BoxFuture, FutureExt, ready};
use roadcall_actors::{
    clock::Clock,
    ids::{JobId, UserId},
    ports::{Advice, Announcement, DispatchProgress, Nudge, OfferCard, Outlook},
};
use uuid::Uuid;

use super::{
    settings::WsSettings,
    watch::{Watch, Watched},
};
use crate::{
    accounts::auth,
    messaging::{
        calls::{self, Call, SentSignal},
        chat::{self, ChatRead, ChatTyping},
    },
    notifications::{self, Notification},
    sharing::shares,
};

/// A notice to a session. Notices are small because mailboxes hold them: the session fetches jobs and positions
/// itself.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub enum Notice {
    /// A watched job's slot has news.
    JobMoved(Uuid),
    /// An offer to this mechanic was made or ended.
    Offer(Box<OfferCard>),
    /// How often the app should send its position, in seconds.
    LocationRate(u32),
    WaitAdvised(Advice),
    /// A round of offers went out for a watched job.
    Progress(DispatchProgress),
    /// The outlook of a watched job's customer has changed.
    Outlook {
        job: Uuid,
        outlook: Outlook,
    },
    /// Something seems wrong with this mechanic's trip to the pickup.
    Nudge(Nudge),
    /// This mechanic got the job.
    Assigned(Uuid),
    /// This person has a new notification.
    Notified(Box<Notification>),
    /// The other side of a job has read its chat.
    ChatRead {
        job: Uuid,
        read: Box<ChatRead>,
    },
    /// The other side of a job is writing.
    ChatTyping {
        job: Uuid,
        typing: ChatTyping,
    },
    /// Somebody is calling this person, or this person's own call is ringing on the other side.
    Rings(Box<Call>),
    /// The other device of a call sent a signal.
    Signal(Arc<SentSignal>),
    /// The connection was marked as lagging or replaced, or the service begins to stop.
    CheckConnection,
    /// Announcements may have been missed.
    LookForMissed,
    /// Something about this person or link has changed: the session or the link may have ended.
    CheckSession,
}

/// The connection to one session.
#[derive(Debug)]
pub struct Connection {
    /// Numbers the connections: a newer one has a larger number.
    number: u64,
    /// The time of opening, as [`Clock::elapsed`] counts.
    opened_at: Duration,
    /// The sign-in behind a socket; `None` for a stream, which can't take part in calls.
    device: Option<Uuid>,
    to: Recipient<Notice>,
    is_lagging: AtomicBool,
    is_replaced: AtomicBool,
    /// Whether it has claimed its mechanic, and speaks for them until it is replaced.
    has_claimed: AtomicBool,
}

impl Connection {
    /// Sends a notice that may be missed; returns whether there was room.
    pub fn try_send(&self, notice: Notice) -> bool {
        self.to.try_send(notice).is_ok()
    }

    /// Sends a notice that must not be missed: if there is no room, the session is marked and will be closed so that
    /// the client syncs again.
    fn send(&self, notice: Notice) {
        if !self.try_send(notice) {
            self.is_lagging.store(true, Ordering::Release);
        }
    }

    /// Notes that a newer socket of the same mechanic took over.
    fn replace(&self) {
        self.is_replaced.store(true, Ordering::Release);
        self.try_send(Notice::CheckConnection);
    }

    /// Returns whether the session missed an important notice.
    pub fn is_lagging(&self) -> bool {
        self.is_lagging.load(Ordering::Acquire)
    }

    /// Returns whether a newer socket of the same mechanic took over.
    pub fn is_replaced(&self) -> bool {
        self.is_replaced.load(Ordering::Acquire)
    }

    fn is_known_to_speak(&self) -> bool {
        self.has_claimed.load(Ordering::Acquire) && !self.is_replaced()
    }
}

/// The registry; all clones share it.
#[derive(Debug, Clone)]
pub struct Hub(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    people: Mutex<People>,
    watched: Watched,
    /// Counts the changes of people: see [`Hub::changes`].
    changes: AtomicU64,
    per_user: usize,
    total: usize,
    clock: Clock,
    others: Option<Arc<dyn OtherServers>>,
}

/// The other servers of a cluster, if there are any: a mechanic may have sockets on several servers.
pub trait OtherServers: fmt::Debug + Send + Sync {
    /// Tells them that a socket of this server, opened `opened_ago` ago, speaks for the mechanic from now on.
    fn speaks(&self, mechanic: Uuid, opened_ago: Duration);
}

#[derive(Debug, Default)]
struct People {
    permits: usize,
    opened: u64,
    by_user: HashMap<Uuid, Person>,
}

#[derive(Debug, Default)]
struct Person {
    permits: usize,
    connections: Vec<Arc<Connection>>,
    /// The socket that speaks for the mechanic: the newest that sent availability or location.
    sender: Option<Arc<Connection>>,
}

/// The reason why no further socket may open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SocketLimit {
    /// This user already has `ws.sockets_per_user`.
    User,
    /// The service already has `ws.sockets_total`.
    Service,
}

/// Permission for one socket, taken before the upgrade and returned on drop.
#[derive(Debug)]
pub struct SocketPermit {
    hub: Hub,
    user: Uuid,
    /// [`Hub::changes`] before the socket's owner was looked up.
    changes: u64,
    connection: Option<Arc<Connection>>,
}

impl Hub {
    pub fn new(settings: &WsSettings, clock: &Clock, others: Option<Arc<dyn OtherServers>>) -> Self {
        Self::with_limits(settings.sockets_per_user, settings.sockets_total, clock, others)
    }

    fn with_limits(
        per_user: usize,
        total: usize,
        clock: &Clock,
        others: Option<Arc<dyn OtherServers>>,
    ) -> Self {
        let (people, watched, changes) = (Mutex::default(), Watched::default(), AtomicU64::default());
        let clock = clock.clone();
        Self(Arc::new(Inner { people, watched, changes, per_user, total, clock, others }))
    }

    /// Returns how often sessions, roles or accounts have changed. Read it before looking up who may open a socket:
    /// if it has changed since, the socket checks its session again as soon as it is open.
    pub fn changes(&self) -> u64 {
        self.0.changes.load(Ordering::SeqCst)
    }

    /// Returns a permit for one more socket of the user. `changes` is [`Hub::changes`] before the user was looked up.
    pub fn admit(&self, user: Uuid, changes: u64) -> Result<SocketPermit, SocketLimit> {
        let mut people = self.people();
        if people.permits >= self.0.total {
            return Err(SocketLimit::Service);
        }
        let taken = people.by_user.get(&user).map_or(0, |person| person.permits);
        if taken >= self.0.per_user {
            return Err(SocketLimit::User);
        }
        people.permits += 1;
        people.by_user.entry(user).or_default().permits += 1;
        Ok(SocketPermit { hub: self.clone(), user, changes, connection: None })
    }

    /// Returns the number of sockets that are open or about to be.
    pub fn sockets(&self) -> usize {
        self.people().permits
    }

    /// Returns the number of watched jobs.
    pub fn watched_jobs(&self) -> usize {
        self.0.watched.count()
    }

    /// Returns the watched jobs.
    pub fn watched(&self) -> Vec<Uuid> {
        self.0.watched.jobs()
    }

    /// Wakes the watchers that are behind `seq`, the newest event in the database, and returns how many.
    pub fn catch_up(&self, job: Uuid, seq: i64) -> usize {
        self.0.watched.catch_up(job, seq)
    }

    /// Passes an announcement on to the sockets that it concerns.
    pub fn announce(&self, announcement: Announcement) {
        let watched = &self.0.watched;
        // Notices sent with `try_send` may be missed: they are sent again, or the app asks for the news when it
        // connects.
        match announcement {
            Announcement::JobChanged { job, seq } => watched.grew(job.0, seq),
            Announcement::Offer(card) => {
                let offer = |connection: &Connection| connection.send(Notice::Offer(card.clone()));
                self.each_connection(card.mechanic_user, offer);
            }
            Announcement::Progress(progress) => {
                watched.broadcast(progress.job_id.0, || Notice::Progress(progress));
            }
            Announcement::Outlook { job: JobId(job), outlook } => {
                watched.broadcast(job, || Notice::Outlook { job, outlook });
            }
            Announcement::WaitAdvised { mechanic, advice } => {
                self.try_send_to(mechanic, || Notice::WaitAdvised(advice));
            }
            Announcement::Located(sighting) => watched.seen(sighting),
            Announcement::Rate { mechanic, interval_s } => {
                self.try_send_to(mechanic, || Notice::LocationRate(interval_s));
            }
            Announcement::Nudge(nudge) => self.try_send_to(nudge.mechanic, || Notice::Nudge(nudge)),
            Announcement::Assigned { mechanic, job, is_on_it: true } => {
                self.each_connection(mechanic, |connection| connection.send(Notice::Assigned(job.0)));
            }
            Announcement::Assigned { job, is_on_it: false, .. } => watched.forget_position(job.0),
        }
    }

    /// Handles the message that a socket of another server, opened `opened_ago` ago, speaks for this mechanic. The
    /// newest socket keeps the role: if that is a socket of this server, the other server learns so.
    pub fn speaks_elsewhere(&self, mechanic: Uuid, opened_ago: Duration) {
        let mut people = self.people();
        let Some(person) = people.by_user.get_mut(&mechanic) else { return };
        // The message took a while, so the other socket only seems newer than it is: two servers never both insist.
        let is_newer = |held: &Connection| self.age(held) < opened_ago;
        let Some(held) = person.sender.clone() else { return };
        if !is_newer(&held) {
            person.sender = None;
            held.replace();
            return;
        }
        drop(people);
        if let Some(others) = &self.0.others {
            others.speaks(mechanic, self.age(&held));
        }
    }

    /// Makes mechanics' sockets look for their offers and jobs, since announcements may have been missed.
    pub fn look_for_missed(&self) {
        self.try_send_to_all(|| Notice::LookForMissed);
    }

    /// Makes all sessions notice that the service begins to stop. A session whose mailbox is full notices it with the
    /// first notice in there.
    pub fn announce_stop(&self) {
        self.try_send_to_all(|| Notice::CheckConnection);
    }

    /// Returns the jobs of which a socket shows the mechanic's position to somebody else.
    pub fn with_audience(&self) -> Vec<Uuid> {
        self.0.watched.with_audience()
    }

    fn try_send_to_all(&self, notice: impl Fn() -> Notice) {
        let people = self.people();
        let connections = people.by_user.values().flat_map(|person| &person.connections);
        connections.for_each(|connection| {
            connection.try_send(notice());
        });
    }

    fn try_send_to(&self, user: UserId, notice: impl Fn() -> Notice) {
        self.each_connection(user, |connection| {
            connection.try_send(notice());
        });
    }

    fn at_device(&self, user_id: Uuid, device: Option<Uuid>, notice: impl Fn() -> Notice) -> bool {
        let people = self.people();
        let Some(person) = people.by_user.get(&user_id) else { return false };
        let is_meant = |connection: &&Arc<Connection>| match device {
            Some(_) => connection.device == device,
            None => connection.device.is_some(),
        };
        person
            .connections
            .iter()
            .filter(is_meant)
            .fold(false, |any, connection| connection.try_send(notice()) | any)
    }

    fn each_connection(&self, user: UserId, send: impl Fn(&Connection)) {
        if let Some(person) = self.people().by_user.get(&user.0) {
            person.connections.iter().for_each(|connection| send(connection));
        }
    }

    /// Returns how long ago the connection was opened.
    fn age(&self, connection: &Connection) -> Duration {
        self.0.clock.elapsed().saturating_sub(connection.opened_at)
    }

    fn people(&self) -> MutexGuard<'_, People> {
        // Counts and lists are consistent between any two statements, so a panic elsewhere leaves them intact.
        self.0.people.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl auth::OpenSockets for Hub {
    fn changed(&self, user_id: Uuid) {
        // The count comes first: a socket that is registered after this loop sees it.
        self.0.changes.fetch_add(1, Ordering::SeqCst);
        self.each_connection(UserId(user_id), |connection| connection.send(Notice::CheckSession));
    }
}

impl shares::LinkStreams for Hub {
    fn revoked(&self, link_id: Uuid) {
        // A guest's connections are found by the link's id.
        auth::OpenSockets::changed(self, link_id);
    }
}

impl notifications::SocketSender for Hub {
    fn send(&self, notification: &Notification) {
        self.each_connection(UserId(notification.user_id), |connection| {
            connection.try_send(Notice::Notified(Box::new(notification.clone())));
        });
    }

    fn is_open(&self, user_id: Uuid) -> BoxFuture<'_, bool> {
        calls::CallSockets::is_any_open(self, vec![user_id])
    }
}

impl chat::ChatSockets for Hub {
    fn has_read(&self, person: Uuid, job: Uuid, read: &ChatRead) {
        self.each_connection(UserId(person), |connection| {
            connection.try_send(Notice::ChatRead { job, read: Box::new(read.clone()) });
        });
    }

    fn types(&self, person: Uuid, job: Uuid, typing: ChatTyping) {
        self.each_connection(UserId(person), |connection| {
            connection.try_send(Notice::ChatTyping { job, typing });
        });
    }
}

impl calls::CallSockets for Hub {
    fn rings(&self, user_id: Uuid, device: Option<Uuid>, call: &Call) {
        self.at_device(user_id, device, || Notice::Rings(Box::new(call.clone())));
    }

    fn is_any_open(&self, user_ids: Vec<Uuid>) -> BoxFuture<'_, bool> {
        let people = self.people();
        let is_open = |person: &Person| person.connections.iter().any(|each| each.device.is_some());
        let any = user_ids.iter().filter_map(|id| people.by_user.get(id)).any(is_open);
        ready(any).boxed()
    }

    fn signal<'a>(
        &'a self,
        user_id: Uuid,
        device: Option<Uuid>,
        signal: &'a Arc<SentSignal>,
    ) -> BoxFuture<'a, bool> {
        ready(self.at_device(user_id, device, || Notice::Signal(signal.clone()))).boxed()
    }
}

impl SocketPermit {
    /// Registers the running session, which gets notices from here on. `device` is the sign-in behind a socket.
    pub fn open(&mut self, to: Recipient<Notice>, device: Option<Uuid>) -> Arc<Connection> {
        let mut people = self.hub.people();
        people.opened += 1;
        let connection = Arc::new(Connection {
            number: people.opened,
            opened_at: self.hub.0.clock.elapsed(),
            device,
            to,
            is_lagging: AtomicBool::new(false),
            is_replaced: AtomicBool::new(false),
            has_claimed: AtomicBool::new(false),
        });
        people.by_user.entry(self.user).or_default().connections.push(connection.clone());
        drop(people);
        if self.hub.changes() != self.changes {
            connection.send(Notice::CheckSession);
        }
        self.connection = Some(connection.clone());
        connection
    }

    /// Watches a job with this session; `None` before [`SocketPermit::open`].
    pub fn watch(&self, job: Uuid) -> Option<Watch> {
        self.connection.clone().map(|connection| self.hub.0.watched.watch(job, connection))
    }

    /// Claims the mechanic for this socket, which sent availability or location. The newest of the sockets that did
    /// so keeps the role: returns `false` if that is another socket.
    pub fn speak_for_mechanic(&self) -> bool {
        let Some(own) = &self.connection else { return false };
        // Each position asks this, and all sockets share the lock.
        if own.is_known_to_speak() {
            return true;
        }
        let mut people = self.hub.people();
        let Some(person) = people.by_user.get_mut(&self.user) else { return false };
        match &person.sender {
            Some(held) if held.number > own.number => false,
            Some(held) if held.number == own.number => true,
            held => {
                if let Some(older) = held {
                    older.replace();
                }
                person.sender = Some(own.clone());
                own.has_claimed.store(true, Ordering::Release);
                drop(people);
                if let Some(others) = &self.hub.0.others {
                    others.speaks(self.user, self.hub.age(own));
                }
                true
            }
        }
    }
}

impl Drop for SocketPermit {
    fn drop(&mut self) {
        let mut people = self.hub.people();
        people.permits -= 1;
        let Some(person) = people.by_user.get_mut(&self.user) else { return };
        person.permits -= 1;
        if let Some(own) = &self.connection {
            person.connections.retain(|connection| connection.number != own.number);
            person.sender.take_if(|held| held.number == own.number);
        }
        if person.permits == 0 {
            people.by_user.remove(&self.user);
        }
    }
}

#[cfg(test)]
mod tests;
