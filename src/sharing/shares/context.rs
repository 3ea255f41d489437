use std::{fmt, sync::Arc};

use uuid::Uuid;

use super::settings::ShareSettings;
use crate::{
    accounts::auth::{AuthState, TokenMaker},
    jobs::JobsContext,
    messaging::{calls::CallsContext, chat::ChatContext},
    providers::sms::Sms,
};

/// The shared parts that links use.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct SharesContext {
    #[deref(forward)]
    pub chat: ChatContext,
    pub calls: CallsContext,
    pub share_settings: Arc<ShareSettings>,
    pub streams: Arc<dyn LinkStreams>,
    pub sms: Sms,
    pub tokens: TokenMaker,
    pub auth: AuthState,
}

impl SharesContext {
    pub fn new(
        chat: ChatContext,
        calls: CallsContext,
        share_settings: Arc<ShareSettings>,
        streams: Arc<dyn LinkStreams>,
        auth: &AuthState,
    ) -> Self {
        let (sms, tokens) = (auth.sms(), auth.tokens_made().clone());
        Self { chat, calls, share_settings, streams, sms, tokens, auth: auth.clone() }
    }
}

/// The open streams of links' holders.
pub trait LinkStreams: fmt::Debug + Send + Sync {
    /// Tells the streams that a link was revoked: each of its streams checks the link at once, and ends.
    fn revoked(&self, link_id: Uuid);
}
