use actix_web::{HttpResponse, delete, get, post, web::Data};
use roadcall_accounts::auth::{AnyMechanic, Caller, Customer, OwnId, OwnProfile};
use roadcall_http::{Body, IdempotencyKey, List, Owned, OwnedBy, PathIds};
use roadcall_platform::{
    core::Core,
    error::{ApiResult, ErrorBody},
    idempotency::{self, Claim, Request},
};

use super::{
    actions,
    dto::{MechanicCard, MechanicDocument, MechanicProfile, NewDocument, OwnMechanicProfile, Registration},
    lookup,
    queries::{self, CardRow},
    refusals::no_such_mechanic,
};
use crate::fleet::mechanics::MechanicsContext;

/// Registers the caller as a mechanic and submits the profile for verification. After a rejection the caller may register again;
/// the new documents then replace the earlier ones.
#[utoipa::path(
    tag = "mechanics",
    params(IdempotencyKey),
    request_body = Registration,
    responses(
        (status = 201, body = MechanicProfile, description = "Profile submitted"),
        (status = 409, body = ErrorBody, description = "ALREADY_REGISTERED: the caller has a profile that was not rejected; \
            IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/mechanics/register")]
pub async fn register_mechanic(
    context: Data<MechanicsContext>,
    Customer(caller): Customer,
    key: IdempotencyKey,
    body: Body<Registration>,
) -> ApiResult<HttpResponse> {
    let request = Request::new(caller.user_id, "/mechanics/register", key.read()?, body.bytes());
    let make = async |claim: &Claim| actions::register(&context, caller.user_id, body.read()?, claim).await;
    let again = async |id, _| queries::find(&context.db, id).await?.ok_or_else(no_such_mechanic);
    let profile = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(MechanicProfile::from(profile)))
}

/// Returns the caller's own profile, with their documents and the change that waits for an admin.
#[utoipa::path(tag = "mechanics", responses((status = 200, body = OwnMechanicProfile)))]
#[get("/mechanics/me")]
pub async fn get_my_mechanic_profile(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
) -> ApiResult<HttpResponse> {
    let mut db = context.db.acquire().await?;
    let profile = queries::find(&mut *db, mechanic.profile_id).await?.ok_or_else(no_such_mechanic)?;
    Ok(HttpResponse::Ok().json(lookup::own(&mut db, profile).await?))
}

/// Submits another document.
#[utoipa::path(
    tag = "mechanics",
    params(IdempotencyKey),
    request_body = NewDocument,
    responses(
        (status = 201, body = MechanicDocument),
        (status = 409, body = ErrorBody, description = "CONFLICT: the profile has 20 documents; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/mechanics/me/documents")]
pub async fn add_my_mechanic_document(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
    key: IdempotencyKey,
    body: Body<NewDocument>,
) -> ApiResult<HttpResponse> {
    let (user_id, profile_id) = (mechanic.caller.user_id, mechanic.profile_id);
    let request = Request::new(user_id, "/mechanics/me/documents", key.read()?, body.bytes());
    let make =
        async |claim: &Claim| actions::add_document(&context, user_id, profile_id, body.read()?, claim).await;
    let again = async |id, _| actions::document_of(&context, profile_id, id).await;
    let (row, profile) = idempotency::once(&context, request, make, again).await?;
    Ok(HttpResponse::Created().json(MechanicDocument::of(row, &profile)))
}

/// Lists the caller's documents, in the order in which they were submitted.
#[utoipa::path(tag = "mechanics", responses((status = 200, body = List<MechanicDocument>)))]
#[get("/mechanics/me/documents")]
pub async fn list_my_mechanic_documents(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
) -> ApiResult<HttpResponse> {
    let profile = queries::find(&context.db, mechanic.profile_id).await?.ok_or_else(no_such_mechanic)?;
    Ok(HttpResponse::Ok().json(List { data: lookup::documents_of(&context.db, &profile).await? }))
}

/// Deletes a document of the caller, with its file. This is not possible while the document proves something: while the
/// registration or a change of what they serve is under review, and as long as their verification depends on it. A newer document
/// of the same type replaces it once an admin has verified the profile with that one.
#[utoipa::path(
    tag = "mechanics",
    params(("id" = Uuid, Path)),
    responses(
        (status = 204),
        (status = 409, body = ErrorBody, description = "CONFLICT: the document is under review, or proves who they are"),
    ),
)]
#[delete("/mechanics/me/documents/{id}")]
pub async fn delete_my_mechanic_document(
    context: Data<MechanicsContext>,
    own: Owned<OwnId, AnyMechanic>,
) -> ApiResult<HttpResponse> {
    actions::delete_document(&context, own.by().caller.user_id, own.owner, own.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Returns a verified mechanic's public card.
#[utoipa::path(tag = "mechanics", params(("id" = Uuid, Path)), responses((status = 200, body = MechanicCard)))]
#[get("/mechanics/{id}")]
pub async fn get_mechanic_card(card: Owned<CardRow, Caller>) -> ApiResult<HttpResponse> {
    let (card, _) = card.into_parts();
    Ok(HttpResponse::Ok().json(MechanicCard::from(card)))
}

/// Everybody who is signed in may see the card.
impl OwnedBy<Caller> for CardRow {
    const NAME: &'static str = "mechanic";

    async fn find(core: &Core, _: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find_card(&core.db, path.id("id")?).await?)
    }
}
