//! Coordinates in the forms that people and apps use: `12.97, 77.59`, `12.97° N 77.59° E`, `12°58'17.4"N 77°35'40.6"E`.

use roadcall_base::geo::Point;

/// The maximum number of digits before the decimal point of an angle. A longer number is a postcode.
const MAX_DIGITS: usize = 3;

#[derive(Clone, Copy, PartialEq)]
enum Axis {
    Latitude,
    Longitude,
}

/// An angle in a text.
struct Angle {
    degrees: f64,
    /// The axis that its letter states.
    axis: Option<Axis>,
    /// Whether it has decimals, a degree sign or a letter. An angle with none of them may be a house number.
    is_exact: bool,
}

/// Returns the point, if it is on the globe.
pub(super) fn on_globe(lat: f64, lng: f64) -> Option<Point> {
    let is_on_globe = (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng);
    is_on_globe.then(|| Point::new(lat, lng))
}

/// Reads a text that is two coordinates and nothing else. The latitude comes first, unless letters say otherwise.
pub(super) fn pair(text: &str) -> Option<Point> {
    let text = plain(text);
    let text = text.trim().trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
    let (one, rest) = angle(text)?;
    let apart = rest.trim_start();
    let (rest, is_apart) = match apart.strip_prefix([',', ';']) {
        Some(rest) => (rest, true),
        None => (apart, apart.len() < rest.len()),
    };
    let (other, rest) = angle(rest)?;
    if !is_apart || !rest.trim().is_empty() || !one.is_exact || !other.is_exact {
        return None;
    }
    match (one.axis, other.axis) {
        (Some(Axis::Longitude), Some(Axis::Latitude)) => on_globe(other.degrees, one.degrees),
        (Some(Axis::Longitude), _) | (_, Some(Axis::Latitude)) => None,
        _ => on_globe(one.degrees, other.degrees),
    }
}

/// Replaces printers' signs by those on keyboards.
fn plain(text: &str) -> String {
    let plain = |letter| match letter {
        '−' | '–' => '-',
        '′' | '’' | '‘' => '\'',
        '″' | '”' | '“' => '"',
        'º' | '˚' => '°',
        other => other,
    };
    text.chars().map(plain).collect()
}

/// Reads an angle from the beginning of a text; returns it with the rest.
fn angle(text: &str) -> Option<(Angle, &str)> {
    let (before, rest) = letter(text.trim_start());
    let (degrees, is_decimal, mut rest) = number(rest.trim_start())?;
    let (mut size, mut is_marked) = (degrees.abs(), false);
    if let Some(after) = rest.trim_start().strip_prefix('°') {
        (rest, is_marked) = (after, true);
        for (mark, parts) in [('\'', 60.0), ('"', 3_600.0)] {
            let Some((part, after)) = part(rest, mark) else { continue };
            if !(0.0..60.0).contains(&part) {
                return None;
            }
            size += part / parts;
            rest = after;
        }
    }
    let behind = match (before, letter(rest.trim_start())) {
        // A letter that touches the next number belongs to that number.
        (None, (Some(found), after)) if !after.starts_with(|next: char| next.is_ascii_digit()) => {
            rest = after;
            Some(found)
        }
        _ => None,
    };
    let found = before.or(behind);
    if found.is_some() && degrees.is_sign_negative() {
        return None;
    }
    let is_negative = degrees.is_sign_negative() || found.is_some_and(|(_, is_negative)| is_negative);
    let degrees = if is_negative { -size } else { size };
    let axis = found.map(|(axis, _)| axis);
    Some((Angle { degrees, axis, is_exact: is_decimal || is_marked || axis.is_some() }, rest))
}

/// Reads minutes or seconds, which end with that mark.
fn part(text: &str, mark: char) -> Option<(f64, &str)> {
    let (part, _, rest) = number(text.trim_start())?;
    Some((part, rest.trim_start().strip_prefix(mark)?))
}

/// Reads a point of the compass that does not begin a word: its axis, and whether its angles are negative.
fn letter(text: &str) -> (Option<(Axis, bool)>, &str) {
    let mut letters = text.chars();
    let found = match letters.next().map(|letter| letter.to_ascii_uppercase()) {
        Some('N') => (Axis::Latitude, false),
        Some('S') => (Axis::Latitude, true),
        Some('E') => (Axis::Longitude, false),
        Some('W') => (Axis::Longitude, true),
        _ => return (None, text),
    };
    let rest = letters.as_str();
    if rest.starts_with(char::is_alphabetic) { (None, text) } else { (Some(found), rest) }
}

/// Reads a number, and whether it has decimals.
fn number(text: &str) -> Option<(f64, bool, &str)> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let whole = digits(unsigned);
    if !(1..=MAX_DIGITS).contains(&whole) {
        return None;
    }
    let decimals = unsigned[whole..].strip_prefix('.').map_or(0, digits);
    let point = usize::from(decimals > 0);
    let (written, rest) = text.split_at(text.len() - unsigned.len() + whole + point + decimals);
    Some((written.parse().ok()?, decimals > 0, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_read_however_they_are_written() {
        for text in [
            "12.9716, 77.5946",
            " 12.9716,77.5946 ",
            "12.9716 77.5946",
            "12.9716;77.5946",
            "(12.9716, 77.5946)",
            "+12.9716, +77.5946",
            "12.9716° N, 77.5946° E",
            "12.9716 N 77.5946 E",
            "N12.9716 E77.5946",
            "n 12.9716, e 77.5946",
            "77.5946° E, 12.9716° N",
            "12.9716º, 77.5946º",
            "12°58'17.76\"N 77°35'40.56\"E",
            "12° 58′ 17.76″ N, 77° 35′ 40.56″ E",
            "12°58.296' N 77°35.676' E",
        ] {
            let found = pair(text).unwrap_or_else(|| panic!("{text}"));
            assert!(found.distance_m(Point::new(12.9716, 77.5946)) < 0.01, "{text}: {found:?}");
        }
        assert_eq!(pair("−33.8568, 151.2153"), Some(Point::new(-33.8568, 151.2153)));
        assert_eq!(pair("33.8568 S, 70.5 W"), Some(Point::new(-33.8568, -70.5)));
        assert_eq!(pair("-0.5, -0.25"), Some(Point::new(-0.5, -0.25)));
        assert_eq!(pair("12°N 77°E"), Some(Point::new(12.0, 77.0)));
    }

    #[test]
    fn other_texts_are_no_coordinates() {
        for text in [
            "",
            "12.97",
            "12.97,",
            "12.97, 77",
            "12, 77",
            "12.97, 77.59, 10.5",
            "12.97 N, 77.59 N",
            "12.97 E, 77.59",
            "12.97-77.59",
            "12.97, 77.59 Toit",
            "12°75'N 77°10'E",
            "-12.97 S, 77.59 E",
            "90.1, 77.59",
            "12.97, 180.5",
            "1e1, 2.5",
            "5600.01, 77.59",
            "°, °",
            "N E",
            "12.97, 77.59°\u{301}",
        ] {
            assert_eq!(pair(text), None, "{text}");
        }
    }
}
