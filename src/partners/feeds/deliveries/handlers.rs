use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{Delivery, DeliveryForAdmin, DeliveryReplay, NewDeliveryReplay},
    queries::{self, DeliveryRow, OwnDeliveryFilter, PartnerDeliveryFilter},
};
use crate::{
    accounts::{
        auth::{Admin, desk, scope},
        organisations::Partner,
    },
    http::{AdminList, Body, ExportQuery, ListQuery, ListWindow, NoIdempotencyKey, Page, RowKey, list},
    partners::feeds::context::FeedsContext,
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
    },
};

/// Lists the deliveries of events to the caller's subscriptions, newest first: those of the last 30 days
/// (`partners.keep_deliveries_days`), and all that wait.
#[utoipa::path(
    tag = "partner-webhooks",
    extensions(("x-scopes" = json!(scope::Webhooks))),
    params(ListQuery<OwnDeliveryFilter>),
    responses((status = 200, body = Page<Delivery>)),
)]
#[get("/partner/deliveries")]
pub async fn list_deliveries(
    context: Data<FeedsContext>,
    Partner(caller, _): Partner<scope::Webhooks>,
    query: ListQuery<OwnDeliveryFilter>,
) -> ApiResult<Json<Page<Delivery>>> {
    let (filter, page) = query.read()?;
    let of = (caller.organisation_id, caller.made_by);
    let rows = queries::list_own(&context.db, of, &filter, page).await?;
    let total = page.total(rows.len(), queries::count_own(&context.db, of, &filter)).await?;
    Ok(Json(page.of(rows.into_iter().map(Delivery::from).collect(), total)))
}

/// Sends events again, the oldest first: all since a time, or those of a case or a job, to the active subscriptions that ask for
/// their kinds. Each has its former `webhook-id`. One replay makes at most 1,000 deliveries, unless more events came within a
/// millisecond; `next_since` says where the next one goes on.
#[utoipa::path(
    tag = "partner-webhooks",
    extensions(("x-scopes" = json!(scope::Webhooks))),
    request_body = NewDeliveryReplay,
    responses(
        (status = 200, body = DeliveryReplay),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: also if more than 10,000 deliveries would wait for a subscription"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: a repeat sends them once more"),
    ),
)]
#[post("/partner/deliveries/replay")]
pub async fn replay_deliveries(
    context: Data<FeedsContext>,
    Partner(caller, _): Partner<scope::Webhooks>,
    key: NoIdempotencyKey,
    body: Body<NewDeliveryReplay>,
) -> ApiResult<Json<DeliveryReplay>> {
    key.check()?;
    Ok(Json(actions::replay(&context, &caller, body.read()?).await?))
}

/// Lists the deliveries of events to partners, newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(ExportQuery<PartnerDeliveryFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<DeliveryForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/partner-deliveries")]
pub async fn list_partner_deliveries(
    context: Data<FeedsContext>,
    Admin(admin, _): Admin<desk::Settings>,
    query: ExportQuery<PartnerDeliveryFilter>,
) -> ApiResult<HttpResponse> {
    list::<PartnerDeliveryList>(&context, admin.user_id, &query).await
}

/// The list of all deliveries.
struct PartnerDeliveryList;

impl AdminList for PartnerDeliveryList {
    const NAME: &'static str = "partner-deliveries";
    const PERSONAL_DATA: &'static [&'static str] = &[];
    type Filter = PartnerDeliveryFilter;
    type Item = DeliveryForAdmin;
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
        let key = |row: &DeliveryRow| RowKey { at: row.created_at, id: row.id };
        let shown = |row: DeliveryRow| DeliveryForAdmin {
            organisation_id: row.organisation_id,
            delivery: row.into(),
        };
        Ok(rows.into_iter().map(|row| (key(&row), shown(row))).collect())
    }
}
