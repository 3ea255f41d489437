//! The trail of admins' actions, on the wire.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::AuditRow;
use crate::{
    http::{CsvRow, Timestamp},
    platform::audit::redacted,
};

/// A change that an admin made.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditEntry {
    pub id: Uuid,
    /// The person; null for a change that a partner's program made, that was made from the command line, or that followed
    /// the identity provider's claim.
    pub actor_id: Option<Uuid>,
    /// The name that the admin had chosen by then.
    pub actor_name: Option<String>,
    /// The email that the identity provider vouched for at that time. Admins can't choose it: it stays if they change their
    /// account's email.
    #[schema(format = "email")]
    pub actor_email: Option<String>,
    /// The action, as a noun and a verb.
    pub action: String,
    /// The kind of the object, such as `job` or `user`.
    pub object_type: String,
    /// The object's id.
    pub object_id: Option<Uuid>,
    /// The values of the changed fields before; null where the object was made. Telephone numbers and secrets are removed.
    #[schema(value_type = Option<Object>)]
    pub before: Option<Value>,
    /// The values of the same fields afterwards; null where the object was removed.
    #[schema(value_type = Option<Object>)]
    pub after: Option<Value>,
    /// The credential of the action, unless that is a sign-in alone: the partner's key, or the membership, with the
    /// organisation.
    #[schema(value_type = Option<Object>)]
    pub via: Option<Value>,
    pub at: Timestamp,
}

impl CsvRow for AuditEntry {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "actor_id",
        "actor_name",
        "actor_email",
        "action",
        "object_type",
        "object_id",
        "before",
        "after",
        "via",
        "at",
    ];
}

impl From<AuditRow> for AuditEntry {
    fn from(row: AuditRow) -> Self {
        let shown = |value: Option<Value>| value.filter(|value| !value.is_null()).map(redacted);
        Self {
            id: row.id,
            actor_id: row.actor_id,
            actor_name: row.actor_name,
            actor_email: row.actor_email,
            action: row.action,
            object_type: row.subject_kind,
            object_id: row.subject_id,
            before: shown(row.before),
            after: shown(row.after),
            via: row.via,
            at: row.at.into(),
        }
    }
}
