//! Photon over HTTP (github.com/komoot/photon, docs/api-v1.md): `/api` and `/reverse`, which answer with GeoJSON.
//!
//! The language goes into the header and not into `lang`: a server refuses a `lang` that it was not built with.

use async_trait::async_trait;
use reqwest::{Client, Url};
use serde::Deserialize;
use serde_json::Value;

use super::{
    FoundPlace, Geocoder, MAX_PLACES, PlaceKind, PlaceQuery, PlacesError, PlacesStartError, RoundedPoint,
    address::AddressParts,
    answer::{ask, below, client, shown, text, understood},
    settings::PlaceSettings,
};

/// A Photon server.
#[derive(derive_more::Debug)]
#[debug("Photon {{ .. }}")]
pub struct Photon {
    client: Client,
    base: Url,
}

#[derive(Deserialize)]
struct Answer {
    /// Read one by one, so that a bad entry spoils no other.
    features: Vec<Value>,
}

#[derive(Deserialize)]
struct Feature {
    geometry: Geometry,
    properties: Properties,
}

#[derive(Deserialize)]
struct Geometry {
    /// The longitude, the latitude, and perhaps the height of a point.
    coordinates: Vec<f64>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Properties {
    #[serde(deserialize_with = "text")]
    name: Option<String>,
    #[serde(deserialize_with = "text")]
    housenumber: Option<String>,
    #[serde(deserialize_with = "text")]
    street: Option<String>,
    #[serde(deserialize_with = "text")]
    locality: Option<String>,
    #[serde(deserialize_with = "text")]
    district: Option<String>,
    #[serde(deserialize_with = "text")]
    city: Option<String>,
    #[serde(deserialize_with = "text")]
    county: Option<String>,
    #[serde(deserialize_with = "text")]
    state: Option<String>,
    #[serde(deserialize_with = "text")]
    postcode: Option<String>,
    #[serde(deserialize_with = "text")]
    country: Option<String>,
    /// The layer: house, street, locality, district, city, county, state, country, other.
    #[serde(rename = "type", deserialize_with = "text")]
    layer: Option<String>,
    #[serde(deserialize_with = "text")]
    osm_key: Option<String>,
    #[serde(deserialize_with = "text")]
    osm_value: Option<String>,
}

impl Photon {
    pub fn start(settings: &PlaceSettings) -> Result<Self, PlacesStartError> {
        let (base, client) = client(settings)?;
        Ok(Self { client, base })
    }
}

#[async_trait]
impl Geocoder for Photon {
    async fn find(&self, query: &PlaceQuery) -> Result<Vec<FoundPlace>, PlacesError> {
        let (url, language, most) = match query {
            PlaceQuery::Named { text, near, language } => {
                let mut url = below(&self.base, "api");
                url.query_pairs_mut().append_pair("q", text).append_pair("limit", &MAX_PLACES.to_string());
                if let Some(near) = near.map(RoundedPoint::point) {
                    url.query_pairs_mut()
                        .append_pair("lat", &format!("{:.2}", near.lat))
                        .append_pair("lon", &format!("{:.2}", near.lng));
                }
                (url, *language, MAX_PLACES)
            }
            PlaceQuery::At { point, language } => {
                let (mut url, point) = (below(&self.base, "reverse"), point.point());
                url.query_pairs_mut()
                    .append_pair("lat", &format!("{:.4}", point.lat))
                    .append_pair("lon", &format!("{:.4}", point.lng))
                    .append_pair("limit", "1");
                (url, *language, 1)
            }
        };
        let answer: Answer = ask(&self.client, url, language).await?;
        let features = understood::<Feature>(answer.features);
        Ok(features.filter_map(|feature| feature.place()).take(most).collect())
    }
}

impl Feature {
    fn place(&self) -> Option<FoundPlace> {
        let of = &self.properties;
        let said = |field: &Option<String>| field.clone().unwrap_or_default();
        let [name, house, street] = [&of.name, &of.housenumber, &of.street].map(said);
        let area = said(if of.locality.is_some() { &of.locality } else { &of.district });
        let (town, postcode) = (said(&of.city), said(&of.postcode));
        let region = [&of.county, &of.state, &of.country].into_iter().find(|region| region.is_some());
        let region = region.map(said).unwrap_or_default();
        let parts = AddressParts {
            name: &name,
            house: &house,
            street: &street,
            area: &area,
            town: &town,
            postcode: &postcode,
            region: &region,
        };
        let [lng, lat, ..] = self.geometry.coordinates[..] else { return None };
        shown(&parts, lat, lng, of.kind())
    }
}

impl Properties {
    fn kind(&self) -> PlaceKind {
        let (key, value) = (self.osm_key.as_deref(), self.osm_value.as_deref().unwrap_or_default());
        match (self.layer.as_deref(), key) {
            // Shops and the like are in the layer of houses.
            (Some("house"), _) if self.name.is_none() || key == Some("building") => PlaceKind::House,
            (Some("street"), _) | (None, Some("highway")) => PlaceKind::Street,
            (Some("locality" | "district"), _) => PlaceKind::Area,
            (Some("city"), _) => PlaceKind::Town,
            (Some("county" | "state" | "country"), _) => PlaceKind::Region,
            (None, Some("place")) => match value {
                "city" | "town" | "village" | "hamlet" => PlaceKind::Town,
                "house" => PlaceKind::House,
                "county" | "state" | "country" => PlaceKind::Region,
                _ => PlaceKind::Area,
            },
            _ => PlaceKind::Landmark,
        }
    }
}
