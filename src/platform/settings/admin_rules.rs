//! The rules for settings of the admins' area.

use super::{
    Settings,
    limits::{DAY_S, MAX_DAYS},
    rule::{Rule, within},
};

pub(super) fn rules(settings: &Settings) -> Vec<Rule> {
    let Settings { admin, .. } = settings;
    let is_embedded = settings.has_embedded_provider();
    vec![
        (within(admin.session_ttl_s, 300..=90 * DAY_S), "admin.session_ttl_s must be 300 to 7776000"),
        (
            within(admin.second_factor_grace_s, 0..=90 * DAY_S),
            "admin.second_factor_grace_s must be 0 to 7776000",
        ),
        (
            is_embedded || !admin.second_factor_required,
            "admin.second_factor_required is for the embedded identity provider: require second factors in yours",
        ),
        (within(admin.invite_ttl_s, 60..=30 * DAY_S), "admin.invite_ttl_s must be 60 to 2592000"),
        (within(admin.export_max_rows, 1..=1_000_000), "admin.export_max_rows must be 1 to 1000000"),
        (
            within(admin.audit_retention_days, 366..=MAX_DAYS),
            "admin.audit_retention_days must be 366 to 3650: nobody may delete the last year",
        ),
    ]
}
