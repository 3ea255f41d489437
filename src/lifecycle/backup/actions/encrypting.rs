//! Encrypts the files of a backup with `age` as they are written: no file is ever in it unencrypted.

use std::{
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use uuid::Uuid;

use crate::{
    accounts::auth,
    lifecycle::backup::{
        age::Age,
        dto::{DUMP_FILE, ENCRYPTED_SUFFIX, FORMAT, FileOf, Manifest},
        error::{BackupError, blocking},
        programs::Input,
        settings::BackupSettings,
    },
    platform::db::{Snapshot, open_no_link},
    providers::storage,
};

/// The number of files encrypted or decrypted at a time. They wait for the disk more than for a processor.
pub const AT_ONCE: usize = 4;

/// Encrypts a backup's files for some recipients.
#[derive(Debug)]
pub struct Encrypting {
    age: Age,
    recipients: Vec<String>,
}

impl Encrypting {
    /// Returns `None` if the settings name no recipients.
    pub fn of(settings: &BackupSettings) -> Result<Option<Self>, BackupError> {
        if settings.age_recipients.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { age: Age::find()?, recipients: settings.age_recipients.clone() }))
    }

    /// Encrypts the dump: `pg_dump` writes to `age`. Lists the dump in the manifest.
    pub async fn dump(
        &self,
        snapshot: &Snapshot,
        base: &Path,
        manifest: &mut Manifest,
    ) -> Result<(), BackupError> {
        manifest.format = FORMAT;
        manifest.age_recipients.clone_from(&self.recipients);
        let (reader, writer) = io::pipe().map_err(BackupError::file("can't write", base))?;
        let to = base.join(DUMP_FILE);
        let encrypting = self.age.encrypt(&self.recipients, Input::Stream(reader.into()), &to);
        // If age ends, so does pg_dump; if pg_dump ends, age just sees the end of its input.
        let (dumped, encrypted) = tokio::join!(snapshot.dump_into(writer), encrypting);
        manifest.files.insert(DUMP_FILE.to_owned(), encrypted?);
        manifest.postgres.pg_dump = dumped?;
        Ok(())
    }

    /// Encrypts the uploaded files. As with unencrypted copies, files that have vanished are noted.
    pub async fn uploads(
        &self,
        base: &Path,
        from: &Path,
        ids: Vec<Uuid>,
        manifest: &mut Manifest,
    ) -> Result<(), BackupError> {
        let files = stream::iter(ids).map(|id| async move {
            let path = storage::path_of(id);
            let to = Path::new("uploads").join(&path);
            let to = format!("{}{ENCRYPTED_SUFFIX}", to.display());
            let file = self.upload(from.join(path), &base.join(&to)).await?;
            Ok::<_, BackupError>((id, to, file))
        });
        let mut files = files.buffered(AT_ONCE);
        while let Some((id, to, file)) = files.try_next().await? {
            match file {
                Some(file) => {
                    manifest.uploads.here += 1;
                    manifest.files.insert(to, file);
                }
                None => manifest.uploads.absent.push(id),
            }
        }
        Ok(())
    }

    async fn upload(&self, from: PathBuf, to: &Path) -> Result<Option<FileOf>, BackupError> {
        let source = blocking(move || match open_no_link(&from) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some).map_err(BackupError::file("can't open", &from)),
        });
        let Some(source) = source.await? else { return Ok(None) };
        self.age.encrypt(&self.recipients, Input::Stream(source.into()), to).await.map(Some)
    }

    pub async fn secret(
        &self,
        base: &Path,
        secret: Option<String>,
        manifest: &mut Manifest,
    ) -> Result<(), BackupError> {
        manifest.has_token_secret = secret.is_some();
        let Some(secret) = secret else { return Ok(()) };
        let path = format!("{}{ENCRYPTED_SUFFIX}", auth::SECRET_FILE);
        let input = Input::Bytes(secret.as_bytes());
        let file = self.age.encrypt(&self.recipients, input, &base.join(&path)).await?;
        manifest.files.insert(path, file);
        Ok(())
    }
}

/// Finds the program that the settings need for backups, without running it; `None` if they need none.
pub fn find_age(settings: &BackupSettings) -> Option<Result<PathBuf, BackupError>> {
    let found = || Age::find().map(|age| age.program().to_path_buf());
    (!settings.age_recipients.is_empty()).then(found)
}

/// Finds the program, and checks that it accepts the public keys of the settings.
pub async fn try_age(settings: &BackupSettings) -> Option<Result<PathBuf, BackupError>> {
    let encrypting = match Encrypting::of(settings) {
        Ok(encrypting) => encrypting?,
        Err(error) => return Some(Err(error)),
    };
    let tried = encrypting.age.try_recipients(&encrypting.recipients).await;
    Some(tried.map(|()| encrypting.age.program().to_path_buf()))
}
