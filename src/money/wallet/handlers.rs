//! What there is, and where it came from.

use actix_web::{HttpResponse, get, web::Data};
use uuid::Uuid;

use super::{
    dto::{PaymentRefund, TransactionFilter, Wallet, WalletTransaction},
    queries,
};
use crate::{
    accounting::ledger,
    accounts::auth::{AnyMechanic, Caller},
    http::{List, Owned, OwnedBy, Page, PageParams, PathIds, Query, Timestamp, between},
    jobs,
    money::wallet::context::WalletContext,
    platform::core::Core,
    platform::error::ApiResult,
};

/// More than a payment ever has.
const MAX_REFUNDS: i64 = 1000;

/// What the caller has, owes, and has earned.
#[utoipa::path(tag = "wallet", responses((status = 200, body = Wallet)))]
#[get("/wallet")]
pub async fn get_wallet(context: Data<WalletContext>, mechanic: AnyMechanic) -> ApiResult<HttpResponse> {
    let mut db = context.db.acquire().await?;
    let wallet = super::of_mechanic(&mut db, mechanic.profile_id, &context.settings.currency).await?;
    Ok(HttpResponse::Ok().json(wallet))
}

/// The lines of the caller's accounts, the newest first.
#[utoipa::path(
    tag = "wallet",
    params(
        ("from" = Option<Timestamp>, Query, description = "Booked from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Booked before this time", example = "2026-04-01T00:00:00Z"),
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
    let booked = between(filter.from, filter.to)?;
    let (rows, total) = ledger::lines(&context.db, mechanic.profile_id, booked, page).await?;
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
