//! The OpenAPI document, generated from the handlers.

use utoipa::OpenApi;

#[derive(Debug, OpenApi)]
#[openapi(info(title = "roadcall", description = "Real-time dispatch of roadside mechanics."))]
pub struct ApiDoc;
