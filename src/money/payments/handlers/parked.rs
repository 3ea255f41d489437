//! The admins' routes for money at the gateway that fits no payment.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use crate::{
    accounts::auth::{Admin, AnyId, desk},
    http::{AdminList, Body, ExportQuery, ListWindow, Owned, Page, RowKey, list},
    money::payments::{
        actions::parked::{self, no_such_parked_payment},
        context::PaymentsContext,
        parked::{
            dto::{ParkedPayment, SettleParkedPayment},
            queries::{self, ParkedFilter, ParkedRow},
        },
    },
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
    },
};

/// Lists money at the gateway that fits no payment, newest first: its order is unknown, or its amount or currency is
/// wrong. It is never booked: refund it, or dismiss it if it was dealt with elsewhere.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<ParkedFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<ParkedPayment> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/parked-payments")]
pub async fn list_parked_payments(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<ParkedFilter>,
) -> ApiResult<HttpResponse> {
    list::<ParkedPayments>(&context, admin.user_id, &query).await
}

/// The admins' list of parked payments.
struct ParkedPayments;

impl AdminList for ParkedPayments {
    const NAME: &'static str = "parked-payments";
    const PERSONAL_DATA: &'static [&'static str] = &[];
    type Filter = ParkedFilter;
    type Item = ParkedPayment;
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
        let key = |row: &ParkedRow| RowKey { at: row.seen_at, id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), ParkedPayment::from(row))).collect())
    }
}

/// Refunds a parked payment at the gateway. It is `refunding` until the gateway has made the refund; if the gateway
/// fails, it is `open` again and says why. Repeating the request while the refund is under way makes no second refund.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
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

/// Closes a parked payment that should not be refunded here, for example because it was dealt with at the gateway.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
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
