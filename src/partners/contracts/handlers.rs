//! Contracts, as partners see them.

use actix_web::{
    get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{Coverage, CoverageRequest, PartnerContract},
    queries,
};
use crate::{
    accounts::organisations::{Partner, scope},
    http::{Body, ListQuery, NoFilter, Page},
    partners::context::PartnersContext,
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
    },
};

/// Lists the organisation's contracts, the newest first, with the agreed terms of each kind of help.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    params(ListQuery<NoFilter>),
    responses((status = 200, body = Page<PartnerContract>)),
)]
#[get("/partner/contracts")]
pub async fn list_my_contracts(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Read>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<PartnerContract>>> {
    let (_, page) = query.read()?;
    let rows = queries::of_organisation(&core.db, caller.organisation_id, page).await?;
    let count = queries::count_of_organisation(&core.db, caller.organisation_id);
    let total = page.total(rows.len(), count).await?;
    Ok(Json(page.of(actions::all_shown(&core.db, rows).await?, total)))
}

/// Returns whether a contract covers help at a place, what it would cost and who would pay it, and when a mechanic could come.
/// Nothing is ordered.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    request_body = CoverageRequest,
    responses(
        (status = 200, body = Coverage),
        (status = 409, body = ErrorBody, description = "NO_NEW_JOBS: no new jobs are taken; the message says why, and `Retry-After` how \
            long, if that is known"),
    ),
)]
#[post("/partner/coverage")]
pub async fn check_coverage(
    context: Data<PartnersContext>,
    Partner(caller, _): Partner<scope::Read>,
    body: Body<CoverageRequest>,
) -> ApiResult<Json<Coverage>> {
    Ok(Json(actions::coverage(&context, &caller, body.read()?).await?))
}
