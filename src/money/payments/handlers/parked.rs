//! Money at the gateway that fits no payment, and what admins do about it.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use crate::{
    accounts::auth::{Admin, AnyId, desk},
    http::{
        AdminList, Body, ListFormat, ListRequest, ListWindow, Owned, Page, Query, RowKey, Timestamp, between,
        list,
    },
    money::payments::{
        actions::parked::{self, no_such_parked_payment},
        context::PaymentsContext,
        parked::{
            dto::{ParkedParams, ParkedPayment, SettleParkedPayment},
            queries::{self, ParkedFilter, ParkedRow},
        },
        state::ParkedStatus,
    },
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
    },
};

/// Money at the gateway that fits no payment, newest first: an unknown order, a wrong amount or currency. It is never booked:
/// refund it, or dismiss it if it was dealt with elsewhere.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<ParkedStatus>, Query, example = "open"),
        ("from" = Option<Timestamp>, Query, description = "Seen from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Seen before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<ParkedPayment> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/parked-payments")]
pub async fn list_parked_payments(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: Query<ParkedParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let filter =
        ParkedFilter { status: params.status.map(|status| status.0), seen: between(params.from, params.to)? };
    list::<ParkedPayments>(&context, admin.user_id, request, filter).await
}

/// All parked payments.
struct ParkedPayments;

impl AdminList for ParkedPayments {
    const NAME: &'static str = "parked-payments";
    const PERSONAL_DATA: &'static [&'static str] = &[];
    type Filter = ParkedFilter;
    type Item = ParkedPayment;
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
        let key = |row: &ParkedRow| RowKey { at: row.seen_at, id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), ParkedPayment::from(row))).collect())
    }
}

/// Has the gateway refund a parked payment. It is `refunding` until the gateway has done so; if the gateway fails, it is `open`
/// again and says why. Repeating the request while the refund is under way makes no second one.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = SettleParkedPayment,
    responses(
        (status = 200, body = ParkedPayment),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it was refunded or dismissed before"),
    ),
)]
#[post("/admin/parked-payments/{id}/refund")]
pub async fn refund_parked_payment(
    context: Data<PaymentsContext>,
    target: Owned<AnyId, Admin<desk::Money>>,
    body: Body<SettleParkedPayment>,
) -> ApiResult<Json<ParkedPayment>> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    let row = queries::find(&context.db, id).await?.ok_or_else(no_such_parked_payment)?;
    let reason = body.read()?.reason.0;
    Ok(Json(parked::refund(&context, admin.user_id, row.id, &reason).await?.into()))
}

/// Closes a parked payment that is not to be refunded here, because it was dealt with at the gateway, for example.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = SettleParkedPayment,
    responses(
        (status = 200, body = ParkedPayment),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it is being refunded, or was refunded \
            or dismissed before"),
    ),
)]
#[post("/admin/parked-payments/{id}/dismiss")]
pub async fn dismiss_parked_payment(
    context: Data<PaymentsContext>,
    target: Owned<AnyId, Admin<desk::Money>>,
    body: Body<SettleParkedPayment>,
) -> ApiResult<Json<ParkedPayment>> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    let row = queries::find(&context.db, id).await?.ok_or_else(no_such_parked_payment)?;
    let reason = body.read()?.reason.0;
    Ok(Json(parked::dismiss(&context, admin.user_id, row.id, &reason).await?.into()))
}
