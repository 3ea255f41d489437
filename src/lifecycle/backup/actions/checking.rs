//! Checks whether a backup is intact.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::decrypting;
use crate::lifecycle::backup::{
    age::PrivateKey,
    dto::{DUMP_FOLDER, FORMAT, FileOf, Manifest},
    error::{BackupError, blocking},
    files,
    progress::{BackupProgress, Step},
    signing,
};

/// The number of damaged files that a refusal names.
const PROBLEMS_SHOWN: usize = 20;

/// Reads a backup's manifest and all its files; with the file of a private key, it decrypts them too. If there are `signers`, one
/// of these public keys must have signed the manifest. Changes nothing.
pub async fn check(
    folder: &Path,
    identity: Option<&Path>,
    signers: &[String],
) -> Result<Manifest, BackupError> {
    let manifest = digests_checked(folder, signed(folder, signers).await?, &BackupProgress::silent()).await?;
    if let (true, Some(identity)) = (manifest.is_encrypted(), identity) {
        let key = PrivateKey::read(identity, &manifest.age_recipients).await?;
        decrypting::prove_all(&key, &resolved(folder)?, &manifest).await?;
    }
    Ok(manifest)
}

/// Checks a backup for a restore, and returns the key that decrypts its files. If a key is needed and missing, the error comes
/// before any long check.
pub async fn unlocked(
    folder: &Path,
    identity: Option<&Path>,
    signers: &[String],
    progress: &BackupProgress,
) -> Result<(Manifest, Option<PrivateKey>), BackupError> {
    let listed = signed(folder, signers).await?;
    if !listed.is_encrypted() {
        return Ok((digests_checked(folder, listed, progress).await?, None));
    }
    let Some(identity) = identity else {
        return Err(BackupError::KeyNeeded { folder: folder.into(), recipients: listed.age_recipients });
    };
    let key = PrivateKey::read(identity, &listed.age_recipients).await?;
    let manifest = digests_checked(folder, listed, progress).await?;
    decrypting::prove_one(&key, &resolved(folder)?, &manifest).await?;
    Ok((manifest, Some(key)))
}

/// Returns the absolute path of a folder, since other programs run in another folder.
pub fn resolved(folder: &Path) -> Result<PathBuf, BackupError> {
    folder.canonicalize().map_err(BackupError::file("can't resolve", folder))
}

/// Reads the manifest once, so that the text that is used is the text that was signed.
async fn signed(folder: &Path, signers: &[String]) -> Result<Manifest, BackupError> {
    let path = folder.to_path_buf();
    let text = blocking(move || text_of(&path)).await?;
    signing::verify(&resolved(folder)?, &text, signers).await?;
    manifest_of(folder, &text)
}

async fn digests_checked(
    folder: &Path,
    manifest: Manifest,
    progress: &BackupProgress,
) -> Result<Manifest, BackupError> {
    let (folder, progress) = (folder.to_path_buf(), progress.clone());
    blocking(move || {
        let step = Step::CheckingFiles { files: manifest.files.len() };
        let listed = manifest.files.iter().enumerate().filter_map(|(done, (path, file))| {
            progress.is_at(step, done);
            problem(&folder, &manifest, path, file)
        });
        let mut problems: Vec<String> = listed.collect();
        problems.extend(unlisted(&folder, &manifest)?);
        if problems.is_empty() { Ok(manifest) } else { Err(damaged(folder, problems)) }
    })
    .await
}

/// Reads the text of the manifest, and checks its digest.
fn text_of(folder: &Path) -> Result<Vec<u8>, BackupError> {
    let read = |name: &str| {
        fs::read(folder.join(name)).map_err(|error| match error.kind() {
            ErrorKind::NotFound => not_whole(folder, format!("{name} is missing")),
            _ => BackupError::file("can't read", &folder.join(name))(error),
        })
    };
    let (manifest, digest) = (read("manifest.json")?, read("manifest.sha256")?);
    let digest = String::from_utf8_lossy(&digest);
    if digest.split_whitespace().next() != Some(&files::sha256(&manifest)) {
        return Err(damaged(folder.to_path_buf(), vec!["manifest.json is not what it was".to_owned()]));
    }
    Ok(manifest)
}

fn not_whole(folder: &Path, why: String) -> BackupError {
    BackupError::NotWhole { folder: folder.to_path_buf(), why }
}

fn manifest_of(folder: &Path, text: &[u8]) -> Result<Manifest, BackupError> {
    let manifest: Manifest = match serde_json::from_slice(text) {
        Ok(manifest) => manifest,
        Err(error) => {
            return Err(match newer_format(text) {
                Some(found) => BackupError::NewerFormat { found, known: FORMAT },
                None => not_whole(folder, format!("manifest.json: {error}")),
            });
        }
    };
    if manifest.format > FORMAT {
        return Err(BackupError::NewerFormat { found: manifest.format, known: FORMAT });
    }
    Ok(manifest)
}

fn newer_format(manifest: &[u8]) -> Option<u32> {
    let manifest: serde_json::Value = serde_json::from_slice(manifest).ok()?;
    let found = u32::try_from(manifest["format"].as_u64()?).ok()?;
    (found > FORMAT).then_some(found)
}

/// Names the files beside the dump that are not in the manifest: `pg_restore` prefers a file without `.gz` to one with it.
fn unlisted(folder: &Path, manifest: &Manifest) -> Result<Vec<String>, BackupError> {
    if manifest.is_encrypted() {
        return Ok(Vec::new());
    }
    let names = files::names_in(&folder.join(DUMP_FOLDER))?;
    let paths = names.into_iter().map(|name| format!("{DUMP_FOLDER}/{name}"));
    Ok(paths.filter(|path| !manifest.files.contains_key(path)).map(|path| not_of_a_backup(&path)).collect())
}

fn not_of_a_backup(path: &str) -> String {
    format!("{path} does not belong in a backup")
}

fn problem(folder: &Path, manifest: &Manifest, path: &str, file: &FileOf) -> Option<String> {
    if !files::is_within(path) || !manifest.may_have(path) {
        return Some(not_of_a_backup(path));
    }
    match files::digest(&folder.join(path)) {
        Ok(found) if found == *file => None,
        Ok(found) if found.size_bytes != file.size_bytes => {
            Some(format!("{path} has {} bytes instead of {}", found.size_bytes, file.size_bytes))
        }
        Ok(_) => Some(format!("{path} is not what it was")),
        Err(error) if error.kind() == ErrorKind::NotFound => Some(format!("{path} is missing")),
        Err(error) => Some(format!("{path} can't be read: {error}")),
    }
}

fn damaged(folder: PathBuf, mut problems: Vec<String>) -> BackupError {
    let more = problems.len().saturating_sub(PROBLEMS_SHOWN);
    problems.truncate(PROBLEMS_SHOWN);
    if more > 0 {
        problems.push(format!("and {more} more"));
    }
    BackupError::Damaged { folder, problems }
}
