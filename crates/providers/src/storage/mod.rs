//! Stores the bytes of uploads: in the data folder (`local.rs`, the default) or in a store with an S3 interface (`s3.rs`).
//!
//! Clients send and fetch bytes with signed links that expire; `uploads` decides who gets a link. A file's name consists of its
//! id alone: nothing that a client wrote becomes part of a name.

mod error;
mod inspection;
mod kind;
mod link;
mod local;
mod model;
mod picture;
mod picture_turns;
mod s3;
mod settings;
mod store;

pub use error::StorageError;
pub use kind::{FileKind, HEAD_BYTES};
pub use link::{Broken, LinkKey, Verb};
pub use local::{LOCAL, LocalStorage, ReceiveRefused, Receiving, Spoiled, path_of};
pub use model::{Announced, Fault, Kept, KeptBytes, PutLink};
pub use picture::checked as checked_picture;
pub use picture_turns::PICTURE_TURN;
pub use s3::S3Storage;
pub use settings::{StorageProvider, UploadSettings};
pub use store::Storage;

use std::sync::Arc;

use roadcall_platform::settings::ServerSettings;

/// Checks whether the store that the settings name can be made. Makes no request, and leaves the data folder alone.
pub fn check(settings: &UploadSettings) -> Result<(), StorageError> {
    match settings.provider {
        StorageProvider::Local => Ok(()),
        StorageProvider::S3 => S3Storage::new(settings).map(drop),
    }
}

/// The available stores. The data folder is always among them, since files stay there when new ones go elsewhere.
#[derive(Debug, Clone)]
pub struct Stores {
    pub local: Arc<LocalStorage>,
    s3: Option<Arc<S3Storage>>,
    provider: StorageProvider,
}

impl Stores {
    /// Makes the uploads' part of the data folder, and removes uploads that the service's last end interrupted. Makes no request.
    pub fn start(
        settings: &UploadSettings,
        server: &ServerSettings,
        key: LinkKey,
    ) -> Result<Self, StorageError> {
        let folder = server.data_dir.join("uploads");
        let local = LocalStorage::open(&folder, settings, &server.public_url, key)
            .map_err(|source| StorageError::Folder { path: folder.display().to_string(), source })?;
        let provider = settings.provider;
        let s3 = match provider {
            StorageProvider::Local => None,
            StorageProvider::S3 => Some(Arc::new(S3Storage::new(settings)?)),
        };
        Ok(Self { local: Arc::new(local), s3, provider })
    }

    /// Returns the store that new files go to.
    pub fn current(&self) -> &dyn Storage {
        match (self.provider, &self.s3) {
            (StorageProvider::S3, Some(s3)) => s3.as_ref(),
            _ => self.local.as_ref(),
        }
    }

    /// Returns the store of that name; `None` if the settings no longer have it.
    pub fn named(&self, name: &str) -> Option<&dyn Storage> {
        let all = self.all();
        all.into_iter().find(|store| store.name() == name)
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.all().into_iter().map(Storage::name).collect()
    }

    fn all(&self) -> Vec<&dyn Storage> {
        let s3 = self.s3.iter().map(|s3| s3.as_ref() as &dyn Storage);
        std::iter::once(self.local.as_ref() as &dyn Storage).chain(s3).collect()
    }
}
