//! Everybody's withdrawals, for admins.

use actix_web::{HttpResponse, get, web::Data};

use super::{
    dto::{AllWithdrawalsParams, WithdrawalForAdmin},
    queries::{self, AllWithdrawalsFilter, WithdrawalRow},
    state::WithdrawalStatus,
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{AdminList, ListFormat, ListRequest, ListWindow, Page, Query, RowKey, Timestamp, between, list},
    money::wallet::context::WalletContext,
    platform::{core::Core, error::ApiResult},
};

/// Everybody's withdrawals, the newest first. The amount of one that failed or came back is available to its mechanic, who can
/// request it again; the service follows up on those under way.
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

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&core.db, filter, window).await?;
        let contacts = Contacts::of(&core.db, rows.iter().map(|row| row.mechanic_profile_id)).await?;
        let shown = |row: WithdrawalRow| WithdrawalForAdmin {
            mechanic_profile_id: row.mechanic_profile_id,
            mechanic: contacts.mechanic(row.mechanic_profile_id),
            holder_name: row.holder_name.clone(),
            payout_id: row.payout_id.clone(),
            attempts: row.attempts,
            withdrawal: row.into(),
        };
        let key = |row: &WithdrawalRow| RowKey { at: row.requested_at, id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), shown(row))).collect())
    }
}
