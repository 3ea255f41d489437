//! Everybody's withdrawals, for admins.

use actix_web::{HttpResponse, get, post, web::Data};
use uuid::Uuid;

use super::{
    actions::{self, ByHand},
    dto::{AllWithdrawalsParams, MarkWithdrawalFailed, MarkWithdrawalPaid, Withdrawal, WithdrawalForAdmin},
    queries::{self, AllWithdrawalsFilter, WithdrawalRow},
    state::WithdrawalStatus,
};
use crate::{
    accounts::{
        auth::{Admin, AnyId, desk},
        users::Contacts,
    },
    http::{
        AdminList, Body, ListFormat, ListRequest, ListWindow, Owned, Page, Query, RowKey, Timestamp, between,
        list,
    },
    money::wallet::context::WalletContext,
    platform::error::{ApiResult, ErrorBody},
};

/// Everybody's withdrawals, the newest first. The amount of one that failed or came back is available to its mechanic, who can
/// request it again; the service follows up on those under way. Without a payout provider, admins pay them by hand, and record it.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<WithdrawalStatus>, Query, description = "Only those with this status", example = "failed"),
        ("mechanic_profile_id" = Option<Uuid>, Query, description = "Of this mechanic", example = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01"),
        ("from" = Option<Timestamp>, Query, description = "Asked for from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Asked for before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<WithdrawalForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/withdrawals")]
pub async fn list_all_withdrawals(
    context: Data<WalletContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: Query<AllWithdrawalsParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let filter = AllWithdrawalsFilter {
        status: params.status.map(|status| status.0),
        mechanic_profile_id: params.mechanic_profile_id.map(|id| id.0.0),
        asked: between(params.from, params.to)?,
    };
    list::<Withdrawals>(&context, admin.user_id, request, filter).await
}

/// All withdrawals.
struct Withdrawals;

impl AdminList for Withdrawals {
    const NAME: &'static str = "withdrawals";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone", "vpa"];
    type Filter = AllWithdrawalsFilter;
    type Item = WithdrawalForAdmin;
    type Context = WalletContext;

    async fn count(context: &WalletContext, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&context.db, filter).await?)
    }

    async fn rows(
        context: &WalletContext,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&context.db, filter, window).await?;
        let contacts = Contacts::of(&context.db, rows.iter().map(|row| row.mechanic_profile_id)).await?;
        let is_by_hand = context.payout_settings.is_by_hand();
        let shown = |row: WithdrawalRow| WithdrawalForAdmin {
            mechanic_profile_id: row.mechanic_profile_id,
            mechanic: contacts.mechanic(row.mechanic_profile_id),
            holder_name: row.holder_name.clone(),
            payout_id: row.payout_id.clone(),
            attempts: row.attempts,
            is_to_be_paid_by_hand: is_by_hand && row.status.is_under_way(),
            withdrawal: row.into(),
        };
        let key = |row: &WithdrawalRow| RowKey { at: row.requested_at, id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), shown(row))).collect())
    }
}

/// Records that a withdrawal was paid by hand, once. Its mechanic is notified.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = MarkWithdrawalPaid,
    responses(
        (status = 200, body = Withdrawal),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: a payout provider pays withdrawals here, or \
            this one has ended"),
    ),
)]
#[post("/admin/withdrawals/{id}/mark-paid")]
pub async fn mark_withdrawal_paid(
    context: Data<WalletContext>,
    target: Owned<AnyId, Admin<desk::Money>>,
    body: Body<MarkWithdrawalPaid>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    let id = existing(&context, id).await?;
    let reference = body.read()?.reference.0;
    let outcome = ByHand::Paid { reference: &reference };
    let row = actions::record_by_hand(&context, admin.user_id, id, outcome).await?;
    Ok(HttpResponse::Ok().json(Withdrawal::from(row)))
}

/// Records that a withdrawal could not be paid by hand, once. Its mechanic is notified, and has the amount again.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = MarkWithdrawalFailed,
    responses(
        (status = 200, body = Withdrawal),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: a payout provider pays withdrawals here, or \
            this one has ended; CONFLICT: a provider was asked to pay it, and may have done so"),
    ),
)]
#[post("/admin/withdrawals/{id}/mark-failed")]
pub async fn mark_withdrawal_failed(
    context: Data<WalletContext>,
    target: Owned<AnyId, Admin<desk::Money>>,
    body: Body<MarkWithdrawalFailed>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    let id = existing(&context, id).await?;
    let reason = body.read()?.reason.0;
    let outcome = ByHand::NotPaid { reason: &reason };
    let row = actions::record_by_hand(&context, admin.user_id, id, outcome).await?;
    Ok(HttpResponse::Ok().json(Withdrawal::from(row)))
}

/// Returns the id of a withdrawal that there is: 404 comes before faults of the body.
async fn existing(context: &WalletContext, id: Uuid) -> ApiResult<Uuid> {
    let known = queries::is_known(&context.db, id).await?;
    known.then_some(id).ok_or_else(actions::no_such_withdrawal)
}
