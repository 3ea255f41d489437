//! How jobs are dispatched, changed at run time and kept version by version.
//!
//! The newest row wins over the settings file, which is version 0. What holds now is in memory, for the engine and for
//! whoever makes or loads a job; a search under way goes on by the version that it began with.

mod engine_settings;
mod policy;
mod queries;

pub use engine_settings::engine_settings;
pub use policy::{SearchOverrides, matching_policy, search_policy};
pub use queries::{KnobColumns, SettingsRow, count, insert, list, lock, newest};

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

use roadcall_actors::{EngineHandle, settings::Tuning};
use sqlx::PgConnection;

use crate::platform::{core::Core, db::Db, error::ApiResult, settings::DispatchSettings};

/// Versions that are kept in memory; of more, the oldest are forgotten, and an attempt that began by one of those goes on
/// by the newest where its job is loaded again.
const MAX_KEPT: usize = 1000;

/// A version of the settings.
#[derive(Debug, Clone)]
pub struct Versioned {
    /// 0 is the settings file.
    pub version: i64,
    pub settings: Arc<DispatchSettings>,
}

impl Versioned {
    /// As the engine takes it.
    pub fn tuning(&self) -> Tuning {
        let search = search_policy(self, &SearchOverrides::default());
        Tuning { search, matching: matching_policy(&self.settings) }
    }
}

/// What holds now, and what jobs that are being searched for began with. Cheap to clone.
#[derive(Debug, Clone)]
pub struct DispatchConfig(Arc<RwLock<Versions>>);

#[derive(Debug)]
struct Versions {
    file: Arc<DispatchSettings>,
    kept: BTreeMap<i64, Arc<DispatchSettings>>,
}

impl DispatchConfig {
    /// The settings file alone, version 0.
    pub fn of_file(file: DispatchSettings) -> Self {
        let file = Arc::new(file);
        let kept = BTreeMap::from([(0, file.clone())]);
        Self(Arc::new(RwLock::new(Versions { file, kept })))
    }

    /// With the newest version, and those by which open jobs are searched for.
    pub async fn load(db: &Db, file: DispatchSettings) -> sqlx::Result<Self> {
        let config = Self::of_file(file);
        for row in queries::in_use(db).await? {
            config.adopt(&row);
        }
        Ok(config)
    }

    /// What holds now.
    pub fn current(&self) -> Versioned {
        let versions = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let newest = versions.kept.last_key_value();
        let (version, settings) =
            newest.map_or((0, versions.file.clone()), |(version, kept)| (*version, kept.clone()));
        Versioned { version, settings }
    }

    /// By what a search goes that began with this version; the newest where that is not known any more.
    pub fn of_attempt(&self, version: Option<i64>) -> Versioned {
        let find = |version: i64| {
            let versions = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let settings = versions.kept.get(&version)?.clone();
            Some(Versioned { version, settings })
        };
        version.and_then(find).unwrap_or_else(|| self.current())
    }

    /// Takes a version in. One that this program's rules refuse (an older program made it) is left out.
    fn adopt(&self, row: &SettingsRow) {
        let mut versions = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let settings = row.over(&versions.file);
        let faults = settings.faults();
        if faults.is_empty() {
            versions.kept.insert(row.version, Arc::new(settings));
        } else {
            tracing::error!(
                version = row.version,
                ?faults,
                "a version of the dispatch settings can't be used"
            );
        }
        while versions.kept.len() > MAX_KEPT {
            versions.kept.pop_first();
        }
    }
}

/// Looks whether a version was committed that this process has not heard of, and goes by it: its writer may have died
/// before it could tell.
pub async fn refresh(core: &Core, config: &DispatchConfig, engine: &EngineHandle) -> ApiResult<()> {
    let newest = queries::newest(&core.db).await?;
    let is_news = |row: &SettingsRow| row.version > config.current().version;
    if let Some(row) = newest.filter(is_news) {
        take(config, engine, &row);
    }
    Ok(())
}

/// The newest settings, which nobody changes until the transaction ends: what a category overrides is held against them.
pub async fn lock_settings(tx: &mut PgConnection, context: &Core) -> ApiResult<DispatchSettings> {
    queries::lock(tx).await?;
    let newest = queries::newest(&mut *tx).await?;
    Ok(newest.map_or_else(|| context.settings.dispatch.clone(), |row| row.over(&context.settings.dispatch)))
}

/// Goes by a committed version from now on, unless a newer one holds already.
pub fn take(config: &DispatchConfig, engine: &EngineHandle, row: &SettingsRow) {
    config.adopt(row);
    engine.tune(config.current().tuning());
}

/// What a version said; `None` where there never was such a one.
pub async fn find(context: &Core, version: i64) -> ApiResult<Option<Versioned>> {
    let file = &context.settings.dispatch;
    if version == 0 {
        return Ok(Some(Versioned { version, settings: Arc::new(file.clone()) }));
    }
    let row = queries::find(&context.db, version).await?;
    Ok(row.map(|row| Versioned { version, settings: Arc::new(row.over(file)) }))
}
