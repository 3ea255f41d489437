//! The admins' routes for payments, refunds and the gateway's events.

use actix_web::{HttpResponse, get, post, web::Data};

use crate::{
    accounts::{
        auth::{Admin, AnyId, desk},
        users::Contacts,
    },
    http::{AdminList, Body, ExportQuery, IdempotencyKey, ListWindow, NoFields, Owned, Page, RowKey, list},
    money::payments::{
        actions::{self, webhooks},
        context::PaymentsContext,
        dto::{MarkRefundPaid, NewRefund, Payment, PaymentForAdmin, Refund},
        inbox::{
            dto::{DismissWebhookEvent, WebhookEvent},
            queries as events,
        },
        queries::{self, PaymentFilter},
        refunds, view,
    },
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody, after_commit},
        idempotency::{self, Claim, Request},
    },
};

/// Lists everybody's payments, newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<PaymentFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<PaymentForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/payments")]
pub async fn list_all_payments(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<PaymentFilter>,
) -> ApiResult<HttpResponse> {
    list::<Payments>(&context, admin.user_id, &query).await
}

/// The admins' list of payments.
struct Payments;

impl AdminList for Payments {
    const NAME: &'static str = "payments";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = PaymentFilter;
    type Item = PaymentForAdmin;
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
        let keys: Vec<_> = rows.iter().map(|row| RowKey { at: row.created_at, id: row.id }).collect();
        let contacts = Contacts::of(&core.db, rows.iter().map(|row| row.customer_id)).await?;
        let with_customer = |payment: Payment| {
            let customer = contacts.customer(payment.customer_id);
            PaymentForAdmin { payment, customer }
        };
        let shown = view::present(&core.db, rows).await?.into_iter().map(with_customer);
        Ok(keys.into_iter().zip(shown).collect())
    }
}

/// Lists the events that the gateway sent, newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<events::EventFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<WebhookEvent> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/webhook-events")]
pub async fn list_webhook_events(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<events::EventFilter>,
) -> ApiResult<HttpResponse> {
    list::<WebhookEvents>(&context, admin.user_id, &query).await
}

/// The admins' list of the gateway's events.
struct WebhookEvents;

impl AdminList for WebhookEvents {
    const NAME: &'static str = "webhook-events";
    const PERSONAL_DATA: &'static [&'static str] = &[];
    type Filter = events::EventFilter;
    type Item = WebhookEvent;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(events::count(&core.db, filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = events::list(&core.db, filter, window).await?;
        Ok(rows
            .into_iter()
            .map(|row| (RowKey { at: row.received_at, id: row.id }, WebhookEvent::from(row)))
            .collect())
    }
}

/// Processes an event again, from the beginning. This is harmless if the event was processed before.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = WebhookEvent)),
)]
#[post("/admin/webhook-events/{id}/replay")]
pub async fn replay_webhook_event(
    context: Data<PaymentsContext>,
    target: Owned<AnyId, Admin<desk::Money>>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    let missing = || ApiError::not_found("webhook event");
    let before = events::find(&context.db, id).await?.ok_or_else(missing)?;
    body.read()?;
    let row = webhooks::replay(&context, admin.user_id, &before).await?;
    Ok(HttpResponse::Ok().json(WebhookEvent::from(row.ok_or_else(missing)?)))
}

/// Closes a dead event that needs no processing: it counts as ignored, and can still be replayed.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(("id" = Uuid, Path)),
    request_body = DismissWebhookEvent,
    responses(
        (status = 200, body = WebhookEvent),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it is not dead"),
    ),
)]
#[post("/admin/webhook-events/{id}/dismiss")]
pub async fn dismiss_webhook_event(
    context: Data<PaymentsContext>,
    target: Owned<AnyId, Admin<desk::Money>>,
    body: Body<DismissWebhookEvent>,
) -> ApiResult<HttpResponse> {
    let missing = || ApiError::not_found("webhook event");
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    let before = events::find(&context.db, id).await?.ok_or_else(missing)?;
    let reason = body.read()?.reason.0;
    let row = webhooks::dismiss(&context, admin.user_id, &before, &reason).await?;
    Ok(HttpResponse::Ok().json(WebhookEvent::from(row)))
}

/// Records that a refund of a cash payment, which no gateway can make, was paid by hand.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = MarkRefundPaid,
    responses(
        (status = 200, body = Refund),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the gateway makes this refund, or it \
            was made already; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/admin/refunds/{id}/mark-paid")]
pub async fn mark_refund_paid(
    context: Data<PaymentsContext>,
    target: Owned<AnyId, Admin<desk::Money>>,
    key: IdempotencyKey,
    body: Body<MarkRefundPaid>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    let missing = || ApiError::not_found("refund");
    let found = refunds::queries::find(&context.db, id).await?.ok_or_else(missing)?;
    let key = key.read()?;
    // The refund's id is part of the digest: the same key for another refund is another request.
    let digested = [found.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(admin.user_id, "/admin/refunds/{id}/mark-paid", key, &digested);
    let make = async |claim: &Claim| {
        let MarkRefundPaid { reference } = body.read()?;
        actions::refunds::mark_paid(&context, admin.user_id, &found, &reference.0, claim).await
    };
    // A refund that was paid by hand stays paid.
    idempotency::once(&context, request, make, async |_, _| Ok(())).await?;
    let row = refunds::queries::find(&context.db, found.id).await.map_err(after_commit)?;
    Ok(HttpResponse::Ok().json(Refund::from(row.ok_or_else(missing)?)))
}

/// Refunds a captured payment, in part or in full. The refund lowers the price of the job, and the mechanic's share
/// too.
#[utoipa::path(
    tag = "payments",
    extensions(("x-desks" = json!(desk::Money))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewRefund,
    responses(
        (status = 201, body = Refund),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the payment was not captured; \
            IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/payments/{id}/refunds")]
pub async fn refund_payment(
    context: Data<PaymentsContext>,
    target: Owned<AnyId, Admin<desk::Money>>,
    key: IdempotencyKey,
    body: Body<NewRefund>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    let row = queries::find(&context.db, id).await?.ok_or_else(|| ApiError::not_found("payment"))?;
    let key = key.read()?;
    // The payment's id is part of the digest: the same key for another payment is another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(admin.user_id, "/payments/{id}/refunds", key, &digested);
    let make = async |claim: &Claim| {
        actions::refunds::promise(&context, admin.user_id, row.id, body.read()?, claim).await
    };
    let again = async |id, _| actions::refunds::as_promised(&context, id).await;
    let row = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(Refund::from(row)))
}
