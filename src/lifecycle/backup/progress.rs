//! The progress of a restore.

use std::{fmt, sync::Arc};

/// A step of a restore. The steps are listed in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Reads every file of the backup, and compares it with its digest.
    CheckingFiles { files: usize },
    /// Makes or opens the empty database.
    PreparingDatabase,
    /// Copies or decrypts the files that are not part of the database.
    CopyingFiles { files: usize },
    /// Fills the database.
    RestoringDatabase,
    /// Compares the rows and the ledger with the manifest.
    Comparing,
}

/// Reports a restore's step, and how many files of it are done. A clone reports to the same listener.
#[derive(Clone)]
pub struct BackupProgress(Arc<dyn Fn(Step, usize) + Send + Sync>);

/// Written by hand, because a function has nothing to show.
impl fmt::Debug for BackupProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackupProgress").finish_non_exhaustive()
    }
}

impl BackupProgress {
    pub fn new(told: impl Fn(Step, usize) + Send + Sync + 'static) -> Self {
        Self(Arc::new(told))
    }

    /// Returns a progress that reports to nobody.
    pub fn silent() -> Self {
        Self::new(|_, _| ())
    }

    pub(super) fn begins(&self, step: Step) {
        self.is_at(step, 0);
    }

    pub(super) fn is_at(&self, step: Step, done: usize) {
        (self.0)(step, done);
    }
}
