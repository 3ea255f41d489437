//! Settings for personal data: exports, forgetting, and the contact for questions.

use serde::Deserialize;

use super::{
    limits::MAX_DAYS,
    rule::{Rule, within},
    support::is_email,
};

/// The longest time that somebody may wait for an answer (DPDP Rules 2025, rule 14(3)).
const MAX_GRIEVANCE_DAYS: i64 = 90;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivacySettings {
    pub contact_name: String,
    pub contact_email: String,
    pub grievance_days: i64,
    pub export_rows: i64,
    pub coarsen_after_days: i64,
    pub mechanic_history_days: i64,
}

/// Returns the rules that must hold everywhere: an export is built in memory, and the contact is shown on a line with a link.
pub(super) fn rules(privacy: &PrivacySettings, exports_per_minute: u32) -> Vec<Rule> {
    let per_minute = within(exports_per_minute, 1..=100_000);
    let (name, email) = (&privacy.contact_name, &privacy.contact_email);
    let is_name = name.chars().count() <= 100 && !name.chars().any(char::is_control);
    vec![
        (is_name, "privacy.contact_name must have at most 100 characters, on one line"),
        (email.is_empty() || is_email(email), "privacy.contact_email must be an email address, or empty"),
        (!email.is_empty() || name.is_empty(), "privacy.contact_email is needed with privacy.contact_name"),
        (within(privacy.grievance_days, 1..=MAX_GRIEVANCE_DAYS), "privacy.grievance_days must be 1 to 90"),
        (within(privacy.export_rows, 1..=10_000), "privacy.export_rows must be 1 to 10000"),
        (within(privacy.coarsen_after_days, 1..=MAX_DAYS), "privacy.coarsen_after_days must be 1 to 3650"),
        (
            within(privacy.mechanic_history_days, 1..=MAX_DAYS),
            "privacy.mechanic_history_days must be 1 to 3650",
        ),
        (per_minute, "limits.export_per_minute must be 1 to 100000"),
    ]
}

/// Returns the rules that production warns about: Indian law requires them, but the service works without.
pub(super) fn missing_in_production(privacy: &PrivacySettings) -> Vec<Rule> {
    vec![(
        !privacy.contact_email.is_empty(),
        "privacy.contact_email is empty: name whom people can ask about their data, as India's DPDP Rules (rule 9) want",
    )]
}
