//! Settings of backups: `[backup]`.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;

use crate::platform::settings::{Rule, RulesOf, Section, is_private_key, is_recipient, is_signer, list};

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
    #[serde(deserialize_with = "list")]
    pub age_recipients: Vec<String>,
    /// The file of the private key that signs backups; if empty, backups are not signed.
    pub signing_key: PathBuf,
    /// Public keys, one of which must have signed a backup that is restored; without any, every backup is trusted.
    #[serde(deserialize_with = "list")]
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

impl Section for BackupSettings {
    fn rules(&self) -> Vec<Rule> {
        let backup = RulesOf("backup");
        let recipients = &self.age_recipients;
        // A private key would be on the server, and visible to everybody who may see the program's arguments.
        let are_public = !recipients.iter().any(|key| is_private_key(key));
        let are_keys = !are_public || recipients.iter().all(|key| is_recipient(key));
        vec![
            backup.has("age_recipients", recipients.len(), 0..=MAX_RECIPIENTS, "keys"),
            backup.says(
                "age_recipients",
                are_public,
                "has a private key: it takes public ones, which `age-keygen -y` prints",
            ),
            backup.says(
                "age_recipients",
                are_keys,
                "must be public keys of age (age1…) or SSH (ssh-ed25519 … or ssh-rsa …), and one of them is not, or has a wrong \
                    letter",
            ),
            backup.has("signers", self.signers.len(), 0..=MAX_SIGNERS, "keys"),
            backup.says(
                "signers",
                self.signers.iter().all(|key| is_signer(key)),
                "must be public keys of SSH (ssh-ed25519 … or ssh-rsa …, as in a file named .pub), and one of them is not, or has \
                    a wrong letter",
            ),
            backup.within("every_hours", self.every_hours, 0..=744),
            backup.within("keep", self.keep, 1..=1000),
        ]
    }
}
