//! The admins' routes for listing and deciding no-shows.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use uuid::Uuid;

use super::{
    actions,
    dto::{DecideNoShow, NoShow, NoShowForAdmin},
    queries::{self, NoShowFilter},
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{AdminList, Body, ExportQuery, ListWindow, Owned, Page, RowKey, list},
    jobs::{JobRow, on_account::ShownPrices},
    money::payments::PaymentsContext,
    platform::error::{ApiResult, ErrorBody},
};

/// Lists no-shows that mechanics reported, newest first. `open` selects those that an admin has to decide: no position
/// proves the arrival, or the customer contests the fee.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<NoShowFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<NoShowForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/no-shows")]
pub async fn list_no_shows(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<NoShowFilter>,
) -> ApiResult<HttpResponse> {
    list::<NoShows>(&context, admin.user_id, &query).await
}

struct NoShows;

impl AdminList for NoShows {
    const NAME: &'static str = "no_shows";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = NoShowFilter;
    type Item = NoShowForAdmin;
    type Context = PaymentsContext;

    async fn count(context: &PaymentsContext, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&context.db, filter).await?)
    }

    async fn rows(
        context: &PaymentsContext,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&context.db, filter, window).await?;
        let people = rows.iter().flat_map(|row| [row.customer_id, row.mechanic_profile_id]);
        let contacts = Contacts::of(&context.db, people).await?;
        let ids: Vec<Uuid> = rows.iter().map(|row| row.job_id).collect();
        let marks = queries::position_marks(&context.db, &ids).await?;
        let dispute_window = context.policies.jobs.dispute_window;
        let shown = rows.into_iter().map(|row| {
            let key = RowKey { at: row.created_at, id: row.job_id };
            let marks = marks.iter().find(|marks| marks.job_id == row.job_id);
            (key, NoShowForAdmin::of(row, &contacts, marks, dispute_window))
        });
        Ok(shown.collect())
    }
}

/// Decides an open no-show: the customer is charged the call-out, or nothing is due and the customer's payment is
/// refunded.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(("id" = Uuid, Path)),
    request_body = DecideNoShow,
    responses(
        (status = 200, body = NoShow),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it is not open; CONFLICT: its fee was paid in the meantime"),
    ),
)]
#[post("/admin/jobs/{id}/decide-no-show")]
pub async fn decide_no_show(
    context: Data<PaymentsContext>,
    job: Owned<JobRow, Admin<desk::Money>>,
    body: Body<DecideNoShow>,
) -> ApiResult<Json<NoShow>> {
    let (row, Admin(admin, _)) = job.into_parts();
    let DecideNoShow { charge, note } = body.read()?;
    let decided = actions::decide(&context, admin.user_id, row.id, charge, &note.0).await?;
    Ok(Json(NoShow::of(decided, context.policies.jobs.dispute_window, ShownPrices::IN_FULL)))
}
