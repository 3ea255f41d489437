//! The collector, which takes batches by OTLP over HTTP, as protobuf.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry_proto::{
    tonic::collector::trace::v1::ExportTraceServiceRequest,
    transform::common::tonic::ResourceAttributesWithSchema,
    transform::trace::tonic::group_spans_by_resource_and_scope,
};
use opentelemetry_sdk::{Resource, trace::SpanData};
use prost::Message as _;
use reqwest::{
    Client, Url,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
    redirect,
};
use uuid::Uuid;

use crate::{https, settings::Secret, telemetry::count_spans};

/// The time after which a batch counts as not taken.
const WITHIN: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Collector {
    client: Client,
    endpoint: Url,
    resource: ResourceAttributesWithSchema,
    /// Whether the collector failed to take the last batch, which the log reports once.
    is_away: bool,
}

impl Collector {
    pub(super) fn new(endpoint: Url, authorization: &Secret, server: Uuid) -> reqwest::Result<Self> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        if let Ok(mut value) = HeaderValue::from_str(&authorization.0)
            && !authorization.0.is_empty()
        {
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let client =
            https::client().timeout(WITHIN).default_headers(headers).redirect(redirect::Policy::none());
        // The SDK's own detectors are not used, since they read environment variables.
        let resource = Resource::builder_empty()
            .with_attributes([
                KeyValue::new("service.name", "roadcall"),
                KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
                KeyValue::new("service.instance.id", server.to_string()),
            ])
            .build();
        Ok(Self { client: client.build()?, endpoint, resource: (&resource).into(), is_away: false })
    }

    /// Sends spans once. Spans that the collector does not take are lost, and counted.
    pub(super) async fn take(&mut self, spans: Vec<SpanData>) {
        let count = spans.len();
        let request = ExportTraceServiceRequest {
            resource_spans: group_spans_by_resource_and_scope(spans, &self.resource),
        };
        let sent = self.client.post(self.endpoint.clone()).body(request.encode_to_vec()).send().await;
        match sent.and_then(reqwest::Response::error_for_status) {
            Ok(_) => {
                count_spans("sent", count);
                if std::mem::take(&mut self.is_away) {
                    tracing::info!("the collector takes traces again");
                }
            }
            Err(error) => {
                count_spans("failed", count);
                if !std::mem::replace(&mut self.is_away, true) {
                    tracing::warn!(error.cause = %error.without_url(), "the collector takes no traces; further ones are lost until it does");
                }
            }
        }
    }
}
