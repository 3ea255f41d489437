//! The routes for settlements: mechanics read them, and admins make them.

use actix_web::{HttpResponse, get, post, web::Data};

use super::{
    actions::{self, midnight},
    dto::{MarkSettlementPaid, RunSettlements, Settlement, SettlementForAdmin},
    queries::{self, OwnSettlementFilter, SettlementFilter, SettlementRow},
};
use crate::{
    accounts::{
        auth::{Admin, AnyId, AnyMechanic, Caller, desk},
        users::Contacts,
    },
    http::{
        AdminList, Body, ExportQuery, ListQuery, ListWindow, Owned, OwnedBy, Page, PageParams, PathIds,
        RowKey, list,
    },
    money::wallet::context::WalletContext,
    platform::{
        core::Core,
        error::{ApiError, ApiResult, ErrorBody},
    },
};

/// The number of settlements in the answer to a run; the others are read page by page.
const SHOWN: i64 = 100;

/// Lists the caller's settlements, the newest period first.
#[utoipa::path(
    tag = "wallet",
    params(ListQuery<OwnSettlementFilter>),
    responses((status = 200, body = Page<Settlement>)),
)]
#[get("/wallet/settlements")]
pub async fn list_my_settlements(
    context: Data<WalletContext>,
    mechanic: AnyMechanic,
    query: ListQuery<OwnSettlementFilter>,
) -> ApiResult<HttpResponse> {
    let (filter, page) = query.read()?;
    let rows = queries::list_of_mechanic(&context.db, mechanic.profile_id, &filter, page).await?;
    let total =
        page.total(rows.len(), queries::count_of_mechanic(&context.db, mechanic.profile_id, &filter)).await?;
    let shown = rows.into_iter().map(|row| Settlement::from(row.for_mechanic())).collect();
    Ok(HttpResponse::Ok().json(page.of(shown, total)))
}

/// Returns a settlement of the caller; admins see everyone's, with the prices that organisations hide.
#[utoipa::path(tag = "wallet", params(("id" = Uuid, Path)), responses((status = 200, body = Settlement)))]
#[get("/wallet/settlements/{id}")]
pub async fn get_settlement(settlement: Owned<SettlementRow, Caller>) -> ApiResult<HttpResponse> {
    let (row, caller) = settlement.into_parts();
    let shown = if caller.is_admin() { row } else { row.for_mechanic() };
    Ok(HttpResponse::Ok().json(Settlement::from(shown)))
}

/// Grants access to the settlement's mechanic, and to admins.
impl OwnedBy<Caller> for SettlementRow {
    const NAME: &'static str = "settlement";

    async fn find(core: &Core, by: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        let owner = match by.is_admin() {
            true => by.desks.check::<desk::Money>().map(|()| None)?,
            false => Some(AnyMechanic::of(*by)?.profile_id),
        };
        let row = queries::find(&core.db, path.id("id")?).await?;
        Ok(row.filter(|row| owner.is_none_or(|owner| owner == row.mechanic_profile_id)))
    }
}

/// Lists all settlements, the newest period first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(ExportQuery<SettlementFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<SettlementForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/settlements")]
pub async fn list_settlements(
    context: Data<WalletContext>,
    Admin(admin, _): Admin<desk::Money>,
    query: ExportQuery<SettlementFilter>,
) -> ApiResult<HttpResponse> {
    list::<Settlements>(&context, admin.user_id, &query).await
}

/// The admins' list of settlements.
struct Settlements;

impl AdminList for Settlements {
    const NAME: &'static str = "settlements";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = SettlementFilter;
    type Item = SettlementForAdmin;
    type Context = Core;

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
        let shown = |row: SettlementRow| SettlementForAdmin {
            mechanic: contacts.mechanic(row.mechanic_profile_id),
            settlement: row.into(),
        };
        let key = |row: &SettlementRow| RowKey { at: midnight(row.period_start), id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), shown(row))).collect())
    }
}

/// Settles a period: makes one settlement for each mechanic that earned something in it. A repetition only makes
/// missing ones and gives the same answer: the period's first hundred settlements.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    request_body = RunSettlements,
    responses(
        (status = 200, body = Page<Settlement>),
        (status = 409, body = ErrorBody, description = "CONFLICT: another period that shares a day with this one was \
            settled"),
    ),
)]
#[post("/admin/settlements/run")]
pub async fn run_settlements(
    context: Data<WalletContext>,
    Admin(admin, _): Admin<desk::Money>,
    body: Body<RunSettlements>,
) -> ApiResult<HttpResponse> {
    let run = body.read()?;
    let (rows, total) = actions::run(&context, admin.user_id, run, SHOWN).await?;
    let page = PageParams { page: 1, limit: SHOWN };
    Ok(HttpResponse::Ok().json(page.of(rows.into_iter().map(Settlement::from).collect(), total)))
}

/// Marks a settlement as paid, once. Moves no money: the ledger does that with each earning and withdrawal.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Money))),
    params(("id" = Uuid, Path)),
    request_body = MarkSettlementPaid,
    responses(
        (status = 200, body = Settlement),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it was paid before"),
    ),
)]
#[post("/admin/settlements/{id}/mark-paid")]
pub async fn mark_settlement_paid(
    context: Data<WalletContext>,
    target: Owned<AnyId, Admin<desk::Money>>,
    body: Body<MarkSettlementPaid>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin, _)) = target.into_parts();
    let before = queries::find(&context.db, id).await?.ok_or_else(no_such_settlement)?;
    let reference = body.read()?.reference.0;
    let row = actions::mark_paid(&context, admin.user_id, before.id, &reference).await?;
    Ok(HttpResponse::Ok().json(Settlement::from(row)))
}

fn no_such_settlement() -> ApiError {
    ApiError::not_found("settlement")
}
