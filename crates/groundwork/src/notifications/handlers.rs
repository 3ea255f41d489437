use actix_web::{
    HttpResponse, delete, get, patch, post,
    web::{Data, Json},
};
use roadcall_accounts::auth::{Admin, Caller, OwnId, SuperAdmin, desk};
use roadcall_http::{
    AdminList, Body, ExportQuery, KeyedRows, List, ListQuery, ListWindow, NoFields, Owned, Page, PathText,
    RowKey, list,
};
use roadcall_platform::{
    core::Core,
    error::{ApiError, ApiResult, ErrorBody},
};

use super::{
    actions::{self, no_such_notification},
    context::NotificationsContext,
    devices::{self, queries::PreferencesRow},
    dto::{
        FailedPush, NewPushToken, Notification, PreferenceChanges, Preferences, PushToken, TestedDevice,
        UnreadCount,
    },
    queries::{self, FailedPushFilter, NotificationFilter},
    testing,
};

/// Lists the caller's notifications, the newest first (contract 4.12).
#[utoipa::path(
    tag = "notifications",
    params(ListQuery<NotificationFilter>),
    responses((status = 200, body = Page<Notification>)),
)]
#[get("/notifications")]
pub async fn list_notifications(
    context: Data<NotificationsContext>,
    caller: Caller,
    query: ListQuery<NotificationFilter>,
) -> ApiResult<Json<Page<Notification>>> {
    let (filter, page) = query.read()?;
    let rows = queries::list(&context.db, caller.user_id, &filter, page).await?;
    let total = page.total(rows.len(), queries::count(&context.db, caller.user_id, &filter)).await?;
    Ok(Json(page.of(rows.into_iter().map(Notification::from).collect(), total)))
}

/// Counts the caller's unread notifications.
#[utoipa::path(tag = "notifications", responses((status = 200, body = UnreadCount)))]
#[get("/notifications/unread-count")]
pub async fn count_unread_notifications(
    context: Data<NotificationsContext>,
    caller: Caller,
) -> ApiResult<Json<UnreadCount>> {
    let unread_count = queries::count_unread(&context.db, caller.user_id).await?;
    Ok(Json(UnreadCount { unread_count }))
}

/// Returns one of the caller's notifications.
#[utoipa::path(tag = "notifications", params(("id" = Uuid, Path)), responses((status = 200, body = Notification)))]
#[get("/notifications/{id}")]
pub async fn get_notification(
    context: Data<NotificationsContext>,
    own: Owned<OwnId, Caller>,
) -> ApiResult<Json<Notification>> {
    let row = queries::find(&context.db, own.owner, own.id).await?;
    Ok(Json(row.ok_or_else(no_such_notification)?.into()))
}

/// Marks a notification as read. A repeat changes nothing.
#[utoipa::path(
    tag = "notifications",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Notification)),
)]
#[post("/notifications/{id}/read")]
pub async fn read_notification(
    context: Data<NotificationsContext>,
    own: Owned<OwnId, Caller>,
    body: Body<NoFields>,
) -> ApiResult<Json<Notification>> {
    if !queries::exists(&context.db, own.owner, own.id).await? {
        return Err(no_such_notification());
    }
    body.read()?;
    Ok(Json(actions::read(&context, own.owner, own.id).await?.into()))
}

/// Marks all notifications as read, 10,000 at most; the answer has how many are unread afterwards.
#[utoipa::path(
    tag = "notifications",
    responses(
        (status = 200, body = UnreadCount),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED: a body with something in it"),
    ),
)]
#[post("/notifications/read-all")]
pub async fn read_all_notifications(
    context: Data<NotificationsContext>,
    caller: Caller,
    body: Body<NoFields>,
) -> ApiResult<Json<UnreadCount>> {
    body.read()?;
    let unread_count = actions::read_all(&context, caller.user_id).await?;
    Ok(Json(UnreadCount { unread_count }))
}

/// Registers the device that the caller is signed in on: an app by its registration token, or a browser by its subscription. It
/// gets pushes until that session ends in any way. The token is the caller's from then on, even if it was someone else's. It
/// replaces the device's older one; beyond 10 devices, the one registered longest ago is removed.
#[utoipa::path(
    tag = "notifications",
    request_body = NewPushToken,
    responses(
        (status = 200, body = PushToken, description = "It was the caller's already"),
        (status = 201, body = PushToken),
    ),
)]
#[post("/notifications/push-tokens")]
pub async fn register_push_token(
    context: Data<NotificationsContext>,
    caller: Caller,
    body: Body<NewPushToken>,
) -> ApiResult<HttpResponse> {
    let (user, session) = (caller.user_id, caller.session_id);
    let (saved, is_new) = actions::register_device(&context, user, session, body.read()?).await?;
    let mut answer = if is_new { HttpResponse::Created() } else { HttpResponse::Ok() };
    Ok(answer.json(PushToken::of(saved, &caller)))
}

/// Lists the devices that the caller's notifications are pushed to, the newest first; at most 10. `DELETE
/// /notifications/push-tokens/{id}` ends pushes to one of them.
#[utoipa::path(tag = "notifications", responses((status = 200, body = List<PushToken>)))]
#[get("/notifications/push-tokens")]
pub async fn list_push_tokens(
    context: Data<NotificationsContext>,
    caller: Caller,
) -> ApiResult<Json<List<PushToken>>> {
    let rows = devices::queries::tokens_of(&context.db, &[caller.user_id], context.clock.now()).await?;
    Ok(Json(List { data: rows.into_iter().rev().map(|row| PushToken::of(row, &caller)).collect() }))
}

/// Forgets a device of the caller, for example when they sign out on it.
#[utoipa::path(
    tag = "notifications",
    params(("token" = String, Path, description = "As it was registered, or the `id` that registering it gave: some proxies \
        change the endpoint of a browser, which is a URL", example = "dGhpcyBpcyBubyB0b2tlbg:APA91bEexample")),
    responses((status = 204)),
)]
#[delete("/notifications/push-tokens/{token}")]
pub async fn forget_push_token(
    context: Data<NotificationsContext>,
    caller: Caller,
    path: PathText,
) -> ApiResult<HttpResponse> {
    let token = decoded(path.text("token"));
    match actions::forget_device(&context, caller.user_id, &token).await? {
        true => Ok(HttpResponse::NoContent().finish()),
        false => Err(ApiError::not_found("push token")),
    }
}

/// Decodes what the router leaves encoded in a path, and an endpoint may contain.
fn decoded(text: &str) -> String {
    let text = text.replace("%2F", "/").replace("%2f", "/").replace("%2B", "+").replace("%2b", "+");
    text.replace("%25", "%")
}

/// Returns which topics are pushed to the caller's devices.
#[utoipa::path(tag = "notifications", responses((status = 200, body = Preferences)))]
#[get("/notifications/preferences")]
pub async fn get_notification_preferences(
    context: Data<NotificationsContext>,
    caller: Caller,
) -> ApiResult<Json<Preferences>> {
    let row = devices::queries::preferences_of(&context.db, &[caller.user_id]).await?.pop();
    Ok(Json(row.unwrap_or_else(|| PreferencesRow::everything(caller.user_id)).into()))
}

/// Switches topics on and off; topics that are not given stay unchanged.
#[utoipa::path(
    tag = "notifications",
    request_body = PreferenceChanges,
    responses((status = 200, body = Preferences)),
)]
#[patch("/notifications/preferences")]
pub async fn update_notification_preferences(
    context: Data<NotificationsContext>,
    caller: Caller,
    body: Body<PreferenceChanges>,
) -> ApiResult<Json<Preferences>> {
    Ok(Json(actions::set_preferences(&context, caller.user_id, body.read()?).await?.into()))
}

/// Sends a test push to each of the caller's own devices, and returns the push service's answer for each. The list is empty if
/// the caller has no device: devices are registered by `POST /notifications/push-tokens`.
#[utoipa::path(
    tag = "super-admin",
    responses(
        (status = 200, body = List<TestedDevice>),
        (status = 429, body = ErrorBody, description = "RATE_LIMITED: this admin had `push.tests_per_day` in 24 hours"),
    ),
)]
#[post("/super-admin/push/test")]
pub async fn test_push(
    SuperAdmin(admin): SuperAdmin,
    context: Data<NotificationsContext>,
    body: Body<NoFields>,
) -> ApiResult<Json<List<TestedDevice>>> {
    body.read()?;
    Ok(Json(List { data: testing::push_test(&context, admin.user_id).await? }))
}

/// Lists the pushes that failed permanently, the newest first, without their contents.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(ExportQuery<FailedPushFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<FailedPush> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/failed-pushes")]
pub async fn list_failed_pushes(
    context: Data<NotificationsContext>,
    Admin(admin, _): Admin<desk::Settings>,
    query: ExportQuery<FailedPushFilter>,
) -> ApiResult<HttpResponse> {
    list::<FailedPushes>(&context, admin.user_id, &query).await
}

/// The list of pushes that failed permanently.
struct FailedPushes;

impl AdminList for FailedPushes {
    const NAME: &'static str = "failed-pushes";
    const PERSONAL_DATA: &'static [&'static str] = &[];
    type Filter = FailedPushFilter;
    type Item = FailedPush;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count_failed(&core.db, filter).await?)
    }

    async fn rows(core: &Core, filter: &Self::Filter, window: ListWindow) -> KeyedRows<Self::Item> {
        let rows = queries::list_failed(&core.db, filter, window).await?;
        Ok(rows.into_iter().map(|row| (RowKey { at: row.created_at.0, id: row.id }, row)).collect())
    }
}
