use std::{fmt, ops::Deref, sync::Arc};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::dto::{Call, Signal};
use crate::{http::RateLimits, jobs::JobsContext, providers::rooms::Rooms};

/// What a call needs.
#[derive(Debug, Clone)]
pub struct CallsContext {
    pub jobs: JobsContext,
    pub sockets: Arc<dyn CallSockets>,
    pub limits: Arc<RateLimits>,
    /// The rooms' provider.
    pub rooms: Arc<dyn Rooms>,
}

impl Deref for CallsContext {
    type Target = JobsContext;

    fn deref(&self) -> &JobsContext {
        &self.jobs
    }
}

/// The open sockets of a person's devices: all of them, or those of one sign-in. A guest's link counts as a person with one device.
pub trait CallSockets: fmt::Debug + Send + Sync {
    /// A call rings. Devices that miss this get a push.
    fn rings(&self, person: Uuid, device: Option<Uuid>, call: &Call);

    /// Whether any of their devices is connected.
    fn is_open(&self, person: Uuid) -> bool;

    /// A signal of a call. Returns whether any socket had room for it.
    fn signal(&self, person: Uuid, device: Option<Uuid>, signal: &Arc<SentSignal>) -> bool;
}

/// A signal on its way.
#[derive(Debug)]
pub struct SentSignal {
    pub job_id: Uuid,
    pub at: DateTime<Utc>,
    pub signal: Signal,
}
