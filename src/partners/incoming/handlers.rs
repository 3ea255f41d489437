//! The club's side of its offers.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::ConfirmOfferedCase,
    queries::{self, ClubOfferRow},
};
use crate::{
    accounts::{
        auth::scope::{self, Scope},
        organisations::Partner,
    },
    http::{Body, NoFields, Owned, OwnedBy, PathIds},
    partners::{
        cases::{self, NewCase, PartnerCase},
        club_offer::ClubCommand,
        feeds::FeedsContext,
    },
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody, after_commit},
    },
};

/// An offer belongs to its club; an agency sees those that it made.
impl<S: Scope> OwnedBy<Partner<S>> for ClubOfferRow {
    const NAME: &'static str = actions::NAME;

    async fn find(core: &Core, Partner(caller, _): &Partner<S>, path: &PathIds) -> ApiResult<Option<Self>> {
        let found = queries::find(&core.db, path.id("id")?).await?;
        Ok(found.filter(|row| row.organisation_id == caller.organisation_id && caller.may_see(row.made_by)))
    }
}

/// Offers a case, as a motor club does: dispatchers accept it with a time of arrival, refuse it or ask for a call, within
/// `answer_within_s`. The club then confirms the time, within as many seconds, and the job is made. Repeating the same request with the
/// same `partner_reference` returns the same case.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Offers))),
    request_body = NewCase,
    responses(
        (status = 201, body = PartnerCase),
        (status = 200, body = PartnerCase, description = "The same request made it before"),
        (status = 409, body = ErrorBody, description = "CONFLICT: partner_reference was used for another case, or 100 offers of the club wait"),
    ),
)]
#[post("/partner/offers")]
pub async fn offer_case(
    context: Data<FeedsContext>,
    Partner(caller, _): Partner<scope::Offers>,
    body: Body<NewCase>,
) -> ApiResult<HttpResponse> {
    let sent = body.bytes().to_vec();
    let (id, is_new) = actions::offer(&context, &caller, body.read()?, &sent).await?;
    let case = cases::shown(&context, id).await.map_err(after_commit)?;
    Ok(if is_new { HttpResponse::Created() } else { HttpResponse::Ok() }.json(case))
}

/// Returns a case that the club offered; `offer` has the answer.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Offers))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = PartnerCase)),
)]
#[get("/partner/offers/{id}")]
pub async fn get_offered_case(
    context: Data<FeedsContext>,
    offer: Owned<ClubOfferRow, Partner<scope::Offers>>,
) -> ApiResult<Json<PartnerCase>> {
    Ok(Json(cases::shown(&context, offer.id).await?))
}

/// Takes an offer back that is not confirmed. A repeat changes nothing.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Offers))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = PartnerCase),
        (status = 409, body = ErrorBody, description = "OFFER_EXPIRED; INVALID_TRANSITION: it was refused or confirmed"),
    ),
)]
#[post("/partner/offers/{id}/withdraw")]
pub async fn withdraw_offered_case(
    context: Data<FeedsContext>,
    offer: Owned<ClubOfferRow, Partner<scope::Offers>>,
    body: Body<NoFields>,
) -> ApiResult<Json<PartnerCase>> {
    body.read()?;
    actions::carry_out(&context, offer.id, ClubCommand::Withdraw, None).await?;
    Ok(Json(cases::shown(&context, offer.id).await.map_err(after_commit)?))
}

/// Confirms the time of arrival that a dispatcher promised. The job is made, and the time is its promise. A repeat changes nothing;
/// if the job could not be made, it makes it. If the request is cut off before, the job is made without a repeat.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Offers))),
    params(("id" = Uuid, Path)),
    request_body = ConfirmOfferedCase,
    responses(
        (status = 200, body = PartnerCase),
        (status = 409, body = ErrorBody, description = "OFFER_EXPIRED; CONFLICT: other minutes were promised; INVALID_TRANSITION: it \
            is not accepted; NO_NEW_JOBS; TOO_MANY_OPEN_JOBS; ACTIVE_JOB_EXISTS: the vehicle has an open job"),
    ),
)]
#[post("/partner/offers/{id}/confirm")]
pub async fn confirm_offered_case(
    context: Data<FeedsContext>,
    offer: Owned<ClubOfferRow, Partner<scope::Offers>>,
    body: Body<ConfirmOfferedCase>,
) -> ApiResult<Json<PartnerCase>> {
    let (row, Partner(caller, _)) = offer.into_parts();
    let ConfirmOfferedCase { eta_min } = body.read()?;
    actions::confirm(&context, &caller, row.id, eta_min.0).await?;
    Ok(Json(cases::shown(&context, row.id).await.map_err(after_commit)?))
}
