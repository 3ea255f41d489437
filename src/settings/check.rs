//! What settings are refused at start, by name.

use super::{Settings, SettingsError, SmsProvider};
use crate::web::Network;

impl Settings {
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
