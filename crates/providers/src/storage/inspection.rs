use sha2::{Digest, Sha256};

use super::{
    kind::{FileKind, HEAD_BYTES},
    model::{Announced, Fault},
};

/// Checks bytes as they arrive, and keeps only the first few.
#[derive(Debug)]
pub(super) struct Inspection {
    pub(super) announced: Announced,
    pub(super) head: Vec<u8>,
    length: u64,
    digest: Sha256,
}

impl Inspection {
    pub(super) fn of(announced: &Announced) -> Self {
        Self { announced: *announced, head: Vec::new(), length: 0, digest: Sha256::new() }
    }

    /// Takes the next bytes. Returns a fault that already shows: too many bytes, or the beginning of a different kind.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let missing = HEAD_BYTES - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(missing)]);
        self.length += bytes.len() as u64;
        self.digest.update(bytes);
        if self.length > self.announced.size_bytes {
            return Err(Fault::Size);
        }
        if self.head.len() == HEAD_BYTES { self.check_kind() } else { Ok(()) }
    }

    /// Checks the whole, after the last byte.
    pub(super) fn finish(self) -> Result<(), Fault> {
        if self.length != self.announced.size_bytes {
            return Err(Fault::Size);
        }
        self.check_kind()?;
        let announced = self.announced.sha256;
        if announced.is_none_or(|digest| self.digest.finalize()[..] == digest) {
            Ok(())
        } else {
            Err(Fault::Sha256)
        }
    }

    pub(super) fn check_kind(&self) -> Result<(), Fault> {
        if FileKind::of(&self.head) == Some(self.announced.kind) { Ok(()) } else { Err(Fault::Kind) }
    }
}
