//! Settings of the backups that a server makes by itself: `[backup]`.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;

use super::rule::{Rule, within};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackupSettings {
    /// 0: none.
    pub every_hours: u32,
    /// Empty: `backups` in the data folder.
    pub folder: PathBuf,
    pub keep: usize,
}

impl BackupSettings {
    /// How often; `None` where the server makes none.
    pub fn every(&self) -> Option<Duration> {
        (self.every_hours > 0).then(|| Duration::from_secs(u64::from(self.every_hours) * 3600))
    }

    /// Where they are.
    pub fn folder(&self, data_dir: &Path) -> PathBuf {
        if self.folder.as_os_str().is_empty() { data_dir.join("backups") } else { self.folder.clone() }
    }
}

/// What can't work anywhere.
pub(super) fn rules(backup: &BackupSettings) -> Vec<Rule> {
    vec![
        (within(backup.every_hours, 0..=744), "backup.every_hours must be 0 to 744"),
        (within(backup.keep, 1..=1000), "backup.keep must be 1 to 1000"),
    ]
}
