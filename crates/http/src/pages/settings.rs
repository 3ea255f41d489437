//! Settings of maps and of the contacts for help in apps: `[map]` and `[support]`.

use roadcall_platform::settings::{Rule, RulesOf, Section, is_email};
use serde::Deserialize;

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapSettings {
    pub center_lat: f64,
    pub center_lng: f64,
    pub zoom: f64,
    pub basemap_mib_per_address_per_hour: u64,
}

impl Section for MapSettings {
    fn rules(&self) -> Vec<Rule> {
        let map = RulesOf("map");
        let basemap = self.basemap_mib_per_address_per_hour;
        vec![
            map.within("center_lat", self.center_lat, -85.0..=85.0),
            map.within("center_lng", self.center_lng, -180.0..=180.0),
            map.within("zoom", self.zoom, 0.0..=22.0),
            map.within("basemap_mib_per_address_per_hour", basemap, 2..=1_048_576),
        ]
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupportSettings {
    pub phone: String,
    pub email: String,
    /// The number to call before any other. If empty, the number of `phone.region` is used.
    pub emergency_phone: String,
}

impl Section for SupportSettings {
    /// Returns the rules that must hold everywhere. The phone number and the address become links.
    fn rules(&self) -> Vec<Rule> {
        let support = RulesOf("support");
        let digits = self.phone.strip_prefix('+').unwrap_or_default();
        let is_phone = (8..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        let emergency = self.emergency_phone.strip_prefix('+').unwrap_or(&self.emergency_phone);
        let is_emergency =
            (2..=15).contains(&emergency.len()) && emergency.bytes().all(|byte| byte.is_ascii_digit());
        vec![
            support.says(
                "phone",
                self.phone.is_empty() || is_phone,
                "must be + and 8 to 15 digits, or empty",
            ),
            support.says(
                "email",
                self.email.is_empty() || is_email(&self.email),
                "must be an email address, or empty",
            ),
            support.says(
                "emergency_phone",
                self.emergency_phone.is_empty() || is_emergency,
                "must be 2 to 15 digits, with or without a +, or empty",
            ),
        ]
    }
}
