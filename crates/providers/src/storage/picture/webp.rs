//! WebP (RFC 9649): a RIFF of chunks, each with a type of four characters and a length, padded to an even one.

use super::{
    exif,
    reader::{Damaged, Reader, size},
};

/// The chunks that are needed to show the picture, including animated ones.
const NEEDED: &[&[u8; 4]] = &[b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF", b"ICCP"];
/// Flags of the extended header (2.7.1), which announce further contents.
const HAS_EXIF: u8 = 0b1000;
const HAS_XMP: u8 = 0b100;

/// Keeps the needed chunks. Ends where the RIFF does, whatever follows it.
pub(super) fn without_metadata(bytes: &[u8]) -> Result<Vec<u8>, Damaged> {
    let mut rest = Reader(bytes);
    let (riff, length, webp) = (rest.array::<4>()?, u32_le(&mut rest)?, rest.array::<4>()?);
    if (&riff, &webp) != (b"RIFF", b"WEBP") {
        return Err(Damaged);
    }
    let mut chunks = Reader(rest.take(length.checked_sub(4).ok_or(Damaged)?)?);
    let (mut kept, mut orientation, mut has_picture) = (Vec::new(), None, false);
    while !chunks.0.is_empty() {
        let (kind, data) = next_chunk(&mut chunks)?;
        if NEEDED.contains(&&kind) {
            push(&mut kept, &kind, data)?;
        } else if &kind == b"EXIF" {
            orientation = exif::orientation(data.strip_prefix(b"Exif\0\0").unwrap_or(data));
        }
        has_picture |= [b"VP8 ", b"VP8L", b"ANMF"].contains(&&kind);
    }
    if !has_picture {
        return Err(Damaged);
    }
    assemble(kept, orientation)
}

/// Adds the Exif, which comes last, and only after an extended header.
fn assemble(mut kept: Vec<u8>, orientation: Option<u8>) -> Result<Vec<u8>, Damaged> {
    if kept.starts_with(b"VP8X") {
        let flags = kept.get_mut(8).ok_or(Damaged)?;
        *flags &= !(HAS_EXIF | HAS_XMP);
        if let Some(orientation) = orientation {
            *flags |= HAS_EXIF;
            push(&mut kept, b"EXIF", &exif::of_orientation(orientation))?;
        }
    }
    let length = u32::try_from(kept.len() + 4).map_err(|_| Damaged)?;
    Ok([b"RIFF", length.to_le_bytes().as_slice(), b"WEBP", &kept].concat())
}

fn next_chunk<'a>(chunks: &mut Reader<'a>) -> Result<([u8; 4], &'a [u8]), Damaged> {
    let (kind, length) = (chunks.array()?, u32_le(chunks)?);
    let data = chunks.take(length)?;
    // Some programs leave the last padding out.
    if length % 2 == 1 && !chunks.0.is_empty() {
        chunks.u8()?;
    }
    Ok((kind, data))
}

fn u32_le(rest: &mut Reader) -> Result<usize, Damaged> {
    size(u32::from_le_bytes(rest.array()?))
}

fn push(to: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) -> Result<(), Damaged> {
    let length = u32::try_from(data.len()).map_err(|_| Damaged)?;
    to.extend_from_slice(kind);
    to.extend(length.to_le_bytes());
    to.extend_from_slice(data);
    to.extend((data.len() % 2 == 1).then_some(0));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn riff(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
        let mut kept = b"WEBP".to_vec();
        for (kind, data) in chunks {
            push(&mut kept, kind, data).expect("short");
        }
        [b"RIFF", (kept.len() as u32).to_le_bytes().as_slice(), &kept].concat()
    }

    fn header(flags: u8) -> (&'static [u8; 4], Vec<u8>) {
        (b"VP8X", vec![flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    #[test]
    fn place_and_time_are_removed_and_the_orientation_stays() {
        let data = (b"VP8 ", b"dat".to_vec());
        let exif = [b"Exif\0\0".to_vec(), exif::of_orientation(3), b"GPS".to_vec()].concat();
        let full = riff(&[header(0b1110), data.clone(), (b"EXIF", exif), (b"XMP ", b"GPS".to_vec())]);
        let clean = without_metadata(&[full, b"GPS".to_vec()].concat()).expect("a picture");
        assert_eq!(clean, riff(&[header(0b1010), data.clone(), (b"EXIF", exif::of_orientation(3))]));
        assert_eq!(without_metadata(&clean).expect("once more"), clean);
        let upright = riff(&[header(0b1000), data.clone(), (b"EXIF", b"GPS".to_vec())]);
        assert_eq!(without_metadata(&upright), Ok(riff(&[header(0), data])));
    }

    #[test]
    fn a_file_that_is_no_whole_picture_is_refused() {
        let whole = riff(&[(b"VP8L", b"data".to_vec())]);
        assert_eq!(without_metadata(&whole), Ok(whole.clone()));
        for length in 0..whole.len() {
            assert_eq!(without_metadata(&whole[..length]), Err(Damaged), "cut at {length}");
        }
        assert_eq!(without_metadata(&riff(&[header(0)])), Err(Damaged), "no picture in it");
    }
}
