//! The routes for a wallet's balances, its transactions, and the refunds of a payment.

use actix_web::{HttpResponse, get, web::Data};
use uuid::Uuid;

use super::{
    dto::{PaymentRefund, TransactionFilter, Wallet, WalletTransaction},
    queries,
};
use crate::{
    accounting::ledger,
    accounts::auth::{AnyMechanic, Caller},
    http::{List, ListQuery, Owned, OwnedBy, Page, PathIds},
    jobs,
    money::wallet::context::WalletContext,
    platform::core::Core,
    platform::error::ApiResult,
};

/// The maximum number of refunds in a list, more than a payment ever has.
const MAX_REFUNDS: i64 = 1000;

/// Returns the caller's balances, debts and lifetime earnings.
#[utoipa::path(tag = "wallet", responses((status = 200, body = Wallet)))]
#[get("/wallet")]
pub async fn get_wallet(context: Data<WalletContext>, mechanic: AnyMechanic) -> ApiResult<HttpResponse> {
    let mut db = context.db.acquire().await?;
    let wallet = super::of_mechanic(&mut db, mechanic.profile_id, &context.settings.currency).await?;
    Ok(HttpResponse::Ok().json(wallet))
}

/// Lists the lines of the caller's accounts, the newest first.
#[utoipa::path(
    tag = "wallet",
    params(ListQuery<TransactionFilter>),
    responses((status = 200, body = Page<WalletTransaction>)),
)]
#[get("/wallet/transactions")]
pub async fn list_wallet_transactions(
    context: Data<WalletContext>,
    mechanic: AnyMechanic,
    query: ListQuery<TransactionFilter>,
) -> ApiResult<HttpResponse> {
    let (filter, page) = query.read()?;
    let (rows, total) = ledger::lines(&context.db, mechanic.profile_id, filter.booked, page).await?;
    Ok(HttpResponse::Ok().json(page.of(rows.into_iter().map(WalletTransaction::from).collect(), total)))
}

/// Lists the refunds of a payment, the oldest first (contract 4.10): for its customer, the mechanic that earned by it,
/// and admins.
#[utoipa::path(
    tag = "wallet",
    params(("paymentId" = Uuid, Path)),
    responses((status = 200, body = List<PaymentRefund>)),
)]
#[get("/wallet/refunds/{paymentId}")]
pub async fn list_refunds(
    context: Data<WalletContext>,
    payment: Owned<RefundedPayment, Caller>,
) -> ApiResult<HttpResponse> {
    let newest_first = queries::newest_refunds(&context.db, &[payment.0], MAX_REFUNDS).await?;
    Ok(HttpResponse::Ok()
        .json(List { data: newest_first.into_iter().rev().map(PaymentRefund::from).collect() }))
}

/// The id of a payment whose refunds the caller may see.
#[derive(Debug)]
pub struct RefundedPayment(Uuid);

impl OwnedBy<Caller> for RefundedPayment {
    const NAME: &'static str = "payment";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        let id = path.id("paymentId")?;
        jobs::check_desk(by)?;
        let may_see = match by.is_admin() {
            true => queries::payment_exists(&core.db, id).await?,
            false => queries::takes_part_in_payment(&core.db, id, by.user_id).await?,
        };
        Ok(may_see.then_some(Self(id)))
    }
}
