//! The admins' routes for everybody's withdrawals.

use actix_web::{HttpResponse, get, post, web::Data};
use uuid::Uuid;

use super::{
    actions::{self, ByHand},
    dto::{MarkWithdrawalFailed, MarkWithdrawalPaid, Withdrawal, WithdrawalForAdmin},
    queries::{self, WithdrawalFilter, WithdrawalRow},
};
use crate::{
    accounts::{
        auth::{Admin, AnyId, desk},
        users::Contacts,
    },
    http::{AdminList, Body, ExportQuery, ListWindow, Owned, Page, RowKey, list},
    money::wallet::context::WalletContext,
    platform::error::{ApiResult, ErrorBody},
};

/// Lists everybody's withdrawals, the newest first. The amount of a withdrawal that failed or came back is available to
/// its mechanic, who can request it again; the service follows up on those under way. Without a payout provider, admins
/// pay withdrawals by hand, and record it.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<WithdrawalFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<WithdrawalForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/withdrawals")]
pub async fn list_all_withdrawals(
    context: Data<WalletContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<WithdrawalFilter>,
) -> ApiResult<HttpResponse> {
    list::<Withdrawals>(&context, admin.user_id, &query).await
}

/// The admins' list of withdrawals.
struct Withdrawals;

impl AdminList for Withdrawals {
    const NAME: &'static str = "withdrawals";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone", "vpa"];
    type Filter = WithdrawalFilter;
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
    extensions(("x-desks" = json!(desk::Money))),
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

/// Records that a withdrawal could not be paid by hand, once. Its mechanic is notified, and the amount is available
/// again.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
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

/// Returns the id of an existing withdrawal: 404 takes precedence over faults of the body.
async fn existing(context: &WalletContext, id: Uuid) -> ApiResult<Uuid> {
    let known = queries::is_known(&context.db, id).await?;
    known.then_some(id).ok_or_else(actions::no_such_withdrawal)
}
