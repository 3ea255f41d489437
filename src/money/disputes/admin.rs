//! The admins' routes for listing and resolving disputes.

use actix_web::{HttpResponse, get, post, web::Data};

use super::{
    actions,
    dto::{Dispute, DisputeForAdmin, Resolve},
    queries::{self, DisputeFilter, DisputeRow},
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{AdminList, Body, ExportQuery, IdempotencyKey, ListWindow, Owned, Page, RowKey, list},
    jobs::{self, Job, JobRow, Viewer, on_account::ShownPrices},
    money::payments::PaymentsContext,
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody, after_commit},
        idempotency::{self, Claim, Request},
    },
};

/// Lists everybody's disputes, newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<DisputeFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<DisputeForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/disputes")]
pub async fn list_disputes(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<DisputeFilter>,
) -> ApiResult<HttpResponse> {
    list::<Disputes>(&context, admin.user_id, &query).await
}

/// The admins' list of disputes.
struct Disputes;

impl AdminList for Disputes {
    const NAME: &'static str = "disputes";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = DisputeFilter;
    type Item = DisputeForAdmin;
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
        let shown = |row: DisputeRow| DisputeForAdmin {
            customer: contacts.customer(row.customer_id),
            mechanic: contacts.mechanic(row.mechanic_profile_id),
            dispute: Dispute::of(row, ShownPrices::IN_FULL),
        };
        let key = |row: &DisputeRow| RowKey { at: row.created_at, id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), shown(row))).collect())
    }
}

/// Resolves the dispute about a job: the customer pays nothing, everything, or `price_reduction` less. Payments beyond
/// that are refunded, and the mechanic's earnings are released.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = Resolve,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job is not disputed; \
            IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/admin/jobs/{id}/resolve")]
pub async fn resolve_dispute(
    context: Data<PaymentsContext>,
    job: Owned<JobRow, Admin<desk::Money>>,
    key: IdempotencyKey,
    body: Body<Resolve>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin, _)) = job.into_parts();
    let key = key.read()?;
    // The job's id is part of the digest: the same key for another job is another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(admin.user_id, "/admin/jobs/{id}/resolve", key, &digested);
    let make =
        async |claim: &Claim| actions::resolve(&context, admin.user_id, &row, body.read()?, claim).await;
    // No transition follows a resolution: apart from its payments, the job is still as it was in the first answer.
    idempotency::once(&context, request, make, async |_, _| Ok(())).await?;
    let row = jobs::find(&context.db, row.id).await.map_err(after_commit)?;
    let row = row.ok_or_else(|| ApiError::not_found("job"))?;
    Ok(HttpResponse::Ok().json(jobs::present(&row, Viewer::Admin, &context)))
}
