//! Notes beside the backups of a folder when one was last checked and last restored, for the status that admins see.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
};

use chrono::{DateTime, Utc};
use serde_json::{from_slice, to_vec};

use crate::lifecycle::backup::{
    dto::{BackupProof, Proven},
    error::blocking,
};

/// How a backup was proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofKind {
    Checked,
    Restored,
}

impl ProofKind {
    /// Returns the note's name, which is hidden, so that it is not taken for a backup.
    fn file(self) -> &'static str {
        match self {
            ProofKind::Checked => ".last-check",
            ProofKind::Restored => ".last-restore",
        }
    }
}

/// Writes the note beside that backup. In a folder that can't be written, such as one on another machine's disk, no note is kept.
pub async fn note(backup: &Path, kind: ProofKind, now: DateTime<Utc>) {
    let Some(folder) = backup.canonicalize().ok().and_then(|backup| Some(backup.parent()?.to_path_buf()))
    else {
        return;
    };
    let written = blocking(move || {
        let (path, text) = (folder.join(kind.file()), to_vec(&BackupProof { at: now }).unwrap_or_default());
        // An existing file is replaced, since it may be a link to somewhere else.
        fs::remove_file(&path).ok();
        Ok(File::create_new(&path).and_then(|mut file| file.write_all(&text)).ok())
    });
    written.await.ok();
}

/// Reads the notes in a folder of backups.
pub async fn proven(folder: &Path) -> Proven {
    let folder = folder.to_path_buf();
    let read = blocking(move || {
        let of =
            |kind: ProofKind| fs::read(folder.join(kind.file())).ok().and_then(|text| from_slice(&text).ok());
        Ok(Proven { checked: of(ProofKind::Checked), restored: of(ProofKind::Restored) })
    });
    read.await.unwrap_or_default()
}
