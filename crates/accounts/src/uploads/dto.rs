use std::collections::BTreeMap;

use deserr::Deserr;
use roadcall_http::{Invalid, Param, Timestamp, ValidationErrors, Whole, WholeNumber, text_enum};
use roadcall_providers::{gateway::from_hex, storage::FileKind};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::UploadRow;

text_enum! {
    /// The purpose of a file, which decides who may see it.
    UploadPurpose {
        JobPhoto = "job_photo",
        Document = "document",
        Avatar = "avatar",
        Chat = "chat",
        Evidence = "evidence",
    }
}

text_enum! {
    /// The progress of an upload.
    UploadStatus {
        /// The upload is announced; its bytes may have arrived.
        Pending = "pending",
        /// The bytes are checked and stored.
        Complete = "complete",
    }
}

/// SHA-256 in hex, in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(String) = Sha256Hex::new -> Invalid)]
#[schema(value_type = String, pattern = "^[0-9a-fA-F]{64}$",
    example = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae")]
pub struct Sha256Hex(pub [u8; 32]);

impl Sha256Hex {
    pub fn new(text: String) -> Result<Self, Invalid> {
        from_hex(&text).map(Self).ok_or_else(|| "must be 64 hexadecimal digits".into())
    }
}

/// A file to upload. Its bytes must match this announcement.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewUpload {
    pub purpose: UploadPurpose,
    pub content_type: FileKind,
    pub size_bytes: WholeNumber<1, 1_073_741_824>,
    #[deserr(default)]
    pub sha256: Option<Sha256Hex>,
}

/// The target of the bytes: one request with this method and these headers to this URL, without a bearer token.
#[derive(Debug, Serialize, ToSchema)]
pub struct PresignedUpload {
    /// The upload, for `POST /uploads/{id}/complete`.
    pub upload_id: Uuid,
    pub url: String,
    /// Always PUT.
    pub method: &'static str,
    /// The headers with which the file has to be sent.
    pub headers: BTreeMap<&'static str, String>,
    /// The value for `file_url`, `photo_urls`, `avatar_url` and `evidence_urls` once the upload is complete. It holds
    /// no credentials: it opens for everyone who may see the file.
    pub file_url: String,
    pub expires_at: Timestamp,
}

/// An uploaded file, or one that is announced.
#[derive(Debug, Serialize, ToSchema)]
pub struct Upload {
    pub id: Uuid,
    pub purpose: UploadPurpose,
    pub content_type: FileKind,
    pub size_bytes: i64,
    pub status: UploadStatus,
    pub file_url: String,
    pub created_at: Timestamp,
    pub completed_at: Option<Timestamp>,
}

impl From<UploadRow> for Upload {
    fn from(row: UploadRow) -> Self {
        Self {
            id: row.id,
            purpose: row.purpose,
            content_type: row.content_type,
            size_bytes: row.size_bytes,
            status: row.status,
            file_url: row.file_url,
            created_at: row.created_at.into(),
            completed_at: row.completed_at.map(Into::into),
        }
    }
}

/// A link that opens a file for anyone who has it, for a short time.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadLink {
    pub url: String,
    pub expires_at: Timestamp,
}

/// The parameters of a signed link to the local store.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct LinkParams {
    #[deserr(default)]
    pub expires: Option<Param<Whole>>,
    #[deserr(default)]
    pub signature: Option<Param<String>>,
}

/// The audit entry of an admin who reads somebody else's file.
#[derive(Debug, Serialize)]
pub struct AuditedRead {
    pub owner_id: Uuid,
    pub purpose: UploadPurpose,
}

/// The URL of a file, at most 2,048 bytes: the `file_url` of one of the caller's uploads, or an https URL on a host of
/// `uploads.allowed_hosts`. The server never fetches it.
// Its text leaves this area only as a `FileRef`.
#[derive(Debug, Clone, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(String) = FileUrl::new -> Invalid)]
#[schema(format = "uri", max_length = 2048)]
pub struct FileUrl(pub(super) String);

impl FileUrl {
    pub fn new(text: String) -> Result<Self, Invalid> {
        if text.len() > 2048 {
            return Err("must have at most 2048 characters".into());
        }
        // Parsers repair text that is no URI (spaces, line breaks, backslashes), each in its own way: a host that is
        // accepted here could be another one to the client that follows the link.
        if !text.bytes().all(is_of_a_uri) {
            return Err("must be a valid URL (RFC 3986); percent-encode any other characters".into());
        }
        let url = url::Url::parse(&text).map_err(|_| Invalid::from("must be an absolute URL"))?;
        // Uploads of a service without TLS have such a URL; any other is refused by `refer.rs`.
        let is_web = ["https://", "http://"]
            .iter()
            .any(|scheme| text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme)));
        let holds = is_web && url.has_host() && url.username().is_empty() && url.password().is_none();
        if holds { Ok(Self(text)) } else { Err("must be an https URL without credentials".into()) }
    }

    /// Returns whether the URL is this text.
    pub fn is(&self, text: &str) -> bool {
        self.0 == text
    }

    /// Returns the host, in lower case.
    pub(super) fn host(&self) -> Option<String> {
        url::Url::parse(&self.0).ok().and_then(|url| url.host_str().map(str::to_lowercase))
    }
}

/// Returns whether a byte may be in a URI: unreserved, reserved, or the start of a percent-encoding (RFC 3986, 2).
fn is_of_a_uri(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte)
}
