//! Searches the sketch of the demo city, for development and demos, without a network.

use async_trait::async_trait;
use roadcall_http::AcceptedLanguage;

use super::{
    FoundPlace, Geocoder, MAX_PLACES, PlaceKind, PlaceQuery, PlacesError, RoundedPoint,
    address::AddressParts,
    sketch_map::{Drawn, SketchMap, Spot},
};

/// How near a landmark, a road, a part of the town and a town must be to describe a position.
const AT_LANDMARK_M: f64 = 80.0;
const AT_ROAD_M: f64 = 150.0;
const IN_AREA_M: f64 = 2_500.0;
const IN_TOWN_M: f64 = 4_000.0;

/// The names on the sketch, and how to search them.
#[derive(Debug)]
pub struct SketchSearch {
    map: SketchMap,
    /// The names of each place, folded for comparison.
    folded: Vec<Vec<String>>,
}

impl SketchSearch {
    pub fn new() -> serde_json::Result<Self> {
        let map = SketchMap::read()?;
        let folded = map.places.iter().map(|place| place.names.iter().map(|name| fold(name)).collect());
        Ok(Self { folded: folded.collect(), map })
    }

    fn named(&self, text: &str, near: Option<RoundedPoint>, language: AcceptedLanguage) -> Vec<FoundPlace> {
        let (text, near) = (fold(text), near.map(|near| Spot::of(near.point())));
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<(bool, f64, &Drawn, Spot)> = Vec::new();
        for (place, names) in self.map.places.iter().zip(&self.folded) {
            let spot = place.nearest(near.unwrap_or(Spot::of(CITY)));
            let is_named = |word: &str| names.iter().any(|name| has_word(name, word));
            // People append the part of the town to a name.
            if is_named(words[0]) && words.iter().all(|word| is_named(word) || self.is_around(spot, word)) {
                let begins = names.iter().any(|name| name.starts_with(&text));
                found.push((!begins, near.map_or(0.0, |near| near.distance_m(spot)), place, spot));
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.names.cmp(&b.2.names)));
        let mut shown: Vec<FoundPlace> = Vec::new();
        for (_, _, place, spot) in found {
            let place = self.shown(Some(place), place.kind, spot, language);
            // Some roads are on the sketch as landmarks, too.
            let is_new = |place: &FoundPlace| shown.iter().all(|before| before.address != place.address);
            if let Some(place) = place.filter(is_new) {
                shown.push(place);
            }
            if shown.len() == MAX_PLACES {
                break;
            }
        }
        shown
    }

    fn at(&self, point: RoundedPoint, language: AcceptedLanguage) -> Vec<FoundPlace> {
        let spot = Spot::of(point.point());
        let nearest = |kind, within_m| self.map.nearest(kind, spot, within_m);
        let named =
            nearest(PlaceKind::Landmark, AT_LANDMARK_M).or_else(|| nearest(PlaceKind::Street, AT_ROAD_M));
        let kind = named.map_or(PlaceKind::Area, |place| place.kind);
        self.shown(named, kind, spot, language).into_iter().collect()
    }

    /// Returns whether a word names the part of the town, or the town, around a spot: people append it to a road's name.
    fn is_around(&self, spot: Spot, word: &str) -> bool {
        let around = [self.area(spot), self.town(spot)];
        let mut names = around.into_iter().flatten().flat_map(|place| place.names.iter());
        names.any(|name| has_word(&fold(name), word))
    }

    fn area(&self, spot: Spot) -> Option<&Drawn> {
        self.map.nearest(PlaceKind::Area, spot, IN_AREA_M)
    }

    fn town(&self, spot: Spot) -> Option<&Drawn> {
        let city = Spot::of(CITY);
        let spot = if self.map.is_in_city(spot) { city } else { spot };
        self.map.nearest(PlaceKind::Town, spot, IN_TOWN_M)
    }

    fn shown(
        &self,
        named: Option<&Drawn>,
        kind: PlaceKind,
        spot: Spot,
        language: AcceptedLanguage,
    ) -> Option<FoundPlace> {
        let known = |code: &str| ["en", "hi", "kn"].iter().position(|known| *known == code);
        let at = language.all().find_map(known).unwrap_or(0);
        let name = |place: Option<&Drawn>| place.map(|place| place.names[at].clone()).unwrap_or_default();
        let is_large = [PlaceKind::Area, PlaceKind::Town].contains(&kind);
        let area = if is_large && named.is_some() { None } else { self.area(spot) };
        let town = if kind == PlaceKind::Town { None } else { self.town(spot) };
        let (own, area, town) = (name(named), name(area), name(town));
        let parts = AddressParts { name: &own, area: &area, town: &town, ..AddressParts::default() };
        let (name, address) = parts.written()?;
        Some(FoundPlace { name, address, at: spot.point(), kind })
    }
}

#[async_trait]
impl Geocoder for SketchSearch {
    async fn find(&self, query: &PlaceQuery) -> Result<Vec<FoundPlace>, PlacesError> {
        Ok(match query {
            PlaceQuery::Named { text, near, language } => self.named(text, *near, *language),
            PlaceQuery::At { point, language } => self.at(*point, *language),
        })
    }
}

/// The middle of the city on the sketch.
const CITY: roadcall_base::geo::Point = roadcall_base::geo::Point { lat: 12.9716, lng: 77.5946 };

/// Removes capitals and punctuation from a name, for comparison.
fn fold(text: &str) -> String {
    let kept = text.chars().filter(|c| !"'’.".contains(*c)).flat_map(char::to_lowercase);
    let spaced: String = kept.map(|c| if c.is_ascii_punctuation() { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a word of the name begins with `word`.
fn has_word(name: &str, word: &str) -> bool {
    name.split(' ').any(|part| part.starts_with(word))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use roadcall_base::geo::Point;

    use super::*;

    fn language(tag: &str) -> AcceptedLanguage {
        AcceptedLanguage::of(tag)
    }

    fn search(text: &str, near: Option<Point>, tag: &str) -> Vec<(String, String)> {
        let sketch = SketchSearch::new().expect("the sketch is compiled in");
        let query = PlaceQuery::named(text, near, language(tag));
        let found = sketch.find(&query).now_or_never().expect("waits for nothing").expect("never fails");
        found.into_iter().map(|place| (place.name, place.address)).collect()
    }

    fn address_at(lat: f64, lng: f64, tag: &str) -> Option<String> {
        let sketch = SketchSearch::new().expect("the sketch is compiled in");
        let query = PlaceQuery::at(Point::new(lat, lng), language(tag));
        let found = sketch.find(&query).now_or_never().expect("waits for nothing").expect("never fails");
        found.into_iter().next().map(|place| place.address)
    }

    #[test]
    fn a_place_is_found_by_the_beginnings_of_its_words_in_every_language() {
        for text in ["Trinity Circle", "trinity", "circle trin", "ट्रिनिटी", "ಟ್ರಿನಿಟಿ", "TRINITY, Bengaluru"]
        {
            let found = search(text, None, "en");
            assert_eq!(
                found.iter().filter(|(name, _)| name == "Trinity Circle").count(),
                1,
                "{text}: {found:?}"
            );
        }
        assert_eq!(search("st marks", None, "en")[0].0, "St Mark's Road");
        assert_eq!(search("trinity", None, "kn")[0].0, "ಟ್ರಿನಿಟಿ ವೃತ್ತ");
        assert_eq!(search("nowhere at all", None, "en"), []);
        assert_eq!(search("bengaluru", None, "en"), [("Bengaluru".to_owned(), "Bengaluru".to_owned())]);
    }

    #[test]
    fn a_road_is_shown_at_its_nearest_part_and_answers_are_limited() {
        let (south, north) = (Point::new(12.917, 77.62), Point::new(13.04, 77.6));
        let spot = |near| {
            let sketch = SketchSearch::new().expect("the sketch is compiled in");
            let query = PlaceQuery::named("outer ring road", Some(near), language("en"));
            let found = sketch.find(&query).now_or_never().expect("now").expect("found");
            found[0].at
        };
        assert!(spot(south).distance_m(south) < 1_000.0);
        assert!(spot(north).distance_m(north) < 1_500.0);
        assert_eq!(search("ro", None, "en").len(), MAX_PLACES);
    }

    #[test]
    fn a_point_has_the_address_of_the_place_there() {
        assert!(address_at(12.9730, 77.6170, "en").is_some_and(|line| line.starts_with("Trinity Circle, ")));
        assert!(address_at(12.9730, 77.6170, "hi").is_some_and(|line| line.starts_with("ट्रिनिटी सर्कल, ")));
        let on_the_way = address_at(12.9784, 77.6408, "en");
        assert!(on_the_way.as_ref().is_some_and(|line| line.ends_with("Bengaluru")), "{on_the_way:?}");
        assert_eq!(address_at(28.6, 77.2, "en"), None, "Delhi is not on the sketch");
    }
}
