//! Pictures without what a phone or a program wrote beside them: where and when they were taken, by whom, with what.
//!
//! Each format is a list of pieces, each with its length. The pieces that are needed to show the picture are copied as they
//! are, all others are left out, whatever follows the picture's end too. Nothing is decoded, so nothing of the picture itself changes. Of
//! the metadata only the orientation stays: without it a photo would lie on its side. HEIC keeps places in the file as
//! numbers, so there the metadata is overwritten in place.

mod exif;
mod heic;
mod jpeg;
mod pixels;
mod png;
mod webp;

use super::{Fault, FileKind};

/// The file is no whole picture of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the picture is damaged")]
pub struct Damaged;

/// The picture without metadata, unless it is no whole picture or larger than what can be shown.
pub fn checked(kind: FileKind, bytes: &[u8], max_megapixels: u32) -> Result<Vec<u8>, Fault> {
    let clean = without_metadata(kind, bytes).map_err(|Damaged| Fault::Damaged)?;
    let is_too_large = pixels::of(kind, &clean) > u64::from(max_megapixels) * 1_000_000;
    if is_too_large { Err(Fault::Pixels { max_megapixels }) } else { Ok(clean) }
}

/// The picture without metadata: the same bytes where there was none. What is no picture stays as it is.
fn without_metadata(kind: FileKind, bytes: &[u8]) -> Result<Vec<u8>, Damaged> {
    match kind {
        FileKind::Jpeg => jpeg::without_metadata(bytes),
        FileKind::Png => png::without_metadata(bytes),
        FileKind::Webp => webp::without_metadata(bytes),
        FileKind::Heic => heic::without_metadata(bytes),
        FileKind::Pdf => Ok(bytes.to_vec()),
    }
}

/// Bytes that are read from their front.
#[derive(Debug, Clone, Copy)]
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Damaged> {
        self.take(N)?.try_into().map_err(|_| Damaged)
    }

    fn u8(&mut self) -> Result<u8, Damaged> {
        self.array().map(|[byte]: [u8; 1]| byte)
    }

    fn u16(&mut self) -> Result<u16, Damaged> {
        self.array().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Result<u32, Damaged> {
        self.array().map(u32::from_be_bytes)
    }
}

fn size(number: u32) -> Result<usize, Damaged> {
    usize::try_from(number).map_err(|_| Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_file_holds_nothing_panics() {
        let starts: [(FileKind, &[u8]); 4] = [
            (FileKind::Jpeg, b"\xff\xd8\xff\xe1\0\x10Exif\0\0MM\0*\0\0\0\x08"),
            (FileKind::Png, b"\x89PNG\r\n\x1a\n\0\0\0\x04eXIfMM\0*"),
            (FileKind::Webp, b"RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0"),
            (FileKind::Heic, b"\0\0\0\x10ftypheic\0\0\0\0\0\0\0\x40meta\0\0\0\0"),
        ];
        let mut state = 7_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        for (kind, start) in starts {
            for length in 0..400 {
                let mut bytes = start.to_vec();
                bytes.extend((0..length).map(|_| random()));
                checked(kind, &bytes, 120).ok();
            }
        }
    }
}
