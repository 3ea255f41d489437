//! The lists of bills: all of them for admins, and a partner's own.

use actix_web::{
    HttpResponse, get,
    web::{Data, Json},
};

use super::{
    dto::{PartnerBill, PartnerBillForAdmin},
    queries::{self, BillRow, OwnPartnerBillFilter, PartnerBillFilter},
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        organisations::{Partner, scope},
    },
    http::{AdminList, ExportQuery, ListQuery, ListWindow, Page, RowKey, list},
    platform::{core::Core, error::ApiResult},
};

/// Lists what partners owe for jobs that have ended, newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<PartnerBillFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<PartnerBillForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/partner-bills")]
pub async fn list_partner_bills(
    core: Data<Core>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<PartnerBillFilter>,
) -> ApiResult<HttpResponse> {
    list::<PartnerBills>(&core, admin.user_id, &query).await
}

/// All bills. They name organisations, not people.
struct PartnerBills;

impl AdminList for PartnerBills {
    const NAME: &'static str = "partner_bills";
    const PERSONAL_DATA: &'static [&'static str] = &[];
    type Filter = PartnerBillFilter;
    type Item = PartnerBillForAdmin;
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
        let key = |row: &BillRow| RowKey { at: row.decided_at, id: row.job_id };
        Ok(rows.into_iter().map(|row| (key(&row), row.into())).collect())
    }
}

/// Lists what the caller's organisation owes for jobs that have ended, newest first. An agency sees the bills of the cases that it
/// made.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Read))),
    params(ListQuery<OwnPartnerBillFilter>),
    responses((status = 200, body = Page<PartnerBill>)),
)]
#[get("/partner/bills")]
pub async fn list_own_partner_bills(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Read>,
    query: ListQuery<OwnPartnerBillFilter>,
) -> ApiResult<Json<Page<PartnerBill>>> {
    let (filter, page) = query.read()?;
    let (organisation, agency) = (caller.organisation_id, caller.only_made_by());
    let rows = queries::list_of_partner(&core.db, organisation, agency, &filter, page).await?;
    let total =
        page.total(rows.len(), queries::count_of_partner(&core.db, organisation, agency, &filter)).await?;
    Ok(Json(page.of(rows.iter().map(PartnerBill::from).collect(), total)))
}
