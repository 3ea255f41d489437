//! What there is, and where it came from.

use actix_web::{HttpResponse, get, web::Data};

use super::{
    dto::{PaymentRefund, TransactionFilter, Wallet, WalletTransaction},
    queries,
};
use crate::{
    accounting::ledger,
    accounts::auth::{AnyMechanic, Caller},
    http::{List, Page, PageParams, PathIds, Query},
    money::wallet::WalletContext,
    platform::error::{ApiError, ApiResult},
};

/// More than a payment ever has.
const MAX_REFUNDS: i64 = 1000;

/// What the caller has, owes, and has earned.
#[utoipa::path(tag = "wallet", responses((status = 200, body = Wallet)))]
#[get("/wallet")]
pub async fn get_wallet(context: Data<WalletContext>, mechanic: AnyMechanic) -> ApiResult<HttpResponse> {
    let mut db = context.db.acquire().await?;
    let wallet = super::of_mechanic(&mut db, mechanic.profile_id, &context.settings).await?;
    Ok(HttpResponse::Ok().json(wallet))
}

/// The lines of the caller's accounts, the newest first.
#[utoipa::path(
    tag = "wallet",
    params(
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, body = Page<WalletTransaction>)),
)]
#[get("/wallet/transactions")]
pub async fn list_wallet_transactions(
    context: Data<WalletContext>,
    mechanic: AnyMechanic,
    filter: Query<TransactionFilter>,
) -> ApiResult<HttpResponse> {
    let filter = filter.read()?;
    let page = PageParams::new(filter.page, filter.limit)?;
    let (rows, total) = ledger::lines(&context.db, mechanic.profile_id, page).await?;
    Ok(HttpResponse::Ok().json(page.of(rows.into_iter().map(WalletTransaction::from).collect(), total)))
}

/// The refunds of a payment, the oldest first (contract 4.10): for its customer, the mechanic that earned by it, and
/// admins.
#[utoipa::path(
    tag = "wallet",
    params(("paymentId" = Uuid, Path)),
    responses((status = 200, body = List<PaymentRefund>)),
)]
#[get("/wallet/refunds/{paymentId}")]
pub async fn list_refunds(
    context: Data<WalletContext>,
    caller: Caller,
    path: PathIds,
) -> ApiResult<HttpResponse> {
    let id = path.id("paymentId")?;
    let may_see = match caller.is_admin() {
        true => queries::payment_exists(&context.db, id).await?,
        false => queries::takes_part_in_payment(&context.db, id, caller.user_id).await?,
    };
    if !may_see {
        return Err(ApiError::not_found("payment"));
    }
    let newest_first = queries::newest_refunds(&context.db, &[id], MAX_REFUNDS).await?;
    Ok(HttpResponse::Ok()
        .json(List { data: newest_first.into_iter().rev().map(PaymentRefund::from).collect() }))
}
