//! The admins' routes for UPI accounts: listing them, and deciding about those whose names do not match.

use actix_web::{HttpResponse, get, post, web::Data};
use uuid::Uuid;

use super::{
    actions,
    dto::{RejectUpiAccount, UpiAccountForAdmin},
    queries::{self, AdminUpiFilter, AdminUpiRow},
    refusals::no_such_account,
};
use crate::{
    accounts::auth::{Admin, AnyId, desk},
    http::{AdminList, Body, ExportQuery, ListWindow, NoFields, Owned, Page, RowKey, list},
    money::wallet::context::WalletContext,
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
    },
};

/// Lists UPI accounts, the newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<AdminUpiFilter>),
    responses((status = 200, description = "One page of the list, or all of it",
        content((Page<UpiAccountForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/wallet/upi")]
pub async fn list_upi_accounts_for_admin(
    context: Data<WalletContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<AdminUpiFilter>,
) -> ApiResult<HttpResponse> {
    list::<UpiAccounts>(&context, admin.user_id, &query).await
}

/// The admins' list of UPI accounts that were not removed.
struct UpiAccounts;

impl AdminList for UpiAccounts {
    const NAME: &'static str = "upi-accounts";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "vpa"];
    type Filter = AdminUpiFilter;
    type Item = UpiAccountForAdmin;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count_for_admin(&core.db, filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list_for_admin(&core.db, filter, window).await?;
        let key = |row: &AdminUpiRow| RowKey { at: row.account.created_at, id: row.account.id };
        Ok(rows.into_iter().map(|row| (key(&row), UpiAccountForAdmin::from(row))).collect())
    }
}

/// Approves an account although its names do not match (contract 4.6).
#[utoipa::path(
    tag = "wallet",
    extensions(("x-desks" = json!(desk::Money))),
    params(("upiAccountId" = Uuid, Path)),
    responses(
        (status = 200, body = UpiAccountForAdmin),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the account is not name_mismatch"),
    ),
)]
#[post("/wallet/upi/{upiAccountId}/approve")]
pub async fn approve_upi_account(
    context: Data<WalletContext>,
    target: Owned<AnyId, Admin<desk::Money>>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    let id = existing(&context, id).await?;
    body.read()?;
    let row = actions::approve(&context, admin.user_id, id).await?;
    Ok(HttpResponse::Ok().json(UpiAccountForAdmin::from(row)))
}

/// Rejects an account whose names do not match.
#[utoipa::path(
    tag = "wallet",
    extensions(("x-desks" = json!(desk::Money))),
    params(("upiAccountId" = Uuid, Path)),
    request_body = RejectUpiAccount,
    responses(
        (status = 200, body = UpiAccountForAdmin),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the account is not name_mismatch"),
    ),
)]
#[post("/wallet/upi/{upiAccountId}/reject")]
pub async fn reject_upi_account(
    context: Data<WalletContext>,
    target: Owned<AnyId, Admin<desk::Money>>,
    body: Body<RejectUpiAccount>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    let id = existing(&context, id).await?;
    let reason = body.read()?.reason.map(|reason| reason.0);
    let row = actions::reject(&context, admin.user_id, id, reason).await?;
    Ok(HttpResponse::Ok().json(UpiAccountForAdmin::from(row)))
}

/// Returns the id of an existing account: 404 takes precedence over faults of the body.
async fn existing(context: &WalletContext, id: Uuid) -> ApiResult<Uuid> {
    let row = queries::find(&context.db, id).await?;
    row.map(|row| row.id).ok_or_else(no_such_account)
}
