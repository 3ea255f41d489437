use roadcall_platform::{core::Core, worker::Wakeup};

use super::current::CurrentCategories;
use crate::catalogue::dispatch_settings::DispatchConfig;

/// The context in which admins change the kinds of help.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct CategoriesContext {
    #[deref]
    pub core: Core,
    /// The settings that a category overrides.
    pub dispatch: DispatchConfig,
    pub current: CurrentCategories,
    /// Makes every server read the categories again.
    pub changed: Wakeup,
}
