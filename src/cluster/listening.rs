//! What every server does with what the others send.

use std::time::Duration;

use actix_web::rt;
use roadcall_actors::broadcast::{Broadcast, Continuity};
use tokio::task::JoinHandle;

use super::{
    link::EngineLink,
    messages::{DeviceQuery, News, NodeReport},
    nodes::Nodes,
    subject,
};
use crate::{
    accounts::auth,
    messaging::{calls::CallSockets, chat::ChatSockets},
    notifications::SocketSender,
    platform::{
        bus::{Bus, BusError, BusSubscription},
        worker::Wakeup,
    },
    ws::{self, WsContext},
};

/// Pause between two times that what was missed is made up for.
const HEALED_EVERY: Duration = Duration::from_secs(1);

/// A cheap clone.
#[derive(Debug, Clone)]
struct PeerListener {
    ws: WsContext,
    /// Something was missed.
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

/// What this server shows is compared with the database, and the engine is told who watches.
pub async fn heal(ws: &WsContext) {
    ws::renew_audience(ws);
    ws.hub.look_for_missed();
    if let Err(error) = ws::catch_up_watchers(ws).await {
        error.log();
    }
}

impl PeerListener {
    async fn hear_announcements(self, mut announcements: BusSubscription) {
        while let Some(received) = announcements.next().await {
            // A release whose announcements can't be read is a gap, which the log fills.
            let broadcast = match received.read::<Broadcast>() {
                Ok(broadcast) => broadcast,
                Err(why) => {
                    tracing::warn!(?why, "announcements of the engine could not be read");
                    self.missed.wake();
                    continue;
                }
            };
            match self.link.receive(&broadcast) {
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

    /// Once a second at most, however much is missed.
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
            if let Ok(news) = received.read::<News>() {
                self.hear_news(news).await;
            }
        }
    }

    async fn look_for_devices(self, bus: Bus, mut devices: BusSubscription) {
        while let Some(received) = devices.next().await {
            let Ok(query) = received.read::<DeviceQuery>() else { continue };
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
            if let Ok(report) = received.read::<NodeReport>() {
                self.nodes.note(report);
            }
        }
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

    /// Whether this server has the device.
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
