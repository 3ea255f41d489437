//! Where the bytes of uploads are: in the data folder (`local.rs`, the default) or in a store that speaks S3 (`s3.rs`).
//!
//! Clients send and fetch bytes under signed links that expire; `uploads` decides who may have a link. A file's
//! name is its id alone: nothing that a client wrote becomes part of a name.

mod kind;
mod link;
mod local;
mod picture;
mod s3;

pub use kind::{FileKind, HEAD_BYTES};
pub use link::{Broken, LinkKey, Verb};
pub use local::{LocalStorage, ReceiveRefused, Receiving, Spoiled};
pub use s3::S3Storage;

use std::{io, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use sha2::{Digest, Sha256};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};
use uuid::Uuid;

use super::ProviderError;
use crate::platform::settings::{Settings, StorageProvider};

/// What was announced, and must arrive to the byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Announced {
    pub id: Uuid,
    pub kind: FileKind,
    pub size_bytes: u64,
    pub sha256: Option<[u8; 32]>,
}

impl Announced {
    /// What must be sent with the bytes.
    fn headers(&self) -> Vec<(&'static str, String)> {
        vec![("content-type", self.kind.to_string()), ("content-length", self.size_bytes.to_string())]
    }
}

/// What is kept of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptBytes {
    pub size_bytes: u64,
    /// Where it was computed.
    pub sha256: Option<[u8; 32]>,
}

impl KeptBytes {
    /// The very bytes that were announced.
    fn as_announced(announced: &Announced) -> Self {
        Self { size_bytes: announced.size_bytes, sha256: announced.sha256 }
    }

    fn of(bytes: &[u8]) -> Self {
        Self { size_bytes: bytes.len() as u64, sha256: Some(Sha256::digest(bytes).into()) }
    }
}

/// A file that was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    pub id: Uuid,
    /// The try that kept it.
    pub attempt: Option<Uuid>,
    pub kind: FileKind,
    pub may_be_cached: bool,
}

impl Kept {
    /// The name to save it under: the id. Images may be shown in a page; a PDF, which has scripts of its own, is
    /// saved.
    pub fn disposition(&self) -> String {
        let shown = if self.kind.is_image() { "inline" } else { "attachment" };
        format!("{shown}; filename=\"{}.{}\"", self.id, self.kind.extension())
    }

    /// Never by a proxy between the store and the client.
    pub fn cache_control(&self) -> &'static str {
        if self.may_be_cached { "private" } else { "private, no-store" }
    }
}

/// How bytes are sent: PUT them to the URL, with these headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutLink {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
}

/// How a file differs from what was announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing has arrived.
    Missing,
    Size,
    Kind,
    Sha256,
    /// Not a whole picture of its kind.
    Damaged,
    /// A picture that takes too much memory to show.
    Pixels {
        max_megapixels: u32,
    },
}

/// A store. Calls have time limits of their own, and each may be made again whatever became of it.
pub trait Storage: Send + Sync + std::fmt::Debug {
    /// As in rows: "local", "s3".
    fn name(&self) -> &'static str;

    /// A link under which these bytes can be sent and no others, until `expires_at`. Makes no request.
    fn put_link(&self, announced: &Announced, now: DateTime<Utc>, expires_at: DateTime<Utc>) -> PutLink;

    /// Keeps what has arrived where the link for sending does not reach, pictures without their metadata, and checks it
    /// there. What is not as announced is removed, and its fault returned. Each `attempt` has an id of its own; forget one that
    /// failed.
    fn keep<'a>(
        &'a self,
        announced: &'a Announced,
        attempt: Uuid,
    ) -> BoxFuture<'a, Result<Result<KeptBytes, Fault>, ProviderError>>;

    /// Removes what an attempt kept that came to nothing, and leaves what has arrived.
    fn forget(&self, id: Uuid, attempt: Uuid) -> BoxFuture<'_, Result<(), ProviderError>>;

    /// Removes what has arrived, after its upload is complete.
    fn clear_incoming(&self, id: Uuid) -> BoxFuture<'_, Result<(), ProviderError>>;

    /// A link under which anyone who has it can fetch the file until `expires_at`. Makes no request.
    fn get_link(&self, kept: &Kept, now: DateTime<Utc>, expires_at: DateTime<Utc>) -> String;

    /// Removes what has arrived, and what the attempt kept. Nothing to remove is no error.
    fn remove(&self, id: Uuid, attempt: Option<Uuid>) -> BoxFuture<'_, Result<(), ProviderError>>;
}

/// Pictures that are in memory at once, each twice, while their metadata is removed; further ones wait.
const PICTURES_AT_ONCE: usize = 4;
/// How long a picture waits for its turn before the client has to try again.
pub const PICTURE_TURN: Duration = Duration::from_secs(10);

/// Bounds the pictures in memory.
#[derive(Debug, Clone)]
struct Pictures(Arc<Semaphore>);

impl Default for Pictures {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(PICTURES_AT_ONCE)))
    }
}

impl Pictures {
    async fn turn(&self) -> Result<SemaphorePermit<'_>, ProviderError> {
        let busy = |_| ProviderError::Unavailable("too many pictures at once".to_owned());
        timeout(PICTURE_TURN, self.0.acquire()).await.map_err(busy)?.map_err(|_| stopped())
    }
}

fn stopped() -> ProviderError {
    ProviderError::Unavailable("the service is stopping".to_owned())
}

/// The stores at hand: the data folder always, since files stay there when new ones go elsewhere.
#[derive(Debug, Clone)]
pub struct Stores {
    pub local: Arc<LocalStorage>,
    s3: Option<Arc<S3Storage>>,
    provider: StorageProvider,
}

/// Why the stores can't start.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    #[error("the folder of uploads, {path}: {source}")]
    Folder { path: String, source: io::Error },
    #[error("uploads.endpoint, uploads.bucket and uploads.path_style make no URL")]
    Url,
    #[error("the HTTP client of uploads: {0}")]
    Client(#[from] reqwest::Error),
}

impl Stores {
    /// Makes the data folder's part for uploads, and removes what was arriving when the service last ended. Asks no
    /// provider.
    pub fn start(settings: &Settings, key: LinkKey) -> Result<Self, StorageError> {
        let folder = settings.server.data_dir.join("uploads");
        let local = LocalStorage::open(&folder, settings, key)
            .map_err(|source| StorageError::Folder { path: folder.display().to_string(), source })?;
        let provider = settings.uploads.provider;
        let s3 = match provider {
            StorageProvider::Local => None,
            StorageProvider::S3 => Some(Arc::new(S3Storage::new(&settings.uploads)?)),
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

/// Checks bytes as they arrive, and keeps only the first few.
#[derive(Debug)]
struct Inspection {
    announced: Announced,
    head: Vec<u8>,
    length: u64,
    digest: Sha256,
}

impl Inspection {
    fn of(announced: &Announced) -> Self {
        Self { announced: *announced, head: Vec::new(), length: 0, digest: Sha256::new() }
    }

    /// The fault that shows already: too many bytes, or the first ones of another kind.
    fn take(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let missing = HEAD_BYTES - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(missing)]);
        self.length += bytes.len() as u64;
        self.digest.update(bytes);
        if self.length > self.announced.size_bytes {
            return Err(Fault::Size);
        }
        if self.head.len() == HEAD_BYTES { self.check_kind() } else { Ok(()) }
    }

    /// After the last byte.
    fn finish(self) -> Result<(), Fault> {
        if self.length != self.announced.size_bytes {
            return Err(Fault::Size);
        }
        self.check_kind()?;
        let announced = self.announced.sha256;
        if announced.is_none_or(|digest| self.digest.finalize()[..] == digest) {
            Ok(())
        } else {
            Err(Fault::Sha256)
        }
    }

    fn check_kind(&self) -> Result<(), Fault> {
        if FileKind::of(&self.head) == Some(self.announced.kind) { Ok(()) } else { Err(Fault::Kind) }
    }
}

/// A link's lifetime, for signing; at least a second.
fn life(now: DateTime<Utc>, expires_at: DateTime<Utc>) -> Duration {
    (expires_at - now).to_std().unwrap_or_default().max(Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_picture_waits_for_its_turn_only_so_long() {
        tokio::time::pause();
        let pictures = Pictures::default();
        let mut held = Vec::new();
        for _ in 0..PICTURES_AT_ONCE {
            held.push(pictures.turn().await.expect("room"));
        }
        assert!(matches!(pictures.turn().await, Err(ProviderError::Unavailable(_))));
        held.pop();
        assert!(pictures.turn().await.is_ok());
    }
}
