//! Nominatim over HTTP (nominatim.org/release-docs/latest/api): `/search` and `/reverse` in the format `jsonv2`.

use std::collections::BTreeMap;

use async_trait::async_trait;
use reqwest::{Client, Url};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    FoundPlace, Geocoder, MAX_PLACES, PlaceKind, PlaceQuery, PlacesError, PlacesStartError, RoundedPoint,
    address::AddressParts,
    answer::{ask, below, client, shown, text, understood, written},
    settings::PlaceSettings,
};

/// Half the side of the box in which places are preferred: about 25 km.
const BOX_DEGREES: f64 = 0.25;

/// A Nominatim server.
#[derive(derive_more::Debug)]
#[debug("Nominatim {{ .. }}")]
pub struct Nominatim {
    client: Client,
    base: Url,
}

#[derive(Deserialize)]
struct Place {
    lat: Degrees,
    lon: Degrees,
    #[serde(default, deserialize_with = "text")]
    display_name: Option<String>,
    #[serde(default, deserialize_with = "text")]
    name: Option<String>,
    #[serde(default, deserialize_with = "text")]
    category: Option<String>,
    #[serde(default, rename = "type", deserialize_with = "text")]
    value: Option<String>,
    #[serde(default, deserialize_with = "text")]
    addresstype: Option<String>,
    /// The parts by their tag.
    #[serde(default)]
    address: BTreeMap<String, Value>,
}

/// A text, according to the documentation.
#[derive(Deserialize)]
#[serde(untagged)]
enum Degrees {
    Text(String),
    Number(f64),
}

impl Degrees {
    fn value(&self) -> f64 {
        match self {
            Self::Text(text) => text.parse().unwrap_or(f64::NAN),
            Self::Number(number) => *number,
        }
    }
}

impl Nominatim {
    pub fn start(settings: &PlaceSettings) -> Result<Self, PlacesStartError> {
        let (base, client) = client(settings)?;
        Ok(Self { client, base })
    }
}

#[async_trait]
impl Geocoder for Nominatim {
    async fn find(&self, query: &PlaceQuery) -> Result<Vec<FoundPlace>, PlacesError> {
        match query {
            PlaceQuery::Named { text, near, language } => {
                let mut url = below(&self.base, "search");
                url.query_pairs_mut()
                    .append_pair("q", text)
                    .append_pair("format", "jsonv2")
                    .append_pair("addressdetails", "1")
                    .append_pair("limit", &MAX_PLACES.to_string());
                if let Some(near) = near.map(RoundedPoint::point) {
                    let (west, east) = (near.lng - BOX_DEGREES, near.lng + BOX_DEGREES);
                    let (south, north) = (near.lat - BOX_DEGREES, near.lat + BOX_DEGREES);
                    let corners = format!("{west:.2},{south:.2},{east:.2},{north:.2}");
                    url.query_pairs_mut().append_pair("viewbox", &corners);
                }
                let places = understood::<Place>(ask(&self.client, url, *language).await?);
                Ok(places.filter_map(|place| place.found()).take(MAX_PLACES).collect())
            }
            PlaceQuery::At { point, language } => {
                let (mut url, point) = (below(&self.base, "reverse"), point.point());
                url.query_pairs_mut()
                    .append_pair("lat", &format!("{:.4}", point.lat))
                    .append_pair("lon", &format!("{:.4}", point.lng))
                    .append_pair("format", "jsonv2")
                    .append_pair("addressdetails", "1");
                // If there is no address near the point, `/reverse` answers 200 and an error, which is read as no place.
                let place: Map<String, Value> = ask(&self.client, url, *language).await?;
                Ok(understood::<Place>(vec![Value::Object(place)])
                    .filter_map(|place| place.found())
                    .collect())
            }
        }
    }
}

impl Place {
    fn found(&self) -> Option<FoundPlace> {
        let part = |kinds: &[&str]| {
            let mut texts = kinds.iter().filter_map(|kind| written(self.address.get(*kind)?));
            texts.find(|text| !text.trim().is_empty()).unwrap_or_default()
        };
        let (house, street) =
            (part(&["house_number", "house_name"]), part(&["road", "pedestrian", "footway"]));
        let area = part(&["suburb", "neighbourhood", "quarter", "city_district", "borough", "hamlet"]);
        let (town, postcode) = (part(&["city", "town", "village", "municipality"]), part(&["postcode"]));
        let region = part(&["county", "state_district", "state", "country"]);
        let parts = AddressParts {
            name: self.name.as_deref().unwrap_or_default(),
            house: &house,
            street: &street,
            area: &area,
            town: &town,
            postcode: &postcode,
            region: &region,
        };
        let (lat, lng, kind) = (self.lat.value(), self.lon.value(), self.kind());
        // If the parts are missing, the display name serves.
        let whole = self.display_name.as_deref().unwrap_or_default().split(',').next().unwrap_or_default();
        let is_bare = parts.name.is_empty() && parts.street.is_empty();
        let named = if is_bare { AddressParts { name: whole, ..parts } } else { parts };
        shown(&named, lat, lng, kind)
    }

    fn kind(&self) -> PlaceKind {
        let kind = self.addresstype.as_deref().or(self.value.as_deref()).unwrap_or_default();
        let has_name = self.name.as_deref().is_some_and(|name| !name.is_empty());
        match (self.category.as_deref().unwrap_or_default(), kind) {
            ("highway", _) | (_, "road") => PlaceKind::Street,
            ("place" | "boundary", "city" | "town" | "village" | "hamlet" | "municipality") => {
                PlaceKind::Town
            }
            (
                "place" | "boundary",
                "state" | "country" | "county" | "state_district" | "region" | "postcode",
            ) => PlaceKind::Region,
            ("place", "house" | "place") if !has_name => PlaceKind::House,
            ("building", _) => PlaceKind::House,
            ("place" | "boundary", _) => PlaceKind::Area,
            _ if !has_name && self.address.contains_key("house_number") => PlaceKind::House,
            _ => PlaceKind::Landmark,
        }
    }
}
