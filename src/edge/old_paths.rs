//! Requests by old paths, which continue by the new ones; their answers say so (RFC 9745, RFC 8288).

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Uri,
        header::{self, HeaderName, HeaderValue},
    },
    middleware::Next,
};

use crate::http::{Alias, prefix_of, routed_path, without_prefix};

const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");

/// Continues a request by an old path with the new path. This middleware is outside of all others, so that limits, measurements,
/// the log and the audit know a route by only one path.
pub async fn follow_old_paths<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let Some((alias, path)) = renamed(&request) else { return next.call(request).await };
    if let Some(uri) = with_path(request.uri(), &path) {
        // The router reads the first, and handlers see the second.
        request.match_info_mut().get_mut().update(&uri);
        request.head_mut().uri = uri;
    }
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    if let Ok(since) = HeaderValue::from_str(&format!("@{}", alias.since)) {
        headers.insert(DEPRECATION, since);
    }
    if let Ok(successor) = HeaderValue::from_str(&format!("<{path}>; rel=\"successor-version\"")) {
        headers.append(header::LINK, successor);
    }
    Ok(response)
}

/// Finds the alias that a request came by, and its new path under the same prefix.
fn renamed(request: &ServiceRequest) -> Option<(&'static Alias, String)> {
    let alias = Alias::of(request.method(), without_prefix(routed_path(request.request())))?;
    let path = alias.renamed(request.uri().path())?;
    Some((alias, format!("{}{path}", prefix_of(request.request()))))
}

/// Returns the same address with another path.
fn with_path(uri: &Uri, path: &str) -> Option<Uri> {
    let path_and_query = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(path_and_query.parse().ok()?);
    Uri::from_parts(parts).ok()
}
