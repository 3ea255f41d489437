//! The check of all settings: the rules of each section, and those that span sections.

use super::{GatewayProvider, PayoutProvider, Settings, SettingsError, StorageProvider};
use crate::platform::settings::{NOT_HTTPS, Rule, RulesOf};

impl Settings {
    /// Refuses settings that can't work anywhere, and in production also unsafe ones.
    pub fn check(&self) -> Result<(), SettingsError> {
        let unsound = broken(self.rules());
        if !unsound.is_empty() {
            return Err(SettingsError::Unsound(unsound));
        }
        let unsafe_settings =
            if self.is_production() { broken(self.rules_of_production()) } else { Vec::new() };
        if unsafe_settings.is_empty() { Ok(()) } else { Err(SettingsError::Unsafe(unsafe_settings)) }
    }

    /// Returns warnings about settings that production starts without, but should soon have.
    pub fn warnings(&self) -> Vec<String> {
        if !self.is_production() {
            return Vec::new();
        }
        let is_root = url::Url::parse(&self.server.public_url).is_ok_and(|url| url.path() == "/");
        let root = RulesOf("server").says("public_url", is_root, "has a path").because(
            "programs may call the interface there, but the web apps are at the root of a host of their own alone",
        );
        broken(self.privacy.missing_in_production().into_iter().chain([root]))
    }

    /// Returns the rules that must hold everywhere.
    pub fn rules(&self) -> Vec<Rule> {
        let own = self.sections().into_iter().flat_map(|section| section.rules());
        let spanning = [
            self.rules_of_listener(),
            self.rules_of_promises(),
            self.rules_of_sign_in(),
            self.rules_of_money(),
            self.rules_of_cluster(),
        ];
        own.chain(spanning.into_iter().flatten()).collect()
    }

    /// Returns the rules that protect a service for real people.
    pub fn rules_of_production(&self) -> Vec<Rule> {
        let own = self.sections().into_iter().flat_map(|section| section.rules_of_production());
        own.chain(self.safe_sign_in()).chain([self.safe_gateway()]).collect()
    }

    fn rules_of_listener(&self) -> Vec<Rule> {
        let is_safe = self.is_production() || self.server.listen.ip().is_loopback();
        let why = "set ROADCALL_ENV=production to serve others";
        vec![
            RulesOf("server")
                .says("listen", is_safe, "must be a loopback address in development")
                .because(why),
        ]
    }

    /// Returns the rules that tie the watch to how often phones send, how long a position is current, and when
    /// cancelling becomes free.
    fn rules_of_promises(&self) -> Vec<Rule> {
        let Self { watch, dispatch, fees, .. } = self;
        let missed = 3 * i64::from(dispatch.unwatched_interval_s);
        let dark = watch.dark_after_s >= dispatch.fresh_position_s && watch.dark_after_s >= missed;
        let of_fees = RulesOf("fees");
        vec![
            RulesOf("watch")
                .says(
                    "dark_after_s",
                    dark,
                    "must be at least dispatch.fresh_position_s and 3 x dispatch.unwatched_interval_s",
                )
                .because("whoever sends as asked is not dark"),
            of_fees
                .says(
                    "dark_after_s",
                    fees.dark_after_s >= watch.dark_after_s,
                    "must be at least watch.dark_after_s",
                )
                .because("what cancels for free must be worrying first"),
            of_fees.says(
                "stalled_after_s",
                fees.stalled_after_s >= watch.stalled_after_s,
                "must be at least watch.stalled_after_s",
            ),
            of_fees.says(
                "late_grace_s",
                fees.late_grace_s >= watch.slip_after_s,
                "must be at least watch.slip_after_s",
            ),
        ]
    }

    fn rules_of_sign_in(&self) -> Vec<Rule> {
        let is_embedded = self.has_embedded_provider();
        let of_other = "is for a provider of your own: set identity.issuer";
        let identity = RulesOf("identity");
        vec![
            identity.says(
                "client_secret",
                !is_embedded || self.identity.client_secret.0.is_empty(),
                of_other,
            ),
            identity.says("role_claim", !is_embedded || self.identity.role_claim.is_empty(), of_other),
            RulesOf("admin")
                .says(
                    "second_factor_required",
                    is_embedded || !self.admin.second_factor_required,
                    "is for the embedded identity provider",
                )
                .because("require second factors in yours"),
        ]
    }

    fn rules_of_money(&self) -> Vec<Rule> {
        let Self { gateway, payouts, wallet, money, .. } = self;
        let outlasts = wallet.clearing_hours.saturating_mul(3600) >= money.dispute_window_s;
        let mut rules = vec![
            RulesOf("wallet")
                .says("clearing_hours", outlasts, "must not be shorter than money.dispute_window_s")
                .because("what may be disputed is held"),
        ];
        if self.uses_razorpay() {
            let needed = |section, field, text: &str| {
                RulesOf(section).says(field, !text.trim().is_empty(), "is needed for razorpay")
            };
            rules.extend([
                needed("gateway", "key_id", &gateway.key_id),
                needed("gateway", "key_secret", &gateway.key_secret.0),
                needed("gateway", "webhook_secret", &gateway.webhook_secret.0),
            ]);
            if payouts.provider == PayoutProvider::Razorpay {
                rules.push(needed("payouts", "account_number", &payouts.account_number));
            }
        }
        rules
    }

    fn rules_of_cluster(&self) -> Vec<Rule> {
        let is_alone = !self.cluster.is_shared();
        vec![
            RulesOf("cluster")
                .says(
                    "nats_url",
                    is_alone || self.database.server().is_some(),
                    "is of no use without database.url",
                )
                .because("no other server reaches an embedded database"),
            RulesOf("uploads")
                .says(
                    "provider",
                    is_alone || self.uploads.provider == StorageProvider::S3,
                    "must be s3 with cluster.nats_url",
                )
                .because("files in one server's folder are not on the others"),
        ]
    }

    fn safe_sign_in(&self) -> Vec<Rule> {
        let (identity, is_embedded) = (&self.identity, self.has_embedded_provider());
        // Before an issuer alone could name another provider, this combination meant the embedded one.
        let is_contradiction =
            identity.local_provider_in_production && !is_embedded && identity.jwks_url.is_empty();
        let of_identity = RulesOf("identity");
        vec![
            of_identity
                .says("local_provider", !is_embedded || identity.local_provider_in_production, "is on")
                .because(
                    "set identity.issuer to use your own identity provider, or identity.local_provider_in_production = true to \
                        keep admins' passwords here",
                ),
            of_identity
                .says(
                    "local_provider_in_production",
                    !is_contradiction,
                    "is for the embedded identity provider, and identity.issuer names another",
                )
                .because("unset one of them"),
        ]
    }

    fn safe_gateway(&self) -> Rule {
        let is_open = self.uses_razorpay() && !self.gateway.base_url.starts_with("https://");
        RulesOf("gateway").says("base_url", !is_open, NOT_HTTPS)
    }

    fn uses_razorpay(&self) -> bool {
        self.gateway.provider == GatewayProvider::Razorpay
            || self.payouts.provider == PayoutProvider::Razorpay
    }
}

/// Returns what the broken rules say.
fn broken(rules: impl IntoIterator<Item = Rule>) -> Vec<String> {
    rules.into_iter().filter(Rule::is_broken).map(|rule| rule.to_string()).collect()
}
