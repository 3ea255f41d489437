//! Backups of everything that a server keeps, and databases made of them again.
//!
//! ```text
//! <folder>/2026-11-27T031500.120Z/         whole: it gets this name when everything is in it and on the disk
//!     manifest.json                        what is in it
//!     manifest.sha256                      the digest of that
//!     manifest.sig                         its signature, if `backup.signing_key` names a key
//!     database/                            by pg_dump, one moment of it
//!     uploads/files/<xx>/<id>              files that are complete in that moment
//!     token_secret                         what the server has generated to sign with
//!
//!     database.dump.age, uploads/files/<xx>/<id>.age, token_secret.age         the same, encrypted
//!
//! <folder>/.last-check, .last-restore      when a backup of this folder was last checked, and restored
//! <folder>/.2026-11-27T031500.120Z.unfinished      being made, or being removed
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `actions/making.rs` | makes a backup beside a running server, and removes the oldest |
//! | `actions/encrypting.rs` | encrypts the files of a backup on their way into it |
//! | `actions/checking.rs` | finds what is missing or spoiled |
//! | `actions/proving.rs` | notes when one was checked or restored |
//! | `actions/restoring.rs` | makes an empty data folder and an empty database what the backup says, and compares |
//! | `actions/placing.rs` | puts that into the data folder, and clears up after a restore that was killed there |
//! | `actions/decrypting.rs` | decrypts them for a restore, or to see that it can be done |
//! | `age.rs` | the program that does both |
//! | `signing.rs` | the program that signs, and verifies signatures |
//! | `programs.rs` | finds and runs both programs |
//! | `dto.rs` | the manifest |
//! | `files.rs` | copies and digests |
//! | `progress.rs` | how far a restore is |

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
