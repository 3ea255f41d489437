//! What admins do: the queue of requests, and how one is closed.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{Callback, CallbackForAdmin, CallbackParams, CallbackStatus, CloseCallback},
    queries::{self, CallbackFilter, Closing, QueuedRow},
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{
        AdminList, Body, ListFormat, ListRequest, ListWindow, Owned, OwnedBy, Page, PathIds, Query, RowKey,
        Timestamp, between, list,
    },
    jobs::context::JobsContext,
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
    },
};

/// Customers who asked to be called: open requests oldest first, done ones newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<CallbackStatus>, Query, description = "open if not given", example = "open"),
        ("from" = Option<Timestamp>, Query, description = "Asked for from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Asked for before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<CallbackForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/callbacks")]
pub async fn list_callbacks(
    context: Data<JobsContext>,
    Admin(admin, _): Admin<desk::Dispatch>,
    query: Query<CallbackParams>,
) -> ApiResult<HttpResponse> {
    let params = query.read()?;
    let request = ListRequest::new(params.page, params.limit, params.format, query.pairs())?;
    let filter = CallbackFilter {
        status: params.status.map_or(CallbackStatus::Open, |status| status.0),
        asked: between(params.from, params.to)?,
    };
    list::<CallbackList>(&context, admin.user_id, request, filter).await
}

/// All requests.
struct CallbackList;

impl AdminList for CallbackList {
    const NAME: &'static str = "callbacks";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone", "pickup"];
    type Filter = CallbackFilter;
    type Item = CallbackForAdmin;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, *filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&core.db, *filter, window).await?;
        let contacts = Contacts::of(&core.db, rows.iter().map(|row| row.customer_id)).await?;
        let now = core.clock.now();
        let shown = |row: QueuedRow| CallbackForAdmin {
            customer: contacts.customer(row.customer_id),
            callback: Callback::of(row, now),
        };
        let key = |row: &QueuedRow| RowKey { at: row.callback.requested_at, id: row.callback.job_id };
        Ok(rows.into_iter().map(|row| (key(&row), shown(row))).collect())
    }
}

/// Admins close every request.
impl OwnedBy<Admin<desk::Dispatch>> for QueuedRow {
    const NAME: &'static str = actions::NAME;

    async fn find(core: &Core, _: &Admin<desk::Dispatch>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("job_id")?).await?)
    }
}

/// Closes a request to be called, once. A customer who was not reached, and may ask again, is notified.
#[utoipa::path(
    tag = "admin",
    params(("job_id" = Uuid, Path, description = "The job whose customer asked to be called")),
    request_body = CloseCallback,
    responses(
        (status = 200, body = Callback),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: it was closed before, or a mechanic has accepted \
            the job"),
    ),
)]
#[post("/admin/callbacks/{job_id}/done")]
pub async fn close_callback(
    context: Data<JobsContext>,
    target: Owned<QueuedRow, Admin<desk::Dispatch>>,
    body: Body<CloseCallback>,
) -> ApiResult<Json<Callback>> {
    let (row, Admin(admin, _)) = target.into_parts();
    let CloseCallback { outcome, note } = body.read()?;
    let note = note.as_ref().map(|note| note.0.as_str());
    let how = Closing { outcome: outcome.into(), note, by: admin.user_id };
    let closed = actions::close(&context, row.callback.job_id, &how).await?;
    Ok(Json(Callback::of(closed, context.clock.now())))
}
