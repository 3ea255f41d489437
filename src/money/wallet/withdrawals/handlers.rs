//! What mechanics do with their withdrawals.

use actix_web::{HttpResponse, get, post, web::Data};
use uuid::Uuid;

use super::{
    WithdrawalStatus,
    dto::{NewWithdrawal, Withdrawal, WithdrawalFilter},
    queries::{self, AllWithdrawalsFilter, WithdrawalRow},
};
use crate::{
    accounting::ledger::{self, Account, EntryKind, LedgerEntry},
    accounts::auth::{AnyMechanic, Mechanic, OwnId},
    fleet::mechanics,
    http::{Body, IdempotencyKey, Money, Owned, Page, PageParams, Query, Timestamp, between},
    money::wallet::{
        WalletContext,
        upi::{self, UpiRow},
    },
    platform::{
        error::{ApiError, ApiResult, Code, ErrorBody, commit_error},
        idempotency::{self, Claim, Request},
    },
};

/// Requests a withdrawal. The amount is held at once and sent in the background; the withdrawal shows how far it is.
#[utoipa::path(
    tag = "wallet",
    params(IdempotencyKey),
    request_body = NewWithdrawal,
    responses(
        (status = 201, body = Withdrawal),
        (status = 409, body = ErrorBody, description = "INSUFFICIENT_BALANCE: more than may be withdrawn; CONFLICT: \
            there is no account to pay to, or it is not verified, or it waits; IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED; IDEMPOTENCY_KEY_REUSED: the key came with \
            another body"),
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
    let make = async |claim: &Claim| withdraw(&context, &mechanic, body, claim).await;
    let again = async |id, _| as_requested(&context, mechanic.profile_id, id).await;
    let row = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(Withdrawal::from(row)))
}

/// The withdrawal as it was when made, which is the answer that its maker got.
async fn as_requested(
    context: &WalletContext,
    mechanic_profile_id: Uuid,
    id: Uuid,
) -> ApiResult<WithdrawalRow> {
    let row = queries::find(&context.db, mechanic_profile_id, id).await?.ok_or_else(no_such_withdrawal)?;
    Ok(WithdrawalRow {
        status: WithdrawalStatus::Requested,
        utr: None,
        failure_reason: None,
        settled_at: None,
        ..row
    })
}

async fn withdraw(
    context: &WalletContext,
    mechanic: &Mechanic,
    body: Body<NewWithdrawal>,
    claim: &Claim,
) -> ApiResult<WithdrawalRow> {
    let now = context.clock.now();
    let new = body.read()?;
    check_amount(context, new.amount)?;
    let mut tx = context.db.begin().await?;
    let asked_for = new.upi_account_id.map(|id| id.0);
    let account = upi::lock_to_pay(&mut tx, mechanic.profile_id, asked_for).await?;
    let account = payable(account, asked_for.is_some(), now)?;
    let owner = mechanics::verified_name(&mut *tx, mechanic.profile_id).await?;
    let row = WithdrawalRow {
        id: context.random.id(now),
        mechanic_profile_id: mechanic.profile_id,
        upi_account_id: account.id,
        holder_name: account
            .holder_name
            .or(account.name_at_bank)
            .or(owner)
            .unwrap_or_else(|| account.vpa.clone()),
        vpa: account.vpa,
        fund_account_id: account.fund_account_id,
        amount_paise: new.amount.0,
        currency: context.settings.jobs.currency.clone(),
        status: WithdrawalStatus::Requested,
        payout_id: None,
        utr: None,
        failure_reason: None,
        attempts: 0,
        next_try_at: Some(now),
        requested_at: now,
        settled_at: None,
        updated_at: now,
    };
    queries::insert(&mut tx, &row).await?;
    let balances = ledger::lock_balances(&mut tx, mechanic.profile_id).await?;
    if row.amount_paise > balances.withdrawable_paise() {
        return Err(ApiError::new(
            Code::InsufficientBalance,
            "You can't withdraw that much. Your balance is too low.",
        ));
    }
    let (held, available) = (Account::Held(mechanic.profile_id), Account::Available(mechanic.profile_id));
    let entry = LedgerEntry {
        kind: EntryKind::WithdrawalHold,
        key: format!("withdrawal:{}:hold", row.id),
        job_id: None,
        note: None,
        postings: vec![(available, -row.amount_paise), (held, row.amount_paise)],
    };
    ledger::post(&mut tx, &context.random, now, entry).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    context.payout_wakeup.wake();
    Ok(row)
}

fn check_amount(context: &WalletContext, amount: Money) -> ApiResult<()> {
    let wallet = &context.settings.wallet;
    let (least, most) = (wallet.min_withdrawal_paise, wallet.max_withdrawal_paise);
    if (least..=most).contains(&amount.0) {
        return Ok(());
    }
    Err(ApiError::invalid("amount", format!("must be {} to {}", Money(least), Money(most))))
}

/// The account, if money may be sent there now.
fn payable(account: Option<UpiRow>, is_named: bool, now: chrono::DateTime<chrono::Utc>) -> ApiResult<UpiRow> {
    match account {
        None if is_named => Err(ApiError::invalid("upi_account_id", "is not a UPI account of yours")),
        None => Err(ApiError::new(
            Code::Conflict,
            "You have no UPI account we can pay yet. Add one, or wait until yours is verified.",
        )),
        Some(account) => upi::check_payable(&account, now).map(|()| account),
    }
}

/// The caller's withdrawals, the newest first.
#[utoipa::path(
    tag = "wallet",
    params(
        ("from" = Option<Timestamp>, Query, description = "Asked for from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Asked for before this time", example = "2026-04-01T00:00:00Z"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, body = Page<Withdrawal>)),
)]
#[get("/wallet/withdrawals")]
pub async fn list_withdrawals(
    context: Data<WalletContext>,
    mechanic: AnyMechanic,
    filter: Query<WithdrawalFilter>,
) -> ApiResult<HttpResponse> {
    let filter = filter.read()?;
    let page = PageParams::new(filter.page, filter.limit)?;
    let own = AllWithdrawalsFilter {
        mechanic_profile_id: Some(mechanic.profile_id),
        asked: between(filter.from, filter.to)?,
        ..AllWithdrawalsFilter::default()
    };
    let rows = queries::list(&context.db, &own, page.into()).await?;
    let total = queries::count(&context.db, &own).await?;
    Ok(HttpResponse::Ok().json(page.of(rows.into_iter().map(Withdrawal::from).collect(), total)))
}

/// One of the caller's withdrawals.
#[utoipa::path(tag = "wallet", params(("id" = Uuid, Path)), responses((status = 200, body = Withdrawal)))]
#[get("/wallet/withdrawals/{id}")]
pub async fn get_withdrawal(
    context: Data<WalletContext>,
    own: Owned<OwnId, AnyMechanic>,
) -> ApiResult<HttpResponse> {
    let row = queries::find(&context.db, own.owner, own.id).await?;
    Ok(HttpResponse::Ok().json(Withdrawal::from(row.ok_or_else(no_such_withdrawal)?)))
}

fn no_such_withdrawal() -> ApiError {
    ApiError::not_found("withdrawal")
}
