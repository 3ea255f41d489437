use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::kind::FileKind;

/// The announced properties of a file. The file must arrive exactly like that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Announced {
    pub id: Uuid,
    pub kind: FileKind,
    pub size_bytes: u64,
    pub sha256: Option<[u8; 32]>,
}

impl Announced {
    /// Returns the headers that must be sent with the bytes.
    pub(super) fn headers(&self) -> Vec<(&'static str, String)> {
        vec![("content-type", self.kind.to_string()), ("content-length", self.size_bytes.to_string())]
    }
}

/// The size and digest of the bytes that were kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptBytes {
    pub size_bytes: u64,
    /// `None` if it was not computed.
    pub sha256: Option<[u8; 32]>,
}

impl KeptBytes {
    /// Returns the announced size and digest, for bytes that were kept unchanged.
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
    /// The attempt that kept it.
    pub attempt: Option<Uuid>,
    pub kind: FileKind,
    pub may_be_cached: bool,
}

impl Kept {
    /// Returns the name to save the file under: its id. A page may show images; a PDF, which may contain scripts, is saved.
    pub fn disposition(&self) -> String {
        let shown = if self.kind.is_image() { "inline" } else { "attachment" };
        format!("{shown}; filename=\"{}.{}\"", self.id, self.kind.extension())
    }

    /// Returns the cache policy. No proxy between the store and the client may cache a file.
    pub fn cache_control(&self) -> &'static str {
        if self.may_be_cached { "private" } else { "private, no-store" }
    }
}

/// How to send the bytes: PUT them to the URL, with these headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutLink {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
}

/// How a file differs from its announcement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// No bytes have arrived.
    Missing,
    Size,
    Kind,
    Sha256,
    /// The file is not a whole picture of its kind.
    Damaged,
    /// Showing the picture takes too much memory.
    Pixels {
        max_megapixels: u32,
    },
}
