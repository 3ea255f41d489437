use std::ops::Deref;

use super::current::CurrentNotice;
use crate::{accounts::auth::AuthContext, platform::worker::Wakeup};

/// What notices are published and agreed to with.
#[derive(Debug, Clone)]
pub struct NoticesContext {
    pub auth: AuthContext,
    pub current: CurrentNotice,
    /// Has every server look for a newer version.
    pub changed: Wakeup,
}

impl Deref for NoticesContext {
    type Target = AuthContext;

    fn deref(&self) -> &AuthContext {
        &self.auth
    }
}
