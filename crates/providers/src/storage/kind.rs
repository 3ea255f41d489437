//! The accepted kinds of files, recognised by their first bytes; the client's claim is only compared.

use roadcall_http::text_enum;

text_enum! {
    /// The content type of a file.
    FileKind {
        Jpeg = "image/jpeg",
        Png = "image/png",
        Webp = "image/webp",
        Heic = "image/heic",
        Pdf = "application/pdf",
    }
}

/// The number of first bytes that are enough to recognise the kind.
pub const HEAD_BYTES: usize = 64;

/// The brands of `ftyp` boxes with HEVC images (ISO/IEC 23008-12, B.4 and 10.2), which phones call image/heic. The last two only
/// say that there is an image; the compatible brands name the coding.
const HEIC_BRANDS: [&[u8]; 8] = [b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"];

impl FileKind {
    /// Returns the kind of a file that begins with `head`, its first [`HEAD_BYTES`] or all of it; `None` for any other. The
    /// signatures: JPEG SOI and the next marker (ITU-T T.81, B.1), the PNG signature (PNG, 5.2), a RIFF of form WEBP (RFC 9649,
    /// 2.4), the `ftyp` box (ISO/IEC 14496-12, 4.3), and the PDF header (ISO 32000-2, 7.5.2), which readers also accept later in
    /// the file.
    pub fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"\xff\xd8\xff") {
            Some(Self::Jpeg)
        } else if head.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
            Some(Self::Webp)
        } else if head.starts_with(b"%PDF-") {
            Some(Self::Pdf)
        } else {
            is_heic(head).then_some(Self::Heic)
        }
    }

    pub fn is_image(self) -> bool {
        self != Self::Pdf
    }

    /// Returns the ending of a file's name, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Heic => "heic",
            Self::Pdf => "pdf",
        }
    }
}

/// Returns whether the major brand, or a compatible brand of a general one, is one of HEVC's.
fn is_heic(head: &[u8]) -> bool {
    let (Some(size), Some(b"ftyp"), Some(major)) = (head.get(..4), head.get(4..8), head.get(8..12)) else {
        return false;
    };
    let size = size.iter().fold(0_usize, |size, byte| size << 8 | usize::from(*byte));
    let compatible = head.get(16..size.min(head.len())).unwrap_or_default();
    let is_coded = |brand: &[u8]| HEIC_BRANDS[..6].contains(&brand);
    let is_general = HEIC_BRANDS[6..].contains(&major);
    is_coded(major) || is_general && compatible.chunks_exact(4).any(is_coded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_first_bytes_decide_its_kind() {
        let heic = |major: &[u8], compatible: &[u8]| {
            let size = 16 + compatible.len() as u8;
            [&[0, 0, 0, size], b"ftyp".as_slice(), major, &[0; 4], compatible, b"meta"].concat()
        };
        let cases: [(&str, Vec<u8>, Option<FileKind>); 17] = [
            ("nothing", vec![], None),
            ("JPEG", b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), Some(FileKind::Jpeg)),
            ("half a JPEG's signature", b"\xff\xd8".to_vec(), None),
            ("PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), Some(FileKind::Png)),
            ("PNG through a text transfer", b"\x89PNG\n\x1a\n".to_vec(), None),
            ("WebP", b"RIFF\x10\0\0\0WEBPVP8 ".to_vec(), Some(FileKind::Webp)),
            ("a sound", b"RIFF\x10\0\0\0WAVEfmt ".to_vec(), None),
            ("HEIC", heic(b"heic", b"mif1heic"), Some(FileKind::Heic)),
            ("HEIC of a general brand", heic(b"mif1", b"miafheic"), Some(FileKind::Heic)),
            ("AVIF", heic(b"avif", b"mif1avif"), None),
            ("AVIF of a general brand", heic(b"mif1", b"avif"), None),
            ("a film", heic(b"isom", b"iso2avc1"), None),
            ("PDF", b"%PDF-1.7\n".to_vec(), Some(FileKind::Pdf)),
            ("a PDF behind something else", b"<html>%PDF-1.7\n".to_vec(), None),
            ("HTML", b"<!doctype html><script>".to_vec(), None),
            ("SVG", b"<svg xmlns=\"http://www.w3.org/2000/svg\">".to_vec(), None),
            ("GIF", b"GIF89a".to_vec(), None),
        ];
        for (what, head, kind) in cases {
            assert_eq!(FileKind::of(&head), kind, "{what}");
        }
    }

    #[test]
    fn odd_boxes_are_no_images_and_no_panic() {
        for head in [
            &b"\xff\xff\xff\xffftypmif1"[..],
            b"\0\0\0\0ftypmif1\0\0\0\0heic",
            b"\0\0\0\x11ftypmif1\0\0\0\0h",
        ] {
            assert_eq!(FileKind::of(head), None, "{head:?}");
        }
    }
}
