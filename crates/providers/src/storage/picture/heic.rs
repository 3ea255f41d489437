//! HEIC: boxes of length, type and content (ISO/IEC 14496-12, 4.2). The `meta` box lists items, some of them Exif and XMP, and
//! their places in the file (8.11.3, 8.11.6). The orientation is a property of its own, so the Exif is not needed.

use std::{collections::HashMap, ops::Range};

use super::{
    exif,
    reader::{Damaged, Reader, size},
};

/// The maximum number of items, of their extents, and of boxes side by side; phones make some hundreds, one for each tile. A file
/// with more is refused, since reading it would take long.
const MAX_ITEMS: usize = 65_536;
/// The maximum number of overwritten parts; phones write two or three.
const MAX_OVERWRITTEN: usize = 32;

/// Overwrites Exif, XMP and boxes without a picture in place. A film (`moov`), as in a burst or a live photo, is refused: its
/// tracks and samples can contain the location, too. So is a file whose Exif overlaps its boxes: after overwriting, it would not
/// be the file that was checked.
pub(super) fn without_metadata(bytes: &[u8]) -> Result<Vec<u8>, Damaged> {
    let (mut items, mut data): (Vec<Metadata>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
    let mut has_meta = false;
    for part in boxes(bytes, 0..bytes.len())? {
        match &part.kind {
            b"meta" => {
                has_meta = true;
                let (found, idat) = metadata_of(bytes, part.content)?;
                items.extend(found);
                data.extend(idat);
            }
            b"ftyp" => {}
            b"mdat" => data.push(part.content),
            b"moov" => return Err(Damaged),
            _ => {
                data.push(part.content.clone());
                items.push(Metadata { is_exif: false, extents: vec![part.content] });
            }
        }
        if items.iter().map(|item| item.extents.len().max(1)).sum::<usize>() > MAX_OVERWRITTEN {
            return Err(Damaged);
        }
    }
    let is_data = |extent: &Range<usize>| {
        extent.is_empty() || data.iter().any(|part| part.start <= extent.start && extent.end <= part.end)
    };
    if !has_meta || !items.iter().flat_map(|item| &item.extents).all(is_data) {
        return Err(Damaged);
    }
    let mut clean = bytes.to_vec();
    for item in items {
        item.overwrite(&mut clean)?;
    }
    Ok(clean)
}

/// The parts to overwrite.
struct Metadata {
    is_exif: bool,
    extents: Vec<Range<usize>>,
}

impl Metadata {
    fn overwrite(self, bytes: &mut [u8]) -> Result<(), Damaged> {
        for extent in &self.extents {
            bytes.get_mut(extent.clone()).ok_or(Damaged)?.fill(0);
        }
        // An Exif item begins with the offset of its TIFF. Every reader understands an empty one.
        let empty = [vec![0; 4], exif::empty()].concat();
        if let (true, [extent]) = (self.is_exif, self.extents.as_slice()) {
            let place = bytes.get_mut(extent.clone()).ok_or(Damaged)?;
            if let Some(start) = place.get_mut(..empty.len()) {
                start.copy_from_slice(&empty);
            }
        }
        Ok(())
    }
}

/// A box: its type, and the place of its content.
pub(super) struct Part {
    pub(super) kind: [u8; 4],
    pub(super) content: Range<usize>,
}

/// Lists the boxes within a part of the file, [`MAX_ITEMS`] at most.
pub(super) fn boxes(bytes: &[u8], within: Range<usize>) -> Result<Vec<Part>, Damaged> {
    let (mut parts, mut at, end) = (Vec::new(), within.start, within.end);
    while at < end {
        let all = bytes.get(at..end).ok_or(Damaged)?;
        let mut rest = Reader(all);
        let (length, kind) = (rest.u32()?, rest.array()?);
        let (head, length) = match length {
            0 => (8, all.len()),
            1 => (16, usize::try_from(u64::from_be_bytes(rest.array()?)).map_err(|_| Damaged)?),
            length => (8, size(length)?),
        };
        if length < head || length > all.len() {
            return Err(Damaged);
        }
        if parts.len() == MAX_ITEMS {
            return Err(Damaged);
        }
        parts.push(Part { kind, content: at + head..at + length });
        at += length;
    }
    Ok(parts)
}

/// Returns the places of the contents of all boxes of this kind, within a part of the file.
pub(super) fn nested(
    bytes: &[u8],
    within: Range<usize>,
    kind: &[u8; 4],
) -> Result<Vec<Range<usize>>, Damaged> {
    let found = boxes(bytes, within)?.into_iter().filter(|part| &part.kind == kind);
    Ok(found.map(|part| part.content).collect())
}

/// Returns the items of a `meta` box that are Exif or other metadata, and the place of the box's own data.
fn metadata_of(bytes: &[u8], meta: Range<usize>) -> Result<(Vec<Metadata>, Option<Range<usize>>), Damaged> {
    // The version and the flags come first.
    let parts = boxes(bytes, meta.start + 4..meta.end)?;
    let content =
        |kind: &[u8; 4]| parts.iter().find(|part| &part.kind == kind).map(|part| part.content.clone());
    let (Some(infos), Some(locations)) = (content(b"iinf"), content(b"iloc")) else { return Err(Damaged) };
    let kinds = kinds_of(bytes, infos)?;
    let located = locations_of(bytes.get(locations).ok_or(Damaged)?, content(b"idat"))?;
    let found = located.into_iter().filter_map(|(id, extents)| {
        let kind = kinds.get(&id)?;
        let is_exif = kind == b"Exif";
        (is_exif || kind == b"mime" || kind == b"uri ").then_some(Metadata { is_exif, extents })
    });
    Ok((found.collect(), content(b"idat")))
}

/// Returns the type of each item (`iinf` and its `infe`, 8.11.6). Entries before version 2 have no type, and are not Exif.
fn kinds_of(bytes: &[u8], infos: Range<usize>) -> Result<HashMap<u32, [u8; 4]>, Damaged> {
    let mut head = Reader(bytes.get(infos.clone()).ok_or(Damaged)?);
    let version = head.take(4)?[0];
    let counted = if version == 0 { 2 } else { 4 };
    let mut kinds = HashMap::new();
    for entry in boxes(bytes, infos.start + 4 + counted..infos.end)? {
        let mut rest = Reader(bytes.get(entry.content).ok_or(Damaged)?);
        let version = rest.take(4)?[0];
        let id = match version {
            0 | 1 => continue,
            2 => u32::from(rest.u16()?),
            _ => rest.u32()?,
        };
        rest.u16()?;
        kinds.insert(id, rest.array()?);
    }
    Ok(kinds)
}

/// The id of an item, and the places of its parts.
type Location = (u32, Vec<Range<usize>>);

/// Returns the places of each item (`iloc`, 8.11.3): in the file, or within the `idat` box.
fn locations_of(iloc: &[u8], idat: Option<Range<usize>>) -> Result<Vec<Location>, Damaged> {
    let mut rest = Reader(iloc);
    let version = rest.take(4)?[0];
    let (sizes, more) = (rest.u8()?, rest.u8()?);
    let (offset_size, length_size, base_size) = (sizes >> 4, sizes & 15, more >> 4);
    let index_size = if version == 0 { 0 } else { more & 15 };
    let count = if version < 2 { u32::from(rest.u16()?) } else { rest.u32()? };
    let (mut items, mut left) = (Vec::new(), MAX_ITEMS);
    for _ in 0..count {
        let id = if version < 2 { u32::from(rest.u16()?) } else { rest.u32()? };
        let method = if version == 0 { 0 } else { rest.u16()? & 15 };
        rest.u16()?;
        let base = number(&mut rest, base_size)?;
        let mut extents = Vec::new();
        let parts = usize::from(rest.u16()?);
        left = left.checked_sub(parts + 1).ok_or(Damaged)?;
        for _ in 0..parts {
            number(&mut rest, index_size)?;
            let (offset, length) = (number(&mut rest, offset_size)?, number(&mut rest, length_size)?);
            let start = base.checked_add(offset).ok_or(Damaged)?;
            extents.extend(place(method, start, length, idat.as_ref())?);
        }
        items.push((id, extents));
    }
    Ok(items)
}

/// Returns an extent in the file; `None` if it consists of other items.
fn place(
    method: u16,
    start: usize,
    length: usize,
    idat: Option<&Range<usize>>,
) -> Result<Option<Range<usize>>, Damaged> {
    let start = match method {
        0 => start,
        1 => start.checked_add(idat.ok_or(Damaged)?.start).ok_or(Damaged)?,
        _ => return Ok(None),
    };
    Ok(Some(start..start.checked_add(length).ok_or(Damaged)?))
}

/// Reads a number of 0, 4 or 8 bytes.
fn number(rest: &mut Reader, bytes: u8) -> Result<usize, Damaged> {
    match bytes {
        0 => Ok(0),
        4 => size(rest.u32()?),
        8 => usize::try_from(u64::from_be_bytes(rest.array()?)).map_err(|_| Damaged),
        _ => Err(Damaged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        [&((content.len() + 8) as u32).to_be_bytes(), kind.as_slice(), content].concat()
    }

    fn info(id: u16, kind: &[u8; 4]) -> Vec<u8> {
        part(b"infe", &[&[2, 0, 0, 0], id.to_be_bytes().as_slice(), &[0, 0], kind, &[0]].concat())
    }

    /// Makes a picture (item 1), its Exif (2) and its XMP (3), in `mdat`.
    fn picture(exif: &[u8], xmp: &[u8]) -> Vec<u8> {
        let infos =
            [&[0, 0, 0, 0, 0, 3][..], &info(1, b"hvc1"), &info(2, b"Exif"), &info(3, b"mime")].concat();
        let ftyp = part(b"ftyp", b"heic\0\0\0\0mif1heic");
        let contents = [b"coded".as_slice(), exif, xmp];
        let meta = |first: usize| {
            let mut iloc = vec![0, 0, 0, 0, 0x44, 0, 0, 3];
            let mut at = first;
            for (id, content) in (1_u16..).zip(contents) {
                iloc.extend(id.to_be_bytes());
                iloc.extend([0, 0, 0, 1]);
                iloc.extend((at as u32).to_be_bytes());
                iloc.extend((content.len() as u32).to_be_bytes());
                at += content.len();
            }
            part(b"meta", &[&[0; 4][..], &part(b"iinf", &infos), &part(b"iloc", &iloc)].concat())
        };
        let first = ftyp.len() + meta(0).len() + 8;
        [ftyp, meta(first), part(b"mdat", &contents.concat())].concat()
    }

    #[test]
    fn place_and_time_are_overwritten_in_place() {
        let exif = [vec![0; 4], exif::of_orientation(6), b"GPS".to_vec()].concat();
        let full = [picture(&exif, b"GPS in XMP"), part(b"uuid", b"GPS")].concat();
        let clean = without_metadata(&full).expect("a picture");
        let empty = [vec![0; 4], exif::empty(), vec![0; 3]].concat();
        assert_eq!(clean, [picture(&empty, &[0; 10]), part(b"uuid", &[0; 3])].concat());
        assert_eq!(clean.len(), full.len());
        assert_eq!(without_metadata(&clean).expect("once more"), clean);
    }

    #[test]
    fn more_boxes_than_a_phone_writes_are_refused() {
        let whole = picture(b"Exif", b"XMP");
        let with = |boxes: usize| [whole.clone(), part(b"free", b"").repeat(boxes)].concat();
        // Exif and XMP are overwritten, too.
        assert!(without_metadata(&with(MAX_OVERWRITTEN - 2)).is_ok());
        assert!(without_metadata(&with(MAX_OVERWRITTEN - 1)).is_err());
        let many = part(b"free", b"").repeat(MAX_ITEMS + 1);
        assert!(boxes(&many, 0..many.len()).is_err());
        assert!(boxes(&many, 8..many.len()).is_ok());
    }

    #[test]
    fn a_film_is_refused_since_its_tracks_can_name_the_place() {
        let place = part(b"udta", &part(b"\xa9xyz", b"+12.97+077.59/"));
        let film = [picture(b"Exif", b"XMP"), part(b"moov", &place)].concat();
        assert_eq!(without_metadata(&film), Err(Damaged));
    }

    #[test]
    fn metadata_where_the_boxes_are_is_refused() {
        let whole = picture(b"Exif", b"XMP");
        let exif = (whole.len() - b"ExifXMP".len()) as u32;
        let at = whole.windows(4).position(|bytes| bytes == exif.to_be_bytes()).expect("its place");
        let with_exif_at = |place: u32| {
            let mut bytes = whole.clone();
            bytes[at..at + 4].copy_from_slice(&place.to_be_bytes());
            without_metadata(&bytes)
        };
        assert!(with_exif_at(exif).is_ok());
        // The places are the first box, the box with the Exif's location, the head of the data, and one beyond its end.
        for place in [0, at as u32, exif - b"coded".len() as u32 - 8, exif + 4] {
            assert_eq!(with_exif_at(place), Err(Damaged), "{place}");
        }
    }

    #[test]
    fn a_file_that_is_no_whole_picture_is_refused() {
        let whole = picture(b"Exif", b"XMP");
        for length in 1..whole.len() {
            assert!(without_metadata(&whole[..length]).is_err(), "cut at {length}");
        }
        assert!(without_metadata(&part(b"ftyp", b"heic")).is_err(), "no picture in it");
    }
}
