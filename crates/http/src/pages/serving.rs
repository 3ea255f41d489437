//! How a file is sent: its type, how long it may be cached, and its form.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, Accept, AcceptEncoding, ETag, Encoding, Header as _},
    },
    mime,
};
use roadcall_platform::error::{ApiError, ApiResult, Code};

use super::{context::PagesContext, files::AppFile};
use crate::is_known;

/// Files under `assets/` have a hash of their content in their names.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Returns the page that a browser shows for a link to a job; `None` if the apps are not built.
pub async fn share_page(request: &HttpRequest, status: StatusCode) -> ApiResult<Option<HttpResponse>> {
    page_of_link(request, "customer/share.html", status).await
}

/// Returns the page on which somebody shares their place; `None` if the apps are not built.
pub async fn where_page(request: &HttpRequest, status: StatusCode) -> ApiResult<Option<HttpResponse>> {
    page_of_link(request, "customer/where.html", status).await
}

async fn page_of_link(
    request: &HttpRequest,
    name: &str,
    status: StatusCode,
) -> ApiResult<Option<HttpResponse>> {
    let context = PagesContext::of(request);
    let found = read(context, name, takes_brotli(request)).await?;
    Ok(found.map(|file| {
        let mut answer = start(context, &file, name, HttpResponse::build(status));
        // The content behind a link changes, and its address contains its secret.
        answer.insert_header((header::CACHE_CONTROL, "no-store"));
        answer.insert_header((header::VARY, "accept, accept-encoding"));
        answer.body(file.bytes)
    }))
}

/// Returns whether the client prefers a page to JSON. Programs that accept anything don't.
pub fn prefers_page(request: &HttpRequest) -> bool {
    let Ok(accept) = Accept::parse(request) else { return false };
    let json_or_any = |range: &mime::Mime| {
        let is_any = range.type_() == mime::STAR || range.subtype() == mime::STAR;
        is_any || range.essence_str() == mime::APPLICATION_JSON.essence_str()
    };
    let ranked = accept.ranked();
    let first = ranked.iter().find(|range| range.essence_str() == "text/html" || json_or_any(range));
    first.is_some_and(|range| range.essence_str() == "text/html")
}

/// Answers with a file of an app; 404 if there is no such file.
pub(super) async fn serve(
    context: &PagesContext,
    request: &HttpRequest,
    name: &str,
    vary: &'static str,
) -> ApiResult<HttpResponse> {
    let Some(file) = read(context, name, takes_brotli(request)).await? else {
        return Err(match context.files.missing().await {
            Some(how) => ApiError::new(Code::NotFound, how),
            None => ApiError::not_found("page"),
        });
    };
    let is_hashed = name.split('/').nth(1) == Some("assets");
    let is_known = is_known(request, &file.etag);
    let status = if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let mut answer = start(context, &file, name, HttpResponse::build(status));
    answer.insert_header((header::CACHE_CONTROL, if is_hashed { FOR_EVER } else { "no-cache" }));
    answer.insert_header(ETag(file.etag));
    answer.insert_header((header::VARY, vary));
    Ok(if is_known { answer.finish() } else { answer.body(file.bytes) })
}

fn start(
    context: &PagesContext,
    file: &AppFile,
    name: &str,
    mut answer: actix_web::HttpResponseBuilder,
) -> actix_web::HttpResponseBuilder {
    answer.content_type(content_type(name));
    if file.is_brotli {
        answer.insert_header((header::CONTENT_ENCODING, "br"));
    }
    if is_shown_or_run(name) {
        for (name, value) in context.headers.all() {
            answer.insert_header((name, value));
        }
    }
    answer
}

/// Returns whether a browser opens the file as a page or starts a worker from it, and so applies the file's own policies. Files
/// that a page loads are under the page's policies, and a phone on a bad network loads a hundred of those.
fn is_shown_or_run(name: &str) -> bool {
    let is_part = name.split('/').nth(1) == Some("assets");
    match name.rsplit('.').next().unwrap_or_default() {
        "html" | "svg" | "mjs" => true,
        "js" => !is_part,
        _ => false,
    }
}

async fn read(context: &PagesContext, name: &str, brotli: bool) -> ApiResult<Option<AppFile>> {
    context.branding.find(&context.files, name, brotli).await.map_err(ApiError::internal)
}

fn takes_brotli(request: &HttpRequest) -> bool {
    let supported = [Encoding::brotli(), Encoding::identity()];
    let chosen =
        AcceptEncoding::parse(request).ok().and_then(|accepted| accepted.negotiate(supported.iter()));
    chosen == Some(Encoding::brotli())
}

pub(super) fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "pbf" => "application/x-protobuf",
        "pmtiles" => "application/vnd.pmtiles",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "wav" => "audio/wav",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
