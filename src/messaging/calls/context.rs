use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::dto::{Call, SentSignal};
use crate::{
    http::RateLimits,
    jobs::JobsContext,
    providers::rooms::{CallSettings, Rooms},
};

/// The shared parts that calls use.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct CallsContext {
    #[deref]
    pub jobs: JobsContext,
    pub call_settings: Arc<CallSettings>,
    pub sockets: Arc<dyn CallSockets>,
    pub limits: Arc<RateLimits>,
    /// The rooms' provider.
    pub rooms: Arc<dyn Rooms>,
}

/// The open sockets of all devices of a person, or of one sign-in. A guest's link counts as a person with one device.
pub trait CallSockets: fmt::Debug + Send + Sync {
    /// Tells the person's devices that a call rings. Devices that miss this get a push.
    fn rings(&self, person: Uuid, device: Option<Uuid>, call: &Call);

    /// Returns whether any device of these people is connected.
    fn is_any_open(&self, people: Vec<Uuid>) -> BoxFuture<'_, bool>;

    /// Sends a signal of a call. Returns whether any socket had room for it.
    fn signal<'a>(
        &'a self,
        person: Uuid,
        device: Option<Uuid>,
        signal: &'a Arc<SentSignal>,
    ) -> BoxFuture<'a, bool>;
}
