//! Documents of cases on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::CaseDocumentRow;
use crate::{
    accounts::uploads::{NewUpload, Sha256Hex, Upload, UploadLink, UploadPurpose},
    http::{Id, Text, Timestamp, ValidationErrors, WholeNumber, text_enum},
    providers::storage::FileKind,
};

text_enum! {
    /// The kind of a case's document.
    CaseDocumentKind {
        PoliceReport = "police_report",
        /// The policy, or another proof of the cover.
        Policy = "policy",
        Photo = "photo",
        /// A purchase order with a signature.
        SignedOrder = "signed_order",
        Other = "other",
    }
}

/// A file that becomes a document of a case. Its bytes must match this announcement.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewCaseFile {
    pub content_type: FileKind,
    pub size_bytes: WholeNumber<1, 1_073_741_824>,
    #[deserr(default)]
    pub sha256: Option<Sha256Hex>,
}

impl From<NewCaseFile> for NewUpload {
    fn from(NewCaseFile { content_type, size_bytes, sha256 }: NewCaseFile) -> Self {
        Self { purpose: UploadPurpose::Document, content_type, size_bytes, sha256 }
    }
}

/// A document for a case.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewCaseDocument {
    /// The file's `upload_id`, once its bytes are sent.
    pub upload_id: Id,
    pub kind: CaseDocumentKind,
    pub name: Text<1, 120>,
}

/// A document of a case.
#[derive(Debug, Serialize, ToSchema)]
pub struct CaseDocument {
    pub id: Uuid,
    /// The case to which the document belongs.
    pub case_id: Uuid,
    pub kind: CaseDocumentKind,
    pub name: String,
    pub content_type: FileKind,
    pub size_bytes: i64,
    /// A link that opens the file for anyone who has it. Read the list again for another one.
    pub url: String,
    /// The end of the link.
    pub expires_at: Timestamp,
    pub created_at: Timestamp,
}

impl CaseDocument {
    pub fn new(row: CaseDocumentRow, file: &Upload, link: UploadLink) -> Self {
        Self {
            id: row.id,
            case_id: row.case_id,
            kind: row.kind,
            name: row.name,
            content_type: file.content_type,
            size_bytes: file.size_bytes,
            url: link.url,
            expires_at: link.expires_at,
            created_at: row.created_at.into(),
        }
    }
}
