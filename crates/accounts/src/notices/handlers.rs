//! Privacy notices, over HTTP.

use actix_web::{
    HttpResponse, get,
    http::header,
    post,
    web::{Data, Json},
};
use roadcall_http::{AcceptedLanguage, Body, IdempotencyKey, ListQuery, NoFilter, Page, Query};
use roadcall_platform::{
    error::{ApiResult, ErrorBody},
    idempotency::{self, Claim, Request},
};

use super::{
    actions,
    context::NoticesContext,
    dto::{NewPrivacyNotice, NoticeQuery, PrivacyNotice, PublishedNotice, languages_of},
    queries,
    state::NoticeLanguage,
};
use crate::auth::{Admin, SuperAdmin, desk};

/// Returns the operator's statement about people's data: the newest version, or the requested one, so that people can
/// read the version to which they agreed. The text is in the language of `language`, else of `Accept-Language`, else
/// in English. It may be cached for a minute.
#[utoipa::path(
    tag = "users",
    security(()),
    params(
        ("version" = Option<i64>, Query, description = "The newest if not given.", example = 3),
        ("language" = Option<NoticeLanguage>, Query, example = "kn"),
        ("Accept-Language" = Option<String>, Header, description = "The language of the text, if there is one in it.", example = "kn"),
    ),
    responses(
        (status = 200, body = PrivacyNotice),
        (status = 404, body = ErrorBody, description = "NO_PRIVACY_NOTICE: none is published; NOT_FOUND: there is no such version"),
    ),
)]
#[get("/privacy-notice")]
pub async fn get_privacy_notice(
    context: Data<NoticesContext>,
    accepted: AcceptedLanguage,
    query: Query<NoticeQuery>,
) -> ApiResult<HttpResponse> {
    let asked = query.read()?;
    let wanted = asked.language.map_or_else(|| languages_of(accepted), |language| vec![language.0]);
    let notice = actions::read(&context, asked.version.map(|version| version.0.0)).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "public, max-age=60"))
        .insert_header((header::VARY, "accept-language"))
        .json(PrivacyNotice::of(&notice, &wanted)))
}

/// Lists the versions of the privacy notice, the newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(ListQuery<NoFilter>),
    responses((status = 200, body = Page<PublishedNotice>)),
)]
#[get("/admin/privacy-notices")]
pub async fn list_privacy_notices(
    _: Admin<desk::Settings>,
    context: Data<NoticesContext>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<PublishedNotice>>> {
    let (_, page) = query.read()?;
    let total = queries::count(&context.db).await?;
    let rows = queries::list(&context.db, page).await?;
    Ok(Json(page.of(rows.into_iter().map(Into::into).collect(), total)))
}

/// Publishes the next version of the privacy notice, which is in force at once, on every server. It can't be changed
/// or withdrawn, only followed by another. From the first version on, customers can't create a job and mechanics
/// can't go online (`CONSENT_NEEDED`) before they have agreed; with `ask_again` people who agreed to an earlier
/// version have to agree anew. Open jobs go on, mechanics who are online stay online, and admins can create jobs for
/// people who call.
#[utoipa::path(
    tag = "super-admin",
    params(IdempotencyKey),
    request_body = NewPrivacyNotice,
    responses(
        (status = 201, body = PrivacyNotice, description = "Published; the text is shown in English"),
        (status = 409, body = ErrorBody, description = "NOTICE_CHANGED: another version holds than the one that this `follows`; \
            IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/super-admin/privacy-notices")]
pub async fn publish_privacy_notice(
    SuperAdmin(caller): SuperAdmin,
    context: Data<NoticesContext>,
    key: IdempotencyKey,
    body: Body<NewPrivacyNotice>,
) -> ApiResult<HttpResponse> {
    let request = Request::new(caller.user_id, "/super-admin/privacy-notices", key.read()?, body.bytes());
    let make =
        async |claim: &Claim| actions::publish(&context, caller.user_id, body.read()?.written(), claim).await;
    let again = async |id, _| actions::published(&context, id).await;
    let row = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(PrivacyNotice::of(&row, &[])))
}
