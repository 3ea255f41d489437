use std::{
    io,
    path::{Path, PathBuf},
};

use tokio::task::spawn_blocking;

use crate::{
    accounts::auth::SecretError,
    platform::{db::DbError, error::ApiError},
};

/// Why a backup or a restore failed. Written for the person who typed the command.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Database(#[from] DbError),
    #[error("the database could not be read: {0}")]
    Reading(#[from] sqlx::Error),
    #[error(transparent)]
    Refused(#[from] ApiError),
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error("{doing} {}: {source}", path.display())]
    File { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("there is no database in the data folder {}: --data-dir names another one, DATABASE_URL a server", .0.display())]
    NoDatabase(PathBuf),
    #[error("no roadcall has used this database yet: there is nothing to back up")]
    Unused,
    #[error("another backup into {} is being made", .0.display())]
    Busy(PathBuf),
    #[error("--keep must be at least 1: the new backup itself counts")]
    KeepsNone,
    #[error("{} is not a whole backup: {why}", folder.display())]
    NotWhole { folder: PathBuf, why: String },
    #[error(
        "the backup has the format {found}, and this roadcall reads {known}: restore it with a newer release"
    )]
    NewerFormat { found: u32, known: u32 },
    #[error("the backup in {} is damaged, and nothing was restored:\n{}", folder.display(), problems.join("\n"))]
    Damaged { folder: PathBuf, problems: Vec<String> },
    #[error("a backup is restored into an empty place only, and {place} has {}: {advice}", found.join(", "))]
    Occupied { place: String, found: Vec<String>, advice: &'static str },
    #[error(
        "the backup is of the schema {backup:?}, and this database's role uses {here:?}: set its search_path"
    )]
    OtherSchema { backup: String, here: String },
    #[error(
        "backups are encrypted and decrypted by the program age, which is not on the PATH. Install it (Debian and Ubuntu: \
         apt-get install age; macOS: brew install age)"
    )]
    NoAge,
    #[error("age failed: {0}")]
    Age(String),
    #[error(
        "the backup in {} is encrypted for {}: name the file of a private key with --age-identity",
        folder.display(), recipients.join(", ")
    )]
    KeyNeeded { folder: PathBuf, recipients: Vec<String> },
    #[error("{} {why}: --age-identity takes the file of a private key", file.display())]
    NoKey { file: PathBuf, why: &'static str },
    #[error(
        "the key in {} is protected by a passphrase, which age would ask for with every file: name a copy without one. In \
         bash, a key of age needs no copy: --age-identity <(age --decrypt {})",
        key.display(), key.display()
    )]
    ProtectedKey { key: PathBuf },
    #[error(
        "{} can't be decrypted with the key in {}: {said}. The backup is encrypted for {}: name another key with --age-identity",
        file.display(), key.display(), recipients.join(", ")
    )]
    NotDecrypted { file: PathBuf, key: PathBuf, recipients: Vec<String>, said: String },
    #[error(
        "backups are signed and verified by the program ssh-keygen, which is not on the PATH. Install it (Debian and Ubuntu: \
         apt-get install openssh-client)"
    )]
    NoSshKeygen,
    #[error("the backup can't be signed with the key in {}: {said}", key.display())]
    NotSigned { key: PathBuf, said: String },
    #[error(
        "the backup in {} has no signature, and backup.signers or --signer names keys that must have signed it. Restore another \
         one, or name no key if you know who made this one",
        folder.display()
    )]
    Unsigned { folder: PathBuf },
    #[error(
        "the backup in {} is not signed by any of the keys of backup.signers or --signer: {said}. Restore another one, or name the \
         key of whoever made this one if you trust them",
        folder.display()
    )]
    ForeignSignature { folder: PathBuf, said: String },
    #[error("the system is stopping")]
    Stopped,
}

impl BackupError {
    /// Adds the file's path to an I/O error, which does not contain it.
    pub fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| Self::File { doing, path, source }
    }
}

/// Runs blocking work off the async threads.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BackupError> + Send + 'static,
) -> Result<T, BackupError> {
    spawn_blocking(work).await.map_err(|_| BackupError::Stopped)?
}
