//! What admins see of UPI accounts, and decide about those whose names do not match.

use actix_web::{HttpResponse, get, post, web::Data};
use uuid::Uuid;

use super::{
    actions,
    dto::{RejectUpiAccount, UpiAccountForAdmin, UpiFilter},
    queries::{self, AdminUpiFilter, AdminUpiRow},
    refusals::no_such_account,
};
use crate::{
    accounts::auth::{Admin, AnyId, desk},
    http::{
        AdminList, Body, ListFormat, ListRequest, ListWindow, NoFields, Owned, Page, Query, RowKey,
        Timestamp, between, list,
    },
    money::wallet::{context::WalletContext, state::VerificationStatus},
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
    },
};

/// UPI accounts, the newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<VerificationStatus>, Query, description = "Only those with this status"),
        ("from" = Option<Timestamp>, Query, description = "Added from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Added before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it",
        content((Page<UpiAccountForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/wallet/upi")]
pub async fn list_upi_accounts_for_admin(
    context: Data<WalletContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: Query<UpiFilter>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let filter = AdminUpiFilter {
        status: params.status.map(|status| status.0),
        added: between(params.from, params.to)?,
    };
    list::<UpiAccounts>(&context, admin.user_id, request, filter).await
}

/// UPI accounts that were not removed.
struct UpiAccounts;

impl AdminList for UpiAccounts {
    const NAME: &'static str = "upi-accounts";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "vpa"];
    type Filter = AdminUpiFilter;
    type Item = UpiAccountForAdmin;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count_for_admin(&core.db, *filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list_for_admin(&core.db, *filter, window).await?;
        let key = |row: &AdminUpiRow| RowKey { at: row.account.created_at, id: row.account.id };
        Ok(rows.into_iter().map(|row| (key(&row), UpiAccountForAdmin::from(row))).collect())
    }
}

/// Approves an account although its names do not match (contract 4.6).
#[utoipa::path(
    tag = "wallet",
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

/// 404 comes before what is wrong with the body.
async fn existing(context: &WalletContext, id: Uuid) -> ApiResult<Uuid> {
    let row = queries::find(&context.db, id).await?;
    row.map(|row| row.id).ok_or_else(no_such_account)
}
