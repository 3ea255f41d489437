//! Settings: `config/default.toml` (compiled in), a file, then the environment. An unknown key is refused, and
//! `production` refuses unsafe defaults by name.
//!
//! Each section belongs to an area, whose `settings.rs` has its fields and its rules. Here they are composed:
//!
//! | file | what |
//! | --- | --- |
//! | `sources.rs` | the origins of values |
//! | `unreadable.rs` | messages about settings that can't be read, without secrets |
//! | `spanning.rs` | the check, with the rules that span sections |
//! | `parts.rs` | the values that an area needs of the sections of other areas |

mod parts;
mod sources;
mod spanning;
mod unreadable;

use std::{net::SocketAddr, path::Path};

use config::{Config, File, FileFormat};
use serde::Deserialize;

pub use self::sources::{ChangedSetting, DEFAULTS, Sources};
pub use crate::{
    accounts::auth::{AdminSettings, AuthSettings, IdentitySettings},
    bridge::{EngineSettings, WatchSettings},
    catalogue::dispatch_settings::{DispatchSettings, DispatchStrategy},
    fleet::{
        eta::{EtaProvider, EtaSettings, RouterUrl},
        mechanics::PresenceSettings,
    },
    jobs::{FeeSettings, JobSettings},
    lifecycle::{PrivacySettings, backup::BackupSettings},
    messaging::chat::ChatSettings,
    money::{settings::MoneySettings, wallet::WalletSettings},
    notifications::NotificationSettings,
    pages::{MapSettings, SupportSettings},
    partners::settings::PartnerSettings,
    platform::settings::{
        ClusterSettings, CoreSettings, DbSettings, Environment, HttpSettings, LimitSettings, LogFormat,
        LogSettings, MetricsSettings, OperatorSettings, PhoneSettings, Secret, ServerSettings, SettingsError,
        TimeZone, TraceSettings,
    },
    providers::{
        gateway::{GatewayProvider, GatewaySettings},
        mail::{MailProvider, MailSettings, MailTls},
        payouts::{PayoutProvider, PayoutSettings},
        places::{PlaceProvider, PlaceSettings},
        push::{PushProvider, PushSettings},
        rooms::{CallProvider, CallSettings},
        sms::{SmsHttpContent, SmsHttpMethod, SmsHttpSettings, SmsProvider, SmsSettings},
        storage::{StorageProvider, UploadSettings},
    },
    sandbox::SandboxSettings,
    sharing::{ratings::RatingSettings, shares::ShareSettings},
    tracking::TrackingSettings,
    ws::WsSettings,
};

use crate::platform::settings::{Section, choice};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    #[serde(deserialize_with = "choice")]
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
    pub partners: PartnerSettings,
}

impl Settings {
    /// Reads the defaults, then `file`, then the environment, and checks the result.
    pub fn load(file: Option<&Path>) -> Result<Self, SettingsError> {
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
            settings.identity.issuer = IdentitySettings::own_issuer(&settings.server.public_url);
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

    /// Returns whether admins sign in at the embedded identity provider, which is never used together with another one.
    pub fn has_embedded_provider(&self) -> bool {
        self.identity.is_embedded(&self.server.public_url)
    }

    /// Returns the provider that sends mail here.
    pub fn mail_provider(&self) -> MailProvider {
        self.mail.provider_in(self.environment)
    }

    /// Returns the provider of places here.
    pub fn place_provider(&self) -> PlaceProvider {
        self.places.provider_in(self.environment)
    }

    /// Returns every section that has rules.
    fn sections(&self) -> [&dyn Section; 40] {
        // A section that is missing here does not compile.
        let Self {
            environment: _,
            server,
            http,
            database,
            cluster,
            log: _,
            metrics,
            traces,
            auth,
            identity,
            phone: _,
            sms,
            mail,
            notifications,
            push,
            limits,
            jobs,
            fees,
            money,
            gateway,
            payouts,
            wallet,
            sandbox,
            admin,
            privacy,
            backup,
            dispatch,
            presence,
            eta,
            watch,
            engine,
            ws,
            tracking,
            map,
            places,
            operator,
            support,
            ratings,
            shares,
            chat,
            calls,
            uploads,
            partners,
        } = self;
        [
            server,
            http,
            database,
            cluster,
            metrics,
            traces,
            auth,
            identity,
            sms,
            mail,
            notifications,
            push,
            limits,
            jobs,
            fees,
            money,
            gateway,
            payouts,
            wallet,
            sandbox,
            admin,
            privacy,
            backup,
            dispatch,
            presence,
            eta,
            watch,
            engine,
            ws,
            tracking,
            map,
            places,
            operator,
            support,
            ratings,
            shares,
            chat,
            calls,
            uploads,
            partners,
        ]
    }
}

#[cfg(test)]
mod tests;
