//! PNG (W3C, third edition, clause 5): a signature, then chunks of length, type, data and CRC.

use super::{
    exif,
    reader::{Damaged, Reader, size},
};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The chunks that are needed to show the picture, including animated ones, but not text, times or Exif.
const NEEDED: &[&[u8; 4]] = &[
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP",
    b"mDCV", b"cLLI", b"bKGD", b"hIST", b"pHYs", b"sPLT", b"acTL", b"fcTL", b"fdAT",
];

/// Keeps the needed chunks. Ends with the end chunk, whatever follows it.
pub(super) fn without_metadata(bytes: &[u8]) -> Result<Vec<u8>, Damaged> {
    let mut rest = Reader(bytes);
    if rest.take(SIGNATURE.len())? != SIGNATURE {
        return Err(Damaged);
    }
    let (mut clean, mut has_data) = (SIGNATURE.to_vec(), false);
    loop {
        let chunk = rest.0;
        let length = size(rest.u32()?)?;
        let kind: [u8; 4] = rest.array()?;
        let data = rest.take(length)?;
        rest.u32()?;
        let is_first = clean.len() == SIGNATURE.len();
        if is_first != (&kind == b"IHDR") {
            return Err(Damaged);
        }
        has_data |= &kind == b"IDAT";
        if NEEDED.contains(&&kind) {
            clean.extend_from_slice(chunk.get(..length + 12).ok_or(Damaged)?);
        } else if &kind == b"eXIf" {
            clean.extend(exif::orientation(data).map(turned).unwrap_or_default());
        }
        if &kind == b"IEND" {
            return if has_data { Ok(clean) } else { Err(Damaged) };
        }
    }
}

/// Makes an Exif chunk that contains only the orientation.
fn turned(orientation: u8) -> Vec<u8> {
    let exif = exif::of_orientation(orientation);
    let length = u32::try_from(exif.len()).unwrap_or_default();
    let checked = [b"eXIf", exif.as_slice()].concat();
    [&length.to_be_bytes(), checked.as_slice(), &crc(&checked).to_be_bytes()].concat()
}

/// Computes the CRC of a chunk (annex D).
fn crc(bytes: &[u8]) -> u32 {
    let turn = |crc: u32, _| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), turn))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let checked = [kind.as_slice(), data].concat();
        [&(data.len() as u32).to_be_bytes(), checked.as_slice(), &crc(&checked).to_be_bytes()].concat()
    }

    fn picture(between: &[Vec<u8>], behind: &[u8]) -> Vec<u8> {
        let header = chunk(b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
        [SIGNATURE, &header, &between.concat(), &chunk(b"IDAT", b"data"), &chunk(b"IEND", b""), behind]
            .concat()
    }

    #[test]
    fn a_crc_agrees_with_the_specification() {
        assert_eq!(crc(b"IEND"), 0xae42_6082);
    }

    #[test]
    fn place_and_time_are_removed_and_the_orientation_stays() {
        let metadata = [
            chunk(b"gAMA", &[0, 0, 0xb1, 0x8f]),
            chunk(b"tEXt", b"Comment\0GPS"),
            chunk(b"iTXt", b"XML:com.adobe.xmp\0GPS"),
            chunk(b"tIME", &[7; 7]),
            chunk(b"eXIf", &[exif::of_orientation(8), b"GPS".to_vec()].concat()),
        ];
        let clean = without_metadata(&picture(&metadata, b"GPS")).expect("a picture");
        let kept = [chunk(b"gAMA", &[0, 0, 0xb1, 0x8f]), chunk(b"eXIf", &exif::of_orientation(8))];
        assert_eq!(clean, picture(&kept, b""));
        assert_eq!(without_metadata(&clean).expect("once more"), clean);
    }

    #[test]
    fn a_file_that_is_no_whole_picture_is_refused() {
        let whole = picture(&[], b"");
        assert_eq!(without_metadata(&whole), Ok(whole.clone()));
        for length in 0..whole.len() {
            assert_eq!(without_metadata(&whole[..length]), Err(Damaged), "cut at {length}");
        }
    }
}
