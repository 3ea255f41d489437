//! The secrets that sign and hash: given in the settings, or generated once and stored.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use roadcall_base::random::Random;
use roadcall_platform::{
    db::{Db, open_no_link},
    keys::KeyRing,
    settings::{CoreSettings, Secret},
};
use sha2::Sha256;
use sqlx::PgConnection;

use super::{queries, settings::AuthSettings};

const NAME: &str = "token_secret";

/// The file in the data folder that holds a generated secret.
pub const SECRET_FILE: &str = NAME;

/// The reason why there is no secret to start with.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    #[error("the generated secret in {path}: {source}")]
    File { path: String, source: io::Error },
    #[error("the generated secret in the database: {0}")]
    Database(#[from] sqlx::Error),
    #[error(
        "no secret was generated here: take the word generated out of auth.accepted_token_secrets, or, if auth.token_secret is empty, \
        start the server once"
    )]
    NoneGenerated,
}

/// The secrets that the settings name, and where a generated one is kept.
#[derive(Debug, Clone)]
pub struct NamedSecrets {
    /// Empty if a generated secret is in use.
    own: Secret,
    accepted: Vec<Secret>,
    /// Whether the database is not embedded, so that all processes on it share a generated secret.
    is_shared: bool,
    data_dir: PathBuf,
}

impl NamedSecrets {
    pub fn of(auth: &AuthSettings, core: &CoreSettings) -> Self {
        Self {
            own: auth.token_secret.clone(),
            accepted: auth.accepted_token_secrets.clone(),
            is_shared: core.database.server().is_some(),
            data_dir: core.server.data_dir.clone(),
        }
    }

    /// Returns whether a generated secret is in use.
    pub fn uses_generated(&self) -> bool {
        self.own.0.is_empty()
    }

    fn file(&self) -> PathBuf {
        self.data_dir.join(NAME)
    }
}

/// A secret of at least 32 bytes, from which every key is derived, so that only one value has to be stored and a key
/// for one purpose reveals nothing about another.
#[derive(derive_more::Debug, Clone)]
#[debug("ServerSecret(..)")]
pub struct ServerSecret(Vec<u8>);

impl ServerSecret {
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    async fn in_use(
        named: &NamedSecrets,
        db: &Db,
        now: DateTime<Utc>,
        random: &Random,
    ) -> Result<Self, SecretError> {
        if !named.uses_generated() {
            return Ok(Self::new(named.own.0.as_bytes()));
        }
        let fresh: [u8; 32] = random.bytes();
        if named.is_shared {
            return Ok(Self::new(queries::kept_secret(db, NAME, &fresh, now).await?));
        }
        let path = named.file();
        let kept = kept_in_file(&path, &fresh);
        kept.map(Self::new).map_err(|source| SecretError::File { path: path.display().to_string(), source })
    }

    /// Returns an id by which people recognise the secret; nobody can derive the secret from it.
    pub fn id(&self) -> KeyId {
        let mut id = [0; 4];
        id.copy_from_slice(&self.key("what this secret is called")[..4]);
        KeyId(id)
    }

    /// Derives the key for one purpose (HMAC-SHA256 of its name, as HKDF-Expand of RFC 5869 does for one block).
    pub fn key(&self, purpose: &str) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(purpose.as_bytes());
        mac.update(&[1]);
        mac.finalize().into_bytes().into()
    }
}

/// The id of a secret in reports and in the table `token_keys`, in hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, derive_more::Display)]
#[display("{}", hex::encode(self.0))]
pub struct KeyId(pub [u8; 4]);

/// The secret in use, followed by those of `auth.accepted_token_secrets` in their order.
#[derive(Debug, Clone)]
pub struct ServerSecrets(pub KeyRing<ServerSecret>);

impl ServerSecrets {
    /// Loads the secrets. In use is `auth.token_secret`; else a secret that was generated and stored: in the data
    /// folder (0600) if the database is our own, in the table `generated_secrets` if the database is somebody else's,
    /// so that all processes on it agree.
    pub async fn load(
        named: &NamedSecrets,
        db: &Db,
        now: DateTime<Utc>,
        random: &Random,
    ) -> Result<Self, SecretError> {
        let current = ServerSecret::in_use(named, db, now, random).await?;
        Ok(Self(KeyRing::new(current, accepted(named, db).await?)))
    }

    /// Loads the secrets that the settings name, for a command that runs beside a server: it generates none.
    pub async fn of_settings(named: &NamedSecrets, db: &Db) -> Result<Self, SecretError> {
        let own = named.own.0.as_bytes();
        let current = if own.is_empty() { generated(named, db).await? } else { ServerSecret::new(own) };
        Ok(Self(KeyRing::new(current, accepted(named, db).await?)))
    }

    /// Derives the keys for one purpose.
    pub fn keys(&self, purpose: &str) -> KeyRing<[u8; 32]> {
        self.0.map(|secret| secret.key(purpose))
    }
}

async fn accepted(named: &NamedSecrets, db: &Db) -> Result<Vec<ServerSecret>, SecretError> {
    let mut accepted = Vec::new();
    for secret in &named.accepted {
        accepted.push(match secret.is_generated() {
            true => generated(named, db).await?,
            false => ServerSecret::new(secret.0.as_bytes()),
        });
    }
    Ok(accepted)
}

async fn generated(named: &NamedSecrets, db: &Db) -> Result<ServerSecret, SecretError> {
    if named.is_shared {
        let kept = queries::find_secret(db, NAME).await?;
        return kept.map(ServerSecret::new).ok_or(SecretError::NoneGenerated);
    }
    let path = named.file();
    match fs::read_to_string(&path).and_then(|text| decode(&text)) {
        Ok(secret) => Ok(ServerSecret::new(secret)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(SecretError::NoneGenerated),
        Err(source) => Err(SecretError::File { path: path.display().to_string(), source }),
    }
}

/// Returns the secret that this service has generated, in the format of its file, wherever it is stored; `None` if it
/// is neither in use nor accepted, or before the first start. For backups.
pub async fn generated_secret(
    named: &NamedSecrets,
    db: &mut PgConnection,
) -> Result<Option<String>, SecretError> {
    if !named.uses_generated() && !named.accepted.iter().any(Secret::is_generated) {
        return Ok(None);
    }
    if named.is_shared {
        let kept = queries::find_secret(&mut *db, NAME).await?;
        return Ok(kept.map(|secret| STANDARD_NO_PAD.encode(secret)));
    }
    let path = named.file();
    match open_no_link(&path).and_then(io::read_to_string) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(SecretError::File { path: path.display().to_string(), source }),
    }
}

/// Stores a secret from a file where a service on a database of its own server looks for it.
pub async fn keep_generated_secret(
    db: &mut PgConnection,
    text: &str,
    now: DateTime<Utc>,
) -> Result<(), SecretError> {
    let secret = decode(text).map_err(|source| SecretError::File { path: SECRET_FILE.to_owned(), source })?;
    Ok(queries::replace_secret(db, NAME, &secret, now).await?)
}

fn kept_in_file(path: &Path, fresh: &[u8]) -> io::Result<Vec<u8>> {
    match fs::read_to_string(path) {
        Ok(text) => decode(&text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            keep(path, fresh)?;
            Ok(fresh.to_vec())
        }
        Err(error) => Err(error),
    }
}

fn decode(text: &str) -> io::Result<Vec<u8>> {
    let bytes = STANDARD_NO_PAD.decode(text.trim()).ok().filter(|bytes| bytes.len() >= 32);
    bytes.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "is not 32 bytes in base64"))
}

/// Writes the secret to another file and renames it: a crash midway leaves no half secret behind.
fn keep(path: &Path, secret: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = path.with_extension("new");
    let mut options = fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(STANDARD_NO_PAD.encode(secret).as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_generated_secret_survives_and_is_the_owners_alone() {
        let folder = std::env::temp_dir().join(format!("roadcall-secret-{}", std::process::id()));
        let path = folder.join("deep").join(NAME);
        let first = kept_in_file(&path, &[7; 32]).expect("kept");
        let second = kept_in_file(&path, &[8; 32]).expect("read");
        let mode = fs::metadata(&path).expect("a file").permissions().mode() & 0o777;
        fs::write(&path, "c2hvcnQ").expect("spoiled");
        let spoiled = kept_in_file(&path, &[9; 32]);
        fs::remove_dir_all(&folder).expect("removed");
        assert_eq!((first, second, mode), (vec![7; 32], vec![7; 32], 0o600));
        assert!(spoiled.is_err(), "a spoiled secret is not silently replaced: it would sign everybody out");
    }

    #[test]
    fn each_purpose_has_a_key_of_its_own() {
        let secret = ServerSecret::new([1; 32]);
        assert_ne!(secret.key("a"), secret.key("b"));
        assert_eq!(secret.key("a"), ServerSecret::new([1; 32]).key("a"));
        assert_ne!(secret.key("a"), ServerSecret::new([2; 32]).key("a"));
        assert_eq!(secret.id(), ServerSecret::new([1; 32]).id());
        assert_ne!(secret.id(), ServerSecret::new([2; 32]).id());
        assert_eq!(KeyId([0, 1, 0xab, 0xff]).to_string(), "0001abff");
    }
}
