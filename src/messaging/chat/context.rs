use std::{fmt, sync::Arc};

use uuid::Uuid;

use super::{
    dto::{ChatRead, ChatTyping},
    settings::ChatSettings,
};
use crate::{http::RateLimits, jobs::JobsContext};

/// The shared parts that chat uses.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct ChatContext {
    #[deref]
    pub jobs: JobsContext,
    pub chat_settings: Arc<ChatSettings>,
    pub sockets: Arc<dyn ChatSockets>,
    pub limits: Arc<RateLimits>,
}

/// The open sockets of the person on the other side of a job.
pub trait ChatSockets: fmt::Debug + Send + Sync {
    /// Tells a person that the other side has read the chat. A socket that misses this finds it in the chat.
    fn has_read(&self, person: Uuid, job: Uuid, read: &ChatRead);

    /// Tells a person that the other side is writing. This is repeated as long as they write.
    fn types(&self, person: Uuid, job: Uuid, typing: ChatTyping);
}
