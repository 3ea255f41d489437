//! The admins' routes for listing and deciding reviews of tows.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{DecideTow, TowReview},
    queries::{self, TowReviewFilter, TowReviewRow},
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{AdminList, Body, ExportQuery, ListWindow, Owned, Page, RowKey, list},
    jobs::JobRow,
    money::payments::PaymentsContext,
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
    },
};

/// Lists tows that no position shows at their destination, newest first, with the agreed and the driven distance. While
/// a review is open, the mechanic's share does not clear until `held_until`.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<TowReviewFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<TowReview> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/tow-reviews")]
pub async fn list_tow_reviews(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<TowReviewFilter>,
) -> ApiResult<HttpResponse> {
    list::<TowReviews>(&context, admin.user_id, &query).await
}

struct TowReviews;

impl AdminList for TowReviews {
    const NAME: &'static str = "tow_reviews";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = TowReviewFilter;
    type Item = TowReview;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&core.db, filter, window).await?;
        let people = rows.iter().flat_map(|row| [row.customer_id, row.mechanic_profile_id]);
        let contacts = Contacts::of(&core.db, people).await?;
        let key = |row: &TowReviewRow| RowKey { at: row.created_at, id: row.job_id };
        Ok(rows.into_iter().map(|row| (key(&row), TowReview::of(row, &contacts))).collect())
    }
}

/// Decides the review of a tow: the mechanic's share clears like any other, or the customer gets the price of the tow
/// back.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(("id" = Uuid, Path)),
    request_body = DecideTow,
    responses(
        (status = 200, body = TowReview),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it is already decided; CONFLICT: the job is disputed, or \
            it is not paid yet and nothing can be given back"),
    ),
)]
#[post("/admin/jobs/{id}/decide-tow")]
pub async fn decide_tow(
    context: Data<PaymentsContext>,
    job: Owned<JobRow, Admin<desk::Money>>,
    body: Body<DecideTow>,
) -> ApiResult<Json<TowReview>> {
    let (row, Admin(admin, _)) = job.into_parts();
    let DecideTow { pay, note } = body.read()?;
    let decided = actions::decide(&context, admin.user_id, row.id, pay, &note.0).await?;
    let contacts = Contacts::of(&context.db, [decided.customer_id, decided.mechanic_profile_id]).await?;
    Ok(Json(TowReview::of(decided, &contacts)))
}
