use actix_web::{
    get,
    web::{Data, Json},
};
use roadcall_accounts::auth::Caller;
use roadcall_http::{AcceptedLanguage, Latitude, Longitude, Query, Text};
use roadcall_platform::error::{ApiResult, ErrorBody};

use super::{
    actions,
    context::PlacesContext,
    dto::{AddressAt, AddressQuery, PlaceList, PlaceSearchQuery},
};

/// Searches places by their name or a part of their address. Places near a point come first, if one is given. `GET /config` says
/// whether the beginning of a name is enough (`places.as_you_type`). Coordinates (`12.97, 77.59`), full plus codes, `geo:` URIs
/// and links to maps that contain a point give that point, named by its coordinates.
#[utoipa::path(
    tag = "places",
    params(
        ("q" = Text<2, 1000>, Query, description = "What to search for. Nothing is found by a name of more than 100 characters.",
            example = "trinity circle"),
        ("near_lat" = Option<Latitude>, Query, description = "Rather near there; with `near_lng`."),
        ("near_lng" = Option<Longitude>, Query, description = "Rather near there; with `near_lat`."),
        ("limit" = Option<i64>, Query, minimum = 1, example = 5),
        ("Accept-Language" = Option<String>, Header, description = "The language of names, if there are names in it.",
            example = "kn"),
    ),
    responses(
        (status = 200, body = PlaceList),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: the service has no place search"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: also if the caller has used up their share of what the place search may be asked"),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the place search did not respond"),
    ),
)]
#[get("/places")]
pub async fn search_places(
    caller: Caller,
    context: Data<PlacesContext>,
    language: AcceptedLanguage,
    query: Query<PlaceSearchQuery>,
) -> ApiResult<Json<PlaceList>> {
    let wanted = query.read()?.checked()?;
    let found = actions::search(&context, caller.budget, &wanted.text, wanted.near, language).await?;
    let data = found.into_iter().take(wanted.limit).map(Into::into).collect();
    Ok(Json(PlaceList { data, attribution: context.attribution.clone() }))
}

/// Returns the address at a point, or of the place nearest to it.
#[utoipa::path(
    tag = "places",
    params(
        ("lat" = Latitude, Query),
        ("lng" = Longitude, Query),
        ("Accept-Language" = Option<String>, Header, description = "The language of names, if there are names in it.",
            example = "kn"),
    ),
    responses(
        (status = 200, body = AddressAt),
        (status = 404, body = ErrorBody, description = "NOT_FOUND: the service has no place search"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: also if the caller has used up their share of what the place search may be asked"),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the place search did not respond"),
    ),
)]
#[get("/places/reverse")]
pub async fn find_address(
    caller: Caller,
    context: Data<PlacesContext>,
    language: AcceptedLanguage,
    query: Query<AddressQuery>,
) -> ApiResult<Json<AddressAt>> {
    let point = query.read()?.point();
    let place = actions::address_at(&context, caller.budget, point, language).await?.map(Into::into);
    Ok(Json(AddressAt { place, attribution: context.attribution.clone() }))
}
