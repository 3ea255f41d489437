//! What admins see and do.

use actix_web::{HttpResponse, get, post, web::Data};

use crate::{
    accounts::{
        auth::{Admin, AnyId, desk},
        users::Contacts,
    },
    http::{
        AdminList, Body, IdempotencyKey, ListFormat, ListRequest, ListWindow, NoFields, Owned, Page, Query,
        RowKey, Timestamp, between, list,
    },
    money::payments::{
        actions::{self, webhooks},
        context::PaymentsContext,
        dto::{AllPaymentsParams, MarkRefundPaid, NewRefund, Payment, PaymentForAdmin, Refund},
        inbox::{
            dto::{DismissWebhookEvent, EventParams, WebhookEvent, WebhookStatus},
            queries as events,
        },
        queries::{self, PaymentFilter},
        refunds,
        state::PaymentStatus,
        view,
    },
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody, after_commit},
        idempotency::{self, Claim, Request},
    },
};

/// Everybody's payments, newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<PaymentStatus>, Query, example = "captured"),
        ("job_id" = Option<Uuid>, Query, example = "019ceb77-7340-7b20-9e32-6d1f5aab2c01"),
        ("customer_id" = Option<Uuid>, Query, description = "Of this customer", example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01"),
        ("from" = Option<Timestamp>, Query, description = "Made from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Made before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<PaymentForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/payments")]
pub async fn list_all_payments(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: Query<AllPaymentsParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let filter = PaymentFilter {
        customer_id: params.customer_id.map(|id| id.0.0),
        job_id: params.job_id.map(|id| id.0.0),
        status: params.status.map(|status| status.0),
        made: between(params.from, params.to)?,
    };
    list::<Payments>(&context, admin.user_id, request, filter).await
}

/// All payments.
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

/// What the gateway sent, newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<WebhookStatus>, Query, example = "dead"),
        ("event" = Option<String>, Query, description = "The event's name", example = "payment.captured"),
        ("from" = Option<Timestamp>, Query, description = "Received from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Received before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<WebhookEvent> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/webhook-events")]
pub async fn list_webhook_events(
    context: Data<PaymentsContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: Query<EventParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let event = params.event.map(|event| event.0);
    if event.as_ref().is_some_and(|event| event.contains('\0')) {
        return Err(ApiError::invalid("event", "is not the name of an event"));
    }
    let status = params.status.map(|status| status.0);
    let filter = events::EventFilter { status, event, received: between(params.from, params.to)? };
    list::<WebhookEvents>(&context, admin.user_id, request, filter).await
}

/// All events that the gateway sent.
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

/// Processes an event again, from the beginning. Harmless if it was processed before.
#[utoipa::path(tag = "admin", params(("id" = Uuid, Path)), responses((status = 200, body = WebhookEvent)))]
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

/// Closes a dead event that needs nothing more: it counts as ignored, and can still be replayed.
#[utoipa::path(
    tag = "admin",
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
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = MarkRefundPaid,
    responses(
        (status = 200, body = Refund),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the gateway makes this refund, or it \
            was made already; IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED; IDEMPOTENCY_KEY_REUSED: the key came with \
            another body"),
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
    // The same key for another refund is another request.
    let digested = [found.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(admin.user_id, "/admin/refunds/{id}/mark-paid", key, &digested);
    let make = async |claim: &Claim| {
        let MarkRefundPaid { reference } = body.read()?;
        actions::refunds::mark_paid(&context, admin.user_id, &found, &reference.0, claim).await
    };
    // What was paid by hand stays so.
    idempotency::once(&context, request, make, async |_, _| Ok(())).await?;
    let row = refunds::queries::find(&context.db, found.id).await.map_err(after_commit)?;
    Ok(HttpResponse::Ok().json(Refund::from(row.ok_or_else(missing)?)))
}

/// Gives a captured payment back, in part or whole. What the job cost is lowered by it, and the mechanic's share too.
#[utoipa::path(
    tag = "payments",
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewRefund,
    responses(
        (status = 201, body = Refund),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the payment was not captured; \
            IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED; IDEMPOTENCY_KEY_REUSED: the key came with \
            another body"),
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
    // The same key for another payment is another request.
    let digested = [row.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(admin.user_id, "/payments/{id}/refunds", key, &digested);
    let make = async |claim: &Claim| {
        actions::refunds::promise(&context, admin.user_id, row.id, body.read()?, claim).await
    };
    let again = async |id, _| actions::refunds::as_promised(&context, id).await;
    let row = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(Refund::from(row)))
}
