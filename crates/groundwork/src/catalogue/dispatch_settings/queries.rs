//! SQL for the versions of the dispatch settings.

use chrono::{DateTime, Utc};
use roadcall_http::PageParams;
use roadcall_platform::db::{Db, RunQuery};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::settings::DispatchSettings;

/// A version of the settings.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct SettingsRow {
    pub version: i64,
    #[sqlx(flatten)]
    pub knobs: KnobColumns,
    pub updated_by: Uuid,
    pub updated_at: DateTime<Utc>,
}

/// The settings that can be changed at run time.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct KnobColumns {
    pub rings_km: Vec<f64>,
    pub round_widths: Vec<i32>,
    pub max_rounds: i32,
    pub offer_ttl_s: i64,
    pub attempt_ttl_s: i64,
    pub urgent_first_round: i32,
    pub window_ms: i64,
    pub unserved_s: i64,
    pub waiting_weight_s_per_min: i64,
    pub highway_bonus_s: i64,
    pub accident_bonus_s: i64,
    pub refusal_weight_s: i64,
    pub idle_weight_s_per_min: i64,
    pub mechanic_prices: bool,
    pub worth_s: i64,
    pub in_time_s: i64,
    pub late_percent: i64,
    pub eta_sigma: f64,
    pub price_window_s: i64,
    pub hold_accidents: bool,
    pub advice_after_s: i64,
    pub price_switchback: bool,
}

impl SettingsRow {
    /// Returns these knobs, with everything else from the file.
    pub fn over(&self, file: &DispatchSettings) -> DispatchSettings {
        self.knobs.over(file)
    }
}

impl KnobColumns {
    pub fn of(settings: &DispatchSettings) -> Self {
        let int = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        Self {
            rings_km: settings.rings_km.clone(),
            round_widths: settings.round_widths.iter().copied().map(int).collect(),
            max_rounds: int(settings.max_rounds),
            offer_ttl_s: settings.offer_ttl_s,
            attempt_ttl_s: settings.attempt_ttl_s,
            urgent_first_round: int(settings.urgent_first_round),
            window_ms: settings.window_ms,
            unserved_s: settings.unserved_s,
            waiting_weight_s_per_min: settings.waiting_weight_s_per_min,
            highway_bonus_s: settings.highway_bonus_s,
            accident_bonus_s: settings.accident_bonus_s,
            refusal_weight_s: settings.refusal_weight_s,
            idle_weight_s_per_min: settings.idle_weight_s_per_min,
            mechanic_prices: settings.mechanic_prices,
            worth_s: settings.worth_s,
            in_time_s: settings.in_time_s,
            late_percent: settings.late_percent,
            eta_sigma: settings.eta_sigma,
            price_window_s: settings.price_window_s,
            hold_accidents: settings.hold_accidents,
            advice_after_s: settings.advice_after_s,
            price_switchback: settings.price_switchback,
        }
    }

    /// Returns these knobs, with everything else from the file. A number outside its type becomes one that the rules refuse.
    pub fn over(&self, file: &DispatchSettings) -> DispatchSettings {
        let whole = |number: i32| u32::try_from(number).unwrap_or_default();
        DispatchSettings {
            rings_km: self.rings_km.clone(),
            round_widths: self.round_widths.iter().copied().map(whole).collect(),
            max_rounds: whole(self.max_rounds),
            offer_ttl_s: self.offer_ttl_s,
            attempt_ttl_s: self.attempt_ttl_s,
            urgent_first_round: whole(self.urgent_first_round),
            window_ms: self.window_ms,
            unserved_s: self.unserved_s,
            waiting_weight_s_per_min: self.waiting_weight_s_per_min,
            highway_bonus_s: self.highway_bonus_s,
            accident_bonus_s: self.accident_bonus_s,
            refusal_weight_s: self.refusal_weight_s,
            idle_weight_s_per_min: self.idle_weight_s_per_min,
            mechanic_prices: self.mechanic_prices,
            worth_s: self.worth_s,
            in_time_s: self.in_time_s,
            late_percent: self.late_percent,
            eta_sigma: self.eta_sigma,
            price_window_s: self.price_window_s,
            hold_accidents: self.hold_accidents,
            advice_after_s: self.advice_after_s,
            price_switchback: self.price_switchback,
            ..file.clone()
        }
    }
}

pub async fn newest(db: impl PgExecutor<'_>) -> Result<Option<SettingsRow>> {
    sqlx::query_as("select * from dispatch_settings order by version desc limit 1").fetch_optional(db).await
}

pub async fn find(db: &Db, version: i64) -> Result<Option<SettingsRow>> {
    sqlx::query_as("select * from dispatch_settings where version = $1")
        .bind(version)
        .fetch_optional(db)
        .await
}

/// Returns the newest version, and those that present searches use.
pub async fn in_use(db: &Db) -> Result<Vec<SettingsRow>> {
    sqlx::query_as(
        "select * from dispatch_settings
        where version = (select max(version) from dispatch_settings)
            or version in (select dispatch_version from job_states where status = 'dispatching' and is_unfinished)
        order by version",
    )
    .fetch_all(db)
    .await
}

/// Waits for anyone else who changes the settings, and keeps others out until the transaction ends.
pub async fn lock(tx: &mut PgConnection) -> Result<()> {
    sqlx::query("select pg_advisory_xact_lock(hashtext('dispatch_settings'))").run(tx).await
}

pub async fn insert(tx: &mut PgConnection, row: &SettingsRow) -> Result<()> {
    let knobs = &row.knobs;
    sqlx::query(
        "insert into dispatch_settings (version, rings_km, round_widths, max_rounds, offer_ttl_s, attempt_ttl_s,
            urgent_first_round, window_ms, unserved_s, waiting_weight_s_per_min, highway_bonus_s, accident_bonus_s,
            refusal_weight_s, idle_weight_s_per_min, updated_by, updated_at, mechanic_prices, worth_s, in_time_s,
            late_percent, eta_sigma, price_window_s, hold_accidents, advice_after_s,
            price_switchback)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
            $23, $24, $25)",
    )
    .bind(row.version)
    .bind(&knobs.rings_km)
    .bind(&knobs.round_widths)
    .bind(knobs.max_rounds)
    .bind(knobs.offer_ttl_s)
    .bind(knobs.attempt_ttl_s)
    .bind(knobs.urgent_first_round)
    .bind(knobs.window_ms)
    .bind(knobs.unserved_s)
    .bind(knobs.waiting_weight_s_per_min)
    .bind(knobs.highway_bonus_s)
    .bind(knobs.accident_bonus_s)
    .bind(knobs.refusal_weight_s)
    .bind(knobs.idle_weight_s_per_min)
    .bind(row.updated_by)
    .bind(row.updated_at)
    .bind(knobs.mechanic_prices)
    .bind(knobs.worth_s)
    .bind(knobs.in_time_s)
    .bind(knobs.late_percent)
    .bind(knobs.eta_sigma)
    .bind(knobs.price_window_s)
    .bind(knobs.hold_accidents)
    .bind(knobs.advice_after_s)
    .bind(knobs.price_switchback)
    .run(tx)
    .await
}

/// Returns the version in force at a time, and all later ones, at most `limit`: the oldest first.
pub async fn since(db: &Db, at: DateTime<Utc>, limit: i64) -> Result<Vec<SettingsRow>> {
    sqlx::query_as(
        "select * from dispatch_settings
        where version >= coalesce((select max(version) from dispatch_settings where updated_at <= $1), 0)
        order by version limit $2",
    )
    .bind(at)
    .bind(limit)
    .fetch_all(db)
    .await
}

/// Lists the versions, newest first.
pub async fn list(db: &Db, page: PageParams) -> Result<Vec<SettingsRow>> {
    sqlx::query_as("select * from dispatch_settings order by version desc limit $1 offset $2")
        .bind(page.limit)
        .bind(page.offset())
        .fetch_all(db)
        .await
}

pub async fn count(db: &Db) -> Result<i64> {
    sqlx::query_scalar("select count(*) from dispatch_settings").fetch_one(db).await
}
