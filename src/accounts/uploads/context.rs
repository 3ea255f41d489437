use std::ops::Deref;

use crate::{
    accounts::auth::AuthContext,
    platform::core::Core,
    providers::storage::{LinkKey, StorageError, Stores},
};

/// What uploads need.
#[derive(Debug, Clone)]
pub struct UploadsContext {
    pub core: Core,
    /// Where the bytes of uploads are.
    pub stores: Stores,
}

impl UploadsContext {
    pub fn start(AuthContext { core, auth }: &AuthContext) -> Result<Self, StorageError> {
        let stores = Stores::start(&core.settings, LinkKey::new(auth.hex_keys("upload links")))?;
        Ok(Self { core: core.clone(), stores })
    }
}

impl Deref for UploadsContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}
