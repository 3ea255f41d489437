use std::ops::Deref;

use crate::{catalogue::dispatch_settings::DispatchConfig, platform::core::Core};

/// The context in which admins change the kinds of help.
#[derive(Debug, Clone)]
pub struct CategoriesContext {
    pub core: Core,
    /// The settings that a category overrides.
    pub dispatch: DispatchConfig,
}

impl Deref for CategoriesContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}
