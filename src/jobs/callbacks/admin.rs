//! The queue of requests for admins, and how they close one.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{Callback, CallbackForAdmin, CloseCallback},
    queries::{self, CallbackFilter, Closing, QueuedRow},
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    http::{AdminList, Body, ExportQuery, ListWindow, Owned, OwnedBy, Page, PathIds, RowKey, list},
    jobs::context::JobsContext,
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
    },
};

/// Lists customers who asked to be called: open requests oldest first, done ones newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(ExportQuery<CallbackFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<CallbackForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/callbacks")]
pub async fn list_callbacks(
    context: Data<JobsContext>,
    Admin(admin, _): Admin<desk::Dispatch>,
    query: ExportQuery<CallbackFilter>,
) -> ApiResult<HttpResponse> {
    list::<CallbackList>(&context, admin.user_id, &query).await
}

/// The list of all requests.
struct CallbackList;

impl AdminList for CallbackList {
    const NAME: &'static str = "callbacks";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone", "pickup"];
    type Filter = CallbackFilter;
    type Item = CallbackForAdmin;
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

/// An admin may close any request.
impl OwnedBy<Admin<desk::Dispatch>> for QueuedRow {
    const NAME: &'static str = actions::NAME;

    async fn find(core: &Core, _: &Admin<desk::Dispatch>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("job_id")?).await?)
    }
}

/// Closes a request to be called, once. A customer who was not reached, and may ask again, is notified.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
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
