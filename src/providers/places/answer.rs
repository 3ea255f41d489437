//! Reads a service's answer: JSON of a bounded size, or the reason why there is none.

use reqwest::{
    Client, Response, StatusCode, Url,
    header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE},
};
use roadcall_actors::geo::Point;
use serde::de::DeserializeOwned;

use super::{FoundPlace, PlaceKind, PlacesError, address::AddressParts};
use crate::http::AcceptedLanguage;

/// A larger answer is refused: ten places take some 20 KiB.
pub(super) const MAX_BYTES: usize = 256 * 1024;

/// Asks, and reads the answer as `T`. Names come in the language if the service has them, else in English, else in their own.
pub(super) async fn ask<T: DeserializeOwned>(
    client: &Client,
    url: Url,
    language: AcceptedLanguage,
) -> Result<T, PlacesError> {
    let wanted = if language.as_str() == "en" { "en".to_owned() } else { format!("{language}, en;q=0.5") };
    let request = client.get(url).header(ACCEPT, "application/json").header(ACCEPT_LANGUAGE, wanted);
    let response = request.send().await.map_err(|error| no_answer(&error))?;
    match response.status() {
        StatusCode::OK => {}
        StatusCode::BAD_REQUEST => return Err(PlacesError::Refused),
        status => return Err(PlacesError::Status(status.as_u16())),
    }
    let body = read(response).await?;
    serde_json::from_slice(&body).map_err(|_| PlacesError::Garbage("no JSON of its kind"))
}

/// The URL is left out: it holds what people look for.
fn no_answer(error: &reqwest::Error) -> PlacesError {
    if error.is_timeout() {
        PlacesError::Timeout
    } else if error.is_connect() {
        PlacesError::Unreachable
    } else {
        PlacesError::Cut
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, PlacesError> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !["application/json", "application/geo+json"].contains(&kind.as_str()) {
        return Err(PlacesError::Garbage("no JSON by its content type"));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| no_answer(&error))? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(PlacesError::TooLarge(MAX_BYTES));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// A place that can be shown; `None` of one without a name or with coordinates that are on no globe.
pub(super) fn shown(parts: &AddressParts<'_>, lat: f64, lng: f64, kind: PlaceKind) -> Option<FoundPlace> {
    let is_on_globe = (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng);
    let (name, address) = parts.written()?;
    is_on_globe.then(|| FoundPlace { name, address, at: Point::new(lat, lng), kind })
}
