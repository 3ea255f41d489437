//! Puts the service together and runs it.

use std::{io, net::TcpListener, time::Duration};

use actix_web::{App, HttpServer, dev::Server, web::Data};
use utoipa::OpenApi;
use utoipa_actix_web::{AppExt, scope::scope};

use crate::{error::ApiError, openapi::ApiDoc, routes, state::AppState};

/// The HTTP server over `state` on a bound listener. Signals are ours to handle (see `cli.rs`): with sockets open
/// the framework would wait for its whole timeout.
pub fn http_server(state: Data<AppState>, listener: TcpListener) -> io::Result<Server> {
    let settings = state.settings.clone();
    let mut server = HttpServer::new(move || {
        let (app, _document) = App::new()
            .app_data(state.clone())
            .into_utoipa_app()
            .openapi(ApiDoc::openapi())
            .configure(routes::all)
            .service(scope("/api/v1").configure(routes::all))
            .split_for_parts();
        app.default_service(actix_web::web::to(not_found))
    })
    .disable_signals()
    .client_request_timeout(Duration::from_millis(settings.server.client_timeout_ms))
    .shutdown_timeout(settings.server.shutdown_timeout_ms.div_ceil(1000));
    if settings.server.workers > 0 {
        server = server.workers(settings.server.workers);
    }
    Ok(server.listen(listener)?.run())
}

async fn not_found() -> Result<actix_web::HttpResponse, ApiError> {
    Err(ApiError::not_found("route"))
}
