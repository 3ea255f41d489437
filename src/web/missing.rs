//! Paths and methods that are not ours, in the envelope. What is not HTTP at all is answered 400 without a body by
//! the framework before any of our code sees it.

use actix_web::{HttpRequest, HttpResponse, ResponseError, http::header};

use crate::{
    error::{ApiError, Code},
    state::AppState,
};

/// 405 with `Allow` where the path exists under other methods, else 404. Each route is a resource with a guard on
/// its method, so a wrong method falls through to here as an unknown path does.
pub async fn no_such_route(request: HttpRequest) -> HttpResponse {
    let methods = AppState::of(&request).document.routes().methods(request.path());
    if methods.is_empty() {
        return ApiError::not_found("route").error_response();
    }
    let allowed: Vec<&str> = methods.iter().map(|method| method.as_str()).collect();
    let allowed = allowed.join(", ");
    let error = ApiError::new(Code::MethodNotAllowed, format!("this path allows {allowed}"));
    let mut response = error.error_response();
    if let Ok(value) = header::HeaderValue::from_str(&allowed) {
        response.headers_mut().insert(header::ALLOW, value);
    }
    response
}
