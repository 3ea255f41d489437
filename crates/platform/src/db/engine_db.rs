//! The engine's database.

use std::sync::Arc;

use parking_lot::RwLock;

use super::{connections::Db, leadership::Lease};

/// The database that only the leader uses. When a former leader stands for the lead again, another [`Db`] under
/// another name takes its place, so that nothing is committed with the earlier one. It is cheap to clone.
#[derive(Debug, Clone)]
pub struct EngineDb(Arc<RwLock<Db>>);

impl From<Db> for EngineDb {
    fn from(db: Db) -> Self {
        Self(Arc::new(RwLock::new(db)))
    }
}

impl EngineDb {
    /// Returns the database of the lead that this server has, or stands for.
    pub fn current(&self) -> Db {
        self.0.read().clone()
    }

    /// Returns the lease of that lead.
    pub fn lease(&self) -> Lease {
        self.0.read().lease().clone()
    }

    pub(super) fn replace(&self, db: Db) {
        *self.0.write() = db;
    }
}
