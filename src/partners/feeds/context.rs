use std::{ops::Deref, sync::Arc, time::Duration};

use crate::{
    partners::context::PartnersContext,
    platform::{keys::KeyRing, worker::Wakeup},
    providers::webhooks::{SecretSeal, Webhooks},
};

/// The parts that feeds use: the sender of webhooks, the keys of its secrets, and the wakeups of the workers.
#[derive(Debug, Clone)]
pub struct FeedsContext {
    pub partners: PartnersContext,
    pub webhooks: Arc<Webhooks>,
    /// The keys that seal the secrets of subscriptions.
    pub seals: Arc<KeyRing<SecretSeal>>,
    /// Wakes the worker that reads the logs of jobs.
    pub feeding: Wakeup,
    /// Wakes the worker that sends what is due.
    pub delivering: Wakeup,
}

impl FeedsContext {
    /// Makes the context. Fails only if the machine has no certificates.
    pub fn start(partners: PartnersContext) -> reqwest::Result<Self> {
        let settings = &partners.partner_settings;
        let timeout = Duration::from_secs(settings.webhook_timeout_s);
        let webhooks = Arc::new(Webhooks::new(timeout, settings.allow_private_addresses)?);
        let keys = partners.shares.auth.keys("webhook secrets");
        let seals = Arc::new(keys.map(|key| SecretSeal::new(*key)));
        let wakeup = |worker| Wakeup::anywhere(partners.bus.as_ref(), worker);
        let (feeding, delivering) = (wakeup("partner_events"), wakeup("partner_deliveries"));
        Ok(Self { webhooks, seals, feeding, delivering, partners })
    }

    /// Wakes the sender. Call this after the commit of what [`append`](super::append) wrote.
    pub fn wake(&self) {
        self.delivering.wake();
    }
}

impl Deref for FeedsContext {
    type Target = PartnersContext;

    fn deref(&self) -> &PartnersContext {
        &self.partners
    }
}
