//! The manifest, which says what a backup holds and what is true of it, and the note of a restore.

use std::{collections::BTreeMap, time::SystemTime};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{accounting::ledger::Audit, accounts::auth};

/// The newest format, of encrypted backups. Raised when an older program could not restore what is written.
pub const FORMAT: u32 = 2;

/// The format of backups that are not encrypted.
pub const PLAIN_FORMAT: u32 = 1;

/// What the names of encrypted files end with.
pub const ENCRYPTED_SUFFIX: &str = ".age";

/// The dump of an encrypted backup.
pub const DUMP_FILE: &str = "database.dump.age";

/// The dump of one that is not.
pub const DUMP_FOLDER: &str = "database";

/// The folder of the uploaded files.
const UPLOADS_FOLDER: &str = "uploads";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: u32,
    /// The release that made it.
    pub roadcall: String,
    pub made_at: DateTime<Utc>,
    /// The newest migration of the database.
    pub schema_version: i64,
    pub postgres: PostgresOf,
    /// Rows of each table.
    pub rows: BTreeMap<String, i64>,
    pub ledger: LedgerOf,
    pub uploads: UploadsOf,
    /// Whether `token_secret` is in it; otherwise the settings name one (`auth.token_secret`), or none was generated yet.
    pub has_token_secret: bool,
    /// The public keys for which every other file is encrypted by `age`; none: they are not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub age_recipients: Vec<String>,
    /// Every other file of the backup, by its path, as it lies there.
    pub files: BTreeMap<String, FileOf>,
}

impl Manifest {
    pub fn is_encrypted(&self) -> bool {
        !self.age_recipients.is_empty()
    }

    /// Returns whether a backup may have a file with this path. Any other file could get into the new data folder, where it could
    /// name another database or change how Postgres starts.
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
    /// Major versions of the server, and of the program that made the dump.
    pub server: u32,
    pub pg_dump: u32,
    pub schema: String,
}

/// What `roadcall ledger check` finds in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerOf {
    pub accounts: i64,
    pub transactions: i64,
    pub postings: i64,
    pub total_paise: i64,
    pub wrong_balances: i64,
    pub unbalanced: i64,
    pub wrong_holds: i64,
    /// Of every account with its balance and the sum of its postings.
    pub sums_sha256: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadsOf {
    /// Files in it.
    pub here: u64,
    /// Files that the store of `uploads.provider = "s3"` has; they are not in it.
    pub with_the_store: i64,
    /// Files that were deleted while the backup was made, or that the data folder had lost.
    pub absent: Vec<Uuid>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileOf {
    pub size_bytes: u64,
    pub sha256: String,
}

/// When something was last done with a backup, as it is kept beside the backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupProof {
    pub at: DateTime<Utc>,
}

/// What is known of a folder's backups beyond their being there.
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

    /// The same in words, in an order that people compare.
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

/// A folder or file that a restore has made. It is known by what a move leaves as it was.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoredPart {
    pub name: String,
    pub inode: u64,
    /// `None` on a file system that does not keep it.
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
