//! Settings for personal data, exports, forgetting, and the contact for questions: `[privacy]`.

use serde::Deserialize;

use crate::platform::settings::{MAX_DAYS, Rule, RulesOf, Section, is_email};

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

impl PrivacySettings {
    /// Returns the rules that production warns about: Indian law requires them, but the service works without.
    pub fn missing_in_production(&self) -> Vec<Rule> {
        let is_there = !self.contact_email.is_empty();
        vec![
            RulesOf("privacy")
                .says("contact_email", is_there, "is empty")
                .because("name whom people can ask about their data, as India's DPDP Rules (rule 9) want"),
        ]
    }
}

impl Section for PrivacySettings {
    /// Returns the rules that must hold everywhere: an export is built in memory, and the contact is shown on a line with a link.
    fn rules(&self) -> Vec<Rule> {
        let privacy = RulesOf("privacy");
        let (name, email) = (&self.contact_name, &self.contact_email);
        vec![
            privacy.line("contact_name", name, 100),
            privacy.says(
                "contact_email",
                email.is_empty() || is_email(email),
                "must be an email address, or empty",
            ),
            privacy.says(
                "contact_email",
                !email.is_empty() || name.is_empty(),
                "is needed with privacy.contact_name",
            ),
            privacy.within("grievance_days", self.grievance_days, 1..=MAX_GRIEVANCE_DAYS),
            privacy.within("export_rows", self.export_rows, 1..=10_000),
            privacy.within("coarsen_after_days", self.coarsen_after_days, 1..=MAX_DAYS),
            privacy.within("mechanic_history_days", self.mechanic_history_days, 1..=MAX_DAYS),
        ]
    }
}
