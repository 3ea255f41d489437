use std::ops::Deref;

use crate::{
    accounts::auth::AuthContext,
    platform::core::Core,
    providers::storage::{LinkKey, StorageError, Stores},
};

/// The dependencies of uploads.
#[derive(Debug, Clone)]
pub struct UploadsContext {
    pub core: Core,
    /// The stores of the uploads' bytes.
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
