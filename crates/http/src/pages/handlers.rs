use actix_web::{HttpRequest, HttpResponse, get, http::header, web::Data};
use roadcall_platform::error::{ApiError, ApiResult, Code};

use super::{
    PagesContext, basemap,
    dto::{AppConfig, MapCenter},
    serving::{prefers_page, serve},
};
use crate::routed_path;

/// Returns the settings that an app needs before anyone signs in: where the service is used, which map to show, how customers
/// pay. The answer may be cached for a minute.
#[utoipa::path(tag = "documents", security(()), responses((status = 200, body = AppConfig)))]
#[get("/config")]
pub(super) async fn app_config(context: Data<PagesContext>) -> HttpResponse {
    let basemap_url = basemap::exists(&context).await.then_some(basemap::PATH);
    let stop = context.stop.notice(context.clock.now()).map(Into::into);
    let config =
        context.facts.config(&context.settings, basemap_url, context.demo_available, &context.push_key);
    let privacy_notice_version = context.notice.version();
    let mut config = AppConfig { job_stop: stop, privacy_notice_version, ..config };
    if let Some(center) = context.moved_center() {
        config.map.center = MapCenter { lat: center.lat, lng: center.lng };
    }
    // The demo city may move at any moment.
    let kept = if context.demo_available { "no-cache" } else { "public, max-age=60" };
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, kept)).json(config)
}

/// Sends the map's streets, or a part of them.
pub(super) async fn basemap_file(
    context: Data<PagesContext>,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    basemap::serve(&context, &request).await
}

/// The answer at the root to clients that are not browsers.
const TO_PROGRAMS: &str = "There is no such route. The web apps are here for browsers; the interface is described at /docs/, and for \
    programs in /openapi.json.";

/// Sends a person to the apps. A client of the interface learns that the root has no route, and where to look.
pub(super) async fn root(context: Data<PagesContext>, request: HttpRequest) -> HttpResponse {
    let vary = "accept, accept-encoding";
    let answer = if prefers_page(&request) {
        serve(&context, &request, "home/index.html", vary).await
    } else {
        Err(ApiError::new(Code::NotFound, TO_PROGRAMS))
    };
    answer.unwrap_or_else(|refusal| {
        let mut refusal = HttpResponse::from_error(refusal);
        refusal.headers_mut().insert(header::VARY, header::HeaderValue::from_static("accept"));
        refusal
    })
}

/// Redirects an app's address without a slash to the one with it.
pub(super) async fn to_app(request: HttpRequest) -> HttpResponse {
    let app = routed_path(&request).trim_start_matches('/');
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, format!("{app}/{query}"))).finish()
}

/// Sends a file of an app. A path without an extension is a place within the app, which its page finds by itself; the home page
/// has no such places.
pub(super) async fn app_file(context: Data<PagesContext>, request: HttpRequest) -> ApiResult<HttpResponse> {
    let path = routed_path(&request).trim_start_matches('/');
    let (app, below) = path.split_once('/').unwrap_or((path, ""));
    let last = below.rsplit('/').next().unwrap_or_default();
    let is_place = below.is_empty() || (app != "home" && !last.contains('.'));
    let name = if is_place { format!("{app}/index.html") } else { path.to_owned() };
    serve(&context, &request, &name, "accept-encoding").await
}
