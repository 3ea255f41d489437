use std::{collections::BTreeMap, time::Duration};

use actix_web::{HttpResponse, Responder, get, web::Data};

use roadcall_actors::protocol::CountQuery;

use super::dto::{Health, Ready, ReadyFor, ReadyStatus};
use crate::{
    edge::{EdgeContext, metrics as measured},
    http::Query,
    openapi::{INTERFACE_VERSION, SERVICE_VERSION},
    platform::{
        db::{Schema, schema},
        error::{ApiError, ApiResult},
    },
};

/// Longer than a healthy database takes, and shorter than a load balancer waits.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(1);
/// An engine whose mailboxes lag this much keeps its callers waiting.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(1);

/// Reports that the process is alive.
#[utoipa::path(tag = "health", security(()), responses((status = 200, body = Health)))]
#[get("/health")]
pub async fn health() -> HttpResponse {
    alive()
}

/// Returns the answer of a process that is alive, whether or not it leads.
pub fn alive() -> HttpResponse {
    let (version, service_version) = (INTERFACE_VERSION, SERVICE_VERSION);
    HttpResponse::Ok().json(Health { status: "ok", version, service_version })
}

/// Reports whether the server should get requests. Each check is "ok" or names the fault; an overload (`load`) does not make the
/// server unready, but a database that takes no writes (`writes`) does. A server that stands by while another one leads is not
/// ready, except with `standby_ok=true`, which is meant for the probe of a rolling update. A load balancer must not use it. A
/// server of a cluster is ready whichever server leads, and while none does, but no longer than 10 s after the leader was last
/// reached, or its own engine last answered.
#[utoipa::path(
    tag = "health",
    security(()),
    operation_id = "health_ready",
    params((
        "standby_ok" = Option<bool>,
        Query,
        description = "Whether a standby that could take over counts as ready",
        example = false
    )),
    responses(
        (status = 200, description = "Ready, or with `standby_ok` a standby: `status` says which", body = Ready),
        (status = 503, description = "Not ready; the checks say why", body = Ready),
    ),
)]
#[get("/health/ready")]
pub async fn ready(context: Data<EdgeContext>, asked: Query<ReadyFor>) -> ApiResult<HttpResponse> {
    // The value makes no difference on a leading server, but a bad one is refused all the same.
    asked.read()?;
    let now = context.clock.now();
    let ((database, migrations), writes) = tokio::join!(check_database(&context), context.db.writes(now));
    let engine = context.engine.ask(CountQuery { within: ENGINE_TIMEOUT }).await;
    let engine = if engine.is_ok() { "ok" } else { "does not answer in time" };
    let peers = context.cluster.peers.as_ref();
    let recovery = if context.readiness.is_recovered() { "ok" } else { "not finished" };
    let leadership = context.db.lease().standing().as_check();
    let draining = if *context.drain.borrow() { "stopping" } else { "ok" };
    let mut checks = BTreeMap::from([
        ("database", database),
        ("writes", writes.as_check()),
        ("leadership", leadership),
        ("migrations", migrations),
        ("recovery", recovery),
        ("draining", draining),
    ]);
    match peers {
        None => {
            checks.insert("engine", engine);
        }
        Some(peers) => {
            let is_right = peers.nodes.is_clock_right();
            checks.insert("clock", if is_right { "ok" } else { "more than 5 s off the database's" });
        }
    }
    let mut is_ready = checks.values().all(|check| *check == "ok");
    if let Some(peers) = peers {
        // Whichever server leads, this one serves: commands wait for a few seconds until another has taken over.
        let is_answered = engine == "ok";
        let is_out_of_reach = peers.link.is_out_of_reach(is_answered);
        let engine = match (is_answered, is_out_of_reach, peers.link.is_local()) {
            (true, ..) => "ok",
            (false, false, true) => "does not answer in time",
            (false, true, true) => "has not answered for more than 10 s",
            (false, false, false) => "no server leads at the moment",
            (false, true, false) => "the server that leads can't be reached for more than 10 s",
        };
        checks.insert("engine", engine);
        is_ready &= !is_out_of_reach;
        let is_connected = peers.link.bus().is_connected();
        checks.insert("bus", if is_connected { "ok" } else { "not connected" });
        // Without NATS, the leader is the server that can still do everything.
        is_ready &= is_connected || peers.link.is_local();
    }
    // The load is information for people: sending requests elsewhere would not help, since nobody else serves this database.
    let load = if context.admission.overload().is_under_way() {
        "overloaded: some requests are refused"
    } else {
        "ok"
    };
    checks.insert("load", load);
    if is_ready {
        Ok(HttpResponse::Ok().json(Ready { status: ReadyStatus::Ready, checks }))
    } else {
        Ok(HttpResponse::ServiceUnavailable().json(Ready { status: ReadyStatus::NotReady, checks }))
    }
}

async fn check_database(context: &EdgeContext) -> (&'static str, &'static str) {
    match tokio::time::timeout(DATABASE_TIMEOUT, schema(&context.db)).await {
        Ok(Ok(Schema::Fits)) => ("ok", "ok"),
        Ok(Ok(Schema::Older)) => ("ok", "older than this program"),
        Ok(Ok(Schema::Contracted(_))) => ("ok", "newer than this program, and without what it needs"),
        Ok(Err(error)) => {
            tracing::warn!(%error, "the database does not answer");
            ("does not answer", "unknown")
        }
        Err(_) => ("does not answer in time", "unknown"),
    }
}

/// Returns the metrics in the Prometheus text format. In production they are on a separate listener instead.
#[utoipa::path(tag = "health", security(()), operation_id = "metrics", responses(
    (status = 200, body = String, content_type = "text/plain"),
    (status = 404, description = "NOT_FOUND: in production, where they are on a separate listener"),
))]
#[get("/metrics")]
pub async fn metrics(context: Data<EdgeContext>) -> ApiResult<impl Responder> {
    if context.settings.is_production() {
        return Err(ApiError::not_found("route"));
    }
    Ok(HttpResponse::Ok().content_type(measured::METRICS_CONTENT_TYPE).body(measured::render(&context).await))
}
