//! What the leader does for the others: it answers what they ask the engine, and passes on what the engine announces.

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
    protocol::{Answer, Notice, Request},
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
    db::Lease,
    traces::Traces,
};

/// Announcements that wait to be sent; further ones are a gap, which those who hear it heal.
const MOST_WAITING: usize = 65_536;
/// Announcements of one message.
const AT_ONCE: usize = 256;
/// How often the others hear that this server leads, and how far it has come.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// A request that was asked longer ago is not carried out, whichever try of it this is: its caller has given up. Shorter than the time
/// for which copies of a command are recognised.
pub(super) const OLDEST: Duration = remote::WITHIN;
/// Requests of other servers under way; a further one is refused at once.
const MOST_REQUESTS: usize = 4_096;

/// Takes what the engine announces, for the other servers. A cheap clone.
#[derive(Debug, Clone)]
pub struct Announcements {
    sender: mpsc::Sender<Announcement>,
    dropped: Arc<AtomicU64>,
}

/// The queue of announcements that are not sent yet. A cheap clone; one lead at a time reads it.
#[derive(Debug, Clone)]
pub struct AnnouncementQueue {
    announcements: Arc<Mutex<mpsc::Receiver<Announcement>>>,
    dropped: Arc<AtomicU64>,
}

impl Announcements {
    pub fn new() -> (Self, AnnouncementQueue) {
        let (sender, announcements) = mpsc::channel(MOST_WAITING);
        let dropped = Arc::default();
        let announcements = Arc::new(Mutex::new(announcements));
        (Self { sender, dropped: Arc::clone(&dropped) }, AnnouncementQueue { announcements, dropped })
    }

    /// Never waits.
    pub fn pass_on(&self, announcement: Announcement) {
        if self.sender.try_send(announcement).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl AnnouncementQueue {
    /// Forgets what an earlier lead of this server did not send: the others have heard of a later one since.
    pub async fn forget(&self) {
        let mut announcements = self.announcements.lock().await;
        while announcements.try_recv().is_ok() {}
        self.dropped.store(0, Ordering::Relaxed);
    }
}

/// That this server leads its cluster. Over when [`Lead::end`] was called.
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
    /// Serves the others from now on.
    pub async fn begin(
        link: &EngineLink,
        engine: &Engine,
        lease: &Lease,
        announced: AnnouncementQueue,
        traces: Traces,
    ) -> Result<Self, BusError> {
        let bus = link.bus();
        let server = Arc::new(EngineServer::new(engine.clone()));
        let local = LocalEngine { engine: engine.clone(), server, lease: lease.clone(), traces };
        // This server's own clients first: they need no bus.
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

    /// Takes no further requests: another server is to lead. Those under way are answered as long as this is not dropped.
    pub fn end(&self) {
        self.link.set(None);
        self.ended.send_replace(true);
    }
}

/// Subscribes to what this leader is sent: by its id, and by servers of release 0.1 by the term alone.
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
    let room = Arc::new(Semaphore::new(MOST_REQUESTS));
    while let Some(received) = calls.next_until(&mut ends).await {
        // It may have waited while this process stood still, and another server may lead by now: that one is asked next. Or it waited
        // for its sender's connection, and nobody waits for the answer any more.
        if !local.lease.is_held() {
            continue;
        }
        // A look at the leader is answered however old it seems: its sender's clock may be the wrong one.
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
                local.server.answer(request).await
            };
            in_context(answered, local.traces.of_server(trace.as_deref())).await
        }
        Err(Unreadable::Newer) => refused("a server of a newer release asks; this one is yet to be updated"),
        Err(Unreadable::Malformed) => refused("the request could not be read"),
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
        // Numbered, and never sent: who hears the next number notices.
        for _ in 0..announced.dropped.swap(0, Ordering::Relaxed) {
            numbering.skip();
        }
        let traces = traces_of(&batch, &traces);
        let leader = Some(lease.server());
        let broadcast = Broadcast { leader, traces, ..numbering.next(std::mem::take(&mut batch)) };
        bus.publish_on(Lane::Announcements, subject::ANNOUNCEMENTS, &broadcast);
    }
}

/// Nothing while no traces are made.
fn traces_of(announcements: &[Announcement], traces: &Traces) -> Vec<(JobId, Option<String>)> {
    if !traces.are_made() {
        return Vec::new();
    }
    let jobs: BTreeSet<JobId> = announcements.iter().filter_map(Announcement::job).collect();
    jobs.into_iter().map(|job| (job, traces.last_change(job.0))).collect()
}
