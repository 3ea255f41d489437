use roadcall_base::geo::Point;
use roadcall_http::AcceptedLanguage;
use roadcall_platform::error::{ApiError, ApiResult, Code};
use roadcall_providers::places::{FoundPlace, Geocoder, PlaceKind, PlaceQuery, PlacesError};
use uuid::Uuid;

use super::{
    context::PlacesContext,
    typed::{self, Typed},
};

/// The maximum number of letters of a name that is searched for. No place has a longer one; only a link may be longer.
const MAX_LETTERS: usize = 100;

/// Returns the places with such a name, best first: preferably those near `near`, or near where maps begin. Coordinates, plus
/// codes and links to maps are read here without asking the provider; other questions count for `asker`.
pub async fn search(
    context: &PlacesContext,
    asker: Uuid,
    text: &str,
    near: Option<Point>,
    language: AcceptedLanguage,
) -> ApiResult<Vec<FoundPlace>> {
    match typed::read(text) {
        Typed::At(point) => return geocoder(context).map(|_| vec![pinned(point)]),
        Typed::Words if text.chars().count() <= MAX_LETTERS => {}
        Typed::OtherLink | Typed::Words => return geocoder(context).map(|_| Vec::new()),
    }
    let near = near.unwrap_or(context.center);
    find(context, asker, PlaceQuery::named(text, Some(near), language)).await
}

/// Returns the place at a point, if it is known.
pub async fn address_at(
    context: &PlacesContext,
    asker: Uuid,
    point: Point,
    language: AcceptedLanguage,
) -> ApiResult<Option<FoundPlace>> {
    Ok(find(context, asker, PlaceQuery::at(point, language)).await?.into_iter().next())
}

/// Returns a point that somebody typed as a place, named by its coordinates: five decimals are about a metre.
fn pinned(at: Point) -> FoundPlace {
    let name = format!("{:.5}, {:.5}", at.lat, at.lng);
    FoundPlace { address: name.clone(), name, at, kind: PlaceKind::Landmark }
}

async fn find(context: &PlacesContext, asker: Uuid, query: PlaceQuery) -> ApiResult<Vec<FoundPlace>> {
    geocoder(context)?.find_for(&query, asker).await.map_err(refused)
}

fn geocoder(context: &PlacesContext) -> ApiResult<&dyn Geocoder> {
    let geocoder: Option<&dyn Geocoder> = context.geocoder.as_deref();
    geocoder.ok_or_else(|| ApiError::new(Code::NotFound, "This service has no place search."))
}

fn refused(error: PlacesError) -> ApiError {
    match error {
        PlacesError::Busy(wait_s) => {
            busy("Too many people are searching right now. Try again.", wait_s, error)
        }
        PlacesError::Share(wait_s) => ApiError::wait(wait_s, |wait| {
            format!("You have searched for many places in a short time. Try again in {wait}.")
        })
        .caused_by(error),
        PlacesError::Resting => busy("Place search is not available right now. Try again.", 5, error),
        _ => ApiError::new(Code::ProviderError, "Place search did not respond. Try again.").caused_by(error),
    }
}

fn busy(message: &'static str, wait_s: u64, error: PlacesError) -> ApiError {
    ApiError::new(Code::Unavailable, message).retry_after(wait_s).caused_by(error)
}
