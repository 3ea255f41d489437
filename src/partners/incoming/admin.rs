//! The dispatchers' side of clubs' offers.

use actix_web::{
    get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{AcceptOfferedCase, RefuseOfferedCase, WaitingOffer},
    queries::{self, ClubOfferRow},
};
use crate::{
    accounts::auth::{
        Admin,
        desk::{self, AtDesk},
    },
    http::{Body, List, NoFields, Owned, OwnedBy, PathIds},
    partners::{
        cases::{self, AdminPartnerCase},
        club_offer::ClubCommand,
        feeds::FeedsContext,
    },
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody, after_commit},
    },
};

/// The most offers that are listed: more than dispatchers can answer within a minute.
const MAX_LISTED: i64 = 100;

/// Dispatchers answer every offer.
impl<D: AtDesk> OwnedBy<Admin<D>> for ClubOfferRow {
    const NAME: &'static str = actions::NAME;

    async fn find(core: &Core, _: &Admin<D>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("id")?).await?)
    }
}

/// Lists the offers of clubs whose time is not over, at most a hundred, in the order in which they expire. Programs of
/// dispatchers ask for this every few seconds.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    responses((status = 200, body = List<WaitingOffer>)),
)]
#[get("/admin/partner-offers")]
pub async fn list_waiting_offers(
    context: Data<FeedsContext>,
    _: Admin<desk::Dispatch>,
) -> ApiResult<Json<List<WaitingOffer>>> {
    let rows = queries::waiting(&context.db, context.clock.now(), MAX_LISTED).await?;
    Ok(Json(List { data: rows.into_iter().map(Into::into).collect() }))
}

/// Accepts a case that a club offers, with the minutes until a mechanic is there. The club has as long to confirm as there was to
/// answer; a mechanic is sought once it has. A repeat with the same minutes changes nothing.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path)),
    request_body = AcceptOfferedCase,
    responses(
        (status = 200, body = AdminPartnerCase),
        (status = 409, body = ErrorBody, description = "OFFER_EXPIRED; INVALID_TRANSITION: it was answered otherwise, or withdrawn"),
    ),
)]
#[post("/admin/partner-cases/{id}/accept")]
pub async fn accept_offered_case(
    context: Data<FeedsContext>,
    offer: Owned<ClubOfferRow, Admin<desk::Dispatch>>,
    body: Body<AcceptOfferedCase>,
) -> ApiResult<Json<AdminPartnerCase>> {
    let AcceptOfferedCase { eta_min } = body.read()?;
    answer(&context, offer, ClubCommand::Accept { eta_min: eta_min.0 }).await
}

/// Refuses a case that a club offers. A repeat with the same reason changes nothing.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path)),
    request_body = RefuseOfferedCase,
    responses(
        (status = 200, body = AdminPartnerCase),
        (status = 409, body = ErrorBody, description = "OFFER_EXPIRED; INVALID_TRANSITION: it was answered otherwise, or withdrawn"),
    ),
)]
#[post("/admin/partner-cases/{id}/refuse")]
pub async fn refuse_offered_case(
    context: Data<FeedsContext>,
    offer: Owned<ClubOfferRow, Admin<desk::Dispatch>>,
    body: Body<RefuseOfferedCase>,
) -> ApiResult<Json<AdminPartnerCase>> {
    let RefuseOfferedCase { reason } = body.read()?;
    answer(&context, offer, ClubCommand::Refuse(reason)).await
}

/// Asks the club to call about its offer. The time for an answer begins anew, once. A repeat changes nothing.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = AdminPartnerCase),
        (status = 409, body = ErrorBody, description = "OFFER_EXPIRED; INVALID_TRANSITION: it is answered or withdrawn"),
    ),
)]
#[post("/admin/partner-cases/{id}/ask-for-call")]
pub async fn ask_club_for_call(
    context: Data<FeedsContext>,
    offer: Owned<ClubOfferRow, Admin<desk::Dispatch>>,
    body: Body<NoFields>,
) -> ApiResult<Json<AdminPartnerCase>> {
    body.read()?;
    answer(&context, offer, ClubCommand::AskForCall).await
}

async fn answer(
    context: &FeedsContext,
    offer: Owned<ClubOfferRow, Admin<desk::Dispatch>>,
    command: ClubCommand,
) -> ApiResult<Json<AdminPartnerCase>> {
    let (row, Admin(admin, _)) = offer.into_parts();
    actions::carry_out(context, row.id, command, Some(admin.user_id)).await?;
    Ok(Json(cases::shown_to_admin(context, row.id).await.map_err(after_commit)?))
}
