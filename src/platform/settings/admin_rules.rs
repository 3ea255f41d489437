//! What settings of the admins' area are refused for.

use super::{
    AdminSettings,
    check::{DAY_S, MAX_DAYS, Rule, within},
};

pub(super) fn rules(admin: &AdminSettings) -> Vec<Rule> {
    vec![
        (within(admin.invite_ttl_s, 60..=30 * DAY_S), "admin.invite_ttl_s must be 60 to 2592000"),
        (within(admin.export_max_rows, 1..=1_000_000), "admin.export_max_rows must be 1 to 1000000"),
        (
            within(admin.audit_retention_days, 366..=MAX_DAYS),
            "admin.audit_retention_days must be 366 to 3650: nobody may delete the last year",
        ),
    ]
}
