//! The trail of admins' actions, on the wire.

use deserr::Deserr;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{AuditFilter, AuditRow};
use crate::{
    http::{CsvRow, Id, ListFormat, Param, Text, Timestamp, ValidationErrors, Whole, between},
    platform::{audit::redacted, error::ApiResult},
};

/// A change that an admin made.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditEntry {
    pub id: Uuid,
    /// The admin; null for a change that was made from the command line, or that followed the identity provider's claim.
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
            at: row.at.into(),
        }
    }
}

/// The conditions on the entries; all of them must hold.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct AuditParams {
    #[deserr(default)]
    pub actor_id: Option<Param<Id>>,
    #[deserr(default)]
    pub action: Option<Text<1, 100>>,
    #[deserr(default)]
    pub object_type: Option<Text<1, 100>>,
    #[deserr(default)]
    pub object_id: Option<Param<Id>>,
    #[deserr(default)]
    pub from: Option<Timestamp>,
    #[deserr(default)]
    pub to: Option<Timestamp>,
    #[deserr(default)]
    pub format: Option<Param<ListFormat>>,
    #[deserr(default)]
    pub page: Option<Param<Whole>>,
    #[deserr(default)]
    pub limit: Option<Param<Whole>>,
}

impl AuditParams {
    /// Returns the filter, or 422 where the times are in the wrong order.
    pub fn filter(&self) -> ApiResult<AuditFilter> {
        let text = |text: &Option<Text<1, 100>>| text.as_ref().map(|text| text.0.clone());
        Ok(AuditFilter {
            actor_id: self.actor_id.map(|id| id.0.0),
            action: text(&self.action),
            object_type: text(&self.object_type),
            object_id: self.object_id.map(|id| id.0.0),
            written: between(self.from, self.to)?,
        })
    }
}
