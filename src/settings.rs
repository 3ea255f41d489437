//! Settings: `config/default.toml` (compiled in), a file, then the environment. An unknown key is refused, and
//! `production` refuses unsafe defaults by name.

use std::{collections::HashMap, net::SocketAddr, path::PathBuf};

use config::{Config, ConfigError, Environment as EnvSource, File, FileFormat};
use serde::Deserialize;

use crate::{db::DbSettings, web::Network};

/// The documented defaults, which are also the settings reference.
pub const DEFAULTS: &str = include_str!("../config/default.toml");

/// Settings that are lists; in the environment their items are separated by commas.
const LISTS: [&str; 5] = [
    "dispatch.rings_km",
    "dispatch.round_widths",
    "server.trusted_proxies",
    "uploads.allowed_hosts",
    "ws.allowed_origins",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    Development,
    Production,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub environment: Environment,
    pub server: ServerSettings,
    pub database: DbSettings,
    pub log: LogSettings,
    pub metrics: MetricsSettings,
    pub auth: AuthSettings,
    pub identity: IdentitySettings,
    pub sms: SmsSettings,
    pub limits: LimitSettings,
    pub jobs: JobSettings,
    pub fees: FeeSettings,
    pub dispatch: DispatchSettings,
    pub engine: EngineSettings,
    pub ws: WsSettings,
    pub tracking: TrackingSettings,
    pub uploads: UploadSettings,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    pub listen: SocketAddr,
    pub data_dir: PathBuf,
    pub workers: usize,
    pub max_connections: usize,
    pub body_limit_bytes: usize,
    pub client_timeout_ms: u64,
    pub shutdown_timeout_ms: u64,
    pub public_url: String,
    pub trusted_proxies: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogSettings {
    pub filter: String,
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

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuthSettings {
    pub token_secret: String,
    pub access_token_ttl_s: i64,
    pub refresh_token_ttl_s: i64,
    pub refresh_grace_s: i64,
    pub principal_cache_s: u64,
    pub otp_ttl_s: i64,
    pub otp_resend_after_s: i64,
    pub otp_sends_per_hour: i64,
    pub otp_wrong_tries: i64,
    pub otp_wrong_tries_per_day: i64,
    pub otp_requests_per_address_per_hour: i64,
    pub dev_otp: bool,
}

impl std::fmt::Debug for AuthSettings {
    // The signing key must not reach a log through a debug print of the settings.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuthSettings").finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentitySettings {
    pub issuer: String,
    pub audience: String,
    pub jwks_url: String,
    pub jwks_timeout_ms: u64,
    pub jwks_max_age_s: u64,
    pub local_provider: bool,
    pub id_token_ttl_s: i64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmsSettings {
    pub provider: SmsProvider,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SmsProvider {
    Log,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    pub per_user_per_minute: u32,
    pub create_job_per_minute: u32,
    pub register_mechanic_per_minute: u32,
    pub admin_login_per_minute: u32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobSettings {
    pub currency: String,
    pub start_code: bool,
    pub wrong_start_codes: u32,
    pub start_code_lock_s: i64,
    pub arrival_radius_m: f64,
    pub no_show_after_s: i64,
    pub schedule_lead_s: i64,
    pub schedule_max_s: i64,
    pub no_mechanic_ttl_s: i64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeeSettings {
    pub free_after_accept_s: i64,
    pub cancellation_flat_paise: i64,
    pub call_out_paise: i64,
    pub late_grace_s: i64,
    pub dark_after_s: i64,
    pub stalled_after_s: i64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DispatchSettings {
    pub rings_km: Vec<f64>,
    pub round_widths: Vec<u32>,
    pub max_rounds: u32,
    pub offer_ttl_s: i64,
    pub offer_grace_ms: i64,
    pub attempt_ttl_s: i64,
    pub urgent_first_round: u32,
    pub fresh_position_s: i64,
    pub auto_off_s: i64,
    pub max_accuracy_m: f64,
    pub max_speed_kmh: f64,
    pub fast_interval_s: u32,
    pub slow_interval_s: u32,
    pub detour_factor: f64,
    pub speed_kmh: f64,
    pub waiting_weight_s_per_min: i64,
    pub idle_weight_s_per_min: i64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSettings {
    pub command_timeout_ms: u64,
    pub mailbox: usize,
    pub trail_queue: usize,
    pub trail_flush_ms: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WsSettings {
    pub allowed_origins: Vec<String>,
    pub max_frame_bytes: usize,
    pub sockets_per_user: usize,
    pub sockets_total: usize,
    pub ticket_ttl_s: i64,
    pub ping_interval_s: u64,
    pub idle_timeout_s: u64,
    pub recheck_s: u64,
    pub frames_per_second: u32,
    pub location_interval_ms: u64,
    pub mailbox: usize,
    pub send_stall_timeout_ms: u32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrackingSettings {
    pub trail_retention_days: i64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UploadSettings {
    pub allowed_hosts: Vec<String>,
}

/// Why the service refuses to start with these settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("settings: {0}")]
    Read(#[from] ConfigError),
    #[error("settings: {}", .0.join("; "))]
    Unsound(Vec<String>),
    #[error("production refuses to start on unsafe settings: {}", .0.join("; "))]
    Unsafe(Vec<String>),
}

impl Settings {
    /// Reads the defaults, then `file`, then the environment, and checks the result.
    pub fn load(file: Option<&std::path::Path>) -> Result<Self, SettingsError> {
        Self::load_from(file, std::env::vars().collect())
    }

    fn load_from(
        file: Option<&std::path::Path>,
        variables: HashMap<String, String>,
    ) -> Result<Self, SettingsError> {
        let mut sources = Config::builder().add_source(File::from_str(DEFAULTS, FileFormat::Toml));
        if let Some(path) = file {
            sources = sources.add_source(File::from(path).format(FileFormat::Toml));
        }
        for (key, variable) in [("database.url", "DATABASE_URL"), ("environment", "ROADCALL_ENV")] {
            sources = sources.set_override_option(key, variables.get(variable).cloned())?;
        }
        let mut environment = EnvSource::with_prefix("ROADCALL").prefix_separator("__").separator("__");
        environment = environment.try_parsing(true).list_separator(",");
        for key in LISTS {
            environment = environment.with_list_parse_key(key);
        }
        sources = sources.add_source(environment.source(Some(variables)));
        let settings: Settings = sources.build()?.try_deserialize()?;
        settings.check()?;
        Ok(settings)
    }

    /// The defaults alone, for tests.
    pub fn defaults() -> Self {
        let source = File::from_str(DEFAULTS, FileFormat::Toml);
        let built = Config::builder().add_source(source).build().and_then(Config::try_deserialize);
        built.expect("config/default.toml is compiled in and a test reads it")
    }

    pub fn is_production(&self) -> bool {
        self.environment == Environment::Production
    }

    /// Refuses what can't work anywhere, and in production what is unsafe there.
    pub fn check(&self) -> Result<(), SettingsError> {
        let unsound = self.unsound();
        if !unsound.is_empty() {
            return Err(SettingsError::Unsound(unsound));
        }
        let unsafe_settings = if self.is_production() { self.unsafe_in_production() } else { Vec::new() };
        if unsafe_settings.is_empty() { Ok(()) } else { Err(SettingsError::Unsafe(unsafe_settings)) }
    }

    fn unsound(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut need = |holds: bool, fault: &str| {
            if !holds {
                faults.push(fault.to_owned());
            }
        };
        let dispatch = &self.dispatch;
        let rings = &dispatch.rings_km;
        need(!rings.is_empty() && rings[0] > 0.0, "dispatch.rings_km needs at least one ring above 0 km");
        need(
            rings.windows(2).all(|pair| pair[0] < pair[1]),
            "dispatch.rings_km: each ring must be larger than the one before",
        );
        need(rings.last().is_some_and(|km| *km <= 500.0), "dispatch.rings_km: a ring must be at most 500 km");
        let widths = &dispatch.round_widths;
        need(
            !widths.is_empty() && widths.iter().all(|n| (1..=50).contains(n)),
            "dispatch.round_widths must be 1 to 50 each",
        );
        need((1..=100).contains(&dispatch.max_rounds), "dispatch.max_rounds must be 1 to 100");
        need((1..=3600).contains(&dispatch.offer_ttl_s), "dispatch.offer_ttl_s must be 1 to 3600");
        need((0..=10_000).contains(&dispatch.offer_grace_ms), "dispatch.offer_grace_ms must be 0 to 10000");
        need((1..=86_400).contains(&dispatch.attempt_ttl_s), "dispatch.attempt_ttl_s must be 1 to 86400");
        need(
            (1..=dispatch.max_rounds).contains(&dispatch.urgent_first_round),
            "dispatch.urgent_first_round must lie within dispatch.max_rounds",
        );
        need(dispatch.fresh_position_s > 0, "dispatch.fresh_position_s must be above 0");
        need(
            dispatch.auto_off_s >= dispatch.fresh_position_s,
            "dispatch.auto_off_s must be at least dispatch.fresh_position_s",
        );
        need(dispatch.speed_kmh > 0.0, "dispatch.speed_kmh must be above 0");
        need(dispatch.detour_factor >= 1.0, "dispatch.detour_factor must be at least 1");
        let weight = 0..=3600;
        need(
            weight.contains(&dispatch.waiting_weight_s_per_min),
            "dispatch.waiting_weight_s_per_min must be 0 to 3600",
        );
        need(
            weight.contains(&dispatch.idle_weight_s_per_min),
            "dispatch.idle_weight_s_per_min must be 0 to 3600",
        );
        need((1..=20).contains(&dispatch.slow_interval_s), "dispatch.slow_interval_s must be 1 to 20");
        need(
            (1..=dispatch.slow_interval_s).contains(&dispatch.fast_interval_s),
            "dispatch.fast_interval_s must be 1 to dispatch.slow_interval_s",
        );
        need(self.fees.cancellation_flat_paise >= 0, "fees.cancellation_flat_paise must not be negative");
        need(self.fees.call_out_paise >= 0, "fees.call_out_paise must not be negative");
        need(self.engine.mailbox > 0, "engine.mailbox must be above 0");
        need(self.engine.trail_queue > 0, "engine.trail_queue must be above 0");
        need(
            self.ws.idle_timeout_s > self.ws.ping_interval_s,
            "ws.idle_timeout_s must be above ws.ping_interval_s",
        );
        need(
            (1024..=1_048_576).contains(&self.ws.max_frame_bytes),
            "ws.max_frame_bytes must be 1024 to 1048576",
        );
        need(self.server.max_connections > 0, "server.max_connections must be above 0");
        need(self.auth.access_token_ttl_s > 0, "auth.access_token_ttl_s must be above 0");
        need(self.auth.otp_ttl_s > 0, "auth.otp_ttl_s must be above 0");
        let limits = [
            self.auth.otp_sends_per_hour,
            self.auth.otp_wrong_tries,
            self.auth.otp_wrong_tries_per_day,
            self.auth.otp_requests_per_address_per_hour,
        ];
        need(limits.iter().all(|limit| (1..=100_000).contains(limit)), "auth.otp limits must be 1 to 100000");
        need(
            self.auth.refresh_token_ttl_s > self.auth.access_token_ttl_s,
            "auth.refresh_token_ttl_s must be above auth.access_token_ttl_s",
        );
        need(
            (0..=300).contains(&self.auth.refresh_grace_s),
            "auth.refresh_grace_s must be 0 to 300: a longer one shelters a thief",
        );
        need(
            (1..=30).contains(&self.auth.principal_cache_s),
            "auth.principal_cache_s must be 1 to 30: a suspension must not take longer to arrive",
        );
        let identity = &self.identity;
        need(
            identity.local_provider || !identity.jwks_url.is_empty(),
            "identity.jwks_url is needed where identity.local_provider is off",
        );
        need(
            !identity.issuer.is_empty() && !identity.audience.is_empty(),
            "identity.issuer and identity.audience must not be empty",
        );
        let proxies = &self.server.trusted_proxies;
        need(
            proxies.iter().all(|text| text.parse::<Network>().is_ok()),
            "server.trusted_proxies must be addresses or networks such as 10.0.0.0/8",
        );
        let secret = self.auth.token_secret.len();
        need(secret == 0 || secret >= 32, "auth.token_secret must be at least 32 bytes");
        need(
            self.is_production() || self.server.listen.ip().is_loopback(),
            "server.listen: development binds to loopback only; set ROADCALL_ENV=production to serve others",
        );
        faults
    }

    fn unsafe_in_production(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.auth.dev_otp {
            faults.push("auth.dev_otp shows one-time passwords; set it to false".to_owned());
        }
        if self.auth.token_secret.is_empty() {
            faults.push("auth.token_secret is generated; set one of at least 32 bytes".to_owned());
        }
        if self.sms.provider == SmsProvider::Log {
            faults.push("sms.provider = \"log\" sends no one-time password".to_owned());
        }
        if self.identity.local_provider && self.identity.issuer.starts_with("http://") {
            faults.push("identity.issuer is not https".to_owned());
        }
        if self.identity.jwks_url.starts_with("http://") {
            faults.push("identity.jwks_url is not https".to_owned());
        }
        if !self.metrics.listen.ip().is_loopback() {
            faults.push("metrics.listen is not a loopback address".to_owned());
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_start_in_development() {
        Settings::defaults().check().expect("sound defaults");
    }

    fn from_environment(variables: &[(&str, &str)]) -> Result<Settings, SettingsError> {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Settings::load_from(None, variables.collect())
    }

    #[test]
    fn the_environment_overrides_numbers_lists_and_texts() {
        let settings = from_environment(&[
            ("ROADCALL__DISPATCH__RINGS_KM", "2,4.5"),
            ("ROADCALL__DISPATCH__ROUND_WIDTHS", "7"),
            ("ROADCALL__WS__ALLOWED_ORIGINS", "https://a.example,https://b.example"),
            ("ROADCALL__SERVER__LISTEN", "127.0.0.1:1"),
            ("DATABASE_URL", "postgres://x/y"),
        ])
        .expect("sound");
        assert_eq!(settings.dispatch.rings_km, [2.0, 4.5]);
        assert_eq!(settings.dispatch.round_widths, [7]);
        assert_eq!(settings.ws.allowed_origins, ["https://a.example", "https://b.example"]);
        assert_eq!(settings.server.listen.port(), 1);
        assert_eq!(settings.database.url.as_deref(), Some("postgres://x/y"));
    }

    #[test]
    fn an_unknown_key_or_a_wrong_type_is_refused_by_name() {
        for (variable, named) in [
            ("ROADCALL__DISPATCH__NOPE", "nope"),
            ("ROADCALL__DISPATCH__RINGS_KM", "rings_km"),
            ("ROADCALL__ENGINE__MAILBOX", "mailbox"),
        ] {
            let message = from_environment(&[(variable, "far")]).expect_err(named).to_string();
            assert!(message.contains(named), "{named} is missing in: {message}");
        }
    }

    #[test]
    fn production_refuses_the_defaults_and_names_each() {
        let settings = Settings { environment: Environment::Production, ..Settings::defaults() };
        let message = settings.check().expect_err("unsafe").to_string();
        for key in ["auth.dev_otp", "auth.token_secret", "sms.provider", "identity.issuer"] {
            assert!(message.contains(key), "{key} is missing in: {message}");
        }
    }

    #[test]
    fn unsound_dispatch_settings_are_refused_by_name() {
        type Spoil = fn(&mut Settings);
        let cases: [(Spoil, &str); 5] = [
            (|s| s.dispatch.rings_km = vec![3.0, 2.0], "dispatch.rings_km"),
            (|s| s.dispatch.offer_ttl_s = 0, "dispatch.offer_ttl_s"),
            (|s| s.dispatch.waiting_weight_s_per_min = i64::MAX, "dispatch.waiting_weight_s_per_min"),
            (|s| s.dispatch.round_widths.clear(), "dispatch.round_widths"),
            (|s| s.dispatch.slow_interval_s = 21, "dispatch.slow_interval_s"),
        ];
        for (spoil, key) in cases {
            let mut settings = Settings::defaults();
            spoil(&mut settings);
            let message = settings.check().expect_err(key).to_string();
            assert!(message.contains(key), "{key} is missing in: {message}");
        }
    }
}
