//! The handlers of organisations for admins, and of the organisation for which a partner acts.

use actix_web::{
    HttpResponse, get, patch, post,
    web::{Data, Json},
};
use roadcall_http::{
    AdminList, Body, ExportQuery, IdempotencyKey, ListWindow, Owned, OwnedBy, Page, PathIds, RowKey, list,
};
use roadcall_platform::{
    core::Core,
    error::{ApiResult, ErrorBody},
    idempotency::{self, Claim, Request},
};

use super::{
    actions,
    caller::Partner,
    context::OrganisationsContext,
    dto::{ActingPartner, NewOrganisation, Organisation, OrganisationChanges},
    queries::{self, OrganisationFilter, OrganisationRow},
};
use crate::auth::{
    Admin,
    desk::{self, AtDesk},
    scope,
};

/// Lists organisations, the newest first.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(ExportQuery<OrganisationFilter>),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<Organisation> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/organisations")]
pub async fn list_organisations(
    core: Data<Core>,
    Admin(admin, _): Admin<desk::Settings>,
    query: ExportQuery<OrganisationFilter>,
) -> ApiResult<HttpResponse> {
    list::<OrganisationList>(&core, admin.user_id, &query).await
}

/// All organisations. Their numbers and addresses are of offices, not of people.
struct OrganisationList;

impl AdminList for OrganisationList {
    const NAME: &'static str = "organisations";
    const PERSONAL_DATA: &'static [&'static str] = &[];
    type Filter = OrganisationFilter;
    type Item = Organisation;
    type Context = Core;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list(&core.db, filter, window).await?;
        let key = |row: &OrganisationRow| RowKey { at: row.created_at, id: row.id };
        Ok(rows.into_iter().map(|row| (key(&row), row.into())).collect())
    }
}

/// Adds an organisation. It gets an account, in whose name its jobs and vehicles will be.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(IdempotencyKey),
    request_body = NewOrganisation,
    responses(
        (status = 201, body = Organisation),
        (status = 409, body = ErrorBody, description = "CONFLICT: another organisation has this name; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/admin/organisations")]
pub async fn create_organisation(
    context: Data<OrganisationsContext>,
    Admin(admin, _): Admin<desk::Settings>,
    key: IdempotencyKey,
    body: Body<NewOrganisation>,
) -> ApiResult<HttpResponse> {
    let request = Request::new(admin.user_id, "/admin/organisations", key.read()?, body.bytes());
    let make = async |claim: &Claim| actions::create(&context, admin.into(), body.read()?, claim).await;
    let again = async |id, _| queries::find(&context.db, id).await?.ok_or_else(actions::no_such_organisation);
    let row = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(Organisation::from(row)))
}

impl<D: AtDesk> OwnedBy<Admin<D>> for OrganisationRow {
    const NAME: &'static str = "organisation";

    async fn find(core: &Core, _: &Admin<D>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("id")?).await?)
    }
}

/// Returns an organisation.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Organisation)),
)]
#[get("/admin/organisations/{id}")]
pub async fn get_organisation(target: Owned<OrganisationRow, Admin<desk::Settings>>) -> Json<Organisation> {
    Json(target.into_parts().0.into())
}

/// Changes the given fields. With `status` suspended, the organisation's keys and members are refused at once; its open
/// jobs go on.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    request_body = OrganisationChanges,
    responses(
        (status = 200, body = Organisation),
        (status = 409, body = ErrorBody, description = "CONFLICT: another organisation has this name"),
    ),
)]
#[patch("/admin/organisations/{id}")]
pub async fn update_organisation(
    context: Data<OrganisationsContext>,
    target: Owned<OrganisationRow, Admin<desk::Settings>>,
    body: Body<OrganisationChanges>,
) -> ApiResult<Json<Organisation>> {
    let (row, Admin(admin, _)) = target.into_parts();
    let row = actions::change(&context, admin.into(), row.id, body.read()?).await?;
    Ok(Json(row.into()))
}

/// Returns for whom the caller acts, and what they may do. It needs no certain scope. An agency's key names the
/// organisation in the header `Roadcall-Organisation`.
#[utoipa::path(
    tag = "partners",
    extensions(("x-scopes" = json!(scope::Any))),
    responses((status = 200, body = ActingPartner)),
)]
#[get("/partner")]
pub async fn get_partner(
    context: Data<OrganisationsContext>,
    Partner(caller, _): Partner<scope::Any>,
) -> ApiResult<Json<ActingPartner>> {
    let found = queries::find(&context.db, caller.organisation_id).await?;
    let row = found.ok_or_else(actions::no_such_organisation)?;
    Ok(Json(ActingPartner::of(row, &caller, context.environment)))
}
