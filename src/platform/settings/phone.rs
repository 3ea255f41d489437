//! How numbers without a country are read: `[phone]`.

use serde::Deserialize;

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhoneSettings {
    pub region: PhoneRegion,
}

/// A country by its ISO 3166-1 code; `http/numbering.rs` has its numbering plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum PhoneRegion {
    Ae,
    Bd,
    Gb,
    In,
    Lk,
    Np,
    Pk,
    Sg,
    Us,
}
