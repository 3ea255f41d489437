//! The parts of all areas' settings: types of values and the rules for them, and the sections that belong to no area.
//! Each area has its sections in its own `settings.rs`; `service/settings/mod.rs` composes and reads them.

mod address;
mod choice;
mod cluster;
mod color;
mod core;
mod database;
mod environment;
mod error;
mod http;
mod limits;
mod list;
mod operator;
mod phone;
mod recipient;
mod rule;
mod secret;
mod server;
mod template;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod time_zone;
mod traces;

pub use self::core::CoreSettings;
pub use address::{is_email, web_url};
pub use choice::choice;
pub use cluster::ClusterSettings;
pub use color::Color;
pub use database::DbSettings;
pub use environment::Environment;
pub use error::SettingsError;
pub use http::{HttpSettings, origin_rules, origin_rules_of_production};
pub use limits::LimitSettings;
pub use list::list;
pub use operator::OperatorSettings;
pub use phone::{PhoneRegion, PhoneSettings};
pub use recipient::{is_private_key, is_recipient, is_signer};
pub use rule::{DAY_S, MAX_DAYS, NOT_HTTPS, Number, Rule, RulesOf, Section, WEB_URL};
pub use secret::Secret;
pub use server::{LogFormat, LogSettings, MetricsSettings, ServerSettings};
pub use template::{fill, placeholders};
pub use time_zone::{ClockChange, TimeZone};
pub use traces::TraceSettings;
