//! Where the bytes of uploads are: in the data folder (`local.rs`, the default) or in a store that speaks S3 (`s3.rs`).
//!
//! Clients send and fetch bytes under signed links that expire; `uploads` decides who may have a link. A file's
//! name is its id alone: nothing that a client wrote becomes part of a name.

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
#[cfg(any(test, fuzzing))]
pub(crate) use picture::checked as checked_picture;
pub use picture_turns::PICTURE_TURN;
pub use s3::S3Storage;
pub use settings::{StorageProvider, UploadSettings};
pub use store::Storage;

use std::sync::Arc;

use crate::platform::settings::ServerSettings;

/// Whether the store that the settings name can be made. Asks no provider, and leaves the data folder alone.
pub fn check(settings: &UploadSettings) -> Result<(), StorageError> {
    match settings.provider {
        StorageProvider::Local => Ok(()),
        StorageProvider::S3 => S3Storage::new(settings).map(drop),
    }
}

/// The stores at hand: the data folder always, since files stay there when new ones go elsewhere.
#[derive(Debug, Clone)]
pub struct Stores {
    pub local: Arc<LocalStorage>,
    s3: Option<Arc<S3Storage>>,
    provider: StorageProvider,
}

impl Stores {
    /// Makes the data folder's part for uploads, and removes what was arriving when the service last ended. Asks no
    /// provider.
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

    /// Where new files go.
    pub fn current(&self) -> &dyn Storage {
        match (self.provider, &self.s3) {
            (StorageProvider::S3, Some(s3)) => s3.as_ref(),
            _ => self.local.as_ref(),
        }
    }

    /// The store of that name; `None` if the settings no longer have it.
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
