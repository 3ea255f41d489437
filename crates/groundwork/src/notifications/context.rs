use std::{collections::BTreeMap, fmt, sync::Arc};

use chrono::TimeDelta;
use futures_util::future::BoxFuture;
use roadcall_accounts::auth::AuthState;
use roadcall_platform::{core::Core, worker::Wakeup};
use roadcall_providers::{
    push::{PushSettings, PushStartError, Pushes},
    sms::Sms,
};
use uuid::Uuid;

use super::{dto::Notification, settings::NotificationSettings};

/// The shared parts that an area needs to notify people.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct NotifyContext {
    #[deref]
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

/// Sends notifications to people's open sockets. A notification that a socket misses is in the person's list.
pub trait SocketSender: fmt::Debug + Send + Sync {
    fn send(&self, notification: &Notification);

    /// Returns whether any device of the person is connected.
    fn is_open(&self, user_id: Uuid) -> BoxFuture<'_, bool>;
}

/// Computes the mechanic's share of a price. The ledger, which divides it, is above this area.
#[derive(derive_more::Debug, Clone)]
#[debug("MechanicsShare(..)")]
pub struct MechanicsShare(Arc<dyn Fn(i64) -> i64 + Send + Sync>);

impl MechanicsShare {
    pub fn new(of_price: impl Fn(i64) -> i64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(of_price))
    }

    pub(super) fn of(&self, price_paise: i64) -> i64 {
        (self.0)(price_paise)
    }
}

/// The settings of text messages about a job.
#[derive(Debug)]
pub struct StatusTexts {
    /// Whether customers get such texts. People for whom an organisation orders help get those that it chose.
    pub are_on: bool,
    /// How long a notification waits for an app that shows it.
    pub after: TimeDelta,
    pub per_job: i64,
    pub per_person_per_day: i64,
    /// Whether a text has a link to the job.
    pub have_links: bool,
    /// The operator's own texts by the keys of registered texts.
    pub written: BTreeMap<String, String>,
}

/// The settings of deliveries, and the function for a mechanic's share.
#[derive(Debug)]
pub struct DeliverySetup {
    pub settings: NotificationSettings,
    pub push: PushSettings,
    pub texts: StatusTexts,
    pub mechanics_share: MechanicsShare,
}

/// The shared parts that deliver notifications.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct NotificationsContext {
    #[deref]
    pub notify: NotifyContext,
    pub notification_settings: Arc<NotificationSettings>,
    pub push_settings: Arc<PushSettings>,
    pub push: Arc<Pushes>,
    pub sockets: Arc<dyn SocketSender>,
    pub sms: Sms,
    pub status_texts: Arc<StatusTexts>,
    pub auth: AuthState,
    pub mechanics_share: MechanicsShare,
}

impl NotificationsContext {
    pub fn start(
        notify: NotifyContext,
        auth: &AuthState,
        sockets: Arc<dyn SocketSender>,
        setup: DeliverySetup,
    ) -> Result<Self, PushStartError> {
        let Core { settings: core, clock, random, .. } = &notify.core;
        let DeliverySetup { settings, push: push_settings, texts, mechanics_share } = setup;
        let push = Pushes::start(&push_settings, core, clock, random, &auth.keys("web push"))?;
        Ok(Self {
            notify,
            notification_settings: Arc::new(settings),
            push_settings: Arc::new(push_settings),
            push: Arc::new(push),
            sockets,
            sms: auth.sms(),
            status_texts: Arc::new(texts),
            auth: auth.clone(),
            mechanics_share,
        })
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
