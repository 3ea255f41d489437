//! The answers of a server while another one leads on its database: it is alive, and ready only to take over.

use std::{collections::BTreeMap, io, net::TcpListener};

use actix_web::{
    App, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{KeepAlive, header},
    rt,
    web::{self, Data, ServiceConfig},
};

use crate::{
    edge::health::{self, Ready, ReadyFor, ReadyStatus},
    http::{Query, not_leading, reading},
    platform::{
        db::{LeadershipStatus, Lease},
        error::ApiResult,
    },
};

/// Answers on the public listener until it is dropped.
#[derive(Debug)]
pub struct StandbyServer(ServerHandle);

impl StandbyServer {
    /// Starts the answers. `listener` is a clone of the service's later listener, so that no connection is
    /// refused at a take-over.
    pub fn start(listener: TcpListener, lease: Lease) -> io::Result<Self> {
        let server = HttpServer::new(move || {
            App::new()
                .app_data(Data::new(lease.clone()))
                .configure(routes)
                .service(web::scope("/api/v1").configure(routes))
                .default_service(web::to(async || HttpResponse::from_error(not_leading())))
        })
        .workers(1)
        .disable_signals()
        // A client's next request should find the service at the same address.
        .keep_alive(KeepAlive::Disabled)
        .listen(listener)?
        .run();
        let handle = server.handle();
        rt::spawn(server);
        Ok(Self(handle))
    }

    /// Stops at once, and cuts answers in progress, none of which takes long.
    pub async fn stop(self) {
        self.0.stop(false).await;
    }
}

fn routes(config: &mut ServiceConfig) {
    config.route("/health", reading().to(async || health::alive()));
    config.route("/health/ready", reading().to(ready));
}

async fn ready(lease: Data<Lease>, asked: Query<ReadyFor>) -> ApiResult<HttpResponse> {
    let (is_enough, could_take_over) = (asked.read()?.standby_is_enough(), lease.could_take_over());
    let database = if could_take_over { "ok" } else { "does not answer" };
    let checks =
        BTreeMap::from([("database", database), ("leadership", LeadershipStatus::Standby.as_check())]);
    let mut answer = match is_enough && could_take_over {
        true => HttpResponse::Ok(),
        false => HttpResponse::ServiceUnavailable(),
    };
    answer.insert_header((header::CACHE_CONTROL, "no-store"));
    Ok(answer.json(Ready { status: ReadyStatus::Standby, checks }))
}
