//! What every server does with what the others send.

use std::time::Duration;

use actix_web::rt;
use roadcall_actors::broadcast::{Broadcast, Heard};
use tokio::task::JoinHandle;

use super::{
    link::EngineLink,
    messages::{DeviceQuery, News, NodeReport},
    nodes::Nodes,
    subject,
};
use crate::{
    accounts::auth,
    catalogue::dispatch_settings,
    messaging::{calls::CallSockets, chat::ChatSockets},
    notifications::SocketSender,
    platform::bus::{Bus, BusError, BusSubscription},
    ws::{self, WsContext},
};

/// A cheap clone.
#[derive(Debug, Clone)]
struct PeerListener {
    ws: WsContext,
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
    let listener = PeerListener { ws: ws.clone(), link: link.clone(), nodes: nodes.clone() };
    let announcements = bus.subscribe(subject::ANNOUNCEMENTS).await?;
    let news = bus.subscribe(subject::NEWS).await?;
    let devices = bus.subscribe(subject::DEVICES).await?;
    let reports = bus.subscribe(subject::NODES).await?;
    Ok(vec![
        rt::spawn(listener.clone().hear_announcements(announcements)),
        rt::spawn(listener.clone().hear_all_news(news)),
        rt::spawn(listener.clone().look_for_devices(bus.clone(), devices)),
        rt::spawn(listener.hear_reports(reports)),
    ])
}

impl PeerListener {
    async fn hear_announcements(self, mut announcements: BusSubscription) {
        while let Some(received) = announcements.next().await {
            // A release whose announcements can't be read is a gap, which the log fills.
            let broadcast = match received.read::<Broadcast>() {
                Ok(broadcast) => broadcast,
                Err(why) => {
                    tracing::warn!(?why, "announcements of the engine could not be read");
                    self.clone().heal();
                    continue;
                }
            };
            match self.link.hear(&broadcast) {
                Heard::Old => continue,
                Heard::InOrder => {}
                Heard::AfterGap => self.clone().heal(),
            }
            broadcast.announcements.into_iter().for_each(|announcement| self.ws.hub.announce(announcement));
        }
    }

    /// Something may have been missed: everything that is shown is compared with the database, and the engine is told who watches.
    fn heal(self) {
        metrics::counter!("roadcall_cluster_gaps_total").increment(1);
        ws::renew_audience(&self.ws);
        self.ws.hub.look_for_missed();
        rt::spawn(async move {
            if let Err(error) = ws::catch_up_watchers(&self.ws).await {
                error.log();
            }
        });
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
            News::SettingsChanged => {
                let jobs = &self.ws.jobs;
                if let Err(error) = dispatch_settings::refresh(jobs, &jobs.dispatch, &jobs.engine).await {
                    tracing::warn!(%error, "dispatch settings could not be reloaded; will retry");
                }
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
