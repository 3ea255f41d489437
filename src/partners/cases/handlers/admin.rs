//! Cases of partners, for admins.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::jobs::after;
use crate::{
    accounts::auth::{Admin, Principal, desk},
    http::{AdminList, Body, ExportQuery, IdempotencyKey, ListWindow, Owned, Page, RowKey, list},
    partners::{
        cases::{
            actions,
            dto::{AdminCaseEntry, AdminPartnerCase, ExtendPromise, PartnerJob},
            owned::JobOfCase,
            queries::{self, CaseEntryRow, CaseFilter, CaseRow},
            showing,
        },
        feeds::FeedsContext,
    },
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Lists cases of partners, the newest first, each with its latest job.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Cases))),
    params(ExportQuery<CaseFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<AdminCaseEntry> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/partner-cases")]
pub async fn list_partner_cases(
    core: Data<Core>,
    Admin(admin, _): Admin<desk::Cases>,
    query: ExportQuery<CaseFilter>,
) -> ApiResult<HttpResponse> {
    list::<PartnerCaseList>(&core, admin.user_id, &query).await
}

/// The list of all cases.
struct PartnerCaseList;

impl AdminList for PartnerCaseList {
    const NAME: &'static str = "partner_cases";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "vehicle"];
    type Filter = CaseFilter;
    type Item = AdminCaseEntry;
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
        let key = |row: &CaseEntryRow| RowKey { at: row.created_at, id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), row.into())).collect())
    }
}

/// Returns a partner's case with its organisation, and with its jobs as they are now.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Cases))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = AdminPartnerCase)),
)]
#[get("/admin/partner-cases/{id}")]
pub async fn get_partner_case(
    core: Data<Core>,
    case: Owned<CaseRow, Admin<desk::Cases>>,
) -> ApiResult<Json<AdminPartnerCase>> {
    Ok(Json(showing::to_admin(&core, case.id).await?))
}

/// Extends the time of arrival that a partner was promised, with a reason, which the partner sees: while the mechanic is on the
/// way, and before the promised time is over.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = ExtendPromise,
    responses(
        (status = 200, body = PartnerJob),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: nothing is promised, the promised time is over, or the \
            mechanic has arrived; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/admin/jobs/{id}/extend-promise")]
pub async fn extend_promise(
    context: Data<FeedsContext>,
    job: Owned<JobOfCase, Admin<desk::Dispatch>>,
    key: IdempotencyKey,
    body: Body<ExtendPromise>,
) -> ApiResult<Json<PartnerJob>> {
    let (job, Admin(admin, _)) = job.into_parts();
    let digested = [job.row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(admin.user_id, "/admin/jobs/{id}/extend-promise", key.read()?, &digested);
    let make = async |claim: &Claim| {
        let ExtendPromise { minutes, reason } = body.read()?;
        actions::extend(&context, Principal::from(admin), &job, (minutes.0, reason.0), claim).await
    };
    let again = async |_, _| Ok::<_, ApiError>(());
    idempotency::once(&context, request, make, again).await?;
    after(&context, &job).await
}
