//! The admins' route for chargebacks, which customers' banks took back, or want to.

use actix_web::{HttpResponse, get, web::Data};

use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{AdminList, ExportQuery, ListWindow, Page, RowKey, list},
    money::payments::{
        chargebacks::{
            dto::ChargebackForAdmin,
            queries::{self, ChargebackFilter, ChargebackRow},
        },
        context::PaymentsContext,
    },
    platform::{core::Core, error::ApiResult},
};

/// Lists chargebacks, newest first. An open chargeback holds the earnings from its payment and is contested at the
/// gateway; the gateway reports how it ended.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<ChargebackFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<ChargebackForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/chargebacks")]
pub async fn list_chargebacks(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<ChargebackFilter>,
) -> ApiResult<HttpResponse> {
    list::<Chargebacks>(&context, admin.user_id, &query).await
}

/// The admins' list of chargebacks.
struct Chargebacks;

impl AdminList for Chargebacks {
    const NAME: &'static str = "chargebacks";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = ChargebackFilter;
    type Item = ChargebackForAdmin;
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
        let shown = |row: ChargebackRow| ChargebackForAdmin::of(contacts.customer(row.customer_id), row);
        let key = |row: &ChargebackRow| RowKey { at: row.created_at, id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), shown(row))).collect())
    }
}
