//! The manifest: what a backup holds, and what is true of it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::accounting::ledger::Audit;

/// The newest format, of encrypted backups. Raised when an older program could not restore what is written.
pub const FORMAT: u32 = 2;

/// The format of backups that are not encrypted.
pub const PLAIN_FORMAT: u32 = 1;

/// What the names of encrypted files end with.
pub const ENCRYPTED_SUFFIX: &str = ".age";

/// The dump of an encrypted backup; else it is a folder.
pub const DUMP_FILE: &str = "database.dump.age";

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
