//! Refuses requests early that could only wait: if too many of their kind already wait, or if this server may not use the
//! database at all. This happens before any account is looked up, so that a refusal costs next to nothing.

use actix_web::{
    Error, HttpMessage, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};

use super::work::Entry;
use crate::{
    edge::EdgeContext,
    http::{RequestInfo, check_leading},
    platform::{db::AdmittedRequest, error::ApiResult},
};

/// Answers 503 with `Retry-After` instead of a request that could only wait, as a middleware. Nothing was done.
pub async fn shed_load<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let answered = match admit(&request) {
        Ok(Some(admitted)) => admitted.answered_by(next.call(request)).await?,
        Ok(None) => next.call(request).await?,
        Err(refusal) => return Ok(request.into_response(refusal.error_response()).map_into_right_body()),
    };
    Ok(answered.map_into_left_body())
}

/// Decides whether a request may begin; returns `None` if the request does not wait here.
fn admit(request: &ServiceRequest) -> ApiResult<Option<AdmittedRequest>> {
    let context = EdgeContext::of(request.request());
    match entry_of(request, context) {
        Entry::Always => Ok(None),
        Entry::InTurn => check_leading(context).map(|()| None),
        Entry::As(work) => {
            check_leading(context)?;
            Ok(Some(context.admission.admit(work)?))
        }
    }
}

fn entry_of(request: &ServiceRequest, context: &EdgeContext) -> Entry {
    let extensions = request.extensions();
    match extensions.get::<RequestInfo>() {
        Some(info) => context.work.entry(request.method(), &info.route),
        None => Entry::Always,
    }
}
