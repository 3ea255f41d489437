//! Everybody's refunds, for admins.

use actix_web::{HttpResponse, get, web::Data};

use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{AdminList, ListFormat, ListRequest, ListWindow, Page, Query, RowKey, Timestamp, between, list},
    money::payments::{
        context::PaymentsContext,
        dto::{Channel, RefundForAdmin, RefundParams, ShownRefundStatus},
        refunds::queries::{self, AdminRefundRow, RefundFilter},
        state::RefundStatus,
    },
    platform::{core::Core, error::ApiResult},
};

/// Everybody's refunds, newest first. Pending cash refunds wait for `POST /admin/refunds/{id}/mark-paid`. A failed
/// refund returned nothing: make it again, or return the money some other way.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<ShownRefundStatus>, Query, example = "failed"),
        ("channel" = Option<Channel>, Query, description = "How the payment was made", example = "cash"),
        ("from" = Option<Timestamp>, Query, description = "Made from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Made before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<RefundForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/refunds")]
pub async fn list_all_refunds(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: Query<RefundParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let filter = RefundFilter {
        statuses: params.status.map(|status| of(status.0)).unwrap_or_default(),
        channel: params.channel.map(|channel| channel.0),
        made: between(params.from, params.to)?,
    };
    list::<Refunds>(&context, admin.user_id, request, filter).await
}

/// All refunds.
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

/// The statuses of rows that are shown as this one.
fn of(shown: ShownRefundStatus) -> &'static [RefundStatus] {
    match shown {
        ShownRefundStatus::Pending => &[RefundStatus::Requested, RefundStatus::Pending],
        ShownRefundStatus::Processed => &[RefundStatus::Processed],
        ShownRefundStatus::Failed => &[RefundStatus::Failed],
    }
}
