//! Removes what a phone or a program added to a picture: where, when and by whom it was taken, and with what.
//!
//! Each format is a list of pieces, each with its length. The pieces that are needed to show the picture are copied unchanged,
//! and all others are left out, including everything after the picture's end. Nothing is decoded, so the picture itself does not
//! change. Of the metadata only the orientation stays: without it a photo would lie on its side. HEIC contains offsets into the
//! file, so there the metadata is overwritten in place.

mod exif;
mod heic;
mod jpeg;
mod pixels;
mod png;
mod reader;
mod webp;

use super::{kind::FileKind, model::Fault};
use reader::Damaged;

/// Returns the picture without metadata, unless it is not a whole picture or is too large to be shown.
pub fn checked(kind: FileKind, bytes: &[u8], max_megapixels: u32) -> Result<Vec<u8>, Fault> {
    let clean = without_metadata(kind, bytes).map_err(|Damaged| Fault::Damaged)?;
    let is_too_large = pixels::of(kind, &clean) > u64::from(max_megapixels) * 1_000_000;
    if is_too_large { Err(Fault::Pixels { max_megapixels }) } else { Ok(clean) }
}

/// Returns the picture without metadata: the same bytes if there was none. A file that is not a picture stays as it is.
fn without_metadata(kind: FileKind, bytes: &[u8]) -> Result<Vec<u8>, Damaged> {
    match kind {
        FileKind::Jpeg => jpeg::without_metadata(bytes),
        FileKind::Png => png::without_metadata(bytes),
        FileKind::Webp => webp::without_metadata(bytes),
        FileKind::Heic => heic::without_metadata(bytes),
        FileKind::Pdf => Ok(bytes.to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_causes_a_panic() {
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
