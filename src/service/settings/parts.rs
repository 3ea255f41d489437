//! The values that an area needs of the sections of other areas, each under a name of the area's own.

use std::time::Duration;

use chrono::TimeDelta;
use roadcall_actors::geo::Point;

use super::{CoreSettings, GatewayProvider, MailProvider, PlaceProvider, Settings, SmsProvider};
use crate::{
    accounting::ledger::ShareRates,
    accounts::auth::{NamedSecrets, TextBudget, TextLimits},
    admin::ExpectedStatus,
    http::{Money, Rates},
    jobs::JobVisibility,
    notifications::StatusTexts,
    pages::{
        AdminSignInConfig, AdminSignInKind, PageFacts, PaymentConfig, PaymentProvider, PlacesConfig,
        PrivacyContact, RulesConfig,
    },
    places::PlaceRequestLimits,
};

/// The seconds after its end for which an ID token is still accepted.
const ID_TOKEN_LEEWAY_S: i64 = 60;

impl Settings {
    /// Returns what every area may know.
    pub fn core(&self) -> CoreSettings {
        CoreSettings {
            environment: self.environment,
            server: self.server.clone(),
            http: self.http.clone(),
            database: self.database.clone(),
            phone: self.phone,
            limits: self.limits.clone(),
            operator: self.operator.clone(),
            file_hosts: self.uploads.allowed_hosts.clone(),
            currency: self.jobs.currency.clone(),
            max_exported_rows: self.admin.export_max_rows,
        }
    }

    /// Returns how often people, credentials and addresses may do what.
    pub fn rates(&self) -> Rates {
        Rates {
            limits: self.limits.clone(),
            socket_bytes_per_second: self.ws.bytes_per_second,
            link_requests_per_minute: self.shares.requests_per_minute,
            messages_per_minute: self.chat.messages_per_minute,
            calls_per_minute: self.calls.invites_per_minute,
            signals_per_second: self.calls.signals_per_second,
            token_ttl: Duration::from_secs(self.auth.access_token_ttl_s.unsigned_abs()),
        }
    }

    /// Returns how jobs are shown.
    pub fn job_visibility(&self) -> JobVisibility {
        JobVisibility {
            currency: self.jobs.currency.clone(),
            rates: self.share_rates(),
            shows_numbers: self.jobs.show_contact_numbers,
            exact_for: TimeDelta::days(self.privacy.mechanic_history_days),
            chat_after_end: self.chat.after_end(),
            calls_after_end: self.calls.after_end(),
        }
    }

    /// Returns how what customers pay is shared out.
    pub fn share_rates(&self) -> ShareRates {
        ShareRates { commission_bps: self.money.commission_bps, tax_bps: self.money.tax_bps }
    }

    /// Returns the secrets that sign and hash.
    pub fn named_secrets(&self) -> NamedSecrets {
        NamedSecrets::of(&self.auth, &self.core())
    }

    /// Returns the longest life of what a secret signs, as far as the settings say: tokens, links, codes, sign-ins on their way,
    /// mails.
    pub fn longest_life(&self) -> TimeDelta {
        let mails = if self.mail_provider() == MailProvider::Smtp { self.mail.late_after_s } else { 0 };
        let seconds = [
            self.auth.access_token_ttl_s,
            self.auth.otp_ttl_s,
            self.uploads.put_link_ttl_s,
            self.uploads.link_ttl_s,
            self.uploads.document_link_ttl_s,
            self.gateway.order_ttl_s,
            self.identity.id_token_ttl_s + ID_TOKEN_LEEWAY_S,
            mails,
        ];
        seconds.into_iter().max().map(TimeDelta::seconds).unwrap_or_default()
    }

    /// Returns the limits on all text messages together.
    pub fn text_limits(&self) -> TextLimits {
        let sms = &self.sms;
        TextLimits {
            are_sent: sms.provider != SmsProvider::Log,
            all: TextBudget { per_hour: sms.per_hour, per_day: sms.per_day },
            country: TextBudget { per_hour: sms.per_country_per_hour, per_day: sms.per_country_per_day },
            reserved_percent: sms.reserved_percent,
            home: self.phone.region.iso().as_region_str().as_str().to_owned(),
            tests_per_day: sms.tests_per_day,
        }
    }

    /// Returns how customers are texted news of their job.
    pub fn status_texts(&self) -> StatusTexts {
        let sms = &self.sms;
        StatusTexts {
            are_on: sms.tells_status(),
            after: TimeDelta::seconds(sms.status_after_s),
            per_job: sms.status_per_job,
            per_person_per_day: sms.status_per_person_per_day,
            have_links: sms.status_links,
            written: sms.status_texts.clone(),
        }
    }

    /// Returns how often people may be asked where they are.
    pub fn place_request_limits(&self) -> PlaceRequestLimits {
        PlaceRequestLimits {
            per_admin: self.sms.wheres_per_admin_per_day,
            per_number: self.sms.wheres_per_number_per_day,
        }
    }

    /// Returns where maps begin.
    pub fn map_center(&self) -> Point {
        Point::new(self.map.center_lat, self.map.center_lng)
    }

    /// Returns whom people can ask about their data.
    pub fn privacy_contact(&self) -> Option<PrivacyContact> {
        PrivacyContact::of(&self.privacy.contact_name, &self.privacy.contact_email)
    }

    /// Returns what a look at the service is compared with.
    pub fn expected_status(&self) -> ExpectedStatus {
        ExpectedStatus {
            has_places: self.place_provider() != PlaceProvider::None,
            has_mail: self.mail_provider() != MailProvider::Off,
            pays_by_hand: self.payouts.is_by_hand(),
            backs_up_every: self.backup.every(),
            backup_folder: self.backup.folder(&self.server.data_dir),
            trail_queue: self.engine.trail_queue,
            decision_queue: self.engine.decision_queue,
        }
    }

    /// Returns what apps and pages learn before anyone signs in.
    pub fn page_facts(&self) -> PageFacts {
        let provider = match self.gateway.provider {
            GatewayProvider::Sandbox => PaymentProvider::Sandbox,
            GatewayProvider::Razorpay => PaymentProvider::Razorpay,
            GatewayProvider::None => PaymentProvider::None,
        };
        PageFacts {
            map: self.map,
            support: self.support.clone(),
            places: self.places_config(),
            payments: PaymentConfig::of(provider, &self.gateway.key_id),
            rules: RulesConfig {
                no_show_after_s: self.jobs.no_show_after_s,
                dispute_window_s: self.money.dispute_window_s,
                min_withdrawal: Money(self.wallet.min_withdrawal_paise),
                max_withdrawal: Money(self.wallet.max_withdrawal_paise),
            },
            privacy_contact: self.privacy_contact(),
            admin_sign_in: self.admin_sign_in(),
            file_store: self.uploads.store_origin(),
        }
    }

    fn places_config(&self) -> Option<PlacesConfig> {
        let provider = self.place_provider();
        let shown = |text: &String| (provider.is_asked() && !text.is_empty()).then(|| text.clone());
        (provider != PlaceProvider::None).then(|| PlacesConfig {
            as_you_type: provider.finds_beginnings(),
            attribution: shown(&self.places.attribution),
            attribution_url: shown(&self.places.attribution_url),
        })
    }

    fn admin_sign_in(&self) -> AdminSignInConfig {
        let provider_name = &self.identity.provider_name;
        if self.has_embedded_provider() {
            return AdminSignInConfig { kind: AdminSignInKind::Password, provider_name: None };
        }
        let provider_name = (!provider_name.is_empty()).then(|| provider_name.clone());
        AdminSignInConfig { kind: AdminSignInKind::Provider, provider_name }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_life_is_that_of_what_lives_longest() {
        let mut settings = Settings::defaults();
        settings.uploads.link_ttl_s = 86_400;
        settings.identity.id_token_ttl_s = 86_400;
        assert_eq!(settings.longest_life(), TimeDelta::seconds(86_460));
    }
}
