//! The routes for mechanics' own UPI accounts.

use actix_web::{HttpResponse, delete, get, post, web::Data};

use super::{
    actions::{self, UpiOwner},
    dto::{NewUpiAccount, UpiAccount},
    queries::{self, UpiRow},
    refusals::no_such_account,
};
use crate::{
    accounts::auth::{AnyMechanic, Mechanic, OwnId},
    http::{Body, IdempotencyKey, List, NoFields, Owned},
    money::wallet::context::WalletContext,
    platform::{
        error::{ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

/// Lists the caller's UPI accounts with the status of their verification (contract 4.11): the default first, then the
/// oldest.
#[utoipa::path(tag = "wallet", responses((status = 200, body = List<UpiAccount>)))]
#[get("/wallet/upi")]
pub async fn list_upi_accounts(
    context: Data<WalletContext>,
    mechanic: AnyMechanic,
) -> ApiResult<HttpResponse> {
    let rows = queries::list(&context.db, mechanic.profile_id).await?;
    Ok(HttpResponse::Ok().json(List { data: rows.into_iter().map(UpiAccount::from).collect() }))
}

/// Returns one of the caller's UPI accounts.
#[utoipa::path(
    tag = "wallet",
    params(("upiAccountId" = Uuid, Path)),
    responses((status = 200, body = UpiAccount)),
)]
#[get("/wallet/upi/{upiAccountId}")]
pub async fn get_upi_account(
    context: Data<WalletContext>,
    own: Owned<OwnId, AnyMechanic>,
) -> ApiResult<HttpResponse> {
    Ok(HttpResponse::Ok().json(UpiAccount::from(own_account(&context, &own).await?)))
}

/// Adds a UPI account and asks the provider who owns it. Until the provider answers, the account stays pending, and the
/// service asks again. The first verified account becomes the default.
#[utoipa::path(
    tag = "wallet",
    params(IdempotencyKey),
    request_body = NewUpiAccount,
    responses(
        (status = 201, body = UpiAccount),
        (status = 409, body = ErrorBody, description = "CONFLICT: the address was added already, or the caller has as \
            many accounts as one may have; IDEMPOTENCY_IN_FLIGHT"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: as many addresses as one may have looked up in a day"),
    ),
)]
#[post("/wallet/upi")]
pub async fn add_upi_account(
    context: Data<WalletContext>,
    mechanic: Mechanic,
    key: IdempotencyKey,
    body: Body<NewUpiAccount>,
) -> ApiResult<HttpResponse> {
    let request = Request::new(mechanic.caller.user_id, "/wallet/upi", key.read()?, body.bytes());
    let make = async |claim: &Claim| actions::add(&context, owner(&mechanic), body.read()?, claim).await;
    let again = async |id, _| queries::find(&context.db, id).await?.ok_or_else(no_such_account);
    let row = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(UpiAccount::from(row)))
}

/// Makes an account the default, which is used when a withdrawal names no account.
#[utoipa::path(
    tag = "wallet",
    params(("upiAccountId" = Uuid, Path)),
    responses(
        (status = 200, body = UpiAccount),
        (status = 409, body = ErrorBody, description = "CONFLICT: the account can't be withdrawn to, or not yet"),
    ),
)]
#[post("/wallet/upi/{upiAccountId}/default")]
pub async fn make_upi_account_default(
    context: Data<WalletContext>,
    own: Owned<OwnId, Mechanic>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    own_account(&context, &own).await?;
    body.read()?;
    let row = actions::make_default(&context, owner(own.by()), own.id).await?;
    Ok(HttpResponse::Ok().json(UpiAccount::from(row)))
}

/// Asks the provider again, for example after the bank has corrected a name.
#[utoipa::path(
    tag = "wallet",
    params(("upiAccountId" = Uuid, Path)),
    responses(
        (status = 200, body = UpiAccount),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the account is not pending, name_mismatch \
            or invalid; CONFLICT: it is invalid, and the caller has as many accounts as one may have"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: as many addresses as one may have looked up in a day"),
    ),
)]
#[post("/wallet/upi/{upiAccountId}/verify")]
pub async fn verify_upi_account(
    context: Data<WalletContext>,
    own: Owned<OwnId, Mechanic>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    own_account(&context, &own).await?;
    body.read()?;
    let row = actions::verify_again(&context, owner(own.by()), own.id).await?;
    Ok(HttpResponse::Ok().json(UpiAccount::from(row)))
}

/// Removes an account. If it was the default, the oldest other usable account becomes the default.
#[utoipa::path(
    tag = "wallet",
    params(("upiAccountId" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 409, body = ErrorBody, description = "CONFLICT: a withdrawal to it is under way"),
    ),
)]
#[delete("/wallet/upi/{upiAccountId}")]
pub async fn delete_upi_account(
    context: Data<WalletContext>,
    own: Owned<OwnId, AnyMechanic>,
) -> ApiResult<HttpResponse> {
    let AnyMechanic { caller, profile_id } = *own.by();
    let owner = UpiOwner { user_id: caller.user_id, mechanic_profile_id: profile_id };
    actions::remove(&context, owner, own.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

fn owner(mechanic: &Mechanic) -> UpiOwner {
    UpiOwner { user_id: mechanic.caller.user_id, mechanic_profile_id: mechanic.profile_id }
}

/// Returns the caller's account: 404 takes precedence over faults of the body.
async fn own_account(context: &WalletContext, own: &OwnId) -> ApiResult<UpiRow> {
    let found = queries::find(&context.db, own.id).await?;
    found.filter(|row| row.mechanic_profile_id == own.owner).ok_or_else(no_such_account)
}
