//! Plus codes (Open Location Code, github.com/google/open-location-code): a point in ten letters or more.

use roadcall_base::geo::Point;

use super::coordinates::on_globe;

const LETTERS: &str = "23456789CFGHJMPQRVWX";
/// The number of letters before the plus of a full code.
const BEFORE: usize = 8;
/// The number of letters that encode a latitude and a longitude in turn, each twenty times as exact as the one before.
const PAIRED: usize = 10;
/// The maximum number of letters of a code.
const MAX_LENGTH: usize = 15;

/// Returns the middle of the area of the code at the beginning of a text, some 14 m across or less; its town may follow.
/// Shortened codes depend on the town, and those with zeros name whole towns: neither is read.
pub(super) fn first_of(text: &str) -> Option<Point> {
    let code = text.split_whitespace().next()?.trim_end_matches(',');
    let (before, behind) = code.split_once('+')?;
    if before.len() != BEFORE || !(PAIRED - BEFORE..=MAX_LENGTH - BEFORE).contains(&behind.len()) {
        return None;
    }
    let value = |letter: char| LETTERS.chars().position(|known| known == letter.to_ascii_uppercase());
    let values: Vec<usize> = before.chars().chain(behind.chars()).map(value).collect::<Option<_>>()?;
    // All letters are ASCII.
    let (paired, finer) = values.split_at_checked(PAIRED)?;
    let (mut lat, mut lng, mut height) = (-90.0, -180.0, 400.0);
    for pair in paired.chunks_exact(2) {
        height /= 20.0;
        lat += pair[0] as f64 * height;
        lng += pair[1] as f64 * height;
    }
    let mut width = height;
    for cell in finer {
        height /= 5.0;
        width /= 4.0;
        lat += (cell / 4) as f64 * height;
        lng += (cell % 4) as f64 * width;
    }
    on_globe(lat + height / 2.0, lng + width / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_codes_are_read_and_others_are_not() {
        for (code, lat, lng) in [
            ("7J4VXHCV+JR", 12.971_562_5, 77.594_562_5),
            ("7j4vxhcv+jr Bengaluru, Karnataka", 12.971_562_5, 77.594_562_5),
            ("4VCPPQGP+Q9,", -41.273_062_5, 174.785_937_5),
            ("7FG49QCJ+2VX", 20.370_112_5, 2.782_234_375),
            ("8FVC2222+22GCCCC", 47.000_062_500_006, 8.000_062_561_035),
        ] {
            let found = first_of(code).unwrap_or_else(|| panic!("{code}"));
            assert!(found.distance_m(Point::new(lat, lng)) < 0.01, "{code}: {found:?}");
        }
        for text in [
            "",
            "+",
            "VXHC+JR Bengaluru",
            "7J4VXHCV+",
            "7J4VXHCV+J",
            "7J4V0000+",
            "7J4VXHCVJR",
            "7J4VXHCA+JR",
            "XXXXXXXX+XX",
            "7J4VXHCV+JRJRJRJRJR",
            "ಬೆಂಗ+ಳೂರು",
        ] {
            assert_eq!(first_of(text), None, "{text}");
        }
    }
}
