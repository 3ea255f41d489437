use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::kind::FileKind;

/// What was announced, and must arrive to the byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Announced {
    pub id: Uuid,
    pub kind: FileKind,
    pub size_bytes: u64,
    pub sha256: Option<[u8; 32]>,
}

impl Announced {
    /// What must be sent with the bytes.
    pub(super) fn headers(&self) -> Vec<(&'static str, String)> {
        vec![("content-type", self.kind.to_string()), ("content-length", self.size_bytes.to_string())]
    }
}

/// What is kept of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptBytes {
    pub size_bytes: u64,
    /// Where it was computed.
    pub sha256: Option<[u8; 32]>,
}

impl KeptBytes {
    /// The very bytes that were announced.
    pub(super) fn as_announced(announced: &Announced) -> Self {
        Self { size_bytes: announced.size_bytes, sha256: announced.sha256 }
    }

    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { size_bytes: bytes.len() as u64, sha256: Some(Sha256::digest(bytes).into()) }
    }
}

/// A file that was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    pub id: Uuid,
    /// The try that kept it.
    pub attempt: Option<Uuid>,
    pub kind: FileKind,
    pub may_be_cached: bool,
}

impl Kept {
    /// The name to save it under: the id. Images may be shown in a page; a PDF, which has scripts of its own,
    /// is saved.
    pub fn disposition(&self) -> String {
        let shown = if self.kind.is_image() { "inline" } else { "attachment" };
        format!("{shown}; filename=\"{}.{}\"", self.id, self.kind.extension())
    }

    /// Never by a proxy between the store and the client.
    pub fn cache_control(&self) -> &'static str {
        if self.may_be_cached { "private" } else { "private, no-store" }
    }
}

/// How bytes are sent: PUT them to the URL, with these headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutLink {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
}

/// How a file differs from what was announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing has arrived.
    Missing,
    Size,
    Kind,
    Sha256,
    /// Not a whole picture of its kind.
    Damaged,
    /// A picture that takes too much memory to show.
    Pixels {
        max_megapixels: u32,
    },
}
