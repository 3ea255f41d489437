//! The keys and members that were looked up lately.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use moka::future::Cache;
use roadcall_platform::{db::Db, error::ApiResult};
use uuid::Uuid;

use super::{
    keys::{self, UsedKeyRow},
    members::{self, MembershipRow},
};

/// The keys and members of this server's latest callers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct KnownPartners {
    keys: Cache<String, Arc<UsedKeyRow>>,
    members: Cache<Uuid, Arc<MembershipRow>>,
    /// Counts changes: a read that began before one must not be remembered after it.
    changes: Arc<AtomicU64>,
}

impl KnownPartners {
    const CAPACITY: u64 = 10_000;

    pub fn new(remember_for: Duration) -> Self {
        let keys = Cache::builder().max_capacity(Self::CAPACITY).time_to_live(remember_for).build();
        let members = Cache::builder().max_capacity(Self::CAPACITY).time_to_live(remember_for).build();
        Self { keys, members, changes: Arc::default() }
    }

    /// Forgets all of them, after a change that was committed here or on another server.
    pub fn forget(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.keys.invalidate_all();
        self.members.invalidate_all();
    }

    /// Returns the key with this handle, as far as it is known without a look-up.
    pub(super) async fn key_here(&self, handle: &str) -> Option<Arc<UsedKeyRow>> {
        self.keys.get(handle).await
    }

    /// Looks the key with this handle up.
    pub(super) async fn key(&self, db: &Db, handle: &str) -> ApiResult<Option<Arc<UsedKeyRow>>> {
        let changes = self.changes.load(Ordering::SeqCst);
        let Some(row) = keys::used_key(db, handle).await?.map(Arc::new) else { return Ok(None) };
        self.keys.insert(handle.to_owned(), row.clone()).await;
        if self.changes.load(Ordering::SeqCst) != changes {
            self.keys.invalidate(handle).await;
        }
        Ok(Some(row))
    }

    /// Returns the membership of a person.
    pub(super) async fn member(&self, db: &Db, user_id: Uuid) -> ApiResult<Option<Arc<MembershipRow>>> {
        if let Some(row) = self.members.get(&user_id).await {
            return Ok(Some(row));
        }
        let changes = self.changes.load(Ordering::SeqCst);
        let Some(row) = members::membership(db, user_id).await?.map(Arc::new) else { return Ok(None) };
        self.members.insert(user_id, row.clone()).await;
        if self.changes.load(Ordering::SeqCst) != changes {
            self.members.invalidate(&user_id).await;
        }
        Ok(Some(row))
    }
}
