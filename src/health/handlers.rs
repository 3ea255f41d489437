use actix_web::{HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;

/// The process lives.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// "ok"
    pub status: &'static str,
    pub version: &'static str,
}

/// Liveness: answers as long as the process does.
#[utoipa::path(tag = "health", security(()), responses((status = 200, body = Health)))]
#[get("/health")]
pub async fn health() -> HttpResponse {
    HttpResponse::Ok().json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}
