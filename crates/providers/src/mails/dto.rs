//! Mails on the wire.

use roadcall_http::Timestamp;
use roadcall_platform::db::StoredRow;
use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;
use uuid::Uuid;

use super::state::{MailKind, MailStatus};

/// A mail to the person, while its row is kept. Its text is never stored.
#[derive(derive_more::Debug, Serialize, ToSchema, FromRow)]
// Addresses must not be logged.
#[debug("MailRecord {{ id: {id:?}, kind: {kind:?}, .. }}")]
pub struct MailRecord {
    pub id: Uuid,
    pub kind: MailKind,
    #[schema(format = "email")]
    pub address: String,
    pub status: MailStatus,
    pub created_at: Timestamp,
}

impl StoredRow for MailRecord {
    const TABLE: &str = "mails";
}
