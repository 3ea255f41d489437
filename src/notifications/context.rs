use std::{fmt, ops::Deref, sync::Arc};

use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::dto::Notification;
use crate::{
    accounts::auth::AuthState,
    platform::{core::Core, settings::MoneySettings, worker::Wakeup},
    providers::{
        push::{PushStartError, Pushes},
        sms::Sms,
    },
};

/// The shared parts that an area needs to notify people.
#[derive(Debug, Clone)]
pub struct NotifyContext {
    pub core: Core,
    pub wakeups: Wakeups,
}

impl NotifyContext {
    pub fn new(core: &Core) -> Self {
        let recorded = Wakeup::anywhere(core.bus.as_ref(), "notifications");
        Self {
            core: core.clone(),
            wakeups: Wakeups { recorded, announced: Wakeup::default(), texts: Wakeup::default() },
        }
    }
}

impl Deref for NotifyContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

/// Sends notifications to people's open sockets. A notification that a socket misses is in the person's list.
pub trait SocketSender: fmt::Debug + Send + Sync {
    fn send(&self, notification: &Notification);

    /// Returns whether any device of the person is connected.
    fn is_open(&self, user_id: Uuid) -> BoxFuture<'_, bool>;
}

/// Computes the mechanic's share of a price. The ledger, which divides it, is above this area.
pub type MechanicsShare = fn(price_paise: i64, &MoneySettings) -> i64;

/// The shared parts that deliver notifications.
#[derive(Debug, Clone)]
pub struct NotificationsContext {
    pub notify: NotifyContext,
    pub push: Arc<Pushes>,
    pub sockets: Arc<dyn SocketSender>,
    pub sms: Sms,
    pub auth: AuthState,
    pub mechanics_share: MechanicsShare,
}

impl NotificationsContext {
    pub fn start(
        notify: NotifyContext,
        auth: &AuthState,
        sockets: Arc<dyn SocketSender>,
        mechanics_share: MechanicsShare,
    ) -> Result<Self, PushStartError> {
        let Core { settings, clock, random, .. } = &notify.core;
        let push = Arc::new(Pushes::start(settings, clock, random, &auth.keys("web push"))?);
        Ok(Self { notify, push, sockets, sms: auth.sms(), auth: auth.clone(), mechanics_share })
    }
}

impl Deref for NotificationsContext {
    type Target = NotifyContext;

    fn deref(&self) -> &NotifyContext {
        &self.notify
    }
}

/// Wakes the workers that deliver, before their next tick.
#[derive(Debug, Clone)]
pub struct Wakeups {
    pub(super) recorded: Wakeup,
    pub(super) announced: Wakeup,
    pub(super) texts: Wakeup,
}

impl Wakeups {
    /// Wakes the workers. Call this after the commit of what [`record`] wrote.
    pub fn notify(&self) {
        self.recorded.wake();
    }
}
