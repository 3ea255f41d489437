use std::sync::Arc;

use roadcall_platform::core::Core;
use roadcall_providers::storage::{LinkKey, StorageError, Stores, UploadSettings};

use crate::auth::AuthContext;

/// The dependencies of uploads.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct UploadsContext {
    #[deref]
    pub core: Core,
    pub upload_settings: Arc<UploadSettings>,
    /// The stores of the uploads' bytes.
    pub stores: Stores,
}

impl UploadsContext {
    pub fn start(
        AuthContext { core, auth }: &AuthContext,
        settings: &UploadSettings,
    ) -> Result<Self, StorageError> {
        let key = LinkKey::new(auth.hex_keys("upload links"));
        let stores = Stores::start(settings, &core.settings.server, key)?;
        Ok(Self { core: core.clone(), upload_settings: Arc::new(settings.clone()), stores })
    }
}
