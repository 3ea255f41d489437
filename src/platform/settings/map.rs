//! Settings of maps: `[map]`.

use serde::Deserialize;

use super::rule::{Rule, within};

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapSettings {
    pub center_lat: f64,
    pub center_lng: f64,
    pub zoom: f64,
    pub basemap_mib_per_address_per_hour: u64,
}

/// Returns the rules that must hold everywhere.
pub(super) fn rules(map: &MapSettings) -> Vec<Rule> {
    vec![
        (within(map.center_lat, -85.0..=85.0), "map.center_lat must be -85 to 85"),
        (within(map.center_lng, -180.0..=180.0), "map.center_lng must be -180 to 180"),
        (within(map.zoom, 0.0..=22.0), "map.zoom must be 0 to 22"),
        (
            within(map.basemap_mib_per_address_per_hour, 2..=1_048_576),
            "map.basemap_mib_per_address_per_hour must be 2 to 1048576",
        ),
    ]
}
