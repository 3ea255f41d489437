//! Exif is a TIFF (Exif 2.32, 4.5; TIFF 6.0). We read only the orientation, from its first directory.

use super::reader::{Damaged, Reader, size};

const ORIENTATION: u16 = 0x0112;
/// The type of a 16-bit number.
const SHORT: u16 = 3;
/// The orientation of an upright picture.
const UPRIGHT: u8 = 1;

/// Returns how to turn and mirror a picture, 2 to 8; `None` if it is upright, or if the Exif can't be read.
pub(super) fn orientation(tiff: &[u8]) -> Option<u8> {
    read(tiff).ok().flatten().filter(|orientation| (2..=8).contains(orientation))
}

/// Makes an Exif that contains only this orientation.
pub(super) fn of_orientation(orientation: u8) -> Vec<u8> {
    let mut tiff = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    tiff.extend([orientation, 0, 0, 0, 0, 0, 0]);
    tiff
}

/// Makes an Exif of an upright picture, for formats that require one.
pub(super) fn empty() -> Vec<u8> {
    of_orientation(UPRIGHT)
}

fn read(tiff: &[u8]) -> Result<Option<u8>, Damaged> {
    let is_little = match tiff.get(..4) {
        Some(b"II*\0") => true,
        Some(b"MM\0*") => false,
        _ => return Err(Damaged),
    };
    let u16_of =
        |bytes: [u8; 2]| if is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) };
    let u32_of =
        |bytes: [u8; 4]| if is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
    let first = size(u32_of(Reader(&tiff[4..]).array()?))?;
    let mut directory = Reader(tiff.get(first..).ok_or(Damaged)?);
    for _ in 0..u16_of(directory.array()?) {
        let (tag, kind) = (u16_of(directory.array()?), u16_of(directory.array()?));
        let mut value = Reader(directory.take(8)?.get(4..).ok_or(Damaged)?);
        if tag == ORIENTATION && kind == SHORT {
            return Ok(u8::try_from(u16_of(value.array()?)).ok());
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_orientation_is_read_back_in_either_byte_order() {
        for orientation_written in 2..=8 {
            assert_eq!(orientation(&of_orientation(orientation_written)), Some(orientation_written));
        }
        let little =
            b"II*\0\x08\0\0\0\x02\0\x0f\x01\x02\0\x01\0\0\0A\0\0\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
        assert_eq!(orientation(little), Some(6));
        assert_eq!(orientation(&empty()), None, "upright");
        for odd in
            [&b""[..], b"MM\0*", b"MM\0*\xff\xff\xff\xff", b"II*\0\x08\0\0\0\xff\xff", &of_orientation(9)]
        {
            assert_eq!(orientation(odd), None, "{odd:?}");
        }
    }
}
