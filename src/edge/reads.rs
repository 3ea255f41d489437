//! An admin who reads about a person leaves an entry in the audit log: for a person's page, a job with its chat, photos and
//! positions, or a payment. The entry records who read what, but not its content, and is written once in ten minutes, since a
//! page that polls would fill the log. Entries for lists are written where the lists are read (`http/admin_list.rs`), for files
//! where they are opened (`accounts/uploads`), and for live positions where they are followed (`ws`).

use actix_web::{
    Error, HttpMessage, ResponseError,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::Method,
    middleware::Next,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::EdgeContext;
use crate::{
    accounts::auth::Caller,
    http::{RequestInfo, routed_path},
    platform::{audit::NewAuditEntry, error::ApiResult},
};

/// The routes, each with the kind of object that its id names.
pub const AUDITED_READS: [(&str, &str); 30] = [
    ("/admin/users/{id}", "user"),
    ("/admin/users/{id}/vehicles", "user"),
    ("/admin/users/{id}/consent", "user"),
    ("/admin/users/{id}/unpaid-fees", "user"),
    ("/admin/mechanics/{id}", "mechanic_profile"),
    ("/admin/place-requests/{id}", "place_request"),
    ("/admin/grievances/{id}", "grievance"),
    ("/admin/partner-cases/{id}", "partner_case"),
    ("/admin/partner-cases/{id}/documents", "partner_case"),
    ("/admin/jobs/{id}", "job"),
    ("/admin/jobs/{id}/dispatch", "job"),
    ("/admin/jobs/{id}/candidates", "job"),
    ("/jobs/{id}", "job"),
    ("/jobs/{id}/timeline", "job"),
    ("/jobs/{id}/events", "job"),
    ("/jobs/{id}/location", "job"),
    ("/jobs/{id}/route", "job"),
    ("/jobs/{id}/way-ahead", "job"),
    ("/jobs/{id}/photos", "job"),
    ("/jobs/{id}/line-items", "job"),
    ("/jobs/{id}/dispute", "job"),
    ("/jobs/{id}/dispute/statements", "job"),
    ("/jobs/{id}/no-show", "job"),
    ("/jobs/{id}/ratings", "job"),
    ("/jobs/{id}/messages", "job"),
    ("/jobs/{id}/calls", "job"),
    ("/calls/{id}", "call"),
    ("/payments/{id}", "payment"),
    ("/payments/{id}/receipt", "payment"),
    ("/wallet/settlements/{id}", "settlement"),
];

/// A read by an admin.
#[derive(Debug)]
struct Read {
    admin: Uuid,
    kind: &'static str,
    id: Uuid,
    route: &'static str,
}

/// Writes the entry before the answer is sent, and refuses the answer if that fails. This is a middleware.
pub async fn record_reads<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let response = next.call(request).await?;
    let Some(read) = Read::of(&response) else { return Ok(response.map_into_left_body()) };
    let context = EdgeContext::of(response.request()).clone();
    match record(&context, &read).await {
        Ok(()) => Ok(response.map_into_left_body()),
        Err(refusal) => Ok(response.into_response(refusal.error_response()).map_into_right_body()),
    }
}

impl Read {
    fn of<B>(response: &ServiceResponse<B>) -> Option<Self> {
        let request = response.request();
        if *request.method() != Method::GET || !response.status().is_success() {
            return None;
        }
        let extensions = request.extensions();
        let admin = extensions.get::<Caller>().filter(|caller| caller.is_admin())?.user_id;
        let served = &*extensions.get::<RequestInfo>()?.route;
        let (route, kind) = AUDITED_READS.into_iter().find(|(route, _)| *route == served)?;
        let path = routed_path(request);
        let id = path.split('/').find_map(|segment| segment.parse().ok())?;
        Some(Self { admin, kind, id, route })
    }
}

async fn record(context: &EdgeContext, read: &Read) -> ApiResult<()> {
    let now = context.clock.now();
    let (action, after) = (format!("{}.read", read.kind), json!({"route": read.route}));
    let entry = NewAuditEntry::new(read.admin, &action, (read.kind, read.id), (Value::Null, after));
    let what = format!("{} {}", read.route, read.id);
    context.reads.record(&context.db, &context.random, now, what, entry).await
}
