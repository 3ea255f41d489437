use serde::Serialize;
use utoipa::ToSchema;

use super::job_stop::StopNotice;
use crate::{Money, Timestamp};

/// The settings that an app needs before anyone signs in.
#[derive(Debug, Serialize, ToSchema)]
pub struct AppConfig {
    /// Whether the service is for development or production.
    pub environment: AppEnvironment,
    /// ISO 4217.
    #[schema(example = "INR")]
    pub currency: String,
    /// The country code of numbers that are written without one.
    #[schema(example = "+91")]
    pub country_code: String,
    pub map: MapConfig,
    /// Null if there is no place search: apps then show no search.
    #[schema(required)]
    pub places: Option<PlacesConfig>,
    pub payments: PaymentConfig,
    /// How notifications reach phones and browsers here.
    pub push: WebPushConfig,
    pub rules: RulesConfig,
    pub operator: OperatorConfig,
    pub support: SupportConfig,
    pub admin_sign_in: AdminSignInConfig,
    /// The stop of new jobs; null while new jobs are taken. Otherwise an app shows the message before anyone fills in a form.
    #[schema(required)]
    pub job_stop: Option<JobStopConfig>,
    /// The version of the privacy notice that people have to agree to (`GET /privacy-notice`); null while none is published, and
    /// apps then don't ask.
    #[schema(required, example = 3)]
    pub privacy_notice_version: Option<i64>,
    /// Whether `POST /demo/play` works here: in development, with a program that contains the simulator.
    pub demo_available: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AppEnvironment {
    Development,
    Production,
}

/// The beginning of a map, and its streets.
#[derive(Debug, Serialize, ToSchema)]
pub struct MapConfig {
    /// A PMTiles archive of vector tiles in the OpenMapTiles schema; null if the service has none. A path on this server.
    #[schema(required, example = "/map/basemap.pmtiles")]
    pub basemap_url: Option<&'static str>,
    /// The longitude and latitude at which a map begins.
    pub center: MapCenter,
    /// The zoom with which a map begins.
    #[schema(example = 11.0)]
    pub zoom: f64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct MapCenter {
    #[schema(example = 12.9716)]
    pub lat: f64,
    #[schema(example = 77.5946)]
    pub lng: f64,
}

/// How places are searched for.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PlacesConfig {
    /// Whether the beginning of a name is enough, so that an app may search while somebody types; otherwise it waits until they
    /// ask for the search.
    pub as_you_type: bool,
    /// The owner of the data, to be shown with it; null if it need not be shown.
    #[schema(required, example = "© OpenStreetMap contributors")]
    pub attribution: Option<String>,
    /// The address to which the attribution links.
    #[schema(required, example = "https://www.openstreetmap.org/copyright")]
    pub attribution_url: Option<String>,
}

/// The script of Razorpay's checkout.
const CHECKOUT_URL: &str = "https://checkout.razorpay.com/v1/checkout.js";

/// How customers pay.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PaymentConfig {
    /// The gateway by which customers pay online.
    pub provider: PaymentProvider,
    /// The script of the gateway's checkout; null in the sandbox, which has none, and without a gateway.
    #[schema(required, example = "https://checkout.razorpay.com/v1/checkout.js")]
    pub checkout_url: Option<&'static str>,
    /// The public id that the checkout opens with.
    #[schema(required, example = "rzp_live_1DP5mmOlF5G5ag")]
    pub key_id: Option<String>,
}

impl PaymentConfig {
    pub fn of(provider: PaymentProvider, key_id: &str) -> Self {
        let checkout_url = match provider {
            PaymentProvider::Razorpay => Some(CHECKOUT_URL),
            PaymentProvider::Sandbox | PaymentProvider::None => None,
        };
        Self { provider, key_id: checkout_url.map(|_| key_id.to_owned()), checkout_url }
    }
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentProvider {
    Sandbox,
    Razorpay,
    /// Nobody pays online: apps offer only cash.
    None,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebPushConfig {
    /// The key with which a page subscribes to pushes (RFC 8292); null if the service can't push to pages.
    #[schema(required)]
    pub vapid_public_key: Option<String>,
}

/// Rules that apps explain before the service applies them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RulesConfig {
    /// How long a mechanic waits after arriving before they may report that the customer is not there.
    #[schema(example = 600)]
    pub no_show_after_s: i64,
    /// How long after its completion a job may be disputed.
    #[schema(example = 172_800)]
    pub dispute_window_s: i64,
    /// The smallest and the largest amount of one withdrawal.
    pub min_withdrawal: Money,
    pub max_withdrawal: Money,
}

/// The operator of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct OperatorConfig {
    /// The name by which customers know the service.
    #[schema(example = "Roadcall")]
    pub brand: String,
    /// The operator's privacy statement.
    #[schema(required, example = "https://example.com/privacy")]
    pub privacy_url: Option<String>,
    /// The terms that customers and mechanics agree to.
    #[schema(required, example = "https://example.com/terms")]
    pub terms_url: Option<String>,
    /// The contact for questions about data; null if the operator names none.
    #[schema(required)]
    pub privacy_contact: Option<PrivacyContact>,
}

/// The contact for people's questions about their data.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PrivacyContact {
    /// A person or a role.
    #[schema(required, example = "Data protection desk")]
    pub name: Option<String>,
    #[schema(format = "email", example = "privacy@example.com")]
    pub email: String,
}

impl PrivacyContact {
    /// Returns the contact of that name and address; `None` without an address.
    pub fn of(name: &str, email: &str) -> Option<Self> {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Some(Self { name: given(name), email: given(email)? })
    }
}

/// The operator's contacts for customers and mechanics; each is null if there is none.
#[derive(Debug, Serialize, ToSchema)]
pub struct SupportConfig {
    /// The number in E.164.
    #[schema(required, example = "+918012345678")]
    pub phone: Option<String>,
    #[schema(required, example = "help@example.com")]
    pub email: Option<String>,
    /// The number to call first when people are in danger: digits, perhaps after a `+`, for a `tel:` link.
    #[schema(example = "112")]
    pub emergency_phone: String,
}

/// A stop of new jobs.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobStopConfig {
    /// The message in the operator's words.
    #[schema(example = "The roads are flooded. We take jobs again tomorrow morning.")]
    pub message: String,
    /// When the stop ends by itself; null if that is not known.
    #[schema(required)]
    pub ends_at: Option<Timestamp>,
}

impl From<StopNotice> for JobStopConfig {
    fn from(notice: StopNotice) -> Self {
        Self { message: notice.message, ends_at: notice.ends_at.map(Into::into) }
    }
}

/// How admins sign in to the console.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AdminSignInConfig {
    /// How admins sign in to the console.
    pub kind: AdminSignInKind,
    /// The name by which people know the provider; null if the operator has not set it.
    #[schema(required, example = "Example Towing")]
    pub provider_name: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdminSignInKind {
    /// Sign-in with email and password (`POST /idp/token`).
    Password,
    /// Sign-in at the operator's own identity provider (`POST /auth/admin-sign-in`).
    Provider,
}
