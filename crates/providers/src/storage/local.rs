//! The data folder as a store. Clients send bytes to the service itself (`PUT /uploads/{id}/content`) and fetch them there.
//!
//! ```text
//! <data>/uploads/incoming/<id>    arriving; an unfinished file is removed at the next start
//! <data>/uploads/files/<xx>/<id>  complete, checked and on the disk; xx are the id's last two digits
//! ```

use std::{
    collections::HashMap,
    fs::{self, DirBuilder},
    io::{self, ErrorKind, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use tokio::{
    fs::{File, OpenOptions},
    io::AsyncWriteExt,
    task::spawn_blocking,
};
use uuid::Uuid;

use super::{
    inspection::Inspection,
    kind::FileKind,
    link::{Broken, LinkKey, Verb},
    model::{Announced, Fault, Kept, KeptBytes, PutLink},
    picture,
    picture_turns::{Pictures, stopped},
    settings::UploadSettings,
    store::Storage,
};
use crate::ProviderError;

/// The store's name in rows.
pub const LOCAL: &str = "local";

/// Returns a file's path, below the store's folder.
pub fn path_of(id: Uuid) -> PathBuf {
    let name = id.to_string();
    Path::new("files").join(&name[name.len() - 2..]).join(name)
}

/// The store in the data folder. One server uses a data folder at a time, so it knows all arriving uploads.
#[derive(Debug)]
pub struct LocalStorage {
    folder: PathBuf,
    public_url: String,
    key: LinkKey,
    at_once: usize,
    per_user: usize,
    max_megapixels: u32,
    /// The arriving uploads and their owners.
    arriving: Arc<Mutex<HashMap<Uuid, Uuid>>>,
    pictures: Pictures,
}

/// Why an upload is refused before its first byte.
#[derive(Debug)]
pub enum ReceiveRefused {
    /// The bytes were sent before.
    Used,
    /// The bytes are arriving right now, over another connection.
    Arriving,
    /// The maximum number of files is arriving.
    Full,
    /// The maximum number of this person's files is arriving.
    TooManyOfOne,
    Disk(io::Error),
}

/// Why the bytes were not kept.
#[derive(Debug)]
pub enum Spoiled {
    Fault(Fault),
    Disk(io::Error),
}

impl From<io::Error> for Spoiled {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

impl LocalStorage {
    /// Makes the store's folders, for the service's user alone, and removes unfinished uploads.
    pub(super) fn open(
        folder: &Path,
        settings: &UploadSettings,
        public_url: &str,
        key: LinkKey,
    ) -> io::Result<Self> {
        let incoming = folder.join("incoming");
        match fs::remove_dir_all(&incoming) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        for folder in [&incoming, &folder.join("files")] {
            private_folder(folder)?;
        }
        Ok(Self {
            folder: folder.to_owned(),
            public_url: public_url.trim_end_matches('/').to_owned(),
            key,
            at_once: settings.receiving_at_once,
            per_user: settings.receiving_per_user,
            max_megapixels: settings.max_image_megapixels,
            arriving: Arc::default(),
            pictures: Pictures::default(),
        })
    }

    /// Returns whether a signed link allows this action.
    pub fn check_link(
        &self,
        verb: Verb,
        id: Uuid,
        expires: i64,
        signature: &str,
        now: DateTime<Utc>,
    ) -> Result<(), Broken> {
        self.key.check(verb, id, expires, signature, now)
    }

    /// Begins to receive a person's upload. If it is not finished, it leaves nothing behind.
    pub async fn receive(&self, announced: &Announced, owner: Uuid) -> Result<Receiving, ReceiveRefused> {
        let place = self.place(announced.id, owner)?;
        let path = self.path(announced.id);
        // This is checked once the place is taken: its former holder has finished.
        if tokio::fs::try_exists(&path).await.map_err(ReceiveRefused::Disk)? {
            return Err(ReceiveRefused::Used);
        }
        let beside = self.folder.join("incoming").join(announced.id.to_string());
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(&beside).await;
        let inspection = Inspection::of(announced);
        Ok(Receiving { file: file.map_err(ReceiveRefused::Disk)?, beside, path, inspection, _place: place })
    }

    /// Opens a kept file at its first byte, and returns its length; `None` if there is no such file.
    pub async fn open_file(&self, id: Uuid) -> io::Result<Option<(File, u64)>> {
        match File::open(self.path(id)).await {
            Ok(file) => {
                let length = file.metadata().await?.len();
                Ok(Some((file, length)))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn place(&self, id: Uuid, owner: Uuid) -> Result<Place, ReceiveRefused> {
        let mut arriving = self.arriving.lock();
        if arriving.contains_key(&id) {
            return Err(ReceiveRefused::Arriving);
        }
        if arriving.len() >= self.at_once {
            return Err(ReceiveRefused::Full);
        }
        if arriving.values().filter(|one| **one == owner).count() >= self.per_user {
            return Err(ReceiveRefused::TooManyOfOne);
        }
        arriving.insert(id, owner);
        Ok(Place { id, arriving: self.arriving.clone() })
    }

    fn path(&self, id: Uuid) -> PathBuf {
        self.folder.join(path_of(id))
    }

    /// Removes a picture's metadata from the file.
    async fn clean(
        &self,
        announced: &Announced,
        attempt: Uuid,
    ) -> Result<Result<KeptBytes, Fault>, ProviderError> {
        let _turn = self.pictures.turn().await?;
        let (path, kind, most) = (self.path(announced.id), announced.kind, self.max_megapixels);
        let beside = self.folder.join("incoming").join(format!("{}-{attempt}", announced.id));
        let cleaned =
            spawn_blocking(move || clean_file(&path, &beside, kind, most)).await.map_err(|_| stopped())?;
        cleaned.map_err(|error| disk(&error))
    }

    fn link(&self, verb: Verb, id: Uuid, expires_at: DateTime<Utc>) -> String {
        let (expires, signature) = (expires_at.timestamp(), self.key.sign(verb, id, expires_at));
        format!("{}/uploads/{id}/content?expires={expires}&signature={signature}", self.public_url)
    }
}

#[async_trait]
impl Storage for LocalStorage {
    fn name(&self) -> &'static str {
        LOCAL
    }

    fn put_link(&self, announced: &Announced, _: DateTime<Utc>, expires_at: DateTime<Utc>) -> PutLink {
        PutLink { url: self.link(Verb::Put, announced.id, expires_at), headers: announced.headers() }
    }

    /// Keeps a file; the bytes in the folder were checked as they arrived. A picture has another length if an earlier try has
    /// removed its metadata.
    async fn keep(
        &self,
        announced: &Announced,
        attempt: Uuid,
    ) -> Result<Result<KeptBytes, Fault>, ProviderError> {
        let kept = match tokio::fs::metadata(self.path(announced.id)).await {
            Ok(_) if announced.kind.is_image() => self.clean(announced, attempt).await?,
            Ok(file) if file.len() == announced.size_bytes => Ok(KeptBytes::as_announced(announced)),
            Ok(_) => Err(Fault::Size),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Err(Fault::Missing)),
            Err(error) => return Err(disk(&error)),
        };
        if kept.is_err() {
            self.remove(announced.id, None).await?;
        }
        Ok(kept)
    }

    /// Does nothing: an upload has a single file, whatever was attempted.
    async fn forget(&self, _: Uuid, _: Uuid) -> Result<(), ProviderError> {
        Ok(())
    }

    /// Does nothing: a completed file stays where it arrived.
    async fn clear_incoming(&self, _: Uuid) -> Result<(), ProviderError> {
        Ok(())
    }

    fn get_link(&self, kept: &Kept, _: DateTime<Utc>, expires_at: DateTime<Utc>) -> String {
        self.link(Verb::Get, kept.id, expires_at)
    }

    async fn remove(&self, id: Uuid, _: Option<Uuid>) -> Result<(), ProviderError> {
        match tokio::fs::remove_file(self.path(id)).await {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(disk(&error)),
            _ => Ok(()),
        }
    }
}

/// Removes the metadata from a file. The file is complete at any moment: as it arrived, or without metadata.
fn clean_file(
    path: &Path,
    beside: &Path,
    kind: FileKind,
    max_megapixels: u32,
) -> io::Result<Result<KeptBytes, Fault>> {
    let bytes = fs::read(path)?;
    let clean = match picture::checked(kind, &bytes, max_megapixels) {
        Ok(clean) => clean,
        Err(fault) => return Ok(Err(fault)),
    };
    let kept = KeptBytes::of(&clean);
    if clean != bytes {
        let mut file =
            fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(beside)?;
        file.write_all(&clean)?;
        file.sync_all()?;
        publish(beside, path)?;
    }
    Ok(Ok(kept))
}

fn disk(error: &io::Error) -> ProviderError {
    ProviderError::Unavailable(format!("the upload folder: {error}"))
}

/// A place among the uploads that may arrive at once.
#[derive(Debug)]
struct Place {
    id: Uuid,
    arriving: Arc<Mutex<HashMap<Uuid, Uuid>>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.arriving.lock().remove(&self.id);
    }
}

/// A file that is arriving.
#[derive(Debug)]
pub struct Receiving {
    file: File,
    beside: PathBuf,
    path: PathBuf,
    inspection: Inspection,
    // Dropped last, so that the place is free only after the file beside is gone.
    _place: Place,
}

impl Receiving {
    /// Takes the next bytes.
    pub async fn take(&mut self, bytes: &[u8]) -> Result<(), Spoiled> {
        self.inspection.take(bytes).map_err(Spoiled::Fault)?;
        Ok(self.file.write_all(bytes).await?)
    }

    /// Finishes after the last byte: when this returns, the file is on the disk under its name, or not at all.
    pub async fn finish(mut self) -> Result<(), Spoiled> {
        let announced = self.inspection.announced;
        std::mem::replace(&mut self.inspection, Inspection::of(&announced))
            .finish()
            .map_err(Spoiled::Fault)?;
        self.file.flush().await?;
        self.file.sync_all().await?;
        let (beside, path) = (self.beside.clone(), self.path.clone());
        spawn_blocking(move || publish(&beside, &path)).await.map_err(io::Error::other)??;
        Ok(())
    }
}

impl Drop for Receiving {
    fn drop(&mut self) {
        // After `finish` the file is no longer there.
        fs::remove_file(&self.beside).ok();
    }
}

/// Renames the file so that the rename outlives a power cut.
fn publish(beside: &Path, path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    private_folder(folder)?;
    fs::rename(beside, path)?;
    fs::File::open(folder)?.sync_all()
}

fn private_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // The folder's own entry has to be written, too.
    folder.parent().map_or(Ok(()), |parent| fs::File::open(parent)?.sync_all())
}
