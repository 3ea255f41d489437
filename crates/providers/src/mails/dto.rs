//! Mails on the wire.

use roadcall_http::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    queries::KeptMail,
    state::{MailKind, MailStatus},
};

/// A mail to the person, while its row is kept. Its text is never stored.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailRecord {
    pub id: Uuid,
    pub kind: MailKind,
    #[schema(format = "email")]
    pub address: String,
    pub status: MailStatus,
    pub created_at: Timestamp,
}

impl From<KeptMail> for MailRecord {
    fn from(row: KeptMail) -> Self {
        let KeptMail { id, kind, address, status, created_at } = row;
        Self { id, kind, address, status, created_at: created_at.into() }
    }
}
