//! The public HTTP server: its workers, their app, and the limits of each connection.

use std::{io, net::TcpListener, time::Duration};

use actix_http::{HttpService, Request, error::DispatchError};
use actix_service::{IntoServiceFactory, ServiceFactory};
use actix_web::{
    App, Error,
    body::MessageBody,
    dev::{AppConfig, Extensions, Server, ServiceResponse},
    rt::net::TcpStream,
    web::{ServiceConfig, scope},
};
use tracing_actix_web::TracingLogger;

use super::upgrades::{DISCONNECT_TIMEOUT, Upgrades, WorkerApp};
use crate::{
    edge::{self, RequestSpan},
    http::{RouteGroups, Routes},
    pages, routes,
    service::{Service, settings::Settings},
};

const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// Makes the service's HTTP server on a bound listener. The service handles signals itself (see `cli/`): with sockets open, the
/// framework would wait for its whole timeout.
pub(super) fn http_server(
    service: &Service,
    listener: TcpListener,
    extra_routes: fn(&mut ServiceConfig),
) -> io::Result<Server> {
    let settings = service.settings.clone();
    let workers = worker_count(&settings);
    let builder = Server::build()
        .workers(workers)
        .disable_signals()
        .max_concurrent_connections(settings.server.max_connections.div_ceil(workers))
        .shutdown_timeout(settings.server.shutdown_timeout_ms.div_ceil(1000));
    let (service, stop) = (service.clone(), builder.graceful_shutdown_signal());
    let stall_timeout = Duration::from_millis(settings.ws.send_stall_timeout_ms.into());
    let client_timeout = Duration::from_millis(settings.server.client_timeout_ms);
    let server = builder.listen("roadcall", listener, move || {
        // The innermost comes first. No handler answers with `Err`, so every answer passes the edge.
        let every_route = |prefix: &'static str| {
            let mut groups = RouteGroups::default();
            routes::all(&mut Routes::Server(&mut groups));
            move |config: &mut ServiceConfig| groups.register(config, prefix)
        };
        let app = App::new()
            .configure(|app| service.provide(app))
            .configure(every_route(""))
            .service(scope("/api/v1").configure(every_route("/api/v1")))
            .configure(pages::page_routes)
            .configure(extra_routes)
            .default_service(actix_web::web::to(edge::no_such_route))
            .wrap(actix_web::middleware::from_fn(edge::compress))
            .wrap(actix_web::middleware::from_fn(edge::record_reads))
            .wrap(actix_web::middleware::from_fn(edge::refuse_other_methods))
            .wrap(actix_web::middleware::from_fn(edge::shed_load))
            .wrap(actix_web::middleware::from_fn(edge::limit_rate))
            .wrap(actix_web::middleware::from_fn(edge::cors))
            .wrap(actix_web::middleware::from_fn(edge::refuse_other_names))
            .wrap(TracingLogger::<RequestSpan>::new())
            .wrap(actix_web::middleware::from_fn(edge::edge))
            .wrap(actix_web::middleware::from_fn(edge::follow_old_paths));
        let (stop, connections) = (stop.clone(), service.edge.connections.clone());
        let stopping = move || {
            let stop = stop.clone();
            async move { stop.notified().await }
        };
        let accept = move |stream: &TcpStream, data: &mut Extensions| {
            end_when_stalled(stream, stall_timeout);
            connections.accept(stream, data);
        };
        serve_connections(app, client_timeout, stopping, accept)
    })?;
    Ok(server.run())
}

/// Serves a worker's connections by its app.
fn serve_connections<I, S, B, Stopping, Stop, Accept>(
    app: I,
    client_timeout: Duration,
    stopping: Stopping,
    accept: Accept,
) -> impl ServiceFactory<TcpStream, Config = (), Response = (), Error = DispatchError, InitError = ()>
where
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<
            Request,
            Config = AppConfig,
            Response = ServiceResponse<B>,
            Error = Error,
            InitError = (),
        > + 'static,
    S::Service: 'static,
    <S::Service as actix_service::Service<Request>>::Future: 'static,
    S::Future: 'static,
    B: MessageBody + 'static,
    Stopping: Fn() -> Stop + 'static,
    Stop: Future<Output = ()> + 'static,
    Accept: Fn(&TcpStream, &mut Extensions) + 'static,
{
    let app = WorkerApp::new(app.into_factory());
    HttpService::<TcpStream, WorkerApp<S>, B>::build()
        .graceful_shutdown_signal(stopping)
        .keep_alive(KEEP_ALIVE)
        .client_request_timeout(client_timeout)
        .client_disconnect_timeout(DISCONNECT_TIMEOUT)
        // A socket's frames are small and follow each other: Nagle would hold each until the last was acknowledged, 40 ms.
        .tcp_nodelay(true)
        .on_connect_ext(accept)
        .upgrade::<_, Upgrades<S::Service>>(app.upgrades())
        .finish::<_, B>(app)
        .tcp()
}

fn worker_count(settings: &Settings) -> usize {
    match settings.server.workers {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        workers => workers,
    }
}

/// Ends a connection whose peer has taken nothing for so long, including a zero window: an actor that writes to such a socket is
/// no longer polled, so no timer of the service would notice.
#[cfg(target_os = "linux")]
fn end_when_stalled(stream: &TcpStream, after: Duration) {
    if let Err(error) = socket2::SockRef::from(stream).set_tcp_user_timeout(Some(after)) {
        tracing::debug!(%error, "TCP_USER_TIMEOUT could not be set");
    }
}

/// Does nothing: elsewhere the system's own retransmission limits end such a connection, later.
#[cfg(not(target_os = "linux"))]
fn end_when_stalled(_: &TcpStream, _: Duration) {}
