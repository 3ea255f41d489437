//! Unknown paths and methods, answered in the envelope. Bytes that are not HTTP, and requests with a head of more than 128 KiB,
//! never become a request: the framework itself answers them with 400 or 431, without a body, and closes the connection. That
//! can't be changed; the document's head mentions it.

use actix_web::{
    Error, HttpRequest, HttpResponse, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{Method, header},
    middleware::Next,
};

use crate::{
    edge::EdgeContext,
    http::routed_path,
    pages::is_page,
    platform::error::{ApiError, Code},
};

/// Answers impossible paths, and methods that the path does not have, as a middleware. Each route is a resource with a guard on
/// its method, so `GET /mechanics/register` would otherwise fall through to `GET /mechanics/{id}`.
pub async fn refuse_other_methods<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let routes = EdgeContext::of(request.request()).document.routes();
    // No id, token or file name contains this character, and neither Postgres nor a file system accepts it.
    if routed_path(request.request()).contains('\0') {
        let refusal = ApiError::not_found("route").error_response();
        return Ok(request.into_response(refusal).map_into_right_body());
    }
    let methods = routes.methods(routed_path(request.request()));
    if methods.is_empty() || methods.contains(request.method()) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let refusal = no_such_route(request.request().clone()).await;
    Ok(request.into_response(refusal).map_into_right_body())
}

/// Answers 405 with `Allow` if the path exists with other methods, else 404.
pub async fn no_such_route(request: HttpRequest) -> HttpResponse {
    let path = routed_path(&request);
    let methods = match is_page(path) {
        true if *request.method() != Method::GET => &[Method::GET],
        true => &[][..],
        false => EdgeContext::of(&request).document.routes().methods(path),
    };
    if methods.is_empty() {
        return ApiError::not_found("route").error_response();
    }
    let allowed: Vec<&str> = methods.iter().map(|method| method.as_str()).collect();
    let allowed = allowed.join(", ");
    let error = ApiError::new(Code::MethodNotAllowed, format!("This path allows only {allowed}."));
    let mut response = error.error_response();
    if let Ok(value) = header::HeaderValue::from_str(&allowed) {
        response.headers_mut().insert(header::ALLOW, value);
    }
    response
}
