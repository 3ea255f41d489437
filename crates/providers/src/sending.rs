//! Sends a request to a provider. Within a trace the request is a span, which the provider learns.

use opentelemetry::{Context, trace::SpanKind};
use reqwest::{RequestBuilder, Response};
use roadcall_base::traces::{self, in_context};
use roadcall_platform::traces::{TRACEPARENT, current_traceparent, failed, note};

use super::ProviderError;

/// Sends a request. `span` names the provider; nothing but the fact that the request was sent is recorded.
pub(super) async fn send(request: RequestBuilder, span: &'static str) -> reqwest::Result<Response> {
    let context = traces::begin(span, SpanKind::Client, Vec::new).or_else(traces::current);
    let request = match named_by(context.as_ref()) {
        Some(name) => request.header(TRACEPARENT, name),
        None => request,
    };
    sent(request, context).await
}

/// Sends a request to an address that anybody may have chosen: the receiver learns nothing of the trace.
pub(super) async fn send_to_anybody(
    request: RequestBuilder,
    span: &'static str,
) -> reqwest::Result<Response> {
    sent(request, traces::begin(span, SpanKind::Client, Vec::new)).await
}

/// Reads a body of at most `most` bytes; `None` if it is larger.
pub(super) async fn read(mut response: Response, most: usize) -> reqwest::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > most {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// Makes an error of a failed request. Only a refused connection is known to have changed nothing.
pub(super) fn no_answer(error: &reqwest::Error) -> ProviderError {
    if error.is_connect() {
        ProviderError::Unavailable("no connection".to_owned())
    } else if error.is_timeout() {
        ProviderError::Unknown("no answer in time".to_owned())
    } else {
        ProviderError::Unknown("the connection was cut".to_owned())
    }
}

fn named_by(context: Option<&Context>) -> Option<String> {
    let _attached = context?.clone().attach();
    current_traceparent()
}

async fn sent(request: RequestBuilder, context: Option<Context>) -> reqwest::Result<Response> {
    let sent = in_context(request.send(), context.clone()).await;
    if let Some(span) = context {
        match &sent {
            Ok(response) => note(&span, "http.response.status_code", i64::from(response.status().as_u16())),
            Err(error) if error.is_timeout() => failed(&span, "no answer in time"),
            Err(_) => failed(&span, "no answer"),
        }
    }
    sent
}
