//! The routes by which customers pay, and by which both sides see payments.

use actix_web::{HttpResponse, get, post, web::Data};
use roadcall_actors::{ids::UserId, job::state::Actor};

use super::{PaymentViewer, ViewedPayment};
use crate::{
    accounts::auth::{Caller, Customer},
    http::{Body, IdempotencyKey, ListQuery, Money, Owned, Page, ValidationErrors},
    money::payments::{
        actions::{
            cash, gateway,
            orders::{self, OrderSubject, Payer},
        },
        context::PaymentsContext,
        dto::{Channel, ConfirmCash, NewOrder, OrderMade, Payment, Verify},
        queries::{self, OwnPaymentFilter, PaymentRow},
        view,
    },
    platform::{
        error::{ApiError, ApiResult, ErrorBody, after_commit},
        idempotency::{self, Claim, Request},
    },
    providers::gateway::GatewaySettings,
};

/// Makes an order, for a job or for a set of cancellation fees. Only one payment is open at a time: repeated and
/// concurrent requests are answered with it (200). With `method` cash no gateway is needed: both sides confirm the
/// payment, and the job's mechanic can make it too. If `GET /config` names no payment provider (`none`), jobs are paid
/// in cash alone, and fees to the operator.
#[utoipa::path(
    tag = "payments",
    params(IdempotencyKey),
    request_body = NewOrder,
    responses(
        (status = 200, body = OrderMade, description = "The one that is open already"),
        (status = 201, body = OrderMade),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: nothing is due for this job, or it is \
            disputed for another reason than not_paid; CONFLICT: an order for this is being made; IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also of method if nobody can pay online here"),
        (status = 502, body = ErrorBody, description = "PROVIDER_ERROR: the gateway made no order"),
    ),
)]
#[post("/payments/orders")]
pub async fn create_order(
    context: Data<PaymentsContext>,
    Customer(caller): Customer,
    key: IdempotencyKey,
    body: Body<NewOrder>,
) -> ApiResult<HttpResponse> {
    let key = key.read()?;
    let request = Request::new(caller.user_id, "/payments/orders", key, body.bytes());
    let payer = Payer {
        user_id: caller.user_id,
        mechanic_profile_id: caller.mechanic.map(|mechanic| mechanic.profile_id),
    };
    let make = async |claim: &Claim| {
        let subject = subject(body.read()?, &context.gateway_settings)?;
        orders::order(&context, payer, subject, claim).await
    };
    let again = async |id, is_new| {
        let found = queries::find(&context.db, id).await?;
        found.map(|row| (row, is_new)).ok_or_else(|| ApiError::not_found("payment"))
    };
    let (row, is_new) = idempotency::once(&context, request, make, again).await?;
    let mut answer = if is_new { HttpResponse::Created() } else { HttpResponse::Ok() };
    Ok(answer.json(made_order(&context, row)))
}

/// Reads the subject of an order from the body, and refuses an online payment if there is no gateway.
fn subject(
    NewOrder { job_id, fee_job_ids, method }: NewOrder,
    gateway: &GatewaySettings,
) -> ApiResult<OrderSubject> {
    let channel = method.map_or(Channel::Online, Channel::from);
    match (job_id, fee_job_ids) {
        (Some(_), None) if channel == Channel::Online && !gateway.is_online() => {
            Err(ApiError::invalid("method", "must be cash: nobody can pay online here"))
        }
        (None, Some(_)) if !gateway.is_online() => Err(ApiError::invalid(
            "fee_job_ids",
            "can't be paid here: pay the operator, who then waives them",
        )),
        (Some(job), None) => Ok(OrderSubject::Job { job_id: job.0, channel }),
        (None, Some(jobs)) if channel == Channel::Online => {
            Ok(OrderSubject::Fees(jobs.0.iter().map(|id| id.0).collect()))
        }
        (None, Some(_)) => Err(ApiError::invalid("method", "fees can't be paid in cash")),
        (None, None) => Err(ApiError::invalid("job_id", "is required, or fee_job_ids")),
        (Some(_), Some(_)) => {
            let mut faults = ValidationErrors::default();
            faults.add("job_id", "can't be given together with fee_job_ids");
            faults.add("fee_job_ids", "can't be given together with job_id");
            Err(faults.into())
        }
    }
}

fn made_order(context: &PaymentsContext, row: PaymentRow) -> OrderMade {
    OrderMade {
        payment_id: row.id,
        gateway_order_id: row.gateway_order_id,
        amount: Money(row.amount_paise),
        currency: row.currency,
        key_id: (row.channel == Channel::Online).then(|| context.gateway.key_id().to_owned()),
        method: row.channel,
        expires_at: row.expires_at.map(Into::into),
    }
}

/// Takes the data that the gateway's checkout returned to the app. The service asks the gateway itself; if the gateway
/// can't be reached, the answer is the payment as it is, which is updated later.
#[utoipa::path(
    tag = "payments",
    request_body = Verify,
    responses(
        (status = 200, body = Payment),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED: an order that is not the caller's, or a \
            signature that is not the gateway's"),
    ),
)]
#[post("/payments/verify")]
pub async fn verify_payment(
    context: Data<PaymentsContext>,
    Customer(caller): Customer,
    body: Body<Verify>,
) -> ApiResult<HttpResponse> {
    let row = gateway::verify(&context, caller.user_id, body.read()?).await?;
    shown(&context, row).await
}

/// Confirms that this amount of cash changed hands. Once both sides have confirmed it, the job is paid. A repeated
/// confirmation changes nothing.
#[utoipa::path(
    tag = "payments",
    params(("id" = Uuid, Path)),
    request_body = ConfirmCash,
    responses(
        (status = 200, body = Payment),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: not a cash payment that is open; \
            CONFLICT: the payment is for another amount, or something else is due by now"),
    ),
)]
#[post("/payments/{id}/cash-confirm")]
pub async fn confirm_cash(
    context: Data<PaymentsContext>,
    payment: Owned<ViewedPayment, Customer>,
    body: Body<ConfirmCash>,
) -> ApiResult<HttpResponse> {
    let (ViewedPayment { row, due, viewer }, Customer(caller)) = payment.into_parts();
    let ConfirmCash { amount } = body.read()?;
    let user = UserId(caller.user_id);
    let is_customer = viewer == PaymentViewer::Customer;
    let by = if is_customer { Actor::Customer(user) } else { Actor::Mechanic(user) };
    let confirmed = cash::confirm(&context, &row, due, by, amount).await?;
    shown(&context, confirmed).await.map_err(after_commit)
}

/// Lists the caller's payments, as customer and as the mechanic that is paid, newest first.
#[utoipa::path(
    tag = "payments",
    params(ListQuery<OwnPaymentFilter>),
    responses((status = 200, body = Page<Payment>)),
)]
#[get("/payments")]
pub async fn list_payments(
    context: Data<PaymentsContext>,
    Customer(caller): Customer,
    query: ListQuery<OwnPaymentFilter>,
) -> ApiResult<HttpResponse> {
    let (filter, page) = query.read()?;
    let profile = caller.mechanic.map(|mechanic| mechanic.profile_id);
    let rows = queries::list_of_person(&context.db, caller.user_id, profile, &filter, page).await?;
    let total = page
        .total(rows.len(), queries::count_of_person(&context.db, caller.user_id, profile, &filter))
        .await?;
    Ok(HttpResponse::Ok().json(page.of(view::present(&context.db, rows).await?, total)))
}

/// Returns a payment, to its customer, the mechanic that it pays, and admins.
#[utoipa::path(tag = "payments", params(("id" = Uuid, Path)), responses((status = 200, body = Payment)))]
#[get("/payments/{id}")]
pub async fn get_payment(
    context: Data<PaymentsContext>,
    payment: Owned<ViewedPayment, Caller>,
) -> ApiResult<HttpResponse> {
    let (ViewedPayment { row, .. }, _) = payment.into_parts();
    shown(&context, row).await
}

async fn shown(context: &PaymentsContext, row: PaymentRow) -> ApiResult<HttpResponse> {
    let shown = view::present(&context.db, vec![row]).await?.pop();
    Ok(HttpResponse::Ok().json(shown))
}
