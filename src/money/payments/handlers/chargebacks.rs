//! What customers' banks took back, or want to, for admins.

use actix_web::{HttpResponse, get, web::Data};

use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{AdminList, ListFormat, ListRequest, ListWindow, Page, Query, RowKey, Timestamp, between, list},
    money::payments::{
        chargebacks::{
            dto::{ChargebackForAdmin, ChargebackParams},
            queries::{self, ChargebackFilter, ChargebackRow},
        },
        context::PaymentsContext,
        state::ChargebackStatus,
    },
    platform::{core::Core, error::ApiResult},
};

/// Chargebacks, newest first. An open one holds what its payment earned and is contested at the gateway; the gateway reports
/// how it ended.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<ChargebackStatus>, Query, example = "open"),
        ("from" = Option<Timestamp>, Query, description = "Opened from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Opened before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<ChargebackForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/chargebacks")]
pub async fn list_chargebacks(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: Query<ChargebackParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let filter = ChargebackFilter {
        status: params.status.map(|status| status.0),
        made: between(params.from, params.to)?,
    };
    list::<Chargebacks>(&context, admin.user_id, request, filter).await
}

/// All chargebacks.
struct Chargebacks;

impl AdminList for Chargebacks {
    const NAME: &'static str = "chargebacks";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = ChargebackFilter;
    type Item = ChargebackForAdmin;
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
        let contacts = Contacts::of(&core.db, rows.iter().map(|row| row.customer_id)).await?;
        let shown = |row: ChargebackRow| ChargebackForAdmin::of(contacts.customer(row.customer_id), row);
        let key = |row: &ChargebackRow| RowKey { at: row.created_at, id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), shown(row))).collect())
    }
}
