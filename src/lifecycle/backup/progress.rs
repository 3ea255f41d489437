//! How far a restore is, for whoever waits for it.

use std::{fmt, sync::Arc};

/// A step of a restore, in the order in which they are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Reads every file of the backup, and compares it with its digest.
    CheckingFiles { files: usize },
    /// Makes or opens the database, which is empty.
    PreparingDatabase,
    /// Copies the files that are not the database's, or decrypts them.
    CopyingFiles { files: usize },
    /// Fills the database.
    RestoringDatabase,
    /// Compares rows and the ledger with what the backup says.
    Comparing,
}

/// Tells somebody the step that a restore is at, and how many files of it are done. A clone tells the same person.
#[derive(Clone)]
pub struct BackupProgress(Arc<dyn Fn(Step, usize) + Send + Sync>);

/// By hand, because a function has nothing to show.
impl fmt::Debug for BackupProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackupProgress").finish_non_exhaustive()
    }
}

impl BackupProgress {
    pub fn new(told: impl Fn(Step, usize) + Send + Sync + 'static) -> Self {
        Self(Arc::new(told))
    }

    /// Tells nobody.
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
