//! The routes of admins: lists of disputes, and how one is resolved.

use actix_web::{HttpResponse, get, post, web::Data};

use super::{
    actions,
    dto::{AllDisputesParams, DisputeForAdmin, DisputeStatus, Resolve},
    queries::{self, DisputeFilter, DisputeRow},
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{
        AdminList, Body, IdempotencyKey, ListFormat, ListRequest, ListWindow, Owned, Page, Query, RowKey,
        Timestamp, between, list,
    },
    jobs::{self, Job, JobRow, Viewer},
    money::payments::PaymentsContext,
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody, after_commit},
        idempotency::{self, Claim, Request},
    },
};

/// Everybody's disputes, newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<DisputeStatus>, Query, description = "Both if not given", example = "open"),
        ("from" = Option<Timestamp>, Query, description = "Made from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Made before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<DisputeForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/disputes")]
pub async fn list_disputes(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: Query<AllDisputesParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let filter = DisputeFilter {
        status: params.status.map(|status| status.0),
        made: between(params.from, params.to)?,
    };
    list::<Disputes>(&context, admin.user_id, request, filter).await
}

/// All disputes.
struct Disputes;

impl AdminList for Disputes {
    const NAME: &'static str = "disputes";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = DisputeFilter;
    type Item = DisputeForAdmin;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, *filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&core.db, *filter, window).await?;
        let people = rows.iter().flat_map(|row| [row.customer_id, row.mechanic_profile_id]);
        let contacts = Contacts::of(&core.db, people).await?;
        let shown = |row: DisputeRow| DisputeForAdmin {
            customer: contacts.customer(row.customer_id),
            mechanic: contacts.mechanic(row.mechanic_profile_id),
            dispute: row.into(),
        };
        let key = |row: &DisputeRow| RowKey { at: row.created_at, id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), shown(row))).collect())
    }
}

/// Resolves the dispute about a job: the customer pays nothing, all, or `price_reduction` less. What was paid beyond that goes
/// back, what the mechanic earned is released.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = Resolve,
    responses(
        (status = 200, body = Job),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job is not disputed; \
            IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED; IDEMPOTENCY_KEY_REUSED: the key came with \
            another body"),
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
    // The same key for another job is another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(admin.user_id, "/admin/jobs/{id}/resolve", key, &digested);
    let make =
        async |claim: &Claim| actions::resolve(&context, admin.user_id, &row, body.read()?, claim).await;
    // Nothing follows a resolution: apart from its payments, the job is still as it was in the first answer.
    idempotency::once(&context, request, make, async |_, _| Ok(())).await?;
    let row = jobs::find(&context.db, row.id).await.map_err(after_commit)?;
    let row = row.ok_or_else(|| ApiError::not_found("job"))?;
    Ok(HttpResponse::Ok().json(jobs::present(&row, Viewer::Admin, &context)))
}
