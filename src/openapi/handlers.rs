use actix_web::{HttpResponse, get, http::header, web::Data};
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::state::AppState;

/// This document.
#[utoipa::path(tag = "documents", security(()), operation_id = "openapi_document", responses(
    (status = 200, description = "An OpenAPI 3.1 document", body = serde_json::Value),
))]
#[get("/openapi.json")]
pub async fn document(state: Data<AppState>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(state.document.json.clone())
}

/// The page's address without its slash.
pub async fn to_browser() -> HttpResponse {
    // Relative, so that it holds under both prefixes and behind any proxy.
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "docs/")).finish()
}

/// A page to read and try the document, under `at`. All of it is inside this program, so it needs no internet.
pub fn browser(at: &str) -> SwaggerUi {
    // A badge that asks a server on the internet is on by default.
    let config = Config::new(["../openapi.json"]).validator_url("none").display_operation_id(true);
    SwaggerUi::new(format!("{at}/{{_:.*}}")).config(config)
}
