//! The admins' route for everybody's refunds.

use actix_web::{HttpResponse, get, web::Data};

use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{AdminList, ExportQuery, ListWindow, Page, RowKey, list},
    money::payments::{
        context::PaymentsContext,
        dto::RefundForAdmin,
        refunds::queries::{self, AdminRefundRow, RefundFilter},
    },
    platform::{core::Core, error::ApiResult},
};

/// Lists everybody's refunds, newest first. Pending cash refunds wait for `POST /admin/refunds/{id}/mark-paid`. A
/// failed refund returned nothing: make it again, or return the money some other way.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<RefundFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<RefundForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/refunds")]
pub async fn list_all_refunds(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<RefundFilter>,
) -> ApiResult<HttpResponse> {
    list::<Refunds>(&context, admin.user_id, &query).await
}

/// The admins' list of refunds.
struct Refunds;

impl AdminList for Refunds {
    const NAME: &'static str = "refunds";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = RefundFilter;
    type Item = RefundForAdmin;
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
        let contacts = Contacts::of(&core.db, rows.iter().map(|row| row.customer_id)).await?;
        let shown = |row: AdminRefundRow| RefundForAdmin {
            channel: row.channel,
            job_id: row.job_id,
            customer_id: row.customer_id,
            customer: contacts.customer(row.customer_id),
            refund: row.refund.into(),
        };
        let key = |row: &AdminRefundRow| RowKey { at: row.refund.created_at, id: row.refund.id };
        Ok(rows.into_iter().map(|row| (key(&row), shown(row))).collect())
    }
}
