//! How every server handles the messages of the others.

use std::time::{Duration, Instant};

use actix_web::rt;
use roadcall_actors::broadcast::{Broadcast, Continuity};
use serde::de::DeserializeOwned;
use tokio::task::JoinHandle;

use super::{
    confirming,
    link::EngineLink,
    messages::{DeviceQuery, News, NodeReport},
    nodes::Nodes,
    subject::{self, Leader},
};
use crate::{
    accounts::auth,
    messaging::{calls::CallSockets, chat::ChatSockets},
    notifications::SocketSender,
    platform::{
        bus::{Bus, BusError, BusSubscription, Received, Unreadable},
        telemetry,
        worker::Wakeup,
    },
    ws::{self, WsContext},
};

/// The pause between two rounds that make up for missed messages.
const HEALED_EVERY: Duration = Duration::from_secs(1);
/// The reasons for which messages are refused.
const NEWER: &str = "newer";
const MALFORMED: &str = "malformed";
const UNKNOWN_TERM: &str = "unknown_term";
const REFUSED: [&str; 3] = [NEWER, MALFORMED, UNKNOWN_TERM];
/// The pause between two questions to Postgres who leads, however many messages name another leader.
const CONFIRMED_EVERY: Duration = Duration::from_millis(250);

/// Listens to the other servers. It is cheap to clone.
#[derive(Debug, Clone)]
struct PeerListener {
    ws: WsContext,
    /// Woken when something was missed.
    missed: Wakeup,
    link: EngineLink,
    nodes: Nodes,
}

/// Listens until the tasks are aborted.
pub async fn listen(
    ws: &WsContext,
    link: &EngineLink,
    nodes: &Nodes,
) -> Result<Vec<JoinHandle<()>>, BusError> {
    let bus = link.bus();
    // The zeros make the first refusal count as an increase.
    for why in REFUSED {
        telemetry::count_refused_messages(why, 0);
    }
    let (ws, missed) = (ws.clone(), Wakeup::default());
    let listener = PeerListener { ws, missed, link: link.clone(), nodes: nodes.clone() };
    let announcements = bus.subscribe(subject::ANNOUNCEMENTS).await?;
    let news = bus.subscribe(subject::NEWS).await?;
    let devices = bus.subscribe(subject::DEVICES).await?;
    let reports = bus.subscribe(subject::NODES).await?;
    let receipts = bus.subscribe(&subject::receipts(bus.server())).await?;
    Ok(vec![
        rt::spawn(listener.clone().hear_announcements(announcements)),
        rt::spawn(listener.clone().heal_when_something_was_missed()),
        rt::spawn(listener.clone().hear_all_news(news)),
        rt::spawn(listener.clone().look_for_devices(bus.clone(), devices)),
        rt::spawn(listener.clone().take_receipts(receipts)),
        rt::spawn(listener.hear_reports(reports)),
    ])
}

/// Compares what this server shows with the database, and tells the engine who watches.
pub async fn heal(ws: &WsContext) {
    ws::renew_audience(ws);
    ws.hub.look_for_missed();
    if let Err(error) = ws::catch_up_watchers(ws).await {
        error.log();
    }
}

impl PeerListener {
    async fn hear_announcements(self, mut announcements: BusSubscription) {
        let mut confirmed_at = None;
        while let Some(received) = announcements.next().await {
            // Announcements of a release that can't be read are a gap, which the log fills.
            let Some((server, broadcast)) = counted(received.read_from::<Broadcast>()) else {
                self.missed.wake();
                continue;
            };
            let sender = Leader { term: broadcast.term, server: broadcast.leader.unwrap_or(server) };
            // Every sender may claim to lead. If the claim is true, the next heartbeat shows what was missed.
            if self.link.is_unconfirmed(sender) && !self.confirm(sender, &mut confirmed_at).await {
                continue;
            }
            match self.link.receive(sender, &broadcast) {
                Continuity::Stale => continue,
                Continuity::InOrder => {}
                Continuity::AfterGap => self.missed.wake(),
            }
            for (job, traceparent) in &broadcast.traces {
                self.ws.traces.changed_elsewhere(job.0, traceparent.as_deref());
            }
            broadcast.announcements.into_iter().for_each(|announcement| self.ws.hub.announce(announcement));
        }
    }

    /// Makes up for what was missed, at most once a second, however much it is.
    async fn heal_when_something_was_missed(self) {
        loop {
            self.missed.woken().await;
            metrics::counter!("roadcall_cluster_gaps_total").increment(1);
            heal(&self.ws).await;
            tokio::time::sleep(HEALED_EVERY).await;
        }
    }

    async fn hear_all_news(self, mut news: BusSubscription) {
        while let Some(received) = news.next().await {
            if let Some(news) = read::<News>(&received) {
                self.hear_news(news).await;
            }
        }
    }

    async fn look_for_devices(self, bus: Bus, mut devices: BusSubscription) {
        while let Some(received) = devices.next().await {
            let Some(query) = read::<DeviceQuery>(&received) else { continue };
            if self.has(query).await {
                bus.answer(&received, &true);
            }
        }
    }

    async fn take_receipts(self, mut receipts: BusSubscription) {
        while let Some(received) = receipts.next().await {
            self.link.pings().take_receipts(&received);
        }
    }

    async fn hear_reports(self, mut reports: BusSubscription) {
        while let Some(received) = reports.next().await {
            if let Some(report) = read::<NodeReport>(&received) {
                self.nodes.note(report);
            }
        }
    }

    /// Returns whether Postgres knows this leader, too. Postgres is asked once for all messages of a moment, since the
    /// answer names the leader, and a flood of invented terms must not cost more than that.
    async fn confirm(&self, sender: Leader, confirmed_at: &mut Option<Instant>) -> bool {
        if confirmed_at.is_some_and(|at| at.elapsed() < CONFIRMED_EVERY) {
            return false;
        }
        *confirmed_at = Some(Instant::now());
        let Some(leader) = confirming::confirm(&self.ws.db, &self.link).await else { return false };
        // A message from a leader that has just been replaced is no reason to worry.
        if sender != leader && sender.term >= leader.term {
            telemetry::count_refused_messages(UNKNOWN_TERM, 1);
        }
        sender == leader
    }

    async fn hear_news(&self, news: News) {
        let hub = &self.ws.hub;
        match news {
            News::PersonChanged(person) => auth::forget_here(&self.ws.mechanics.auth, hub, person).await,
            News::Notified(notification) => hub.send(&notification),
            News::ChatRead { person, job, read } => hub.has_read(person, job, &read),
            News::ChatTyping { person, job, typing } => hub.types(person, job, typing),
            News::Rings { person, device, call } => hub.rings(person, device, &call),
            News::Speaks { mechanic, opened_ms_ago } => {
                hub.speaks_elsewhere(mechanic, Duration::from_millis(opened_ms_ago));
            }
        }
    }

    /// Returns whether this server has the device.
    async fn has(&self, query: DeviceQuery) -> bool {
        let hub = &self.ws.hub;
        match query {
            DeviceQuery::AnyOpen(people) => hub.is_any_open(people).await,
            DeviceQuery::Signal { person, device, signal } => {
                hub.signal(person, device, &signal.into()).await
            }
        }
    }
}

/// Reads the body of a message, and counts messages that can't be read.
fn read<T: DeserializeOwned>(received: &Received) -> Option<T> {
    counted(received.read())
}

/// Counts a message that can't be read. Nothing of it is logged, since a sender may send any number of them.
fn counted<T>(read: Result<T, Unreadable>) -> Option<T> {
    if let Err(why) = &read {
        let why = match why {
            Unreadable::Newer => NEWER,
            Unreadable::Malformed => MALFORMED,
        };
        telemetry::count_refused_messages(why, 1);
    }
    read.ok()
}
