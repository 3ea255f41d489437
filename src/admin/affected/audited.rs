//! Records in the audit log that somebody asked who was affected.

use serde_json::{Value, json};

use super::collect::{Affected, AffectedSearch};
use crate::platform::audit::NewAuditEntry;

/// Builds the entry. It names no account, because the question came from the command line.
pub(super) fn listed(search: &AffectedSearch, found: &Affected) -> NewAuditEntry<'static> {
    let personal_data: &[&str] = if search.with_phones { &["name", "phone"] } else { &[] };
    NewAuditEntry {
        actor_id: None,
        action: "export",
        subject_kind: "affected",
        subject_id: found.admins.first().copied().unwrap_or_default(),
        before: Value::Null,
        after: json!({
            "from": search.from, "to": search.to, "admins": found.admins, "rows": found.people.len(),
            "personal_data": personal_data,
        }),
    }
}
