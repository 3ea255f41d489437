//! The admins' side of keys.

use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json},
};
use chrono::TimeDelta;
use roadcall_http::{Body, ListQuery, NoFilter, NoIdempotencyKey, Owned, OwnedBy, Page, PathIds};
use roadcall_platform::{core::Core, error::ApiResult};

use super::{
    actions::{self, KeyTerms, USUAL_REQUESTS},
    dto::{KeyRotation, NewPartnerKey, NewlyMadeKey, PartnerKey},
    handlers::{listed, made, rotated},
    queries::{self, PartnerKeyRow},
};
use crate::{
    auth::{Admin, Scopes, desk},
    organisations::{context::OrganisationsContext, queries::OrganisationRow},
};

/// Lists an organisation's keys, the newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path), ListQuery<NoFilter>),
    responses((status = 200, body = Page<PartnerKey>)),
)]
#[get("/admin/organisations/{id}/keys")]
pub async fn list_partner_keys(
    core: Data<Core>,
    target: Owned<OrganisationRow, Admin<desk::Settings>>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<PartnerKey>>> {
    listed(&core, target.id, &query).await
}

/// Makes a key of an organisation. The key itself is only in this answer.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    request_body = NewPartnerKey,
    responses(
        (status = 201, body = NewlyMadeKey),
        (status = 409, description = "CONFLICT: the organisation has as many keys as it may"),
        (status = 422, description = "VALIDATION_FAILED, also for an Idempotency-Key: the key is shown only once"),
    ),
)]
#[post("/admin/organisations/{id}/keys")]
pub async fn create_partner_key(
    context: Data<OrganisationsContext>,
    target: Owned<OrganisationRow, Admin<desk::Settings>>,
    key: NoIdempotencyKey,
    body: Body<NewPartnerKey>,
) -> ApiResult<HttpResponse> {
    key.check()?;
    let (organisation, Admin(admin, _)) = target.into_parts();
    made(&context, admin.into(), organisation.id, terms(body.read()?)).await
}

fn terms(new: NewPartnerKey) -> KeyTerms {
    let requests = new.requests_per_minute.and_then(|number| i32::try_from(number.0).ok());
    let acts_for = new.acts_for.map_or_else(Vec::new, |others| others.collapsed());
    KeyTerms {
        name: new.name.0,
        scopes: Scopes::of(&new.scopes.0),
        life: TimeDelta::days(new.expires_in_days.0),
        requests_per_minute: requests.unwrap_or(USUAL_REQUESTS),
        acts_for: acts_for.into_iter().map(|id| id.0).collect(),
    }
}

impl OwnedBy<Admin<desk::Settings>> for PartnerKeyRow {
    const NAME: &'static str = "partner key";

    async fn find(core: &Core, _: &Admin<desk::Settings>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("id")?).await?)
    }
}

/// Makes the successor of a key, with the same rights. The old key still works for `overlap_hours`.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    request_body = KeyRotation,
    responses(
        (status = 201, body = NewlyMadeKey),
        (status = 409, description = "INVALID_TRANSITION: it has a successor, or has ended"),
        (status = 422, description = "VALIDATION_FAILED, also for an Idempotency-Key: the key is shown only once"),
    ),
)]
#[post("/admin/partner-keys/{id}/rotate")]
pub async fn rotate_partner_key(
    context: Data<OrganisationsContext>,
    target: Owned<PartnerKeyRow, Admin<desk::Settings>>,
    key: NoIdempotencyKey,
    body: Body<KeyRotation>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin, _)) = target.into_parts();
    rotated(&context, admin.into(), &row, (key, body)).await
}

/// Revokes a key, and the keys that it made. They are refused at once.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    responses((status = 204)),
)]
#[delete("/admin/partner-keys/{id}")]
pub async fn revoke_partner_key(
    context: Data<OrganisationsContext>,
    target: Owned<PartnerKeyRow, Admin<desk::Settings>>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin, _)) = target.into_parts();
    actions::revoke(&context, admin.into(), &row).await?;
    Ok(HttpResponse::NoContent().finish())
}
