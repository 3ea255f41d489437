//! The manifest, which lists a backup's contents and figures, and the note of a restore.

use std::{collections::BTreeMap, time::SystemTime};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{accounting::ledger::Audit, accounts::auth};

/// The newest format, of encrypted backups. Raise it when an older program could no longer restore a backup.
pub const FORMAT: u32 = 2;

/// The format of backups that are not encrypted.
pub const PLAIN_FORMAT: u32 = 1;

/// The ending of encrypted files' names.
pub const ENCRYPTED_SUFFIX: &str = ".age";

/// The dump of an encrypted backup.
pub const DUMP_FILE: &str = "database.dump.age";

/// The dump of an unencrypted backup.
pub const DUMP_FOLDER: &str = "database";

/// The folder of the uploaded files.
const UPLOADS_FOLDER: &str = "uploads";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: u32,
    /// The release that made the backup.
    pub roadcall: String,
    pub made_at: DateTime<Utc>,
    /// The newest migration of the database.
    pub schema_version: i64,
    pub postgres: PostgresOf,
    /// The number of rows in each table.
    pub rows: BTreeMap<String, i64>,
    pub ledger: LedgerOf,
    pub uploads: UploadsOf,
    /// Whether the backup contains `token_secret`; otherwise the settings name a secret (`auth.token_secret`), or none was
    /// generated yet.
    pub has_token_secret: bool,
    /// The public keys for which `age` has encrypted every other file; empty if the files are not encrypted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub age_recipients: Vec<String>,
    /// Every other file of the backup, by its path, with its size and digest as stored.
    pub files: BTreeMap<String, FileOf>,
}

impl Manifest {
    pub fn is_encrypted(&self) -> bool {
        !self.age_recipients.is_empty()
    }

    /// Returns whether a backup may contain a file with this path. Any other file could end up in the new data folder, where it
    /// could name another database or change how Postgres starts.
    pub fn may_have(&self, path: &str) -> bool {
        let bare = if self.is_encrypted() { path.strip_suffix(ENCRYPTED_SUFFIX) } else { Some(path) };
        let is_kept = bare.is_some_and(|bare| bare == auth::SECRET_FILE || is_in(UPLOADS_FOLDER, bare));
        is_kept || if self.is_encrypted() { path == DUMP_FILE } else { is_in(DUMP_FOLDER, path) }
    }
}

fn is_in(folder: &str, path: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.len() > 1 && rest.starts_with('/'))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostgresOf {
    /// The major version of the server; `pg_dump` has the version of the program that made the dump.
    pub server: u32,
    pub pg_dump: u32,
    pub schema: String,
}

/// The result of `roadcall ledger check` on the backup's database, without the comparison of bills.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerOf {
    pub accounts: i64,
    pub transactions: i64,
    pub postings: i64,
    pub total_paise: i64,
    pub wrong_balances: i64,
    pub unbalanced: i64,
    pub wrong_holds: i64,
    /// The digest of all accounts with their balances and the sums of their postings.
    pub sums_sha256: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadsOf {
    /// The number of files in the backup.
    pub here: u64,
    /// The number of files in the store of `uploads.provider = "s3"`, which are not in the backup.
    pub with_the_store: i64,
    /// Files that were deleted during the backup, or that the data folder had lost.
    pub absent: Vec<Uuid>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileOf {
    pub size_bytes: u64,
    pub sha256: String,
}

/// When a backup was last checked or restored, as noted beside the backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupProof {
    pub at: DateTime<Utc>,
}

/// The last proofs of a folder's backups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Proven {
    pub checked: Option<BackupProof>,
    pub restored: Option<BackupProof>,
}

impl LedgerOf {
    pub fn new(audit: &Audit, sums_sha256: String) -> Self {
        let Audit { accounts, transactions, postings, total_paise, .. } = *audit;
        let Audit { wrong_balances, unbalanced, wrong_holds, .. } = *audit;
        Self {
            accounts,
            transactions,
            postings,
            total_paise,
            wrong_balances,
            unbalanced,
            wrong_holds,
            sums_sha256,
        }
    }

    /// Returns the figures in words, in a good order for comparing.
    pub fn lines(&self) -> [(&'static str, String); 8] {
        [
            ("ledger: accounts", self.accounts.to_string()),
            ("ledger: transactions", self.transactions.to_string()),
            ("ledger: postings", self.postings.to_string()),
            ("ledger: sum of all, in paise", self.total_paise.to_string()),
            ("ledger: wrong balances", self.wrong_balances.to_string()),
            ("ledger: unbalanced transactions", self.unbalanced.to_string()),
            ("ledger: holds not accounted for", self.wrong_holds.to_string()),
            ("ledger: digest of all sums", self.sums_sha256.chars().take(16).collect()),
        ]
    }
}

/// A folder or file that a restore has made, identified by properties that a move preserves.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoredPart {
    pub name: String,
    pub inode: u64,
    /// `None` on a file system that does not record it.
    pub made_at: Option<SystemTime>,
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    fn manifest(recipients: &[&str]) -> Manifest {
        let ledger = json!({
            "accounts": 0, "transactions": 0, "postings": 0, "total_paise": 0, "wrong_balances": 0, "unbalanced": 0,
            "wrong_holds": 0, "sums_sha256": "",
        });
        let manifest = json!({
            "format": 1, "roadcall": "0.1.0", "made_at": "2026-11-27T03:15:00Z", "schema_version": 1,
            "postgres": {"server": 15, "pg_dump": 15, "schema": "public"}, "rows": {}, "ledger": ledger,
            "uploads": {"here": 0, "with_the_store": 0, "absent": []}, "has_token_secret": true,
            "age_recipients": recipients, "files": {},
        });
        from_value(manifest).expect("a manifest")
    }

    #[test]
    fn a_backup_may_have_a_dump_uploads_and_a_secret() {
        let (plain, encrypted) = (manifest(&[]), manifest(&["age1x"]));
        for path in ["token_secret", "uploads/files/ab/x", "database/toc.dat"] {
            assert!(plain.may_have(path) && !encrypted.may_have(path), "{path}");
        }
        for path in ["token_secret.age", "uploads/files/ab/x.age", "database.dump.age"] {
            assert!(encrypted.may_have(path), "{path}");
        }
        let others = [
            "",
            "database",
            "database/",
            "uploads",
            "uploads/",
            "uploadsx/y",
            "postgres.location",
            "postgres/pgdata/standby.signal",
        ];
        for path in others {
            assert!(!plain.may_have(path), "{path}");
            assert!(!encrypted.may_have(path) && !encrypted.may_have(&format!("{path}.age")), "{path}");
        }
        assert!(!plain.may_have("database.dump.age") && !plain.may_have("token_secret.age"));
    }
}
