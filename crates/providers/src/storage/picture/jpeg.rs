//! JPEG (ITU-T T.81, annex B): markers, most of them followed by a segment, and scans of entropy-coded data.

use super::{
    exif,
    reader::{Damaged, Reader},
};

const SOI: u8 = 0xd8;
pub(super) const EOI: u8 = 0xd9;
pub(super) const SOS: u8 = 0xda;
const EXIF: &[u8] = b"Exif\0\0";

/// Keeps tables, frames and scans, and of the application segments JFIF, ICC profiles and Adobe's colour transform. Ends with the
/// picture's end: phones append films and further pictures.
pub(super) fn without_metadata(bytes: &[u8]) -> Result<Vec<u8>, Damaged> {
    let mut rest = Reader(bytes);
    if rest.array()? != [0xff, SOI] {
        return Err(Damaged);
    }
    let (mut kept, mut orientation, mut has_frame, mut has_scan) = (Vec::new(), None, false, false);
    loop {
        let marker = next_marker(&mut rest)?;
        if marker == EOI {
            break;
        }
        let length = usize::from(rest.u16()?).checked_sub(2).ok_or(Damaged)?;
        let segment = rest.take(length)?;
        if marker == 0xe1 && orientation.is_none() {
            orientation = segment.strip_prefix(EXIF).and_then(exif::orientation);
        }
        if is_needed(marker, segment) {
            push(&mut kept, marker, segment)?;
        }
        has_frame |= is_frame(marker);
        if marker == SOS {
            has_scan = true;
            kept.extend_from_slice(scan(&mut rest)?);
        }
    }
    if !has_frame || !has_scan {
        return Err(Damaged);
    }
    assemble(&kept, orientation)
}

/// Adds the Exif at the beginning, or after the JFIF, which must be the first segment of all.
fn assemble(kept: &[u8], orientation: Option<u8>) -> Result<Vec<u8>, Damaged> {
    let jfif_length = match kept {
        [0xff, 0xe0, high, low, ..] => 2 + usize::from(u16::from_be_bytes([*high, *low])),
        _ => 0,
    };
    let (jfif, rest) = kept.split_at_checked(jfif_length).ok_or(Damaged)?;
    let mut clean = vec![0xff, SOI];
    clean.extend_from_slice(jfif);
    if let Some(orientation) = orientation {
        push(&mut clean, 0xe1, &[EXIF, &exif::of_orientation(orientation)].concat())?;
    }
    clean.extend_from_slice(rest);
    clean.extend([0xff, EOI]);
    Ok(clean)
}

/// Reads the next marker. Any number of bytes 0xff may come before it (B.1.1.2).
pub(super) fn next_marker(rest: &mut Reader) -> Result<u8, Damaged> {
    if rest.u8()? != 0xff {
        return Err(Damaged);
    }
    loop {
        match rest.u8()? {
            0xff => {}
            0 => return Err(Damaged),
            marker => return Ok(marker),
        }
    }
}

/// Reads the data up to the next marker that is not part of it: within the data 0xff is stuffed with 0, or begins a restart.
fn scan<'a>(rest: &mut Reader<'a>) -> Result<&'a [u8], Damaged> {
    let ends = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7 | 0xff);
    let end = rest.0.windows(2).position(ends).ok_or(Damaged)?;
    rest.take(end)
}

pub(super) fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc)
}

fn is_needed(marker: u8, segment: &[u8]) -> bool {
    match marker {
        0xe0 => segment.starts_with(b"JFIF\0"),
        0xe2 => segment.starts_with(b"ICC_PROFILE\0"),
        0xee => segment.starts_with(b"Adobe"),
        // Frames, tables and scans, up to the definitions of hierarchical pictures.
        0xc0..=0xcf | 0xda..=0xdf => true,
        _ => false,
    }
}

fn push(to: &mut Vec<u8>, marker: u8, segment: &[u8]) -> Result<(), Damaged> {
    let length = u16::try_from(segment.len() + 2).map_err(|_| Damaged)?;
    to.extend([0xff, marker]);
    to.extend(length.to_be_bytes());
    to.extend_from_slice(segment);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(marker: u8, contents: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        push(&mut bytes, marker, contents).expect("short");
        bytes
    }

    fn picture(between: &[Vec<u8>], behind: &[u8]) -> Vec<u8> {
        let jfif = segment(0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
        let frame = segment(0xc0, &[8, 0, 1, 0, 1, 1, 1, 0x11, 0]);
        let scan = [segment(SOS, &[1, 1, 0, 0, 63, 0]), b"data\xff\0more\xff\xd0".to_vec()].concat();
        [vec![0xff, SOI], jfif, between.concat(), frame, scan, vec![0xff, EOI], behind.to_vec()].concat()
    }

    #[test]
    fn place_and_time_are_removed_and_the_orientation_stays() {
        let exif = [EXIF, &exif::of_orientation(6), b"GPS 12.97 77.59"].concat();
        let icc = segment(0xe2, b"ICC_PROFILE\0\x01\x01profile");
        let metadata = [
            segment(0xe1, &exif),
            segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0GPS"),
            icc.clone(),
            segment(0xe2, b"MPF\0GPS"),
            segment(0xed, b"Photoshop 3.0\0GPS"),
            segment(0xfe, b"GPS in a comment"),
        ];
        let clean =
            without_metadata(&picture(&metadata, b"\xff\xd8 a film with its GPS")).expect("a picture");
        let turned = segment(0xe1, &[EXIF, &exif::of_orientation(6)].concat());
        assert_eq!(clean, picture(&[turned, icc], b""));
        assert_eq!(without_metadata(&clean).expect("once more"), clean);
    }

    #[test]
    fn a_picture_without_metadata_stays_as_it_is() {
        let plain = picture(&[segment(0xdb, &[0; 65])], b"");
        assert_eq!(without_metadata(&plain), Ok(plain));
    }

    #[test]
    fn metadata_between_two_scans_is_gone_too() {
        let two = |between: &[u8]| {
            let scan = [segment(SOS, &[1, 1, 0, 0, 63, 0]), b"data".to_vec()].concat();
            let frame = segment(0xc2, &[8, 0, 1, 0, 1, 1, 1, 0x11, 0]);
            [&[0xff, SOI], &frame[..], &scan, between, &scan, &[0xff, EOI]].concat()
        };
        assert_eq!(without_metadata(&two(&segment(0xfe, b"GPS"))), Ok(two(b"")));
    }

    #[test]
    fn a_file_that_is_no_whole_picture_is_refused() {
        let whole = picture(&[], b"");
        for length in 0..whole.len() {
            assert_eq!(without_metadata(&whole[..length]), Err(Damaged), "cut at {length}");
        }
        assert_eq!(without_metadata(b"\xff\xd8\xff\xd9"), Err(Damaged), "no picture in it");
        assert_eq!(without_metadata(b"\xff\xd8\xff\xe0<html>"), Err(Damaged));
    }
}
