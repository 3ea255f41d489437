//! Settings of backups: `[backup]`.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;

use super::{
    list,
    recipient::{is_private_key, is_recipient, is_signer},
    rule::{Rule, within},
};

/// The limit of recipients. Each one is an argument of a program, and can decrypt everything.
const MAX_RECIPIENTS: usize = 20;

/// The limit of signers. Each one may have made the backup that is restored.
const MAX_SIGNERS: usize = 20;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackupSettings {
    /// The hours between backups; 0 makes none.
    pub every_hours: u32,
    /// The folder of backups; if empty, `backups` in the data folder.
    pub folder: PathBuf,
    pub keep: usize,
    /// Public keys that backups are encrypted for; without any, backups are not encrypted.
    #[serde(deserialize_with = "list::list")]
    pub age_recipients: Vec<String>,
    /// The file of the private key that signs backups; if empty, backups are not signed.
    pub signing_key: PathBuf,
    /// Public keys, one of which must have signed a backup that is restored; without any, every backup is trusted.
    #[serde(deserialize_with = "list::list")]
    pub signers: Vec<String>,
}

impl BackupSettings {
    /// Returns the interval of backups; `None` if the server makes none.
    pub fn every(&self) -> Option<Duration> {
        (self.every_hours > 0).then(|| Duration::from_secs(u64::from(self.every_hours) * 3600))
    }

    /// Returns the folder of backups.
    pub fn folder(&self, data_dir: &Path) -> PathBuf {
        if self.folder.as_os_str().is_empty() { data_dir.join("backups") } else { self.folder.clone() }
    }
}

/// Returns the rules that must hold everywhere.
pub(super) fn rules(backup: &BackupSettings) -> Vec<Rule> {
    let recipients = &backup.age_recipients;
    // A private key would be on the server, and visible to everybody who may see the program's arguments.
    let are_public = !recipients.iter().any(|key| is_private_key(key));
    let are_keys = !are_public || recipients.iter().all(|key| is_recipient(key));
    vec![
        (within(recipients.len(), 0..=MAX_RECIPIENTS), "backup.age_recipients must have at most 20 keys"),
        (
            are_public,
            "backup.age_recipients has a private key: it takes public ones, which `age-keygen -y` prints",
        ),
        (
            are_keys,
            "backup.age_recipients must be public keys of age (age1…) or SSH (ssh-ed25519 … or ssh-rsa …), and one of \
                them is not, or has a wrong letter",
        ),
        (within(backup.signers.len(), 0..=MAX_SIGNERS), "backup.signers must have at most 20 keys"),
        (
            backup.signers.iter().all(|key| is_signer(key)),
            "backup.signers must be public keys of SSH (ssh-ed25519 … or ssh-rsa …, as in a file named .pub), and one of them is not, \
                or has a wrong letter",
        ),
        (within(backup.every_hours, 0..=744), "backup.every_hours must be 0 to 744"),
        (within(backup.keep, 1..=1000), "backup.keep must be 1 to 1000"),
    ]
}
