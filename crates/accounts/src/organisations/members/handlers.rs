//! The members of organisations, for admins.

use actix_web::{
    HttpResponse, delete, get, post,
    web::{Data, Json},
};
use roadcall_http::{Body, ListQuery, NoFilter, Owned, OwnedBy, Page, PathIds, ShownList};
use roadcall_platform::{
    core::Core,
    error::{ApiResult, ErrorBody},
};

use super::{
    actions,
    dto::{NewOrganisationMember, OrganisationMember},
    queries::{self, MemberRow},
};
use crate::{
    auth::{Admin, desk},
    organisations::{context::OrganisationsContext, queries::OrganisationRow},
};

/// Lists an organisation's members, in the order in which they joined.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path), ListQuery<NoFilter>),
    responses((status = 200, body = Page<OrganisationMember>)),
)]
#[get("/admin/organisations/{id}/members")]
pub async fn list_organisation_members(
    core: Data<Core>,
    target: Owned<OrganisationRow, Admin<desk::Settings>>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<OrganisationMember>>> {
    let (organisation, Admin(admin, _)) = target.into_parts();
    let (_, page) = query.read()?;
    let rows = queries::list(&core.db, organisation.id, page).await?;
    let total = page.total(rows.len(), queries::count(&core.db, organisation.id)).await?;
    let shown = ShownList { name: "organisation_members", personal_data: &["name", "phone"] };
    shown.record_page(&core, admin.user_id, query.pairs(), (rows.len(), total)).await?;
    Ok(Json(page.of(rows.into_iter().map(Into::into).collect(), total)))
}

/// Makes a person a member of an organisation. They sign in with their number, and see the organisation's cases.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    request_body = NewOrganisationMember,
    responses(
        (status = 201, body = OrganisationMember),
        (status = 409, body = ErrorBody, description = "CONFLICT: the person is a member of an organisation, or an admin"),
    ),
)]
#[post("/admin/organisations/{id}/members")]
pub async fn add_organisation_member(
    context: Data<OrganisationsContext>,
    target: Owned<OrganisationRow, Admin<desk::Settings>>,
    body: Body<NewOrganisationMember>,
) -> ApiResult<HttpResponse> {
    let (organisation, Admin(admin, _)) = target.into_parts();
    let row = actions::add(&context, admin.into(), organisation.id, body.read()?).await?;
    Ok(HttpResponse::Created().json(OrganisationMember::from(row)))
}

impl OwnedBy<Admin<desk::Settings>> for MemberRow {
    const NAME: &'static str = "organisation member";

    async fn find(core: &Core, _: &Admin<desk::Settings>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("id")?).await?)
    }
}

/// Ends a membership. It takes effect at once; the person keeps their account.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    responses((status = 204)),
)]
#[delete("/admin/organisation-members/{id}")]
pub async fn remove_organisation_member(
    context: Data<OrganisationsContext>,
    target: Owned<MemberRow, Admin<desk::Settings>>,
) -> ApiResult<HttpResponse> {
    let (row, Admin(admin, _)) = target.into_parts();
    actions::remove(&context, admin.into(), &row).await?;
    Ok(HttpResponse::NoContent().finish())
}
