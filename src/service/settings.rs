//! Settings: `config/default.toml` (compiled in), a file, then the environment. An unknown key is refused, and
//! `production` refuses unsafe defaults by name.

mod admin;
mod admin_rules;
mod backup;
mod calls;
mod calls_rules;
mod chat;
mod check;
mod choice;
mod cluster;
mod color;
mod community;
mod database;
mod error;
mod eta;
mod http;
mod identity;
mod identity_rules;
mod limits;
mod list;
mod mail;
mod map;
mod money;
mod money_rules;
mod notification_rules;
mod notifications;
mod operator;
mod phone;
mod places;
mod privacy;
mod recipient;
mod rule;
mod secret;
mod service_rules;
mod sms;
mod sms_rules;
mod sources;
mod support;
mod template;
mod time_zone;
mod traces;
mod uploads;
mod uploads_rules;

pub use limits::{MAX_RING_KM, MAX_RINGS, MAX_ROUND_WIDTH, MAX_ROUND_WIDTHS};

use std::time::Duration;
use std::{net::SocketAddr, path::PathBuf};

use config::{Config, File, FileFormat};
use serde::Deserialize;

pub use admin::AdminSettings;
pub use backup::BackupSettings;
pub use calls::{CallProvider, CallSettings};
pub use chat::ChatSettings;
pub use cluster::ClusterSettings;
pub use color::Color;
pub use community::{RatingSettings, ShareSettings};
pub use database::DbSettings;
pub use error::SettingsError;
pub use eta::{EtaProvider, EtaSettings, RouterUrl};
pub use http::HttpSettings;
pub use identity::IdentitySettings;
pub use mail::{MailProvider, MailSettings, MailTls};
pub use map::MapSettings;
pub use money::{
    GatewayProvider, GatewaySettings, MoneySettings, PayoutProvider, PayoutSettings, SandboxSettings,
    WalletSettings, web_url,
};
pub use notifications::{NotificationSettings, PushProvider, PushSettings};
pub use operator::OperatorSettings;
pub use phone::{PhoneRegion, PhoneSettings};
pub use places::{PlaceProvider, PlaceSettings};
pub use privacy::PrivacySettings;
pub use secret::Secret;
pub use sms::{
    SMS_PLACEHOLDERS, SmsHttpContent, SmsHttpMethod, SmsHttpSettings, SmsProvider, SmsSettings, TEMPLATE_KEYS,
};
pub use sources::{ChangedSetting, DEFAULTS, Sources};
pub use support::SupportSettings;
pub use template::{fill, placeholders};
pub use time_zone::{ClockChange, TimeZone};
pub use traces::TraceSettings;
pub use uploads::{StorageProvider, UploadSettings};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    Development,
    Production,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    #[serde(deserialize_with = "choice::choice")]
    pub environment: Environment,
    pub server: ServerSettings,
    pub http: HttpSettings,
    pub database: DbSettings,
    pub cluster: ClusterSettings,
    pub log: LogSettings,
    pub metrics: MetricsSettings,
    pub traces: TraceSettings,
    pub auth: AuthSettings,
    pub identity: IdentitySettings,
    pub phone: PhoneSettings,
    pub sms: SmsSettings,
    pub mail: MailSettings,
    pub notifications: NotificationSettings,
    pub push: PushSettings,
    pub limits: LimitSettings,
    pub jobs: JobSettings,
    pub fees: FeeSettings,
    pub money: MoneySettings,
    pub gateway: GatewaySettings,
    pub payouts: PayoutSettings,
    pub wallet: WalletSettings,
    pub sandbox: SandboxSettings,
    pub admin: AdminSettings,
    pub privacy: PrivacySettings,
    pub backup: BackupSettings,
    pub dispatch: DispatchSettings,
    pub presence: PresenceSettings,
    pub eta: EtaSettings,
    pub watch: WatchSettings,
    pub engine: EngineSettings,
    pub ws: WsSettings,
    pub tracking: TrackingSettings,
    pub map: MapSettings,
    pub places: PlaceSettings,
    pub operator: OperatorSettings,
    pub support: SupportSettings,
    pub ratings: RatingSettings,
    pub shares: ShareSettings,
    pub chat: ChatSettings,
    pub calls: CallSettings,
    pub uploads: UploadSettings,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    pub listen: SocketAddr,
    pub data_dir: PathBuf,
    pub workers: usize,
    pub max_connections: usize,
    pub connections_per_address: usize,
    pub body_limit_bytes: usize,
    pub client_timeout_ms: u64,
    pub shutdown_timeout_ms: u64,
    pub public_url: String,
    #[serde(deserialize_with = "list::list")]
    pub trusted_proxies: Vec<String>,
}

impl ServerSettings {
    /// Returns whether the settings say that clients connect to the service itself.
    pub fn is_direct(&self) -> bool {
        self.trusted_proxies.iter().any(|proxy| proxy == "direct")
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogSettings {
    pub filter: String,
    #[serde(deserialize_with = "choice::choice")]
    pub format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricsSettings {
    pub listen: SocketAddr,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuthSettings {
    pub token_secret: Secret,
    #[serde(deserialize_with = "list::list")]
    pub accepted_token_secrets: Vec<Secret>,
    pub access_token_ttl_s: i64,
    pub refresh_token_ttl_s: i64,
    pub refresh_grace_s: i64,
    pub device_token_ttl_s: i64,
    pub principal_cache_s: u64,
    pub otp_ttl_s: i64,
    pub otp_resend_after_s: i64,
    pub otp_sends_per_hour: i64,
    pub otp_wrong_tries: i64,
    pub otp_wrong_tries_per_day: i64,
    pub otp_requests_per_address_per_hour: i64,
    pub dev_otp: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    pub per_user_per_minute: u32,
    pub per_credential_per_minute: u32,
    pub per_address_per_minute: u32,
    pub create_job_per_minute: u32,
    pub hand_overs_per_minute: u32,
    pub register_mechanic_per_minute: u32,
    pub admin_login_per_minute: u32,
    pub export_per_minute: u32,
    pub places_per_minute: u32,
    pub idempotency_keys_per_user: i64,
    pub subscription_cost: u32,
    pub replayed_events_per_request: u32,
    pub socket_cost: u32,
    pub upload_cost: u32,
    pub lookup_cost: u32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobSettings {
    pub currency: String,
    pub max_open_per_person: u32,
    pub max_withdrawn_offers: i64,
    pub start_code: bool,
    pub wrong_start_codes: u32,
    pub start_code_lock_s: i64,
    pub arrival_radius_m: f64,
    pub correction_radius_m: f64,
    pub max_destination_km: f64,
    pub no_show_after_s: i64,
    pub schedule_lead_s: i64,
    pub schedule_max_s: i64,
    pub no_mechanic_ttl_s: i64,
    pub show_contact_numbers: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeeSettings {
    pub free_after_accept_s: i64,
    pub free_cancellations: u32,
    pub free_cancellation_days: i64,
    pub cancellation_flat_paise: i64,
    pub call_out_paise: i64,
    pub late_grace_s: i64,
    pub dark_after_s: i64,
    pub stalled_after_s: i64,
    pub max_unpaid_paise: i64,
    pub max_unpaid_in_accident_paise: i64,
    pub max_cancelled_accidents: i64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DispatchSettings {
    #[serde(deserialize_with = "list::list")]
    pub rings_km: Vec<f64>,
    #[serde(deserialize_with = "list::list")]
    pub round_widths: Vec<u32>,
    pub max_rounds: u32,
    pub offer_ttl_s: i64,
    pub parked_offer_ttl_s: i64,
    pub offer_grace_ms: i64,
    pub attempt_ttl_s: i64,
    pub urgent_first_round: u32,
    pub fresh_position_s: i64,
    pub auto_off_s: i64,
    pub max_accuracy_m: f64,
    pub max_speed_kmh: f64,
    pub fast_interval_s: u32,
    pub unwatched_interval_s: u32,
    pub slow_interval_s: u32,
    #[serde(deserialize_with = "choice::choice")]
    pub strategy: DispatchStrategy,
    pub window_ms: i64,
    pub unserved_s: i64,
    pub waiting_weight_s_per_min: i64,
    pub highway_bonus_s: i64,
    pub accident_bonus_s: i64,
    pub refusal_weight_s: i64,
    pub idle_weight_s_per_min: i64,
    pub parked_cost_s: i64,
    pub mechanic_prices: bool,
    pub worth_s: i64,
    pub in_time_s: i64,
    pub late_percent: i64,
    pub eta_sigma: f64,
    pub price_window_s: i64,
    pub hold_accidents: bool,
    pub advice_after_s: i64,
    pub price_switchback: bool,
    pub solve_exact_edges: usize,
    pub solve_steps: u64,
    pub solve_inline_edges: usize,
    pub records_retention_days: i64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresenceSettings {
    pub parked_max_s: i64,
    pub parked_radius_m: f64,
    pub parked_unanswered_max: u32,
    pub parked_cooldown_s: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DispatchStrategy {
    Exact,
    Nearest,
    Broadcast,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchSettings {
    pub dark_after_s: i64,
    pub stalled_after_s: i64,
    pub stalled_radius_m: f64,
    pub away_m: f64,
    pub away_window_s: i64,
    pub slip_after_s: i64,
    pub near_m: f64,
    pub debounce_s: i64,
    pub tell_after_s: i64,
    pub reassign_after_s: i64,
    pub nudge_every_s: i64,
    pub navigation_grace_s: i64,
    pub navigation_max_s: i64,
    pub reassign_dark: bool,
    pub reassign_stalled: bool,
    pub reassign_moving_away: bool,
    pub reassign_slipping: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSettings {
    pub command_timeout_ms: u64,
    pub mailbox: usize,
    pub trail_queue: usize,
    pub decision_queue: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WsSettings {
    #[serde(deserialize_with = "list::list")]
    pub allowed_origins: Vec<String>,
    pub max_frame_bytes: usize,
    pub sockets_per_user: usize,
    pub sockets_total: usize,
    pub fleet_subscriptions: usize,
    pub fleet_subscriptions_per_admin: usize,
    pub opening_at_once: usize,
    pub opening_patience_ms: u64,
    pub ticket_ttl_s: i64,
    pub ping_interval_s: u64,
    pub idle_timeout_s: u64,
    pub recheck_s: u64,
    pub frames_per_second: u32,
    pub bytes_per_second: u32,
    pub location_interval_ms: u64,
    pub mailbox: usize,
    pub send_stall_timeout_ms: u32,
}

impl WsSettings {
    /// Returns how long checks of sessions may wait, so that several are made together.
    pub fn recheck_gather(&self) -> Duration {
        Duration::from_secs(self.recheck_s) / 3
    }

    /// Returns how often a socket asks for a check, so that it is checked within `recheck_s`.
    pub fn recheck_interval(&self) -> Duration {
        Duration::from_secs(self.recheck_s) - self.recheck_gather()
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrackingSettings {
    pub trail_retention_days: i64,
}

impl Settings {
    /// Returns the provider that sends mail. The log is for development: in production it counts as off.
    pub fn mail_provider(&self) -> MailProvider {
        match self.mail.provider {
            MailProvider::Log if self.is_production() => MailProvider::Off,
            provider => provider,
        }
    }

    /// Returns the provider of places. The sketch of the demo city is for development: in production it counts as none.
    pub fn place_provider(&self) -> PlaceProvider {
        match self.places.provider {
            PlaceProvider::Sketch if self.is_production() => PlaceProvider::None,
            provider => provider,
        }
    }

    /// Reads the defaults, then `file`, then the environment, and checks the result.
    pub fn load(file: Option<&std::path::Path>) -> Result<Self, SettingsError> {
        let settings = Self::of(&Sources::read(file)?)?;
        settings.check()?;
        Ok(settings)
    }

    /// Returns the settings without checking them. An unknown key is refused.
    pub fn of(sources: &Sources) -> Result<Self, SettingsError> {
        sources.read_into()
    }

    /// Returns these settings for a service that listens at `address`: the public address and the name of the embedded
    /// identity provider follow from it if they are not set.
    pub fn listening_at(&self, address: SocketAddr) -> Self {
        let mut settings = self.clone();
        if settings.server.public_url.is_empty() {
            settings.server.public_url = format!("http://{address}");
        }
        if settings.identity.issuer.is_empty() {
            settings.identity.issuer = settings.own_issuer();
        }
        settings
    }

    /// Returns the defaults alone, for tests.
    pub fn defaults() -> Self {
        let source = File::from_str(DEFAULTS, FileFormat::Toml);
        let built = Config::builder().add_source(source).build().and_then(Config::try_deserialize);
        built.expect("config/default.toml is compiled in and a test reads it")
    }

    pub fn is_production(&self) -> bool {
        self.environment == Environment::Production
    }
}

#[cfg(test)]
mod deploy_tests;
#[cfg(test)]
mod tests;
