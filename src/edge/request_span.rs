//! The log's span around each request.

use actix_web::{
    Error, HttpMessage,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
};
use tracing::{Span, field::Empty};
use tracing_actix_web::RootSpanBuilder;

use crate::{http::RequestInfo, platform::traces};

/// The span around each request.
#[derive(Debug)]
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let extensions = request.extensions();
        let Some(info) = extensions.get::<RequestInfo>() else { return Span::none() };
        tracing::info_span!(
            "request",
            request.id = %info.id,
            trace.id = traces::current_id().map(tracing::field::display),
            http.method = %request.method(),
            http.route = %info.route,
            // These are filled in when the token and the path are read.
            user.id = Empty,
            job.id = Empty,
        )
    }

    fn on_request_end<B: MessageBody>(_: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        // An error is logged at the edge, which outlives the request.
        let Ok(response) = outcome else { return };
        let request = response.request();
        let extensions = request.extensions();
        let Some(info) = extensions.get::<RequestInfo>() else { return };
        let status = response.status().as_u16();
        let latency_us = info.started.elapsed().as_micros();
        if info.route.starts_with("/health") || &*info.route == "/metrics" {
            tracing::debug!(http.status = status, latency_us, "request answered");
        } else {
            tracing::info!(http.status = status, latency_us, "request answered");
        }
    }
}
