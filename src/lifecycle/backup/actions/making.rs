//! Makes a backup, with a server running or not.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions, TryLockError},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use chrono::{DateTime, NaiveDateTime, Utc};
use uuid::Uuid;

use super::encrypting::Encrypting;
use crate::{
    accounting::ledger,
    accounts::{
        auth::{self, NamedSecrets},
        uploads,
    },
    lifecycle::backup::{
        dto::{FileOf, LedgerOf, Manifest, PLAIN_FORMAT, PostgresOf, UploadsOf},
        error::{BackupError, blocking},
        files::{self, Unfinished},
        settings::BackupSettings,
        signing::{SIGNATURE_FILE, Signer},
    },
    platform::{
        db::{Database, NO_LINK, RELEASE, Snapshot},
        settings::CoreSettings,
    },
    providers::storage,
};

/// The format of a backup's name: its time in UTC, so that names sort by time.
const NAME: &str = "%Y-%m-%dT%H%M%S%.3fZ";

/// The folder of a new backup, and how many backups to keep, including this one; `None` keeps all.
#[derive(Debug, Clone, Copy)]
pub struct NewBackup<'a> {
    pub to: &'a Path,
    pub keep: Option<usize>,
}

/// The complete backups of a folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeptBackups {
    pub count: usize,
    pub oldest: Option<DateTime<Utc>>,
    pub newest: Option<DateTime<Utc>>,
}

/// A complete backup.
#[derive(Debug)]
pub struct Made {
    pub folder: PathBuf,
    pub manifest: Manifest,
    /// Files that rows still refer to, but that are missing from the data folder.
    pub lost: Vec<Uuid>,
    /// Older backups that were removed.
    pub removed: Vec<PathBuf>,
}

/// Opens the database, whether a server is running or not, and makes a backup of it.
pub async fn make_beside(
    core: &CoreSettings,
    settings: &BackupSettings,
    secrets: &NamedSecrets,
    new: NewBackup<'_>,
    now: DateTime<Utc>,
) -> Result<Made, BackupError> {
    let data_dir = &core.server.data_dir;
    if !Database::is_there(&core.database, data_dir)? {
        return Err(BackupError::NoDatabase(data_dir.clone()));
    }
    let database = Database::open_beside(&core.database, data_dir).await?;
    let made = make(&database, (data_dir, settings, secrets), new, now).await;
    database.close().await?;
    made
}

/// Counts the complete backups of a folder; a folder that does not exist has none.
pub async fn kept(folder: &Path) -> Result<KeptBackups, BackupError> {
    let folder = folder.to_path_buf();
    blocking(move || {
        if !folder.exists() {
            return Ok(KeptBackups::default());
        }
        let whole = whole(&folder)?;
        let made_at =
            |backup: Option<&(PathBuf, NaiveDateTime)>| backup.map(|(_, made_at)| made_at.and_utc());
        Ok(KeptBackups { count: whole.len(), oldest: made_at(whole.first()), newest: made_at(whole.last()) })
    })
    .await
}

/// Makes a backup. It appears only once it is complete; the remains of a failure or a kill are hidden, and the next backup
/// removes them.
async fn make(
    database: &Database,
    (data_dir, settings, secrets): (&Path, &BackupSettings, &NamedSecrets),
    new: NewBackup<'_>,
    now: DateTime<Utc>,
) -> Result<Made, BackupError> {
    if new.keep == Some(0) {
        return Err(BackupError::KeepsNone);
    }
    let encrypting = Encrypting::of(settings)?;
    let signer = Signer::of(settings)?;
    if let Some(signer) = &signer {
        // A key that can't sign is discovered now, and not after everything else is done.
        signer.sign(b"").await?;
    }
    let (to, name) = (new.to.to_path_buf(), now.format(NAME).to_string());
    let (_alone, unfinished) = blocking(move || begin(&to, &name)).await?;
    let mut snapshot = Snapshot::begin(database.roles()).await?;
    let base = unfinished.folder().to_path_buf();
    let (mut manifest, local) = described(&mut snapshot, now).await?;
    let secret = auth::generated_secret(secrets, snapshot.connection()).await?;
    let from = data_dir.join("uploads");
    // The snapshot ends with the dump, so that the database can clean up again; copying files takes long.
    let manifest = match encrypting {
        None => {
            manifest.postgres.pg_dump = snapshot.dump(&base.join("database")).await?;
            drop(snapshot);
            blocking(move || copied(&base, &from, (local, secret), manifest)).await?
        }
        Some(encrypting) => {
            encrypting.dump(&snapshot, &base, &mut manifest).await?;
            drop(snapshot);
            encrypting.uploads(&base, &from, local, &mut manifest).await?;
            encrypting.secret(&base, secret, &mut manifest).await?;
            manifest
        }
    };
    let lost = uploads::still_kept(database.db(), &manifest.uploads.absent).await?;
    let (to, name) = (new.to.to_path_buf(), now.format(NAME).to_string());
    let text = text_of(&manifest, &to)?;
    let signature = match signer {
        Some(signer) => Some(signer.sign(&text).await?),
        None => None,
    };
    let folder = blocking(move || finished(unfinished, &text, signature, &to.join(name))).await?;
    let (to, keep) = (new.to.to_path_buf(), new.keep);
    let removed = blocking(move || keep.map_or(Ok(Vec::new()), |keep| remove_oldest(&to, keep))).await?;
    Ok(Made { folder, manifest, lost, removed })
}

/// Begins a backup. Only one runs at a time, so that anything unfinished is a leftover.
fn begin(to: &Path, name: &str) -> Result<(File, Unfinished), BackupError> {
    files::make_folder(to).map_err(BackupError::file("can't create", to))?;
    // pg_dump runs in a folder of its own.
    let to = &to.canonicalize().map_err(BackupError::file("can't resolve", to))?;
    let path = to.join(".lock");
    let opened =
        OpenOptions::new().write(true).create(true).truncate(false).custom_flags(NO_LINK).open(&path);
    let lock = opened.map_err(BackupError::file("can't open", &path))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(BackupError::Busy(to.to_path_buf())),
        Err(TryLockError::Error(error)) => return Err(BackupError::file("can't lock", &path)(error)),
    }
    for (leftover, _) in backups(to, unfinished_name)? {
        fs::remove_dir_all(&leftover).map_err(BackupError::file("can't remove", &leftover))?;
    }
    Ok((lock, Unfinished::make(to.join(hidden(name)))?))
}

fn hidden(name: &str) -> String {
    format!(".{name}.unfinished")
}

/// Returns the final name of an unfinished backup.
fn unfinished_name(hidden: &str) -> Option<&str> {
    hidden.strip_prefix('.')?.strip_suffix(".unfinished")
}

fn whole_name(name: &str) -> Option<&str> {
    Some(name)
}

/// Describes the snapshot in a manifest, and lists the files that belong to it.
async fn described(
    snapshot: &mut Snapshot,
    now: DateTime<Utc>,
) -> Result<(Manifest, Vec<Uuid>), BackupError> {
    let Some(schema_version) = snapshot.newest_migration().await? else { return Err(BackupError::Unused) };
    let rows = snapshot.rows().await?;
    let audit = ledger::audit_of(snapshot.connection()).await?;
    let sums = ledger::sums_digest(snapshot.connection()).await?;
    let local = uploads::kept_files(snapshot.connection(), storage::LOCAL).await?;
    let elsewhere = uploads::count_kept_elsewhere(snapshot.connection(), storage::LOCAL).await?;
    let (schema, server) = (snapshot.schema().to_owned(), snapshot.server());
    let manifest = Manifest {
        format: PLAIN_FORMAT,
        roadcall: RELEASE.to_owned(),
        made_at: now,
        schema_version,
        postgres: PostgresOf { server, pg_dump: server, schema },
        rows,
        ledger: LedgerOf::new(&audit, sums),
        uploads: UploadsOf { here: 0, with_the_store: elsewhere, absent: Vec::new() },
        has_token_secret: false,
        age_recipients: Vec::new(),
        files: BTreeMap::new(),
    };
    Ok((manifest, local))
}

/// Copies the files of these uploads, and notes in the manifest which exist and which don't; then adds the remaining files.
fn copied(
    base: &Path,
    from: &Path,
    (ids, secret): (Vec<Uuid>, Option<String>),
    mut manifest: Manifest,
) -> Result<Manifest, BackupError> {
    for id in ids {
        let path = storage::path_of(id);
        let to = Path::new("uploads").join(&path);
        match files::copy(&from.join(&path), &base.join(&to))? {
            Some(file) => {
                manifest.uploads.here += 1;
                manifest.files.insert(to.display().to_string(), file);
            }
            None => manifest.uploads.absent.push(id),
        }
    }
    manifest.files.extend(files::seal(base, &base.join("database"))?);
    manifest.has_token_secret = secret.is_some();
    if let Some(secret) = secret {
        let file = files::write(&base.join(auth::SECRET_FILE), secret.as_bytes())?;
        manifest.files.insert(auth::SECRET_FILE.to_owned(), file);
    }
    Ok(manifest)
}

/// Writes the manifest as the text that is stored in a backup.
fn text_of(manifest: &Manifest, to: &Path) -> Result<Vec<u8>, BackupError> {
    let mut text = serde_json::to_vec_pretty(manifest)
        .map_err(|error| BackupError::file("can't write", to)(error.into()))?;
    text.push(b'\n');
    Ok(text)
}

fn finished(
    unfinished: Unfinished,
    manifest: &[u8],
    signature: Option<Vec<u8>>,
    name: &Path,
) -> Result<PathBuf, BackupError> {
    let base = unfinished.folder().to_path_buf();
    let FileOf { sha256, .. } = files::write(&base.join("manifest.json"), manifest)?;
    if let Some(signature) = signature {
        files::write(&base.join(SIGNATURE_FILE), &signature)?;
    }
    // This is the format that `sha256sum` writes, and checks with `-c`.
    files::write(&base.join("manifest.sha256"), format!("{sha256}  manifest.json\n").as_bytes())?;
    unfinished.finish(name)?;
    Ok(name.to_path_buf())
}

/// Removes complete backups until `keep` are left, the oldest first. A backup that is being removed has a hidden name.
fn remove_oldest(to: &Path, keep: usize) -> Result<Vec<PathBuf>, BackupError> {
    let mut whole = whole(to)?;
    let removed = whole.len().saturating_sub(keep);
    let oldest: Vec<PathBuf> = whole.drain(..removed).map(|(path, _)| path).collect();
    for path in &oldest {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let going = to.join(hidden(&name));
        fs::rename(path, &going).map_err(BackupError::file("can't rename", path))?;
        fs::remove_dir_all(&going).map_err(BackupError::file("can't remove", &going))?;
    }
    Ok(oldest)
}

/// Lists the complete backups of a folder, the oldest first.
fn whole(to: &Path) -> Result<Vec<(PathBuf, NaiveDateTime)>, BackupError> {
    let mut whole = backups(to, whole_name)?;
    whole.retain(|(path, _)| path.join("manifest.json").is_file());
    whole.sort_by_key(|(_, made_at)| *made_at);
    Ok(whole)
}

/// Lists the folders that have a backup's name after `bare` has removed what hides it. Everything else there is left alone.
fn backups(to: &Path, bare: fn(&str) -> Option<&str>) -> Result<Vec<(PathBuf, NaiveDateTime)>, BackupError> {
    let entries = fs::read_dir(to).map_err(BackupError::file("can't read", to))?;
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(BackupError::file("can't read", to))?;
        let name = entry.file_name();
        let made_at = name.to_str().and_then(bare).and_then(|name| {
            let made_at = NaiveDateTime::parse_from_str(name, NAME).ok()?;
            (made_at.format(NAME).to_string() == name).then_some(made_at)
        });
        found.extend(made_at.map(|made_at| (entry.path(), made_at)));
    }
    Ok(found)
}
