//! Points that somebody types or pastes instead of a name: coordinates, plus codes, `geo:` URIs and links to maps. Pure; no
//! provider is asked.

mod coordinates;
mod links;
mod plus_codes;

use roadcall_base::geo::Point;

/// A text that somebody typed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Typed {
    /// A point.
    At(Point),
    /// A link that contains no place, such as a shortened one: there is nothing to search for.
    OtherLink,
    /// Words to search for.
    Words,
}

/// Reads a text that somebody typed. A link may be among other words, as apps share it.
pub(super) fn read(text: &str) -> Typed {
    if let Some(link) = links::in_text(text) {
        return links::point(link).map_or(Typed::OtherLink, Typed::At);
    }
    let point = coordinates::pair(text).or_else(|| plus_codes::first_of(text));
    point.map_or(Typed::Words, Typed::At)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_searched_for_and_links_without_a_place_are_not() {
        for words in [
            "MG Road",
            "12 97",
            "560001",
            "100 Feet Road, 298",
            "12.97",
            "Plot 12.5, 14.5 Cross",
            "geological survey",
            "HTTP cafe",
            "12.97, 197.59",
            "91.2, 77.59",
            "VXHC+J3",
        ] {
            assert_eq!(read(words), Typed::Words, "{words}");
        }
        for link in [
            "https://maps.app.goo.gl/AbCdEf123",
            "see http://example.com/",
            "geo:",
            "https://",
            "geo:0,0?q=Toit",
            "geo:91,0",
            "geo:13,77;crs=moon",
        ] {
            assert_eq!(read(link), Typed::OtherLink, "{link}");
        }
    }
}
