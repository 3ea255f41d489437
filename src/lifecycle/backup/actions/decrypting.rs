//! Decrypts the files of an encrypted backup to the place where they are restored, or only as a proof that it is possible.

use std::{io, path::Path, pin::pin, process::Stdio};

use futures_util::{StreamExt, TryStreamExt, stream};

use super::encrypting::AT_ONCE;
use crate::{
    lifecycle::backup::{
        age::PrivateKey,
        dto::{DUMP_FILE, ENCRYPTED_SUFFIX, Manifest},
        error::{BackupError, blocking},
        files,
        progress::{BackupProgress, Step},
    },
    platform::db::{Database, Dump, DumpSource},
};

/// Decrypts the smallest file, and keeps nothing of it: all files are for the same keys.
pub async fn prove_one(key: &PrivateKey, folder: &Path, manifest: &Manifest) -> Result<(), BackupError> {
    match manifest.files.iter().min_by_key(|(_, file)| file.size_bytes) {
        Some((path, _)) => key.decrypt(&folder.join(path), Stdio::null()).await,
        None => Ok(()),
    }
}

/// Decrypts every file, and keeps nothing of them.
pub async fn prove_all(key: &PrivateKey, folder: &Path, manifest: &Manifest) -> Result<(), BackupError> {
    let files = stream::iter(manifest.files.keys())
        .map(|path| async move { key.decrypt(&folder.join(path), Stdio::null()).await });
    files.buffer_unordered(AT_ONCE).try_collect().await
}

/// Decrypts the files that are not part of the database, and returns their number.
pub async fn decrypted(
    key: &PrivateKey,
    folder: &Path,
    stage: &Path,
    manifest: &Manifest,
    progress: &BackupProgress,
) -> Result<usize, BackupError> {
    let paths = manifest.files.keys().filter(|path| *path != DUMP_FILE);
    let step = Step::CopyingFiles { files: paths.clone().count() };
    progress.begins(step);
    let files = stream::iter(paths).map(|path| async move {
        let to = stage.join(path.strip_suffix(ENCRYPTED_SUFFIX).unwrap_or(path));
        let (from, made) = (folder.join(path), to.clone());
        let file = blocking(move || files::create(&made)).await?;
        key.decrypt(&from, file.into()).await?;
        blocking(move || files::kept(&to)).await
    });
    let mut files = pin!(files.buffer_unordered(AT_ONCE));
    let mut done = 0;
    while files.try_next().await?.is_some() {
        done += 1;
        progress.is_at(step, done);
    }
    Ok(done)
}

/// Restores the dump: `pg_restore` reads from `age`.
pub async fn restore_dump(
    key: &PrivateKey,
    folder: &Path,
    database: &Database,
    manifest: &Manifest,
) -> Result<(), BackupError> {
    let from = folder.join(DUMP_FILE);
    let read_from = from.clone();
    let piped = io::pipe().and_then(|(reader, writer)| Ok((reader.try_clone()?, reader, writer)));
    let (mut rest, reader, writer) = piped.map_err(BackupError::file("can't read", &from))?;
    let postgres = &manifest.postgres;
    let (schema, server, pg_dump) = (postgres.schema.as_str(), postgres.server, postgres.pg_dump);
    let dump = Dump { source: DumpSource::Pipe(reader), schema, server, pg_dump };
    let restoring = async {
        let restored = database.restore(dump).await;
        // pg_restore stops once it needs no more. The rest is read too: only at the end does age report whether the file is
        // intact.
        let read = blocking(move || {
            io::copy(&mut rest, &mut io::sink()).map_err(BackupError::file("can't read", &read_from))
        });
        read.await?;
        restored.map_err(BackupError::from)
    };
    let (decrypted, restored) = tokio::join!(key.decrypt(&from, writer.into()), restoring);
    // If age has failed, pg_restore complains about its missing input.
    decrypted?;
    restored
}
