//! Contracts, for admins.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{NewContract, PartnerContract},
    queries::{self, ContractRow},
};
use crate::{
    accounts::{
        auth::{
            Admin,
            desk::{self, AtDesk},
        },
        organisations::OrganisationRow,
    },
    http::{Body, IdempotencyKey, ListQuery, NoFields, NoFilter, Owned, OwnedBy, Page, PathIds},
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
        idempotency::{self, Claim, Request},
    },
};

impl<D: AtDesk> OwnedBy<Admin<D>> for ContractRow {
    const NAME: &'static str = "contract";

    async fn find(core: &Core, _: &Admin<D>, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find(&core.db, path.id("id")?).await?)
    }
}

/// Lists the contracts with an organisation, the newest first, with the agreed terms of each kind of help.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path), ListQuery<NoFilter>),
    responses((status = 200, body = Page<PartnerContract>)),
)]
#[get("/admin/organisations/{id}/contracts")]
pub async fn list_contracts(
    core: Data<Core>,
    organisation: Owned<OrganisationRow, Admin<desk::Settings>>,
    query: ListQuery<NoFilter>,
) -> ApiResult<Json<Page<PartnerContract>>> {
    let (_, page) = query.read()?;
    let rows = queries::of_organisation(&core.db, organisation.id, page).await?;
    let total = page.total(rows.len(), queries::count_of_organisation(&core.db, organisation.id)).await?;
    Ok(Json(page.of(actions::all_shown(&core.db, rows).await?, total)))
}

/// Makes a contract with an organisation. It can't be changed afterwards: end it, and make another.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path), IdempotencyKey),
    request_body = NewContract,
    responses(
        (status = 201, body = PartnerContract),
        (status = 409, body = ErrorBody, description = "IDEMPOTENCY_IN_FLIGHT"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for the reference of another contract of the \
            organisation; IDEMPOTENCY_KEY_REUSED"),
    ),
)]
#[post("/admin/organisations/{id}/contracts")]
pub async fn create_contract(
    core: Data<Core>,
    organisation: Owned<OrganisationRow, Admin<desk::Settings>>,
    key: IdempotencyKey,
    body: Body<NewContract>,
) -> ApiResult<HttpResponse> {
    let (organisation, Admin(admin, _)) = organisation.into_parts();
    let digested = [organisation.id.as_bytes(), body.bytes()].concat();
    let request = Request::new(admin.user_id, "/admin/organisations/{id}/contracts", key.read()?, &digested);
    let make = async |claim: &Claim| {
        actions::create(&core, admin.user_id, organisation.id, body.read()?, claim).await
    };
    let again = async |id, _| actions::shown(&core.db, id).await;
    Ok(HttpResponse::Created().json(idempotency::once(&core, request, make, again).await?))
}

/// Ends a contract: from now on nothing is ordered under it. Its open jobs go on. A repeat changes nothing.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Settings))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = PartnerContract)),
)]
#[post("/admin/partner-contracts/{id}/end")]
pub async fn end_contract(
    core: Data<Core>,
    contract: Owned<ContractRow, Admin<desk::Settings>>,
    body: Body<NoFields>,
) -> ApiResult<Json<PartnerContract>> {
    let (row, Admin(admin, _)) = contract.into_parts();
    body.read()?;
    Ok(Json(actions::end(&core, admin.user_id, row.id).await?))
}
