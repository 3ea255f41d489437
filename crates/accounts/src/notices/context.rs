use std::ops::Deref;

use roadcall_platform::worker::Wakeup;

use super::current::CurrentNotice;
use crate::auth::AuthContext;

/// The dependencies of publishing notices and agreeing to them.
#[derive(Debug, Clone)]
pub struct NoticesContext {
    pub auth: AuthContext,
    pub current: CurrentNotice,
    /// Makes every server look for a newer version.
    pub changed: Wakeup,
}

impl Deref for NoticesContext {
    type Target = AuthContext;

    fn deref(&self) -> &AuthContext {
        &self.auth
    }
}
