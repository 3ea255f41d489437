//! Partners' own keys, for managers and for programs that rotate them.

use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json},
};
use chrono::TimeDelta;
use roadcall_http::{Body, ListQuery, NoFilter, NoIdempotencyKey, Owned, OwnedBy, Page, PathIds};
use roadcall_platform::{
    core::Core,
    error::{ApiError, ApiResult},
};
use uuid::Uuid;

use super::{
    actions::{self, KeyTerms, USUAL_REQUESTS},
    dto::{KeyRotation, NewOwnKey, NewlyMadeKey, PartnerKey},
    queries::{self, PartnerKeyRow},
};
use crate::{
    auth::{PartnerCaller, Principal, Scopes, scope},
    organisations::{caller::Partner, context::OrganisationsContext},
};

/// Lists the keys of the caller's organisation, the newest first.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Keys))),
    params(ListQuery<NoFilter>),
    responses((status = 200, body = Page<PartnerKey>)),
)]
#[get("/partner/keys")]
pub async fn list_own_keys(
    core: Data<Core>,
    Partner(caller, _): Partner<scope::Keys>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<PartnerKey>>> {
    let own = own_organisation(&caller)?;
    listed(&core, own, &query).await
}

/// Returns a page of an organisation's keys, the newest first.
pub(super) async fn listed(
    core: &Core,
    organisation_id: Uuid,
    query: &ListQuery<NoFilter>,
) -> ApiResult<Json<Page<PartnerKey>>> {
    let ((_, page), now) = (query.read()?, core.clock.now());
    let rows = queries::list(&core.db, organisation_id, page).await?;
    let total = page.total(rows.len(), queries::count(&core.db, organisation_id)).await?;
    Ok(Json(page.of(rows.into_iter().map(|row| PartnerKey::of(row, now)).collect(), total)))
}

/// Makes a key with some of the caller's scopes. The key itself is only in this answer. If a program makes it, it has no higher limit and no
/// later end than the program's own key.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Keys))),
    request_body = NewOwnKey,
    responses(
        (status = 201, body = NewlyMadeKey),
        (status = 409, description = "CONFLICT: the organisation has as many keys as it may"),
        (status = 422, description = "VALIDATION_FAILED, also for an Idempotency-Key: the key is shown only once"),
    ),
)]
#[post("/partner/keys")]
pub async fn create_own_key(
    context: Data<OrganisationsContext>,
    Partner(caller, _): Partner<scope::Keys>,
    key: NoIdempotencyKey,
    body: Body<NewOwnKey>,
) -> ApiResult<HttpResponse> {
    let own = own_organisation(&caller)?;
    key.check()?;
    let NewOwnKey { name, scopes, expires_in_days } = body.read()?;
    let terms = KeyTerms {
        name: name.0,
        scopes: Scopes::of(&scopes.0),
        life: TimeDelta::days(expires_in_days.0),
        requests_per_minute: USUAL_REQUESTS,
        acts_for: Vec::new(),
    };
    actions::check_rights(&caller, terms.scopes)?;
    made(&context, caller.into(), own, terms).await
}

/// Makes a key; returns the only answer that shows it.
pub(super) async fn made(
    context: &OrganisationsContext,
    by: Principal,
    organisation_id: Uuid,
    terms: KeyTerms,
) -> ApiResult<HttpResponse> {
    let made = actions::make(context, by, organisation_id, terms).await?;
    Ok(HttpResponse::Created().json(NewlyMadeKey::of(made)))
}

/// Partners manage the keys of their own organisation alone.
impl OwnedBy<Partner<scope::Keys>> for PartnerKeyRow {
    const NAME: &'static str = "partner key";

    async fn find(core: &Core, by: &Partner<scope::Keys>, path: &PathIds) -> ApiResult<Option<Self>> {
        let own = own_organisation(&by.0)?;
        let found = queries::find(&core.db, path.id("id")?).await?;
        Ok(found.filter(|key| key.organisation_id == own))
    }
}

/// Returns the caller's own organisation; 403 for an agency that acts for another one.
fn own_organisation(caller: &PartnerCaller) -> ApiResult<Uuid> {
    if caller.made_by == caller.organisation_id {
        return Ok(caller.made_by);
    }
    Err(ApiError::forbidden("An agency can't manage the keys of an organisation for which it acts."))
}

/// Makes the successor of a key, with the same rights. The old key still works for `overlap_hours`. A program rotates its own key, and those with
/// no more rights.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Keys))),
    params(("id" = Uuid, Path)),
    request_body = KeyRotation,
    responses(
        (status = 201, body = NewlyMadeKey),
        (status = 409, description = "INVALID_TRANSITION: it has a successor, or has ended"),
        (status = 422, description = "VALIDATION_FAILED, also for an Idempotency-Key: the key is shown only once"),
    ),
)]
#[post("/partner/keys/{id}/rotate")]
pub async fn rotate_own_key(
    context: Data<OrganisationsContext>,
    target: Owned<PartnerKeyRow, Partner<scope::Keys>>,
    key: NoIdempotencyKey,
    body: Body<KeyRotation>,
) -> ApiResult<HttpResponse> {
    let (row, Partner(caller, _)) = target.into_parts();
    actions::check_rotation(&caller, &row)?;
    rotated(&context, caller.into(), &row, (key, body)).await
}

/// Makes the successor of a key; returns the only answer that shows it.
pub(super) async fn rotated(
    context: &OrganisationsContext,
    by: Principal,
    row: &PartnerKeyRow,
    (key, body): (NoIdempotencyKey, Body<KeyRotation>),
) -> ApiResult<HttpResponse> {
    key.check()?;
    let made = actions::rotate(context, by, row, body.read()?.overlap()).await?;
    Ok(HttpResponse::Created().json(NewlyMadeKey::of(made)))
}

/// Revokes a key, and the keys that it made. They are refused at once.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Keys))),
    params(("id" = Uuid, Path)),
    responses((status = 204)),
)]
#[delete("/partner/keys/{id}")]
pub async fn revoke_own_key(
    context: Data<OrganisationsContext>,
    target: Owned<PartnerKeyRow, Partner<scope::Keys>>,
) -> ApiResult<HttpResponse> {
    let (row, Partner(caller, _)) = target.into_parts();
    actions::revoke(&context, caller.into(), &row).await?;
    Ok(HttpResponse::NoContent().finish())
}
