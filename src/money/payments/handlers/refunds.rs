//! Everybody's refunds, for admins.

use actix_web::{HttpResponse, get, web::Data};

use crate::{
    accounts::auth::Admin,
    http::{
        ListFormat, Page, PageParams, Query, RowKey,
        csv_export::{self, Export},
    },
    money::payments::{
        PaymentsContext,
        dto::{Channel, Refund, RefundParams, ShownRefundStatus},
        refunds::queries::{self, RefundFilter},
        state::RefundStatus,
    },
    platform::error::ApiResult,
};

/// Everybody's refunds, newest first. Those in cash that are pending wait for `POST /admin/refunds/{id}/mark-paid`; one
/// that failed gave nothing back, and is to be made anew or otherwise.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<ShownRefundStatus>, Query, example = "failed"),
        ("channel" = Option<Channel>, Query, description = "How the payment was made", example = "cash"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<Refund> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/refunds")]
pub async fn list_all_refunds(
    context: Data<PaymentsContext>,
    Admin(admin): Admin,
    query: Query<RefundParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let page = PageParams::new(params.page, params.limit)?;
    let filter = RefundFilter {
        statuses: params.status.map(|status| of(status.0)).unwrap_or_default(),
        channel: params.channel.map(|channel| channel.0.to_string()),
    };
    let total = queries::count(&context.db, &filter).await?;
    if csv_export::is_csv(params.format) {
        let export = Export { list: "refunds", asked: query.pairs(), total };
        let db = context.db.clone();
        let read = move |slice| {
            let (db, filter) = (db.clone(), filter.clone());
            async move {
                let rows = queries::list(&db, &filter, slice).await?;
                Ok(rows
                    .into_iter()
                    .map(|row| (RowKey { at: row.created_at, id: row.id }, Refund::from(row)))
                    .collect())
            }
        };
        return export.csv(&context, admin.user_id, read).await;
    }
    let rows = queries::list(&context.db, &filter, page.into()).await?;
    Ok(HttpResponse::Ok().json(page.of(rows.into_iter().map(Refund::from).collect(), total)))
}

/// The statuses of rows that are shown as this one.
fn of(shown: ShownRefundStatus) -> Vec<String> {
    let statuses = match shown {
        ShownRefundStatus::Pending => &[RefundStatus::Requested, RefundStatus::Pending][..],
        ShownRefundStatus::Processed => &[RefundStatus::Processed],
        ShownRefundStatus::Failed => &[RefundStatus::Failed],
    };
    statuses.iter().map(|status| status.to_string()).collect()
}
