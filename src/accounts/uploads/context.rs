use std::ops::Deref;

use crate::{platform::core::Core, providers::storage::Stores};

/// What uploads need.
#[derive(Debug, Clone)]
pub struct UploadsContext {
    pub core: Core,
    /// Where the bytes of uploads are.
    pub stores: Stores,
}

impl Deref for UploadsContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}
