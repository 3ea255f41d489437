//! The database as the engine has it.

use std::sync::{Arc, PoisonError, RwLock};

use super::{connections::Db, leadership::Lease};

/// What only the leader uses. A server that led and stands for the lead again has another [`Db`] in it, under another name: who still has the
/// one before commits nothing. A cheap clone.
#[derive(Debug, Clone)]
pub struct EngineDb(Arc<RwLock<Db>>);

impl From<Db> for EngineDb {
    fn from(db: Db) -> Self {
        Self(Arc::new(RwLock::new(db)))
    }
}

impl EngineDb {
    /// Returns the one of the lead that this server has now, or stands for.
    pub fn current(&self) -> Db {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the lease of the same.
    pub fn lease(&self) -> Lease {
        self.0.read().unwrap_or_else(PoisonError::into_inner).lease().clone()
    }

    pub(super) fn replace(&self, db: Db) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = db;
    }
}
