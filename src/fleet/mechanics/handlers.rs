use actix_web::{HttpResponse, delete, get, post, web::Data};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    MAX_DOCUMENTS, ProfileCommand, ProfileRow,
    changes::{self, Served},
    dto::{
        DocumentType, MechanicCard, MechanicDocument, MechanicProfile, NewDocument, OwnMechanicProfile,
        RadiusKm, Registration,
    },
    queries::{self, CardRow, DocumentRow},
    state::{HandedIn, document_status, needed_for},
};
use crate::{
    accounts::{
        auth::{self, AnyMechanic, Caller, Customer, MechanicStatus, OwnId, OwnProfile},
        uploads::{self, DocumentFile, FileRef},
    },
    catalogue::categories,
    fleet::mechanics::MechanicsContext,
    http::{Body, Id, List, Owned, OwnedBy, PathIds, ValidationErrors},
    platform::core::Core,
    platform::error::{ApiError, ApiResult, Code, ErrorBody, commit_error},
};

/// Registers the caller as a mechanic and submits the profile for verification. After a rejection the caller may
/// register again; what they hand in then replaces what they handed in before.
#[utoipa::path(
    tag = "mechanics",
    request_body = Registration,
    responses(
        (status = 201, body = MechanicProfile, description = "Profile submitted"),
        (status = 409, body = ErrorBody, description = "ALREADY_REGISTERED: the caller has a profile that was not rejected"),
    ),
)]
#[post("/mechanics/register")]
pub async fn register_mechanic(
    context: Data<MechanicsContext>,
    Customer(caller): Customer,
    body: Body<Registration>,
) -> ApiResult<HttpResponse> {
    let registration = body.read()?;
    let mut errors = ValidationErrors::default();
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_customer(&mut tx, caller.user_id).await?;
    let documents = referred(&mut tx, &context, &caller, &registration.documents.0, &mut errors).await?;
    let before = queries::lock_of_user(&mut tx, caller.user_id).await?;
    let held = before.as_ref().map_or(&[][..], |profile| &profile.service_category_ids);
    check_categories(&mut tx, &registration.service_category_ids.0, held, &mut errors).await?;
    let served = served(&registration);
    changes::check_match(&mut tx, &served, "service_category_ids", &mut errors).await?;
    errors.into_result()?;
    let profile = submit(&context, &mut tx, before, caller.user_id, (registration, documents), now).await?;
    tx.commit().await.map_err(commit_error)?;
    super::changed(&context, &profile).await;
    Ok(HttpResponse::Created().json(MechanicProfile::from(profile)))
}

/// The caller's own profile, with their documents and the change that waits for an admin.
#[utoipa::path(tag = "mechanics", responses((status = 200, body = OwnMechanicProfile)))]
#[get("/mechanics/me")]
pub async fn get_my_mechanic_profile(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
) -> ApiResult<HttpResponse> {
    let mut db = context.db.acquire().await?;
    let profile = queries::find(&mut *db, mechanic.profile_id).await?.ok_or_else(no_such_mechanic)?;
    Ok(HttpResponse::Ok().json(super::own(&mut db, profile).await?))
}

/// Hands in one more document.
#[utoipa::path(
    tag = "mechanics",
    request_body = NewDocument,
    responses(
        (status = 201, body = MechanicDocument),
        (status = 409, body = ErrorBody, description = "CONFLICT: the profile has 20 documents"),
    ),
)]
#[post("/mechanics/me/documents")]
pub async fn add_my_mechanic_document(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
    body: Body<NewDocument>,
) -> ApiResult<HttpResponse> {
    let now = context.clock.now();
    let new = body.read()?;
    let owner = mechanic.caller.user_id;
    let file = uploads::refer_one(&context.db, &context, owner, "file_url", new.file_url).await?;
    let new = Document { kind: new.kind, file };
    let mut tx = context.db.begin().await?;
    // An account that is being deleted leaves no document behind.
    auth::lock_account(&mut tx, owner).await?;
    // The lock makes the count exact.
    let profile = queries::lock(&mut tx, mechanic.profile_id).await?.ok_or_else(no_such_mechanic)?;
    if queries::count_documents(&mut tx, profile.id).await? >= MAX_DOCUMENTS as i64 {
        let why = format!("A profile can have at most {MAX_DOCUMENTS} documents.");
        return Err(ApiError::new(Code::Conflict, why));
    }
    let row = document(&context, profile.id, new, now);
    queries::insert_document(&mut tx, &row).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(HttpResponse::Created().json(MechanicDocument::of(row, &profile)))
}

/// The caller's documents, in the order in which they were handed in.
#[utoipa::path(tag = "mechanics", responses((status = 200, body = List<MechanicDocument>)))]
#[get("/mechanics/me/documents")]
pub async fn list_my_mechanic_documents(
    context: Data<MechanicsContext>,
    OwnProfile(mechanic): OwnProfile<AnyMechanic>,
) -> ApiResult<HttpResponse> {
    let profile = queries::find(&context.db, mechanic.profile_id).await?.ok_or_else(no_such_mechanic)?;
    Ok(HttpResponse::Ok().json(List { data: super::documents_of(&context.db, &profile).await? }))
}

/// Deletes a document of the caller's, with its file. Not while it proves something: while the registration or a change of what they
/// serve is under review, and as long as their verification rests on it. A newer document of the same type, once an admin has
/// verified the profile with it, takes its place.
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
    let no_such = || ApiError::not_found("document");
    let (now, owner) = (context.clock.now(), own.by().caller.user_id);
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, owner).await?;
    let profile = queries::lock(&mut tx, own.owner).await?.ok_or_else(no_such_mechanic)?;
    let documents = queries::documents(&mut *tx, profile.id).await?;
    let document = documents.iter().find(|document| document.id == own.id).ok_or_else(no_such)?;
    let handed_in = |row: &DocumentRow| HandedIn {
        kind: row.kind,
        at: row.created_at,
        status: document_status(row.created_at, profile.status, profile.verified_at),
    };
    let all: Vec<HandedIn> = documents.iter().map(handed_in).collect();
    let has_change = changes::pending(&mut tx, profile.id).await?.is_some();
    if let Some(why) = needed_for(&handed_in(document), &all, profile.status, has_change) {
        return Err(ApiError::new(Code::Conflict, why));
    }
    queries::delete_document(&mut tx, document.id).await?;
    uploads::discard(&mut tx, owner, &document.file_url, now).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(HttpResponse::NoContent().finish())
}

/// A verified mechanic's public card.
#[utoipa::path(tag = "mechanics", params(("id" = Uuid, Path)), responses((status = 200, body = MechanicCard)))]
#[get("/mechanics/{id}")]
pub async fn get_mechanic_card(card: Owned<CardRow, Caller>) -> ApiResult<HttpResponse> {
    let (card, _) = card.into_parts();
    Ok(HttpResponse::Ok().json(MechanicCard::from(card)))
}

/// For everybody who is signed in.
impl OwnedBy<Caller> for CardRow {
    const NAME: &'static str = "mechanic";

    async fn find(core: &Core, _: &Caller, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(queries::find_card(&core.db, path.id("id")?).await?)
    }
}

/// Writes a first registration, or a new one after a rejection; refuses any other.
async fn submit(
    context: &MechanicsContext,
    tx: &mut PgConnection,
    before: Option<ProfileRow>,
    user_id: Uuid,
    (registration, documents): (Registration, Vec<Document>),
    now: DateTime<Utc>,
) -> ApiResult<ProfileRow> {
    let profile = match before {
        None => {
            let profile = first_profile(context.random.id(now), user_id, &registration, now);
            queries::insert(tx, &profile).await?;
            profile
        }
        Some(before) => {
            let profile = resubmitted(before, registration, now)?;
            queries::update(tx, &profile).await?;
            queries::delete_documents(tx, profile.id).await?;
            profile
        }
    };
    queries::keep_submitted_name(tx, profile.id).await?;
    for new in documents {
        queries::insert_document(tx, &document(context, profile.id, new, now)).await?;
    }
    Ok(profile)
}

fn first_profile(id: Uuid, user_id: Uuid, registration: &Registration, now: DateTime<Utc>) -> ProfileRow {
    let Served { vehicle_types, service_category_ids } = served(registration);
    ProfileRow {
        id,
        user_id,
        status: MechanicStatus::PendingVerification,
        rejection_reason: None,
        suspension_reason: None,
        is_available: false,
        service_radius_km: registration.service_radius_km.unwrap_or(RadiusKm::DEFAULT).0,
        vehicle_types,
        service_category_ids,
        avg_rating: 0.0,
        total_ratings: 0,
        total_jobs: 0,
        verified_name: None,
        verified_at: None,
        created_at: now,
        updated_at: now,
    }
}

fn resubmitted(before: ProfileRow, registration: Registration, now: DateTime<Utc>) -> ApiResult<ProfileRow> {
    let standing = before.profile_status();
    let event = standing.decide(ProfileCommand::Resubmit).map_err(|_| already_registered())?;
    let submitted = first_profile(before.id, before.user_id, &registration, now);
    let mut profile = ProfileRow {
        service_radius_km: submitted.service_radius_km,
        vehicle_types: submitted.vehicle_types,
        service_category_ids: submitted.service_category_ids,
        updated_at: now,
        ..before
    };
    profile.set_status(standing.apply(&event));
    Ok(profile)
}

/// A document whose file the mechanic may refer to.
struct Document {
    kind: DocumentType,
    file: FileRef<DocumentFile>,
}

fn document(context: &MechanicsContext, profile_id: Uuid, new: Document, now: DateTime<Utc>) -> DocumentRow {
    DocumentRow {
        id: context.random.id(now),
        mechanic_profile_id: profile_id,
        kind: new.kind,
        file_url: new.file.into_url(),
        created_at: now,
    }
}

async fn referred(
    tx: &mut PgConnection,
    context: &MechanicsContext,
    caller: &Caller,
    documents: &[NewDocument],
    errors: &mut ValidationErrors,
) -> ApiResult<Vec<Document>> {
    let urls = documents.iter().enumerate();
    let urls =
        urls.map(|(index, new)| (format!("documents[{index}].file_url"), new.file_url.clone())).collect();
    let files = uploads::refer(tx, context, caller.user_id, urls, errors).await?;
    Ok(documents.iter().zip(files).map(|(new, file)| Document { kind: new.kind, file }).collect())
}

/// Adds an error for each category that is unknown or switched off; one that the mechanic already serves may stay.
pub(super) async fn check_categories(
    tx: &mut PgConnection,
    ids: &[Id],
    held: &[Uuid],
    errors: &mut ValidationErrors,
) -> ApiResult<()> {
    let wanted: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let servable = categories::lock_servable(tx, &wanted, held).await?;
    for (index, _) in wanted.iter().enumerate().filter(|(_, id)| !servable.contains(id)) {
        errors.add(format!("service_category_ids[{index}]"), "is no service category");
    }
    Ok(())
}

fn served(registration: &Registration) -> Served {
    Served {
        vehicle_types: registration.vehicle_types.clone().collapsed(),
        service_category_ids: registration
            .service_category_ids
            .clone()
            .collapsed()
            .into_iter()
            .map(|id| id.0)
            .collect(),
    }
}

fn already_registered() -> ApiError {
    let why = "You already have a mechanic profile. Only a rejected one can be submitted again.";
    ApiError::new(Code::AlreadyRegistered, why)
}

pub fn no_such_mechanic() -> ApiError {
    ApiError::not_found("mechanic")
}
