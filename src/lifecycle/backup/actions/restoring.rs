//! Restores a backup into an empty data folder and an empty database.
//!
//! Everything is made in `<data>/.restoring` first: a data folder has either all parts or none. While the stage exists, nothing
//! else starts on the data folder.

use std::{fs, path::Path};

use chrono::{DateTime, Utc};
use roadcall_actors::random::Random;

use super::{checking, decrypting, placing};
use crate::{
    accounting::ledger,
    accounts::auth,
    lifecycle::backup::{
        age::PrivateKey,
        dto::{DUMP_FILE, DUMP_FOLDER, LedgerOf, Manifest},
        error::{BackupError, blocking},
        files,
        progress::{BackupProgress, Step},
        settings::BackupSettings,
    },
    money::wallet,
    platform::{
        db::{DataLock, Database, Db, Dump, DumpSource, STAGE, Snapshot},
        error::{ApiResult, commit_error},
        settings::CoreSettings,
    },
};

/// The backup to restore, and whether payouts have to wait.
#[derive(Debug, Clone, Copy)]
pub struct Restoring<'a> {
    pub folder: &'a Path,
    /// The file of the private key for an encrypted backup.
    pub identity: Option<&'a Path>,
    /// Whether to release payouts: nothing happened after the backup, so nothing can be paid twice.
    pub releases_payouts: bool,
    pub progress: &'a BackupProgress,
}

/// A complete backup with its absolute path, and the key that decrypts it if it is encrypted.
#[derive(Debug, Clone, Copy)]
struct Whole<'a> {
    folder: &'a Path,
    manifest: &'a Manifest,
    key: Option<&'a PrivateKey>,
}

/// A figure in the backup, and the same figure of the restored database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    pub what: String,
    pub backup: String,
    pub here: String,
}

impl Compared {
    pub fn is_same(&self) -> bool {
        self.backup == self.here
    }
}

#[derive(Debug)]
pub struct Restored {
    pub manifest: Manifest,
    pub compared: Vec<Compared>,
}

impl Restored {
    pub fn is_same(&self) -> bool {
        self.compared.iter().all(Compared::is_same)
    }
}

/// Restores a complete backup into an empty place, and compares the two. A difference is no error of this function: the result
/// stays, so that somebody can look at it.
pub async fn restore(
    core: &CoreSettings,
    settings: &BackupSettings,
    restoring: Restoring<'_>,
    now: DateTime<Utc>,
    random: &Random,
) -> Result<Restored, BackupError> {
    let (signers, progress) = (&settings.signers, restoring.progress);
    let (manifest, key) = checking::unlocked(restoring.folder, restoring.identity, signers, progress).await?;
    let folder = checking::resolved(restoring.folder)?;
    let source = Whole { folder: &folder, manifest: &manifest, key: key.as_ref() };
    let data_dir = core.server.data_dir.clone();
    let (alone, was_cut) = blocking(move || {
        let lock = DataLock::take(&data_dir)?;
        placing::make_room(lock.folder())?;
        let was_cut = fs::symlink_metadata(lock.folder().join(STAGE)).is_ok();
        Ok((lock, was_cut))
    })
    .await?;
    let stage = alone.folder().join(STAGE);
    clear(&stage).await?;
    match staged(core, restoring, &stage, source, (now, random)).await {
        Ok(compared) => {
            let (from, to) = (stage.clone(), core.server.data_dir.clone());
            blocking(move || placing::put_in_place(&from, &to)).await?;
            Ok(Restored { manifest, compared })
        }
        Err(error) => {
            clear(&stage).await?;
            if was_cut && matches!(error, BackupError::Occupied { .. }) {
                // The previous restore may have filled that database: no server may start on it without the files.
                let guard = stage.clone();
                blocking(move || fs::create_dir(&guard).map_err(BackupError::file("can't create", &guard)))
                    .await?;
            }
            Err(error)
        }
    }
}

/// Removes the remains of a restore that failed or was killed, with its Postgres. The contents of its files decide nothing, since
/// they may be from a forged backup.
async fn clear(stage: &Path) -> Result<(), BackupError> {
    Database::clear_leftovers(stage).await?;
    let stage = stage.to_path_buf();
    blocking(move || placing::remove(&stage)).await
}

async fn staged(
    core: &CoreSettings,
    restoring: Restoring<'_>,
    stage: &Path,
    source: Whole<'_>,
    made: (DateTime<Utc>, &Random),
) -> Result<Vec<Compared>, BackupError> {
    let progress = restoring.progress;
    progress.begins(Step::PreparingDatabase);
    let database = Database::open_to_fill(&core.database, stage).await?;
    let filled = fill(&database, source, stage, progress).await;
    let settled = match filled {
        Ok(compared) => settle(&database, core, restoring, stage, made).await.map(|()| compared),
        Err(error) => Err(error),
    };
    let closed = database.close().await;
    let compared = settled?;
    closed?;
    Ok(compared)
}

async fn fill(
    database: &Database,
    source: Whole<'_>,
    stage: &Path,
    progress: &BackupProgress,
) -> Result<Vec<Compared>, BackupError> {
    let Whole { folder, manifest, key } = source;
    refuse_if_used(database).await?;
    refuse_another_schema(database, manifest).await?;
    let files = manifest.files.keys().filter(|path| !is_of_database(path)).count();
    let same = match key {
        None => {
            let (from, to, listed) = (folder.to_path_buf(), stage.to_path_buf(), manifest.clone());
            let (step, told) = (Step::CopyingFiles { files }, progress.clone());
            told.begins(step);
            let same = blocking(move || copied(&from, &to, &listed, |done| told.is_at(step, done))).await?;
            progress.begins(Step::RestoringDatabase);
            let postgres = &manifest.postgres;
            let (schema, server, pg_dump) = (postgres.schema.as_str(), postgres.server, postgres.pg_dump);
            let folder = folder.join(DUMP_FOLDER);
            let source = DumpSource::Folder(&folder);
            database.restore(Dump { source, schema, server, pg_dump }).await?;
            same
        }
        Some(key) => {
            let same = decrypting::decrypted(key, folder, stage, manifest, progress).await?;
            progress.begins(Step::RestoringDatabase);
            decrypting::restore_dump(key, folder, database, manifest).await?;
            same
        }
    };
    let (what, backup, here) = ("files".to_owned(), files.to_string(), same.to_string());
    let mut compared = vec![Compared { what, backup, here }];
    progress.begins(Step::Comparing);
    compared.extend(compare(database, manifest).await?);
    database.take_over_restored().await?;
    Ok(compared)
}

async fn refuse_if_used(database: &Database) -> Result<(), BackupError> {
    let found = database.in_the_way().await?;
    if found.is_empty() {
        return Ok(());
    }
    Err(BackupError::Occupied {
        place: "the database".to_owned(),
        found,
        advice: "make an empty one (create database …), or drop what is in it",
    })
}

async fn refuse_another_schema(database: &Database, manifest: &Manifest) -> Result<(), BackupError> {
    let snapshot = Snapshot::begin(database.roles()).await?;
    let (backup, here) = (manifest.postgres.schema.clone(), snapshot.schema().to_owned());
    if backup == here { Ok(()) } else { Err(BackupError::OtherSchema { backup, here }) }
}

fn is_of_database(path: &str) -> bool {
    path == DUMP_FILE || path.starts_with("database/")
}

/// Copies the files that are not part of the database, and returns how many of them are intact.
fn copied(
    from: &Path,
    stage: &Path,
    manifest: &Manifest,
    told: impl Fn(usize),
) -> Result<usize, BackupError> {
    let mut same = 0;
    let files = manifest.files.iter().filter(|(path, _)| !is_of_database(path));
    for (done, (path, file)) in files.enumerate() {
        told(done);
        if files::copy(&from.join(path), &stage.join(path))?.is_some_and(|copied| copied == *file) {
            same += 1;
        }
    }
    Ok(same)
}

/// Compares the manifest's figures with those of the database, before any migration.
async fn compare(database: &Database, manifest: &Manifest) -> Result<Vec<Compared>, BackupError> {
    let mut snapshot = Snapshot::begin(database.roles()).await?;
    let rows = snapshot.rows().await?;
    let audit = ledger::audit_of(snapshot.connection()).await?;
    let ledger = LedgerOf::new(&audit, ledger::sums_digest(snapshot.connection()).await?);
    let shown = |rows: Option<&i64>| rows.map_or_else(|| "no table".to_owned(), i64::to_string);
    let mut tables: Vec<&String> = manifest.rows.keys().chain(rows.keys()).collect();
    tables.sort_unstable();
    tables.dedup();
    let tables = tables.into_iter().map(|table| Compared {
        what: format!("rows of {table}"),
        backup: shown(manifest.rows.get(table)),
        here: shown(rows.get(table)),
    });
    let sums = manifest.ledger.lines().into_iter().zip(ledger.lines());
    let sums = sums.map(|((what, backup), (_, here))| Compared { what: what.to_owned(), backup, here });
    Ok(tables.chain(sums).collect())
}

/// Puts the secret where this server looks for it, and makes payouts wait.
async fn settle(
    database: &Database,
    core: &CoreSettings,
    restoring: Restoring<'_>,
    stage: &Path,
    (now, random): (DateTime<Utc>, &Random),
) -> Result<(), BackupError> {
    let mut tx = database.db().begin().await?;
    let kept = stage.join(auth::SECRET_FILE);
    if core.database.server().is_some() && kept.exists() {
        let secret = fs::read_to_string(&kept).map_err(BackupError::file("can't read", &kept))?;
        auth::keep_generated_secret(&mut tx, &secret, now).await?;
    }
    if restoring.releases_payouts {
        wallet::release_payouts(&mut tx, random, now).await?;
    } else {
        wallet::pause_payouts(&mut tx, random, now).await?;
    }
    Ok(tx.commit().await?)
}

/// Makes payouts wait after a restore by other tools, which leave no mark.
pub async fn hold_payouts(db: &Db, random: &Random, now: DateTime<Utc>) -> ApiResult<()> {
    let mut tx = db.begin().await?;
    wallet::pause_payouts(&mut tx, random, now).await?;
    tx.commit().await.map_err(commit_error)
}

/// Lets payouts go on after a restore; returns `false` if they were not waiting.
pub async fn release_payouts(db: &Db, random: &Random, now: DateTime<Utc>) -> ApiResult<bool> {
    let mut tx = db.begin().await?;
    let released = wallet::release_payouts(&mut tx, random, now).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(released)
}
