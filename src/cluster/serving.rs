//! The leader's service to the other servers: it answers their requests to the engine, and passes on the engine's announcements.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use actix_rt::{self as rt, Arbiter};
use roadcall_actors::{
    Engine,
    broadcast::{Broadcast, Numbering},
    ids::JobId,
    job::state::Refusal,
    ports::Announcement,
    protocol::{Answer, JobChanged, Notice, Request, RowsChanged},
    remote,
    server::EngineServer,
    traces::in_context,
};
use tokio::{
    sync::{Mutex, Semaphore, mpsc, watch},
    time::MissedTickBehavior,
};

use super::{
    link::{EngineLink, LocalEngine},
    pings,
    subject::{self, Leader, ToLeader},
};
use crate::platform::{
    bus::{Bus, BusError, BusSubscription, Lane, Received, Unreadable},
    core::Core,
    db::Lease,
    traces::Traces,
};

/// The maximum number of announcements that wait to be sent; further ones are a gap, which their listeners heal.
const MAX_WAITING: usize = 65_536;
/// The maximum number of announcements in one message.
const AT_ONCE: usize = 256;
/// How often the others hear that this server leads, and how far it has come.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// The maximum age of a request, counted from its first try: a caller of an older request has given up. It is shorter than the
/// time for which copies of a command are recognised.
pub(super) const OLDEST: Duration = remote::WITHIN;
/// The maximum number of other servers' requests in progress; a further request is refused at once.
const MAX_REQUESTS: usize = 4_096;

/// Takes the engine's announcements for the other servers. It is cheap to clone.
#[derive(Debug, Clone)]
pub struct Announcements {
    sender: mpsc::Sender<Announcement>,
    dropped: Arc<AtomicU64>,
}

/// The queue of announcements that are not sent yet. All clones share it; one lead at a time reads it.
#[derive(Debug, Clone)]
pub struct AnnouncementQueue {
    announcements: Arc<Mutex<mpsc::Receiver<Announcement>>>,
    dropped: Arc<AtomicU64>,
}

impl Announcements {
    pub fn new() -> (Self, AnnouncementQueue) {
        let (sender, announcements) = mpsc::channel(MAX_WAITING);
        let dropped = Arc::default();
        let announcements = Arc::new(Mutex::new(announcements));
        (Self { sender, dropped: Arc::clone(&dropped) }, AnnouncementQueue { announcements, dropped })
    }

    /// Queues an announcement, without waiting.
    pub fn pass_on(&self, announcement: Announcement) {
        if self.sender.try_send(announcement).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl AnnouncementQueue {
    /// Forgets the announcements that an earlier lead of this server did not send: the others have heard of a later lead.
    pub async fn forget(&self) {
        let mut announcements = self.announcements.lock().await;
        while announcements.try_recv().is_ok() {}
        self.dropped.store(0, Ordering::Relaxed);
    }
}

/// Represents this server's lead in its cluster, until [`Lead::end`] is called.
#[derive(Debug)]
pub struct Lead {
    link: EngineLink,
    ended: watch::Sender<bool>,
    /// The thread on which requests are taken and answered.
    thread: Arbiter,
}

impl Drop for Lead {
    fn drop(&mut self) {
        self.end();
        self.thread.stop();
    }
}

impl Lead {
    /// Starts to serve the others.
    pub async fn begin(
        link: &EngineLink,
        engine: &Engine,
        lease: &Lease,
        announced: AnnouncementQueue,
        core: &Core,
    ) -> Result<Self, BusError> {
        let bus = link.bus();
        let server = Arc::new(EngineServer::new(engine.clone()));
        let (traces, remembered) = (core.traces.clone(), core.remembered.clone());
        let local = LocalEngine { engine: engine.clone(), server, lease: lease.clone(), traces, remembered };
        // This server's own clients come first, since they need no bus.
        link.set(Some(local.clone()));
        let (ended, ends) = watch::channel(false);
        // A caller that gives up meanwhile drops this lead, which ends it.
        let lead = Self { link: link.clone(), ended, thread: Arbiter::new() };
        let leader = Leader::from(lease);
        let calls = subscribe(bus, ToLeader::Calls, leader).await?;
        let pings = subscribe(bus, ToLeader::Pings, leader).await?;
        let notices = subscribe(bus, ToLeader::Notices, leader).await?;
        let thread = &lead.thread;
        for calls in calls {
            thread.spawn(answer_calls(bus.clone(), local.clone(), calls, ends.clone()));
        }
        for pings in pings {
            thread.spawn(pings::take_positions(bus.clone(), local.clone(), pings, ends.clone()));
        }
        for notices in notices {
            thread.spawn(take_notices(local.clone(), notices, ends.clone()));
        }
        thread.spawn(broadcast(
            bus.clone(),
            lease.clone(),
            local.traces.clone(),
            Numbering::new(leader.term),
            announced,
            ends,
        ));
        Ok(lead)
    }

    /// Takes no further requests, since another server shall lead. Those in progress are answered as long as this is not dropped.
    pub fn end(&self) {
        self.link.set(None);
        self.ended.send_replace(true);
    }
}

/// Subscribes to the messages for this leader: by its id, and, from servers of release 0.1, by the term alone.
async fn subscribe(bus: &Bus, to: ToLeader, leader: Leader) -> Result<[BusSubscription; 2], BusError> {
    let by_id = bus.subscribe(&to.subject(leader)).await?;
    Ok([by_id, bus.subscribe(&to.subject_of_term(leader.term)).await?])
}

async fn answer_calls(
    bus: Bus,
    local: LocalEngine,
    mut calls: BusSubscription,
    mut ends: watch::Receiver<bool>,
) {
    let room = Arc::new(Semaphore::new(MAX_REQUESTS));
    while let Some(received) = calls.next_until(&mut ends).await {
        // The request may have waited while this process stood still, and another server, which is asked next, may lead by now.
        // Or it waited for its sender's connection, and nobody waits for the answer now.
        if !local.lease.is_held() {
            continue;
        }
        // A look at the leader is answered however old it seems, since its sender's clock may be wrong.
        if bus.age(&received) > OLDEST && received.read::<()>().is_err() {
            continue;
        }
        let Ok(place) = room.clone().try_acquire_owned() else {
            bus.answer(&received, &refused("the engine has too many requests"));
            continue;
        };
        let (to, local) = (bus.clone(), local.clone());
        rt::spawn(async move {
            let outcome = answer(&local, &received).await;
            if local.lease.is_held() {
                to.answer(&received, &outcome);
            }
            drop(place);
        });
    }
}

async fn answer(local: &LocalEngine, received: &Received) -> Result<Answer, Refusal> {
    match received.read_traced::<Request>() {
        Ok((request, trace)) => {
            let changed = request.changed_job();
            let answered = async {
                // The other server has made the change.
                changed.inspect(|job| local.traces.changed_here(job.0));
                forget_changed(local, &request);
                local.server.answer(request).await
            };
            in_context(answered, local.traces.of_server(trace.as_deref())).await
        }
        Err(Unreadable::Newer) => refused("a server of a newer release asks; this one is yet to be updated"),
        Err(Unreadable::Malformed) => refused("the request could not be read"),
    }
}

/// Forgets the rows that another server has changed.
fn forget_changed(local: &LocalEngine, request: &Request) {
    match request {
        Request::JobChanged(JobChanged { job, .. })
        | Request::RowsChanged(RowsChanged { job: Some(job) }) => {
            local.remembered.forget(job.0);
        }
        Request::RowsChanged(RowsChanged { job: None }) => local.remembered.forget_all(),
        _ => {}
    }
}

fn refused(why: &str) -> Result<Answer, Refusal> {
    Err(Refusal::Unavailable(why.to_owned()))
}

async fn take_notices(local: LocalEngine, mut notices: BusSubscription, mut ends: watch::Receiver<bool>) {
    while let Some(received) = notices.next_until(&mut ends).await {
        if let Ok(notice) = received.read::<Notice>() {
            local.take(notice);
        }
    }
}

async fn broadcast(
    bus: Bus,
    lease: Lease,
    traces: Traces,
    numbering: Numbering,
    announced: AnnouncementQueue,
    mut ends: watch::Receiver<bool>,
) {
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut batch = Vec::with_capacity(AT_ONCE);
    let mut announcements = announced.announcements.lock().await;
    loop {
        tokio::select! {
            _ = announcements.recv_many(&mut batch, AT_ONCE) => {}
            _ = heartbeat.tick() => {}
            _ = ends.wait_for(|is_over| *is_over) => return,
        }
        if !lease.is_held() {
            batch.drain(..).for_each(|_| numbering.skip());
            continue;
        }
        // These are numbered, but never sent: a listener notices the gap at the next number.
        for _ in 0..announced.dropped.swap(0, Ordering::Relaxed) {
            numbering.skip();
        }
        let traces = traces_of(&batch, &traces);
        let leader = Some(lease.server());
        let broadcast = Broadcast { leader, traces, ..numbering.next(std::mem::take(&mut batch)) };
        bus.publish_on(Lane::Announcements, subject::ANNOUNCEMENTS, &broadcast);
    }
}

/// Returns the jobs' last changes, or nothing if no traces are recorded.
fn traces_of(announcements: &[Announcement], traces: &Traces) -> Vec<(JobId, Option<String>)> {
    if !traces.are_made() {
        return Vec::new();
    }
    let jobs: BTreeSet<JobId> = announcements.iter().filter_map(Announcement::job).collect();
    jobs.into_iter().map(|job| (job, traces.last_change(job.0))).collect()
}
