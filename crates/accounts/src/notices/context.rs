use roadcall_platform::worker::Wakeup;

use super::current::CurrentNotice;
use crate::auth::AuthContext;

/// The dependencies of publishing notices and agreeing to them.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct NoticesContext {
    #[deref]
    pub auth: AuthContext,
    pub current: CurrentNotice,
    /// Makes every server look for a newer version.
    pub changed: Wakeup,
}
