use actix_web::{HttpResponse, post, web::Data};
use roadcall_http::{Body, PathText};
use roadcall_platform::error::{ApiError, ApiResult, Code, ErrorBody, commit_error};

use super::{
    PayError,
    dto::{PaidOrder, PayOrder},
};
use crate::sandbox::SandboxContext;

/// Pays an order, or fails to pay it, in the customer's place. Development only: there is no such path with a real gateway.
#[utoipa::path(
    tag = "sandbox",
    security(()),
    params(("gateway_order_id" = String, Path, example = "order_9A33XWu170gUtm")),
    request_body = PayOrder,
    responses(
        (status = 200, body = PaidOrder),
        (status = 409, body = ErrorBody, description = "CONFLICT: the order is paid already, or has expired"),
    ),
)]
#[post("/sandbox/gateway/orders/{gateway_order_id}/pay")]
pub async fn pay_order(
    context: Data<SandboxContext>,
    path: PathText,
    body: Body<PayOrder>,
) -> ApiResult<HttpResponse> {
    let sandbox = context.sandbox.clone().filter(|_| !context.settings.is_production());
    let sandbox = sandbox.ok_or_else(|| ApiError::not_found("order"))?;
    let order_id = path.text("gateway_order_id").to_owned();
    sandbox.check_order(&order_id).await.map_err(refused)?;
    let PayOrder { outcome, method } = body.read()?;
    let method = method.map_or_else(|| "upi".to_owned(), |method| method.0);
    let made = sandbox.pay(&order_id, outcome, &method).await.map_err(refused)?;
    Ok(HttpResponse::Ok().json(PaidOrder {
        gateway_payment_id: made.attempt_id,
        gateway_order_id: order_id,
        status: outcome,
        signature: made.signature,
    }))
}

fn refused(error: PayError) -> ApiError {
    match error {
        PayError::NoSuchOrder => ApiError::not_found("order"),
        PayError::Paid | PayError::Expired => ApiError::new(Code::Conflict, error.to_string()),
        PayError::Database(error) => ApiError::from(error),
        PayError::Commit(error) => commit_error(error),
    }
}
