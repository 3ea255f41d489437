//! The sockets of all servers, as areas see them.

use std::{sync::Arc, time::Duration};

use futures_util::future::{BoxFuture, FutureExt};
use uuid::Uuid;

use super::{
    messages::{DeviceQuery, News},
    subject,
};
use crate::{
    accounts::auth,
    messaging::{
        calls::{self, Call, SentSignal},
        chat::{self, ChatRead, ChatTyping},
    },
    notifications::{self, Notification},
    platform::bus::Bus,
    sharing::shares,
    ws::{Hub, OtherServers},
};

/// How long the other servers have to find a device.
const FIND_WITHIN: Duration = Duration::from_millis(250);

/// The sockets of this server, and, by the bus, those of the others.
#[derive(Debug)]
struct ClusterSockets {
    hub: Hub,
    bus: Bus,
}

/// Open sockets, for each area that sends to them.
#[derive(Debug)]
pub struct AllSockets {
    pub auth: Arc<dyn auth::OpenSockets>,
    pub notifications: Arc<dyn notifications::SocketSender>,
    pub chat: Arc<dyn chat::ChatSockets>,
    pub calls: Arc<dyn calls::CallSockets>,
    pub links: Arc<dyn shares::LinkStreams>,
}

impl AllSockets {
    /// Returns the sockets of this server, or, with a bus, those of all servers.
    pub fn new(hub: &Hub, bus: Option<&Bus>) -> Self {
        match bus {
            None => Self::of(Arc::new(hub.clone())),
            Some(bus) => Self::of(Arc::new(ClusterSockets { hub: hub.clone(), bus: bus.clone() })),
        }
    }

    fn of<S>(sockets: Arc<S>) -> Self
    where
        S: auth::OpenSockets
            + notifications::SocketSender
            + chat::ChatSockets
            + calls::CallSockets
            + shares::LinkStreams
            + 'static,
    {
        let (auth, links) = (sockets.clone(), sockets.clone());
        let (chat, calls) = (sockets.clone(), sockets.clone());
        Self { auth, notifications: sockets, chat, calls, links }
    }
}

/// Used by the hub, which needs it before it is part of [`ClusterSockets`].
#[derive(Debug)]
pub struct Speaking(pub Bus);

impl ClusterSockets {
    fn tell(&self, news: &News) {
        self.bus.publish(subject::NEWS, news);
    }

    async fn find(&self, query: &DeviceQuery) -> bool {
        self.bus.request(subject::DEVICES, query, FIND_WITHIN).await.unwrap_or(false)
    }
}

impl OtherServers for Speaking {
    fn speaks(&self, mechanic: Uuid, opened_ago: Duration) {
        let opened_ms_ago = u64::try_from(opened_ago.as_millis()).unwrap_or(u64::MAX);
        self.0.publish(subject::NEWS, &News::Speaks { mechanic, opened_ms_ago });
    }
}

impl auth::OpenSockets for ClusterSockets {
    fn changed(&self, person: Uuid) {
        self.hub.changed(person);
        self.tell(&News::PersonChanged(person));
    }
}

impl shares::LinkStreams for ClusterSockets {
    fn revoked(&self, link_id: Uuid) {
        // A guest's connections are found by the link's id.
        auth::OpenSockets::changed(self, link_id);
    }
}

impl notifications::SocketSender for ClusterSockets {
    fn send(&self, notification: &Notification) {
        self.hub.send(notification);
        self.tell(&News::Notified(Box::new(notification.clone())));
    }

    fn is_open(&self, user_id: Uuid) -> BoxFuture<'_, bool> {
        calls::CallSockets::is_any_open(self, vec![user_id])
    }
}

impl chat::ChatSockets for ClusterSockets {
    fn has_read(&self, person: Uuid, job: Uuid, read: &ChatRead) {
        self.hub.has_read(person, job, read);
        self.tell(&News::ChatRead { person, job, read: read.clone() });
    }

    fn types(&self, person: Uuid, job: Uuid, typing: ChatTyping) {
        self.hub.types(person, job, typing);
        self.tell(&News::ChatTyping { person, job, typing });
    }
}

impl calls::CallSockets for ClusterSockets {
    fn rings(&self, person: Uuid, device: Option<Uuid>, call: &Call) {
        self.hub.rings(person, device, call);
        self.tell(&News::Rings { person, device, call: Box::new(call.clone()) });
    }

    fn is_any_open(&self, people: Vec<Uuid>) -> BoxFuture<'_, bool> {
        async move {
            let is_here = self.hub.is_any_open(people.clone()).await;
            is_here || self.find(&DeviceQuery::AnyOpen(people)).await
        }
        .boxed()
    }

    fn signal<'a>(
        &'a self,
        person: Uuid,
        device: Option<Uuid>,
        signal: &'a Arc<SentSignal>,
    ) -> BoxFuture<'a, bool> {
        async move {
            let is_taken = self.hub.signal(person, device, signal).await;
            let query = || DeviceQuery::Signal { person, device, signal: SentSignal::clone(signal) };
            match (is_taken, device) {
                (false, _) => self.find(&query()).await,
                // The person's other devices may be anywhere.
                (true, None) => {
                    self.bus.publish(subject::DEVICES, &query());
                    true
                }
                (true, Some(_)) => true,
            }
        }
        .boxed()
    }
}
