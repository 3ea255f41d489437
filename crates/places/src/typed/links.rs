//! Links to a point on a map, as map apps and messengers share them. No link is followed.

use percent_encoding::percent_decode_str;
use roadcall_base::geo::Point;
use url::Url;

use super::{
    coordinates::{self, on_globe},
    plus_codes,
};

/// Parameters that may contain a place, the more exact ones first: the first ones may also be a name, and the last is the map's
/// middle.
const PARAMETERS: [&str; 8] = ["q", "query", "destination", "daddr", "coordinate", "ll", "cp", "center"];

/// Returns the first link in a text.
pub(super) fn in_text(text: &str) -> Option<&str> {
    let begins_with = |word: &str, scheme: &str| {
        word.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    let is_link = |word: &str| ["geo:", "https://", "http://"].iter().any(|scheme| begins_with(word, scheme));
    text.split_whitespace().find(|word| is_link(word))
}

/// Returns the point that a link names.
pub(super) fn point(link: &str) -> Option<Point> {
    let url = Url::parse(link).ok()?;
    if url.scheme() == "geo" {
        return geo(&url);
    }
    marked(&url)
        .or_else(|| pinned(url.path()))
        .or_else(|| PARAMETERS.iter().find_map(|name| written(&parameter(&url, name)?)))
        .or_else(|| in_path(&url))
        .or_else(|| in_fragment(&url))
}

/// Reads `geo:12.97,77.59;u=35` (RFC 5870), and `geo:0,0?q=12.97,77.59(Toit)`, as phones write it.
fn geo(url: &Url) -> Option<Point> {
    if let Some(asked) = parameter(url, "q") {
        return written(&asked).or_else(|| somewhere(url));
    }
    somewhere(url)
}

/// Reads the point of a `geo:` URI itself; 0,0 means no point.
fn somewhere(url: &Url) -> Option<Point> {
    let mut parts = url.path().split(';');
    let point = numbers(parts.next()?)?;
    let is_of_earth =
        |part: &str| part.split_once('=').is_none_or(|(name, value)| name != "crs" || value == "wgs84");
    (parts.all(is_of_earth) && point != Point::new(0.0, 0.0)).then_some(point)
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(given, _)| given == name).map(|(_, value)| value.into_owned())
}

/// Reads OpenStreetMap's marker: `?mlat=12.97&mlon=77.59`.
fn marked(url: &Url) -> Option<Point> {
    on_globe(parameter(url, "mlat")?.parse().ok()?, parameter(url, "mlon")?.parse().ok()?)
}

/// Reads the place that a link of Google Maps is about: `/data=!…!3d12.97!4d77.59`. The map's middle, after `@`, is only
/// somewhere near it.
fn pinned(path: &str) -> Option<Point> {
    let (_, found) = path.rsplit_once("!3d")?;
    let (lat, rest) = found.split_once("!4d")?;
    let lng = rest.split(['!', '/']).next()?;
    on_globe(lat.parse().ok()?, lng.parse().ok()?)
}

/// Reads coordinates or a plus code, perhaps followed by a label: `loc:12.97,77.59 (Toit)`.
fn written(text: &str) -> Option<Point> {
    let text = text.trim();
    let text = text.strip_prefix("loc:").unwrap_or(text);
    let bare = text.split('(').next().unwrap_or_default();
    coordinates::pair(bare).or_else(|| plus_codes::first_of(bare))
}

/// Reads a part of the path: `/maps/search/12.97,+77.59`, else the map's middle: `/@12.97,77.59,17z`.
fn in_path(url: &Url) -> Option<Point> {
    let parts = || url.path_segments().into_iter().flatten().rev();
    let decoded = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
    let named = |part: &str| {
        let part = decoded(part);
        written(&part).or_else(|| written(&part.replace('+', " ")))
    };
    let middle = |part: &str| numbers(decoded(part).strip_prefix('@')?);
    parts().find_map(named).or_else(|| parts().find_map(middle))
}

/// Reads the middle of OpenStreetMap's map: `#map=17/12.97/77.59`.
fn in_fragment(url: &Url) -> Option<Point> {
    let map = url.fragment()?.split('&').find_map(|part| part.strip_prefix("map="))?;
    let mut numbers = map.split('/').skip(1);
    on_globe(numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?)
}

/// Reads the first two of the numbers between commas.
fn numbers(text: &str) -> Option<Point> {
    let mut numbers = text.split(',').map(str::trim);
    on_globe(numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_map_apps_are_read() {
        for link in [
            "geo:12.9716,77.5946",
            "GEO:12.9716,77.5946,920;u=35",
            "geo:12.9716,77.5946;crs=wgs84?z=17",
            "geo:0,0?q=12.9716,77.5946(Cubbon Park)",
            "geo:12.9716,77.5946?q=Cubbon+Park",
            "https://maps.google.com/?q=12.9716,77.5946",
            "https://maps.google.com/maps?q=loc:12.9716%2C77.5946&z=17",
            "https://www.google.com/maps?ll=12.9716,77.5946&q=Cubbon+Park",
            "https://www.google.com/maps/search/?api=1&query=12.9716%2C77.5946",
            "https://www.google.co.in/maps/search/12.9716,+77.5946?entry=tts",
            "https://www.google.com/maps/dir/?api=1&destination=12.9716,77.5946",
            "https://www.google.com/maps/dir/13.1,77.1/12.9716,77.5946/@13.0,77.3,11z",
            "https://www.google.com/maps/@12.9716,77.5946,17z",
            "https://www.google.com/maps/place/Cubbon+Park/@12.98,77.58,15z/data=!3m1!4b1!4m6!3m5!1s0x3bae:0x1!8m2\
                !3d12.9716!4d77.5946!16zL20",
            "https://www.google.com/maps/place/12%C2%B058'17.8%22N+77%C2%B035'40.6%22E/@12.97,77.59,17z",
            "https://plus.codes/7J4VXHCV+JR",
            "https://maps.google.com/?q=7J4VXHCV%2BJR+Bengaluru",
            "https://maps.apple.com/?ll=12.9716,77.5946&q=Dropped%20Pin",
            "https://maps.apple.com/place?coordinate=12.9716,77.5946&name=Cubbon%20Park",
            "https://www.openstreetmap.org/?mlat=12.9716&mlon=77.5946#map=17/13.0/77.0",
            "https://www.openstreetmap.org/#map=17/12.9716/77.5946&layers=N",
            "http://waze.com/ul?ll=12.9716,77.5946&navigate=yes",
        ] {
            let found = in_text(link).and_then(point).unwrap_or_else(|| panic!("{link}"));
            assert!(found.distance_m(Point::new(12.9716, 77.5946)) < 10.0, "{link}: {found:?}");
        }
    }

    #[test]
    fn links_that_name_no_point_are_none() {
        for link in [
            "https://maps.app.goo.gl/AbCdEf123",
            "https://www.google.com/maps/place/Cubbon+Park",
            "https://www.google.com/maps/@912.9,77.5,17z",
            "https://www.openstreetmap.org/?mlat=NaN&mlon=inf",
            "https://www.openstreetmap.org/#map=17/12.9",
            "https://www.google.com/maps/data=!3d!4d",
            "https://maps.google.com/?q=(12.9,77.5",
            "https://[",
            "geo:0,0",
            "geo:12.97",
            "geo:12.97,77.59;crs=moon",
        ] {
            assert_eq!(point(link), None, "{link}");
        }
        assert_eq!(in_text("geography of https"), None);
        assert_eq!(in_text("here: HTTPS://a.example/ x"), Some("HTTPS://a.example/"));
    }
}
