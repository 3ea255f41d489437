//! Submitting a profile for verification, and its documents.

use chrono::{DateTime, Utc};
use roadcall_accounts::{
    auth::{self, MechanicStatus},
    uploads::{self, DocumentFile, FileRef},
};
use roadcall_http::{Id, ValidationErrors};
use roadcall_platform::{
    core::Core,
    error::{ApiError, ApiResult, Code, commit_error},
    idempotency::{self, Claim},
};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    catalogue::categories,
    fleet::mechanics::{
        changes::{self, Served},
        context::{MechanicsContext, changed},
        documents::{DocumentType, HandedIn, MAX_DOCUMENTS, document_status, needed_for},
        dto::{NewDocument, RadiusKm, Registration},
        queries::{self, DocumentRow, ProfileRow},
        refusals::no_such_mechanic,
        state::ProfileCommand,
    },
};

/// Registers a person as a mechanic, or again after a rejection.
pub async fn register(
    context: &MechanicsContext,
    user_id: Uuid,
    registration: Registration,
    claim: &Claim,
) -> ApiResult<ProfileRow> {
    let mut errors = ValidationErrors::default();
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_customer(&mut tx, user_id).await?;
    let documents = referred(&mut tx, context, user_id, &registration.documents.0, &mut errors).await?;
    let before = queries::lock_of_user(&mut tx, user_id).await?;
    let held = before.as_ref().map_or(&[][..], |profile| &profile.service_category_ids);
    check_categories(&mut tx, &registration.service_category_ids.0, held, &mut errors).await?;
    let served = served(&registration);
    changes::check_match(&mut tx, &served, "service_category_ids", &mut errors).await?;
    errors.into_result()?;
    let profile = submit(context, &mut tx, before, user_id, (registration, documents), now).await?;
    idempotency::complete(&mut tx, claim, profile.id).await?;
    tx.commit().await.map_err(commit_error)?;
    changed(context, &profile).await;
    Ok(profile)
}

/// Registers a person as a mechanic without documents, in the caller's transaction; returns `false` if they are one already.
pub async fn add(
    tx: &mut PgConnection,
    core: &Core,
    user_id: Uuid,
    registration: Registration,
) -> ApiResult<bool> {
    auth::lock_customer(tx, user_id).await?;
    if queries::lock_of_user(tx, user_id).await?.is_some() {
        return Ok(false);
    }
    let (now, mut errors) = (core.clock.now(), ValidationErrors::default());
    check_categories(tx, &registration.service_category_ids.0, &[], &mut errors).await?;
    changes::check_match(tx, &served(&registration), "service_category_ids", &mut errors).await?;
    errors.into_result()?;
    let profile = first_profile(core.random.id(now), user_id, &registration, now);
    queries::insert(tx, &profile).await?;
    queries::keep_submitted_name(tx, profile.id).await?;
    Ok(true)
}

/// Adds a document to a person's profile; returns both.
pub async fn add_document(
    context: &MechanicsContext,
    user_id: Uuid,
    profile_id: Uuid,
    NewDocument { kind, file_url }: NewDocument,
    claim: &Claim,
) -> ApiResult<(DocumentRow, ProfileRow)> {
    let now = context.clock.now();
    let file = uploads::refer_one(&context.db, context, user_id, "file_url", file_url).await?;
    let new = Document { kind, file };
    let mut tx = context.db.begin().await?;
    // An account that is being deleted leaves no document behind.
    auth::lock_account(&mut tx, user_id).await?;
    // The lock makes the count exact.
    let profile = queries::lock(&mut tx, profile_id).await?.ok_or_else(no_such_mechanic)?;
    if queries::count_documents(&mut tx, profile.id).await? >= MAX_DOCUMENTS as i64 {
        let why = format!("A profile can have at most {MAX_DOCUMENTS} documents.");
        return Err(ApiError::new(Code::Conflict, why));
    }
    let row = document(context, profile.id, new, now);
    queries::insert_document(&mut tx, &row).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok((row, profile))
}

/// Returns a document of this profile, and the profile; 404 once the document was deleted.
pub async fn document_of(
    context: &MechanicsContext,
    profile_id: Uuid,
    id: Uuid,
) -> ApiResult<(DocumentRow, ProfileRow)> {
    let mut db = context.db.acquire().await?;
    let profile = queries::find(&mut *db, profile_id).await?.ok_or_else(no_such_mechanic)?;
    let documents = queries::documents(&mut *db, profile_id).await?;
    let found = documents.into_iter().find(|document| document.id == id);
    Ok((found.ok_or_else(|| ApiError::not_found("document"))?, profile))
}

/// Deletes a document of the user's profile, with its file; 409 while the document proves something.
pub async fn delete_document(
    context: &MechanicsContext,
    user_id: Uuid,
    profile_id: Uuid,
    id: Uuid,
) -> ApiResult<()> {
    let no_such = || ApiError::not_found("document");
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, user_id).await?;
    let profile = queries::lock(&mut tx, profile_id).await?.ok_or_else(no_such_mechanic)?;
    let documents = queries::documents(&mut *tx, profile.id).await?;
    let document = documents.iter().find(|document| document.id == id).ok_or_else(no_such)?;
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
    uploads::discard(&mut tx, user_id, &document.file_url, now).await?;
    tx.commit().await.map_err(commit_error)
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
    user_id: Uuid,
    documents: &[NewDocument],
    errors: &mut ValidationErrors,
) -> ApiResult<Vec<Document>> {
    let urls = documents.iter().enumerate();
    let urls =
        urls.map(|(index, new)| (format!("documents[{index}].file_url"), new.file_url.clone())).collect();
    let files = uploads::refer(tx, context, user_id, urls, errors).await?;
    Ok(documents.iter().zip(files).map(|(new, file)| Document { kind: new.kind, file }).collect())
}

/// Adds an error for each category that is unknown or switched off; one that the mechanic already serves may stay.
pub async fn check_categories(
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
