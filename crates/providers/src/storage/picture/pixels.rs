//! Counts the pixels of a picture by its headers. Showing it takes memory for all of them, however small the file is.

use super::{
    super::kind::FileKind,
    heic::{self, boxes},
    jpeg,
    reader::{Damaged, Reader},
};

/// Returns width times height of the largest picture in the file; 0 if no header states them, since nothing can show such a file.
pub(super) fn of(kind: FileKind, bytes: &[u8]) -> u64 {
    let counted = match kind {
        FileKind::Jpeg => of_jpeg(bytes),
        FileKind::Png => of_png(bytes),
        FileKind::Webp => of_webp(bytes),
        FileKind::Heic => of_heic(bytes),
        FileKind::Pdf => Ok(0),
    };
    counted.unwrap_or_default()
}

fn area(width: u32, height: u32) -> u64 {
    u64::from(width) * u64::from(height)
}

/// Reads the frame headers (T.81, B.2.2) before the first scan.
fn of_jpeg(bytes: &[u8]) -> Result<u64, Damaged> {
    let mut rest = Reader(bytes);
    rest.take(2)?;
    let mut most = 0;
    loop {
        let marker = jpeg::next_marker(&mut rest)?;
        if marker == jpeg::SOS || marker == jpeg::EOI {
            return Ok(most);
        }
        let length = usize::from(rest.u16()?).checked_sub(2).ok_or(Damaged)?;
        let mut segment = Reader(rest.take(length)?);
        if jpeg::is_frame(marker) {
            segment.u8()?;
            let (height, width) = (segment.u16()?, segment.u16()?);
            // A height of 0 is stated only after the scan, and may be any.
            let height = if height == 0 { u16::MAX } else { height };
            most = most.max(area(width.into(), height.into()));
        }
    }
}

/// Reads the header chunk, which comes first (clause 11.2.1).
fn of_png(bytes: &[u8]) -> Result<u64, Damaged> {
    let mut rest = Reader(bytes);
    rest.take(16)?;
    Ok(area(rest.u32()?, rest.u32()?))
}

/// Reads the canvas, each picture, and each frame of an animation (RFC 9649, 2.5 to 2.7).
fn of_webp(bytes: &[u8]) -> Result<u64, Damaged> {
    let mut rest = Reader(bytes);
    rest.take(12)?;
    let mut most = 0;
    while !rest.0.is_empty() {
        let kind: [u8; 4] = rest.array()?;
        let length = usize::try_from(u32::from_le_bytes(rest.array()?)).map_err(|_| Damaged)?;
        let mut data = Reader(rest.take(length)?);
        rest.take((length % 2).min(rest.0.len()))?;
        most = most.max(of_webp_chunk(&kind, &mut data).unwrap_or_default());
    }
    Ok(most)
}

fn of_webp_chunk(kind: &[u8; 4], data: &mut Reader) -> Result<u64, Damaged> {
    match kind {
        b"VP8X" => {
            data.take(4)?;
            Ok(area(u24_le(data)? + 1, u24_le(data)? + 1))
        }
        b"ANMF" => {
            data.take(6)?;
            Ok(area(u24_le(data)? + 1, u24_le(data)? + 1))
        }
        b"VP8 " => {
            data.take(6)?;
            let mut side = || data.array().map(|bytes| u32::from(u16::from_le_bytes(bytes) & 0x3fff));
            Ok(area(side()?, side()?))
        }
        b"VP8L" => {
            data.take(1)?;
            let bits = u32::from_le_bytes(data.array()?);
            Ok(area((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        _ => Ok(0),
    }
}

fn u24_le(data: &mut Reader) -> Result<u32, Damaged> {
    let [a, b, c] = data.array()?;
    Ok(u32::from_le_bytes([a, b, c, 0]))
}

/// Reads the spatial extents of all items (ISO 23008-12, 6.5.3): of tiles, thumbnails and the whole.
fn of_heic(bytes: &[u8]) -> Result<u64, Damaged> {
    let mut most = 0;
    for meta in boxes(bytes, 0..bytes.len())?.iter().filter(|part| &part.kind == b"meta") {
        // The version and the flags come first.
        let within = meta.content.start + 4..meta.content.end;
        for properties in heic::nested(bytes, within, b"iprp")? {
            for container in heic::nested(bytes, properties, b"ipco")? {
                for extents in heic::nested(bytes, container, b"ispe")? {
                    let mut rest = Reader(bytes.get(extents).ok_or(Damaged)?);
                    rest.take(4)?;
                    most = most.max(area(rest.u32()?, rest.u32()?));
                }
            }
        }
    }
    Ok(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: u32 = 50_000;
    const AREA: u64 = 2_500_000_000;

    fn part(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        [&((content.len() + 8) as u32).to_be_bytes(), kind.as_slice(), content].concat()
    }

    fn webp(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let chunk = [kind.as_slice(), &(data.len() as u32).to_le_bytes(), data].concat();
        [b"RIFF\0\0\0\0WEBP".as_slice(), &chunk].concat()
    }

    #[test]
    fn the_headers_of_each_kind_give_the_size_of_a_picture() {
        let side = (SIDE as u16).to_be_bytes();
        let frame = [&[0xff, 0xc2, 0, 11, 8], side.as_slice(), &side, &[1, 1, 0x11, 0]].concat();
        let jpeg = |frame: &[u8]| [&[0xff, 0xd8], frame, &[0xff, 0xda]].concat();
        assert_eq!(of(FileKind::Jpeg, &jpeg(&frame)), AREA);
        let later = [&[0xff, 0xc0, 0, 11, 8, 0, 0], side.as_slice(), &[1, 1, 0x11, 0]].concat();
        assert!(of(FileKind::Jpeg, &jpeg(&later)) > AREA, "its height comes after its scan");

        let png = [b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".as_slice(), &SIDE.to_be_bytes(), &SIDE.to_be_bytes()];
        assert_eq!(of(FileKind::Png, &png.concat()), AREA);

        let [a, b, c, _] = (SIDE - 1).to_le_bytes();
        assert_eq!(of(FileKind::Webp, &webp(b"VP8X", &[0, 0, 0, 0, a, b, c, a, b, c])), AREA);
        let animated = [&[0; 6], [a, b, c, a, b, c].as_slice(), &[0; 4]].concat();
        assert_eq!(of(FileKind::Webp, &webp(b"ANMF", &animated)), AREA);
        let lossy =
            [&[0, 0, 0, 0x9d, 1, 0x2a], 16_000_u16.to_le_bytes().as_slice(), &100_u16.to_le_bytes()].concat();
        assert_eq!(of(FileKind::Webp, &webp(b"VP8 ", &lossy)), 1_600_000);
        let bits = 15_999_u32 | 99 << 14;
        assert_eq!(
            of(FileKind::Webp, &webp(b"VP8L", &[&[0x2f], bits.to_le_bytes().as_slice()].concat())),
            1_600_000
        );

        let ispe = |side: u32| part(b"ispe", &[[0; 4], side.to_be_bytes(), side.to_be_bytes()].concat());
        let properties = part(b"iprp", &part(b"ipco", &[ispe(512), ispe(SIDE)].concat()));
        let heic =
            [part(b"ftyp", b"heic"), part(b"meta", &[&[0; 4], properties.as_slice()].concat())].concat();
        assert_eq!(of(FileKind::Heic, &heic), AREA);
    }

    #[test]
    fn a_file_without_a_size_has_no_pixels() {
        for kind in [FileKind::Jpeg, FileKind::Png, FileKind::Webp, FileKind::Heic, FileKind::Pdf] {
            for bytes in [b"".as_slice(), b"\xff\xd8\xff", &[0; 64], &[0xff; 64]] {
                of(kind, bytes);
            }
        }
        assert_eq!(of(FileKind::Webp, &webp(b"VP8 ", b"dat")), 0);
    }
}
