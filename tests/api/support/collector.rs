//! A collector of traces (OTLP over HTTP).

use actix_web::HttpResponse;
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest, common::v1::any_value::Value, trace::v1::Span,
};
use prost::Message;
use roadcall::service::settings::Settings;

use super::peer::{Manner, Peer, PeerRequest, Provider, says};

#[derive(Default)]
pub struct Traces {
    spans: Vec<Span>,
}

pub type Collector = Peer<Traces>;

impl Provider for Traces {
    /// Reads spans, with any answer.
    fn receive(&mut self, request: &PeerRequest) -> Option<Manner> {
        if request.line() != "POST /v1/traces" {
            return Some(says(404, ""));
        }
        assert_eq!(request.header("content-type"), Some("application/x-protobuf"));
        let export = ExportTraceServiceRequest::decode(request.body.clone()).expect("a request of OTLP");
        let scopes = export.resource_spans.into_iter().flat_map(|of| of.scope_spans);
        self.spans.extend(scopes.flat_map(|of| of.spans));
        None
    }

    fn answer(&mut self, _request: &PeerRequest) -> HttpResponse {
        HttpResponse::Ok().content_type("application/x-protobuf").finish()
    }
}

impl Collector {
    /// Makes a server send it this share of its traces.
    pub fn set(&self, settings: &mut Settings, sample_ratio: f64) {
        settings.traces.otlp_url = self.url();
        settings.traces.sample_ratio = sample_ratio;
    }

    pub fn spans(&self) -> Vec<Span> {
        self.provider().spans.clone()
    }

    /// Waits for a span, and returns it.
    pub async fn find(&self, what: &str, fits: impl Fn(&Span) -> bool) -> Span {
        self.until(what, || self.provider().spans.iter().find(|span| fits(span)).cloned()).await
    }

    /// Waits for a span of this name.
    pub async fn named(&self, name: &str) -> Span {
        self.find(&format!("the span {name} comes"), |span| span.name == name).await
    }

    /// Waits until it has received a request, even while it does not respond.
    pub async fn asked(&self) {
        self.until("spans are sent", || (self.count() > 0).then_some(())).await;
    }

    /// Waits for the parent of this span.
    pub async fn parent(&self, span: &Span) -> Span {
        let above = |other: &Span| other.span_id == span.parent_span_id;
        self.find(&format!("the parent of {} comes", span.name), above).await
    }
}

/// Returns an attribute of a span as text.
pub fn attribute(span: &Span, key: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key == key)?;
    Some(match found.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => text.clone(),
        Value::IntValue(number) => number.to_string(),
        other => format!("{other:?}"),
    })
}
