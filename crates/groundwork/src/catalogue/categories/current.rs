//! The kinds of help in a server's memory, for estimates, which do not bind anybody.

use std::{collections::HashMap, sync::Arc};

use parking_lot::RwLock;
use roadcall_platform::db::Db;
use tokio::sync::Mutex;
use uuid::Uuid;

use super::queries::{self, CategoryRow};

type ById = HashMap<Uuid, Arc<CategoryRow>>;

/// All categories, as this server knows them. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct CurrentCategories {
    known: Arc<RwLock<Arc<ById>>>,
    /// Held while they are read, so that an earlier state never replaces a later one.
    reading: Arc<Mutex<()>>,
}

impl CurrentCategories {
    pub async fn load(db: &Db) -> sqlx::Result<Self> {
        let current = Self::default();
        current.refresh(db).await?;
        Ok(current)
    }

    /// Reads the categories again.
    pub async fn refresh(&self, db: &Db) -> sqlx::Result<()> {
        let _turn = self.reading.lock().await;
        let rows = queries::list(db, None, true).await?;
        let by_id: ById = rows.into_iter().map(|row| (row.id, Arc::new(row))).collect();
        *self.known.write() = Arc::new(by_id);
        Ok(())
    }

    /// Returns the category with this slug, unless it is switched off. A category that this server does not know yet is read.
    pub async fn find_offered(&self, db: &Db, slug: &str) -> sqlx::Result<Option<Arc<CategoryRow>>> {
        let known = self.known.read().clone();
        let found = match known.values().find(|row| row.slug == slug) {
            Some(known) => Some(known.clone()),
            None => queries::by_slug(db, slug).await?.map(Arc::new),
        };
        Ok(found.filter(|row| row.is_active))
    }

    /// Returns the category, unless it is switched off. A category that this server does not know yet is read.
    pub async fn find_active(&self, db: &Db, id: Uuid) -> sqlx::Result<Option<Arc<CategoryRow>>> {
        let known = self.known.read().get(&id).cloned();
        let found = match known {
            Some(known) => Some(known),
            None => queries::find(db, id).await?.map(Arc::new),
        };
        Ok(found.filter(|row| row.is_active))
    }
}
