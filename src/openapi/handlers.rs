use std::sync::{Arc, LazyLock};

use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header,
    web::{self, Data, Path},
};
use utoipa_swagger_ui::Config;

use crate::{
    accounts::auth::AuthContext,
    http::{Routes, unless_known},
    openapi::Document,
    platform::{
        core::Core,
        error::{ApiError, ApiResult},
    },
};

/// Returns this document.
#[utoipa::path(tag = "documents", security(()), operation_id = "openapi_document", responses(
    (status = 200, description = "An OpenAPI 3.1 document", body = serde_json::Value,
        example = json!({"openapi": "3.1.0", "info": {"title": "roadcall", "version": "1.0.0-rc1"}, "paths": {}})),
    (status = 304, description = "`If-None-Match` names the document as it is"),
))]
#[get("/openapi.json")]
pub async fn document(
    request: HttpRequest,
    context: Data<AuthContext>,
    made: Data<Document>,
) -> HttpResponse {
    let has_own_provider = context.auth.local_provider().is_some();
    unless_known(&request, "application/json", made.served(&context.settings, has_own_provider))
}

/// Returns the document of the socket and the streams of jobs: their frames, both ways.
#[utoipa::path(tag = "documents", security(()), operation_id = "asyncapi_document", responses(
    (status = 200, description = "An AsyncAPI 3.0 document", body = serde_json::Value,
        example = json!({"asyncapi": "3.0.0", "info": {"title": "roadcall, live", "version": "1.0.0-rc1"}})),
    (status = 304, description = "`If-None-Match` names the document as it is"),
))]
#[get("/asyncapi.json")]
pub async fn async_document(request: HttpRequest, core: Data<Core>, made: Data<Document>) -> HttpResponse {
    unless_known(&request, "application/json", made.of_socket(&core.settings.server.public_url))
}

/// Registers a page at `/docs/` on which people read and try the document. All of it is inside this program, so it
/// needs no internet.
pub fn browser(config: &mut Routes) {
    config.route("/docs", web::get().to(to_browser));
    config.route("/docs/{file:.*}", web::get().to(browser_file));
}

/// Redirects to the page's address with a slash, below which its own files are.
async fn to_browser(request: HttpRequest) -> HttpResponse {
    let page = format!("{}/", request.path());
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, page)).finish()
}

async fn browser_file(request: HttpRequest, file: Path<String>) -> ApiResult<HttpResponse> {
    static CONFIG: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
        // Switch off the badge that asks a server on the internet, which is on by default.
        let config = Config::new(["../openapi.json"]).validator_url("none").display_operation_id(true);
        Arc::new(config)
    });
    let found = utoipa_swagger_ui::serve(&file, CONFIG.clone());
    let found = found.map_err(|error| ApiError::internal(error.to_string()))?;
    let file = found.ok_or_else(|| ApiError::not_found("page"))?;
    Ok(unless_known(&request, &file.content_type, file.bytes.into_owned().into()))
}
