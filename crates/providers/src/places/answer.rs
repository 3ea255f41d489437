//! Asks a place service and reads its answer: JSON of a bounded size, or an error.

use std::time::Duration;

use reqwest::{
    Client, Response, StatusCode, Url,
    header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    redirect,
};
use roadcall_base::geo::Point;
use roadcall_http::AcceptedLanguage;
use roadcall_platform::{https, settings::web_url};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;

use super::{
    FoundPlace, PlaceKind, PlacesError, PlacesStartError, address::AddressParts, settings::PlaceSettings,
};
use crate::sending;

/// A larger answer is refused: ten places take some 20 KiB.
pub(super) const MAX_BYTES: usize = 256 * 1024;

/// Makes the base that paths are added to, and a client that goes nowhere else: redirects are not followed and no proxy of the
/// environment is used. The client names itself, as Nominatim's usage policy asks.
pub(super) fn client(settings: &PlaceSettings) -> Result<(Url, Client), PlacesStartError> {
    let base = web_url(&settings.url).ok_or(PlacesStartError::Url)?;
    let mut headers = HeaderMap::new();
    if !settings.key.0.is_empty() {
        let name: HeaderName = settings.key_header.parse().map_err(|_| PlacesStartError::Header)?;
        let mut key: HeaderValue = settings.key.0.parse().map_err(|_| PlacesStartError::Header)?;
        key.set_sensitive(true);
        headers.insert(name, key);
    }
    let mut agent = concat!("roadcall/", env!("CARGO_PKG_VERSION")).to_owned();
    if !settings.contact.is_empty() {
        agent = format!("{agent} ({})", settings.contact);
    }
    let agent: HeaderValue = agent.parse().map_err(|_| PlacesStartError::Header)?;
    let timeout = Duration::from_millis(settings.timeout_ms);
    let client = https::client().timeout(timeout).connect_timeout(timeout);
    let client = client.default_headers(headers).user_agent(agent);
    Ok((base, client.redirect(redirect::Policy::none()).no_proxy().build()?))
}

/// Returns a path below the base, without a query.
pub(super) fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}/{path}", base.path().trim_end_matches('/')));
    url
}

/// Asks, and reads the answer as `T`. Names are in this language if the service has them, else in English, else in the local
/// language.
pub(super) async fn ask<T: DeserializeOwned>(
    client: &Client,
    url: Url,
    language: AcceptedLanguage,
) -> Result<T, PlacesError> {
    let wanted = if language.as_str() == "en" { "en".to_owned() } else { format!("{language}, en;q=0.5") };
    let request = client.get(url).header(ACCEPT, "application/json").header(ACCEPT_LANGUAGE, wanted);
    let response = sending::send(request, "places").await.map_err(|error| no_answer(&error))?;
    match response.status() {
        StatusCode::OK => {}
        StatusCode::BAD_REQUEST => return Err(PlacesError::Refused),
        status => return Err(PlacesError::Status(status.as_u16())),
    }
    let body = read(response).await?;
    serde_json::from_slice(&body).map_err(|_| PlacesError::Garbage("no JSON of its kind"))
}

/// Makes an error of a failed request. The URL is left out: it shows what people look for.
fn no_answer(error: &reqwest::Error) -> PlacesError {
    if error.is_timeout() {
        PlacesError::Timeout
    } else if error.is_connect() {
        PlacesError::Unreachable
    } else {
        PlacesError::Cut
    }
}

async fn read(response: Response) -> Result<Vec<u8>, PlacesError> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !["application/json", "application/geo+json"].contains(&kind.as_str()) {
        return Err(PlacesError::Garbage("no JSON by its content type"));
    }
    let body = sending::read(response, MAX_BYTES).await.map_err(|error| no_answer(&error))?;
    body.ok_or(PlacesError::TooLarge(MAX_BYTES))
}

/// Reads the entries of an answer, and leaves out those that can't be read: the others are still good.
pub(super) fn understood<T: DeserializeOwned>(things: Vec<Value>) -> impl Iterator<Item = T> {
    things.into_iter().filter_map(|thing| serde_json::from_value(thing).ok())
}

/// Reads a field as text. Some services write a postcode as a number, which counts, too; anything else is `None`.
pub(super) fn text<'de, D: Deserializer<'de>>(field: D) -> Result<Option<String>, D::Error> {
    Ok(written(&Value::deserialize(field)?))
}

/// Returns a field's value as text.
pub(super) fn written(field: &Value) -> Option<String> {
    match field {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Returns a place that can be shown; `None` if it has no name, or if its coordinates are not on the globe.
pub(super) fn shown(parts: &AddressParts<'_>, lat: f64, lng: f64, kind: PlaceKind) -> Option<FoundPlace> {
    let is_on_globe = (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng);
    let (name, address) = parts.written()?;
    is_on_globe.then(|| FoundPlace { name, address, at: Point::new(lat, lng), kind })
}
