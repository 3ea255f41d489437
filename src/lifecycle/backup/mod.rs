//! Backups of everything that a server keeps, and restores.
//!
//! ```text
//! <folder>/2026-11-27T031500.120Z/   complete: it gets this name when everything is in it and on the disk
//!     manifest.json                  the list of its contents
//!     manifest.sha256                the digest of the manifest
//!     manifest.sig                   the manifest's signature, if `backup.signing_key` names a key
//!     database/                      the dump by pg_dump, of one moment
//!     uploads/files/<xx>/<id>        the files that were complete at that moment
//!     token_secret                   the secret that the server has generated for signing
//!
//!     database.dump.age, uploads/files/<xx>/<id>.age, token_secret.age         the same, encrypted
//!
//! <folder>/.last-check, .last-restore           when a backup of this folder was last checked, and restored
//! <folder>/.2026-11-27T031500.120Z.unfinished   a backup that is being made or removed
//! ```
//!
//! | file | purpose |
//! | --- | --- |
//! | `actions/making.rs` | makes a backup, also of a running server, and removes the oldest |
//! | `actions/encrypting.rs` | encrypts the files of a backup on their way into it |
//! | `actions/checking.rs` | finds missing and damaged files |
//! | `actions/proving.rs` | notes when a backup was checked or restored |
//! | `actions/restoring.rs` | restores a backup into an empty data folder and an empty database, and compares |
//! | `actions/placing.rs` | moves the result into the data folder, and cleans up after a restore that was killed there |
//! | `actions/decrypting.rs` | decrypts the files for a restore, or to prove that it is possible |
//! | `age.rs` | the program that encrypts and decrypts |
//! | `signing.rs` | the program that signs, and verifies signatures |
//! | `programs.rs` | finds and runs both programs |
//! | `dto.rs` | the manifest |
//! | `files.rs` | copies and digests |
//! | `progress.rs` | the progress of a restore |

mod actions;
mod age;
mod dto;
mod error;
mod files;
mod programs;
mod progress;
mod settings;
mod signing;

pub use actions::{
    Compared, KeptBackups, Made, NewBackup, ProofKind, Restored, Restoring, check, find_age, hold_payouts,
    kept, make_beside, note, proven, release_payouts, restore, try_age,
};
pub use dto::{BackupProof, Manifest, Proven};
pub use error::BackupError;
pub use progress::{BackupProgress, Step};
pub use settings::BackupSettings;
pub use signing::try_signing;
