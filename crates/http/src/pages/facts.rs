//! The facts about the whole service that pages and apps need before anyone signs in.

use roadcall_platform::settings::{CoreSettings, Environment};

use super::{
    dto::{
        AdminSignInConfig, AppConfig, AppEnvironment, MapCenter, MapConfig, OperatorConfig, PaymentConfig,
        PlacesConfig, PrivacyContact, RulesConfig, SupportConfig, WebPushConfig,
    },
    settings::{MapSettings, SupportSettings},
};

/// The settings of pages, and the facts that follow from the settings of other areas.
#[derive(Debug)]
pub struct PageFacts {
    pub map: MapSettings,
    pub support: SupportSettings,
    /// `None` if nobody can be asked for places.
    pub places: Option<PlacesConfig>,
    pub payments: PaymentConfig,
    pub rules: RulesConfig,
    pub privacy_contact: Option<PrivacyContact>,
    pub admin_sign_in: AdminSignInConfig,
    /// The origin that browsers send uploads to and fetch them from; `None` if that is the service.
    pub file_store: Option<String>,
}

impl PageFacts {
    /// Returns what an app needs, without what changes while the service runs.
    pub(super) fn config(
        &self,
        core: &CoreSettings,
        basemap_url: Option<&'static str>,
        demo_available: bool,
        push_key: &str,
    ) -> AppConfig {
        let (operator, region) = (&core.operator, core.phone.region);
        let given = |text: &String| (!text.is_empty()).then(|| text.clone());
        AppConfig {
            environment: match core.environment {
                Environment::Development => AppEnvironment::Development,
                Environment::Production => AppEnvironment::Production,
            },
            currency: core.currency.clone(),
            country_code: format!("+{}", region.calling_code()),
            map: MapConfig {
                basemap_url,
                center: MapCenter { lat: self.map.center_lat, lng: self.map.center_lng },
                zoom: self.map.zoom,
            },
            places: self.places.clone(),
            payments: self.payments.clone(),
            push: WebPushConfig { vapid_public_key: Some(push_key.to_owned()) },
            rules: self.rules.clone(),
            operator: OperatorConfig {
                brand: operator.brand.clone(),
                privacy_url: given(&operator.privacy_url),
                terms_url: given(&operator.terms_url),
                privacy_contact: self.privacy_contact.clone(),
            },
            support: SupportConfig {
                phone: given(&self.support.phone),
                email: given(&self.support.email),
                emergency_phone: given(&self.support.emergency_phone)
                    .unwrap_or_else(|| region.emergency_number().to_owned()),
            },
            admin_sign_in: self.admin_sign_in.clone(),
            job_stop: None,
            privacy_notice_version: None,
            demo_available,
        }
    }
}
