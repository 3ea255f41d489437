//! The routes for mechanics' own withdrawals.

use actix_web::{HttpResponse, get, post, web::Data};

use super::{
    actions::{self, no_such_withdrawal},
    dto::{NewWithdrawal, Withdrawal},
    queries::{self, OwnWithdrawalFilter},
};
use crate::{
    accounts::auth::{AnyMechanic, Mechanic, OwnId},
    http::{Body, IdempotencyKey, ListQuery, Owned, Page},
    money::wallet::context::WalletContext,
    platform::{
        error::{ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Requests a withdrawal. The amount is held at once and sent in the background; the withdrawal's status shows the
/// progress.
#[utoipa::path(
    tag = "wallet",
    params(IdempotencyKey),
    request_body = NewWithdrawal,
    responses(
        (status = 201, body = Withdrawal),
        (status = 409, body = ErrorBody, description = "INSUFFICIENT_BALANCE: more than may be withdrawn; CONFLICT: \
            there is no account to pay to, or it is not verified, or it waits; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/wallet/withdrawals")]
pub async fn request_withdrawal(
    context: Data<WalletContext>,
    mechanic: Mechanic,
    key: IdempotencyKey,
    body: Body<NewWithdrawal>,
) -> ApiResult<HttpResponse> {
    let key = key.read()?;
    let user_id = mechanic.caller.user_id;
    let request = Request::new(user_id, "/wallet/withdrawals", key, body.bytes());
    let make =
        async |claim: &Claim| actions::request(&context, mechanic.profile_id, body.read()?, claim).await;
    let again = async |id, _| actions::as_requested(&context, mechanic.profile_id, id).await;
    let row = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(Withdrawal::from(row)))
}

/// Lists the caller's withdrawals, the newest first.
#[utoipa::path(
    tag = "wallet",
    params(ListQuery<OwnWithdrawalFilter>),
    responses((status = 200, body = Page<Withdrawal>)),
)]
#[get("/wallet/withdrawals")]
pub async fn list_withdrawals(
    context: Data<WalletContext>,
    mechanic: AnyMechanic,
    query: ListQuery<OwnWithdrawalFilter>,
) -> ApiResult<HttpResponse> {
    let (filter, page) = query.read()?;
    let rows = queries::list_of_mechanic(&context.db, mechanic.profile_id, &filter, page).await?;
    let total =
        page.total(rows.len(), queries::count_of_mechanic(&context.db, mechanic.profile_id, &filter)).await?;
    Ok(HttpResponse::Ok().json(page.of(rows.into_iter().map(Withdrawal::from).collect(), total)))
}

/// Returns one of the caller's withdrawals.
#[utoipa::path(tag = "wallet", params(("id" = Uuid, Path)), responses((status = 200, body = Withdrawal)))]
#[get("/wallet/withdrawals/{id}")]
pub async fn get_withdrawal(
    context: Data<WalletContext>,
    own: Owned<OwnId, AnyMechanic>,
) -> ApiResult<HttpResponse> {
    let row = queries::find(&context.db, own.owner, own.id).await?;
    Ok(HttpResponse::Ok().json(Withdrawal::from(row.ok_or_else(no_such_withdrawal)?)))
}
