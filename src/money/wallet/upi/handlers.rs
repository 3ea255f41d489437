//! What mechanics do with their UPI accounts.

use actix_web::{HttpResponse, delete, get, post, web::Data};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    LOOK_UPS_COUNT_FOR, VerificationStatus, checking,
    dto::{NewUpiAccount, UpiAccount},
    illegal, no_such_account,
    queries::{self, UpiRow},
};
use crate::{
    accounts::auth::{self, AnyMechanic, Mechanic, OwnId},
    http::{Body, List, NoFields, Owned},
    money::wallet::{WalletContext, state::UpiCommand, withdrawals},
    platform::error::{ApiError, ApiResult, Code, ErrorBody, after_commit, commit_error},
};

/// The caller's UPI accounts with the status of their verification (contract 4.11): the default first, then the oldest.
#[utoipa::path(tag = "wallet", responses((status = 200, body = List<UpiAccount>)))]
#[get("/wallet/upi")]
pub async fn list_upi_accounts(
    context: Data<WalletContext>,
    mechanic: AnyMechanic,
) -> ApiResult<HttpResponse> {
    let rows = queries::list(&context.db, mechanic.profile_id).await?;
    Ok(HttpResponse::Ok().json(List { data: rows.into_iter().map(UpiAccount::from).collect() }))
}

/// One of the caller's UPI accounts.
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
    let found = queries::find(&context.db, own.id).await?;
    let row = found.filter(|row| row.mechanic_profile_id == own.owner).ok_or_else(no_such_account)?;
    Ok(HttpResponse::Ok().json(UpiAccount::from(row)))
}

/// Adds a UPI account and asks the provider who owns it. Until there is an answer it stays pending, and the service asks again.
/// The first verified account becomes the default.
#[utoipa::path(
    tag = "wallet",
    request_body = NewUpiAccount,
    responses(
        (status = 201, body = UpiAccount),
        (status = 409, body = ErrorBody, description = "CONFLICT: the address was added already, or the caller has as \
            many accounts as one may have"),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: as many addresses as one may have looked up in a day"),
    ),
)]
#[post("/wallet/upi")]
pub async fn add_upi_account(
    context: Data<WalletContext>,
    mechanic: Mechanic,
    body: Body<NewUpiAccount>,
) -> ApiResult<HttpResponse> {
    let new = body.read()?;
    let row = insert(&context, &mechanic, new).await?;
    Ok(HttpResponse::Created().json(UpiAccount::from(asked(&context, row).await?)))
}

async fn insert(context: &WalletContext, mechanic: &Mechanic, new: NewUpiAccount) -> ApiResult<UpiRow> {
    let now = context.clock.now();
    let wallet = &context.settings.wallet;
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, mechanic.caller.user_id).await?;
    check_room(&mut tx, context, mechanic.profile_id).await?;
    count_look_up(&mut tx, context, mechanic.profile_id).await?;
    queries::remove_invalid(&mut tx, mechanic.profile_id, wallet.max_upi_accounts - 1, now).await?;
    let row = UpiRow {
        id: context.random.id(now),
        mechanic_profile_id: mechanic.profile_id,
        vpa: new.vpa.0,
        holder_name: new.holder_name.map(|name| name.0),
        name_at_bank: None,
        name_match_score: None,
        verification_status: VerificationStatus::Pending,
        is_default: false,
        usable_from: now + TimeDelta::hours(wallet.new_account_wait_hours),
        rejection_reason: None,
        validation_id: None,
        fund_account_id: None,
        // Asked right away; if this process dies first, the worker asks.
        check_at: Some(checking::lease(context, now)),
        checks: 0,
        created_at: now,
        updated_at: now,
    };
    queries::insert(&mut tx, &row).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Refuses an account too many. Those that no bank knows don't count.
async fn check_room(
    tx: &mut PgConnection,
    context: &WalletContext,
    mechanic_profile_id: Uuid,
) -> ApiResult<()> {
    let most = context.settings.wallet.max_upi_accounts;
    if queries::count(tx, mechanic_profile_id).await? < most {
        return Ok(());
    }
    let message = format!("You can have at most {most} UPI accounts. Remove one first.");
    Err(ApiError::new(Code::Conflict, message))
}

/// Counts one more look-up at the provider: each may cost money, and reveals a name. Under the lock on the person.
async fn count_look_up(
    tx: &mut PgConnection,
    context: &WalletContext,
    mechanic_profile_id: Uuid,
) -> ApiResult<()> {
    let (now, most) = (context.clock.now(), context.settings.wallet.upi_look_ups_per_day);
    let since = now - LOOK_UPS_COUNT_FOR;
    let before = queries::look_ups_since(tx, mechanic_profile_id, since).await?;
    if let Some(wait_s) = look_up_wait_s(&before, most, since) {
        let message =
            format!("You can have at most {most} UPI addresses checked in 24 hours. Try again later.");
        return Err(ApiError::new(Code::RateLimited, message).retry_after(wait_s));
    }
    Ok(queries::count_look_up(tx, mechanic_profile_id, now, since).await?)
}

/// Seconds until one more look-up fits beside those since `since`, the oldest first; `None` where it fits now.
fn look_up_wait_s(before: &[DateTime<Utc>], most: usize, since: DateTime<Utc>) -> Option<u64> {
    let in_the_way = before.len().checked_sub(most).and_then(|index| before.get(index))?;
    Some(((*in_the_way - since).num_seconds() + 1).unsigned_abs())
}

/// Asks the provider and returns the account, as it was before if it is removed meanwhile. No answer is no failure: the worker
/// asks again.
async fn asked(context: &WalletContext, row: UpiRow) -> ApiResult<UpiRow> {
    if let Err(error) = checking::ask(context, &row).await {
        error.log();
    }
    Ok(queries::find(&context.db, row.id).await.map_err(after_commit)?.unwrap_or(row))
}

/// Makes an account the one that is used when a withdrawal names none.
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
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, own.by().caller.user_id).await?;
    let row = lock_own(&mut tx, &own).await?;
    body.read()?;
    if row.is_default {
        return Ok(HttpResponse::Ok().json(UpiAccount::from(row)));
    }
    super::check_payable(&row, now)?;
    queries::clear_default(&mut tx, own.owner, now).await?;
    queries::make_default(&mut tx, own.id, now).await?;
    tx.commit().await.map_err(commit_error)?;
    let row = UpiRow { is_default: true, updated_at: now, ..row };
    Ok(HttpResponse::Ok().json(UpiAccount::from(row)))
}

/// Asks the provider again, after the bank has corrected a name, for example.
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
    let found = queries::find(&context.db, own.id).await?;
    found.filter(|row| row.mechanic_profile_id == own.owner).ok_or_else(no_such_account)?;
    body.read()?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, own.by().caller.user_id).await?;
    let row = lock_own(&mut tx, &own).await?;
    let was_pending = row.verification_status == VerificationStatus::Pending;
    let to = row.verification_status.decide(UpiCommand::AskAgain).map_err(illegal)?;
    if row.verification_status == VerificationStatus::Invalid {
        check_room(&mut tx, &context, own.owner).await?;
    }
    // The result of a check that is under way is read; one that has ended is made again.
    let validation_id = row.validation_id.filter(|_| was_pending);
    if validation_id.is_none() {
        count_look_up(&mut tx, &context, own.owner).await?;
    }
    let row = UpiRow {
        verification_status: to,
        name_at_bank: None,
        name_match_score: None,
        validation_id,
        check_at: Some(checking::lease(&context, now)),
        checks: 0,
        updated_at: now,
        ..row
    };
    queries::update(&mut tx, &row).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(HttpResponse::Ok().json(UpiAccount::from(asked(&context, row).await?)))
}

/// Removes an account. If it was the default, the oldest other usable one becomes the default.
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
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, own.by().caller.user_id).await?;
    lock_own(&mut tx, &own).await?;
    if withdrawals::is_under_way_to(&mut *tx, own.id).await? {
        return Err(ApiError::new(
            Code::Conflict,
            "A withdrawal to this account is under way. Try again when it is finished.",
        ));
    }
    queries::mark_deleted(&mut tx, own.id, now).await?;
    super::keep_default_payable(&mut tx, own.owner, now).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(HttpResponse::NoContent().finish())
}

async fn lock_own(tx: &mut PgConnection, own: &OwnId) -> ApiResult<UpiRow> {
    let found = queries::lock(tx, own.id).await?;
    found.filter(|row| row.mechanic_profile_id == own.owner).ok_or_else(no_such_account)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_up_waits_until_the_one_in_its_way_is_a_day_old() {
        let since = DateTime::UNIX_EPOCH;
        let at = |seconds| since + TimeDelta::seconds(seconds);
        for (before, most, expected) in [
            (vec![], 2, None),
            (vec![at(10)], 2, None),
            (vec![at(10), at(20)], 2, Some(11)),
            // The limit was lowered.
            (vec![at(10), at(20), at(30)], 2, Some(21)),
            (vec![at(10)], 1, Some(11)),
            (vec![], 0, None),
        ] {
            assert_eq!(look_up_wait_s(&before, most, since), expected, "{before:?} of {most}");
        }
    }
}
