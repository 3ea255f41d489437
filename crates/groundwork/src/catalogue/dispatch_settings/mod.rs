//! The settings of dispatch, which can be changed at run time; every version is kept.
//!
//! The newest row takes precedence over the settings file, which is version 0. The current settings are in memory, for
//! the engine and for code that creates or loads a job. A search under way continues with the version that it began
//! with.

mod policy;
mod queries;
mod settings;
pub mod switchback;

pub use policy::{SearchOverrides, matching_policy, search_policy};
pub use queries::{KnobColumns, SettingsRow, count, insert, list, lock, newest, since};
pub use settings::{
    DispatchSettings, DispatchStrategy, MAX_RING_KM, MAX_RINGS, MAX_ROUND_WIDTH, MAX_ROUND_WIDTHS,
};

use std::{collections::BTreeMap, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::RwLock;
use roadcall_actors::{EngineHandle, settings::Tuning};
use roadcall_platform::{core::Core, db::Db, error::ApiResult};
use sqlx::PgConnection;

/// The maximum number of versions in memory. Beyond it, the oldest are forgotten; a search that began with one of those continues
/// with the newest after its job is loaded again.
const MAX_KEPT: usize = 1000;

/// A version of the settings.
#[derive(Debug, Clone)]
pub struct Versioned {
    /// The version's number; 0 is the settings file.
    pub version: i64,
    pub settings: Arc<DispatchSettings>,
}

impl Versioned {
    /// Returns the settings as the engine's type, for the hour that contains `now`.
    pub fn tuning(&self, now: DateTime<Utc>) -> Tuning {
        let search = search_policy(self, &SearchOverrides::default());
        let mut matching = matching_policy(&self.settings);
        // Prices are computed in every hour, so that each hour begins with its own.
        if let Some(pricing) = &mut matching.pricing {
            pricing.applies = switchback::prices_apply(&self.settings, now);
        }
        Tuning { search, matching }
    }
}

/// The current settings, and those that present searches began with. Cheap to clone.
#[derive(Debug, Clone)]
pub struct DispatchConfig(Arc<RwLock<Versions>>);

#[derive(Debug)]
struct Versions {
    file: Arc<DispatchSettings>,
    kept: BTreeMap<i64, Arc<DispatchSettings>>,
}

impl DispatchConfig {
    /// Makes a configuration of the settings file alone, version 0.
    pub fn of_file(file: DispatchSettings) -> Self {
        let file = Arc::new(file);
        let kept = BTreeMap::from([(0, file.clone())]);
        Self(Arc::new(RwLock::new(Versions { file, kept })))
    }

    /// Loads the newest version, and the versions that the searches of open jobs use.
    pub async fn load(db: &Db, file: DispatchSettings) -> sqlx::Result<Self> {
        let config = Self::of_file(file);
        for row in queries::in_use(db).await? {
            config.adopt(&row);
        }
        Ok(config)
    }

    /// Returns the settings file, which also has the values that admins can't change at run time.
    pub fn file(&self) -> Arc<DispatchSettings> {
        self.0.read().file.clone()
    }

    /// Returns how long a position counts as current.
    pub fn fresh_position(&self) -> TimeDelta {
        TimeDelta::seconds(self.file().fresh_position_s)
    }

    /// Returns the seconds between two positions of a mechanic's phone without a job.
    pub fn slow_interval_s(&self) -> u32 {
        self.file().slow_interval_s
    }

    /// Returns how long the records of the dispatcher's decisions are kept.
    pub fn records_kept(&self) -> TimeDelta {
        TimeDelta::days(self.file().records_retention_days)
    }

    /// Returns the current settings.
    pub fn current(&self) -> Versioned {
        let versions = self.0.read();
        let newest = versions.kept.last_key_value();
        let (version, settings) =
            newest.map_or((0, versions.file.clone()), |(version, kept)| (*version, kept.clone()));
        Versioned { version, settings }
    }

    /// Returns the settings of a search that began with this version; the newest if that version is no longer known.
    pub fn of_attempt(&self, version: Option<i64>) -> Versioned {
        let find = |version: i64| {
            let versions = self.0.read();
            let settings = versions.kept.get(&version)?.clone();
            Some(Versioned { version, settings })
        };
        version.and_then(find).unwrap_or_else(|| self.current())
    }

    /// Adds a version, unless this program's rules refuse it (an older program made it).
    fn adopt(&self, row: &SettingsRow) {
        let mut versions = self.0.write();
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

/// Checks for a committed version that this process does not know, and applies it: its writer may have died before it could
/// notify the others. If prices are on and off by the hour, applies the present hour's state.
pub async fn refresh(core: &Core, config: &DispatchConfig, engine: &EngineHandle) -> ApiResult<()> {
    let newest = queries::newest(&core.db).await?;
    let is_news = |row: &SettingsRow| row.version > config.current().version;
    if let Some(row) = newest.filter(is_news) {
        take(config, engine, &row, core.clock.now());
    } else if config.current().settings.price_switchback {
        engine.tune(config.current().tuning(core.clock.now()));
    }
    Ok(())
}

/// Returns the newest settings, locked against changes until the transaction ends: a category's overrides are checked against
/// them.
pub async fn lock_settings(tx: &mut PgConnection, config: &DispatchConfig) -> ApiResult<DispatchSettings> {
    queries::lock(tx).await?;
    let (newest, file) = (queries::newest(&mut *tx).await?, config.file());
    Ok(newest.map_or_else(|| DispatchSettings::clone(&file), |row| row.over(&file)))
}

/// Applies a committed version from now on, unless a newer one already applies.
pub fn take(config: &DispatchConfig, engine: &EngineHandle, row: &SettingsRow, now: DateTime<Utc>) {
    config.adopt(row);
    engine.tune(config.current().tuning(now));
}

/// Returns the settings of a version; `None` if it never existed.
pub async fn find(db: &Db, config: &DispatchConfig, version: i64) -> ApiResult<Option<Versioned>> {
    let file = config.file();
    if version == 0 {
        return Ok(Some(Versioned { version, settings: file }));
    }
    let row = queries::find(db, version).await?;
    Ok(row.map(|row| Versioned { version, settings: Arc::new(row.over(&file)) }))
}
