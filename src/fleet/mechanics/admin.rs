//! What admins do to mechanics' profiles. Every change of status leaves an audit row in its own transaction.

use actix_web::{HttpResponse, get, post, web::Data};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    ProfileCommand, ProfileEvent, ProfileRow, ProfileTransitionError,
    dto::{MechanicFilter, MechanicForAdmin, MechanicProfile, WithReason},
    handlers::no_such_mechanic,
    queries::{self, AdminProfileFilter},
};
use crate::{
    accounts::auth::{Admin, AnyId, Caller, MechanicStatus},
    fleet::mechanics::MechanicsContext,
    http::{
        AdminList, Body, ListFormat, ListRequest, ListWindow, NoFields, Owned, Page, Query, RowKey,
        SearchText, Text, Timestamp, between, list,
    },
    notifications::{self, DomainEvent},
    platform::{
        audit,
        core::Core,
        error::{ApiError, ApiResult, Code, ErrorBody, commit_error},
    },
};

/// Mechanics, newest first.
#[utoipa::path(
    tag = "admin",
    params(
        ("status" = Option<MechanicStatus>, Query, description = "Only mechanics with this status"),
        ("q" = Option<Text<2, 100>>, Query, description = "Words that begin words of the name or the email, or the last digits of the phone number, at least 4"),
        ("from" = Option<Timestamp>, Query, description = "Registered from this time on", example = "2026-03-01T00:00:00Z"),
        ("to" = Option<Timestamp>, Query, description = "Registered before this time", example = "2026-04-01T00:00:00Z"),
        ("format" = Option<ListFormat>, Query, description = "csv: all rows, without pages", example = "json"),
        ("page" = Option<i64>, Query, minimum = 1, description = "From 1, the default"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "20 if not given"),
    ),
    responses((status = 200, description = "One page of the list, or all of it", content((Page<MechanicForAdmin> = "application/json"), (String = "text/csv")))),
)]
#[get("/admin/mechanics")]
pub async fn list_mechanics(
    context: Data<MechanicsContext>,
    Admin(admin): Admin,
    query: Query<MechanicFilter>,
) -> ApiResult<HttpResponse> {
    let filter = query.read()?;
    let request = ListRequest::new(filter.page, filter.limit, filter.format, query.pairs())?;
    let filter = AdminProfileFilter {
        status: filter.status.map(|status| status.0),
        q: SearchText::of(filter.q),
        made: between(filter.from, filter.to)?,
    };
    list::<Mechanics>(&context, admin.user_id, request, filter).await
}

/// All mechanics.
struct Mechanics;

impl AdminList for Mechanics {
    const NAME: &'static str = "mechanics";
    const PERSONAL_DATA: &'static [&'static str] = &["name", "phone"];
    type Filter = AdminProfileFilter;
    type Item = MechanicForAdmin;

    async fn count(core: &Core, filter: &Self::Filter) -> ApiResult<i64> {
        Ok(queries::count(&core.db, filter).await?)
    }

    async fn rows(
        core: &Core,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> ApiResult<Vec<(RowKey, Self::Item)>> {
        let rows = queries::list_for_admin(&core.db, filter, window).await?;
        let key = |row: &queries::AdminProfileRow| RowKey { at: row.profile.created_at, id: row.profile.id };
        Ok(rows.into_iter().map(|row| (key(&row), MechanicForAdmin::from(row))).collect())
    }
}

/// One mechanic, with their documents.
#[utoipa::path(tag = "admin", params(("id" = Uuid, Path)), responses((status = 200, body = MechanicForAdmin)))]
#[get("/admin/mechanics/{id}")]
pub async fn get_mechanic_for_admin(
    context: Data<MechanicsContext>,
    target: Owned<AnyId, Admin>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), _) = target.into_parts();
    let row = queries::find_for_admin(&context.db, id).await?.ok_or_else(no_such_mechanic)?;
    let documents = super::documents_of(&context.db, &row.profile).await?;
    Ok(HttpResponse::Ok().json(MechanicForAdmin::from(row).with(documents)))
}

/// Rejects a submitted profile. The mechanic can read the reason and may register again.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    request_body = WithReason,
    responses(
        (status = 200, body = MechanicProfile),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the profile is not pending_verification, or its person has left"),
    ),
)]
#[post("/admin/mechanics/{id}/reject")]
pub async fn reject_mechanic(
    context: Data<MechanicsContext>,
    target: Owned<AnyId, Admin>,
    body: Body<WithReason>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin)) = target.into_parts();
    let command = || Ok(ProfileCommand::Reject { reason: body.read()?.reason.0 });
    let profile = move_profile(&context, admin, id, command).await?;
    Ok(HttpResponse::Ok().json(MechanicProfile::from(profile)))
}

/// Ends a suspension. The mechanic is unavailable until they switch availability on again.
#[utoipa::path(
    tag = "admin",
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = MechanicProfile),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the profile is not suspended, or its person has left"),
    ),
)]
#[post("/admin/mechanics/{id}/reinstate")]
pub async fn reinstate_mechanic(
    context: Data<MechanicsContext>,
    target: Owned<AnyId, Admin>,
    body: Body<NoFields>,
) -> ApiResult<HttpResponse> {
    let (AnyId(id), Admin(admin)) = target.into_parts();
    let profile =
        move_profile(&context, admin, id, || body.read().map(|_| ProfileCommand::Reinstate)).await?;
    Ok(HttpResponse::Ok().json(MechanicProfile::from(profile)))
}

/// Finds the profile, reads the command from the body, decides, writes, and notifies those who remember the profile.
pub async fn move_profile(
    context: &MechanicsContext,
    admin: Caller,
    id: Uuid,
    command: impl FnOnce() -> ApiResult<ProfileCommand>,
) -> ApiResult<ProfileRow> {
    queries::find(&context.db, id).await?.ok_or_else(no_such_mechanic)?;
    let command = command()?;
    let mut tx = context.db.begin().await?;
    let before = lock_present(&mut tx, id).await?;
    let profile = write_move(&mut tx, context, admin, before, command).await?;
    tx.commit().await.map_err(commit_error)?;
    super::changed(context, &profile).await;
    Ok(profile)
}

/// Verifies a submitted profile under the given name, or else under the person's own. A verified profile is verified
/// again only if a name is given. Locks the person, then the profile. Call [`super::changed`] after the commit.
pub async fn verify(
    tx: &mut PgConnection,
    context: &MechanicsContext,
    admin: Caller,
    id: Uuid,
    name: Option<String>,
) -> ApiResult<ProfileRow> {
    queries::lock_person(tx, id).await?;
    let before = lock_present(tx, id).await?;
    let command = match name {
        Some(name) if before.status == MechanicStatus::Verified => ProfileCommand::VerifyAgain { name },
        Some(name) => ProfileCommand::Verify { name },
        None => ProfileCommand::Verify { name: own_name(tx, &before).await? },
    };
    write_move(tx, context, admin, before, command).await
}

/// The name that the person gives themselves, if it is still the one that they submitted their profile with: an admin
/// who sends no name has compared that one with the documents.
async fn own_name(tx: &mut PgConnection, profile: &ProfileRow) -> ApiResult<String> {
    let name = queries::persons_name(tx, profile.user_id).await?.ok_or_else(nameless)?;
    let is_pending = profile.status == MechanicStatus::PendingVerification;
    if is_pending && queries::submitted_name(tx, profile.id).await?.as_ref() != Some(&name) {
        let why = "The mechanic changed their name after they registered. Compare it with the documents, and send it as \
            verified_name.";
        return Err(ApiError::new(Code::Conflict, why));
    }
    Ok(name)
}

fn nameless() -> ApiError {
    ApiError::invalid("verified_name", "is required because the mechanic has not given a name")
}

/// Locks the profile of a person who has not left.
async fn lock_present(tx: &mut PgConnection, id: Uuid) -> ApiResult<ProfileRow> {
    let profile = queries::lock(tx, id).await?.ok_or_else(no_such_mechanic)?;
    if queries::has_left(tx, profile.user_id).await? {
        return Err(ApiError::new(Code::InvalidTransition, "This mechanic's account was deleted."));
    }
    Ok(profile)
}

async fn write_move(
    tx: &mut PgConnection,
    context: &MechanicsContext,
    admin: Caller,
    before: ProfileRow,
    command: ProfileCommand,
) -> ApiResult<ProfileRow> {
    let (now, id) = (context.clock.now(), before.id);
    let standing = before.profile_status();
    let event = standing.decide(command.clone()).map_err(illegal)?;
    let mut after = ProfileRow { updated_at: now, ..before.clone() };
    after.set_status(standing.apply(&event));
    if let ProfileEvent::Verified { name } | ProfileEvent::VerifiedAgain { name } = event {
        (after.verified_name, after.verified_at) = (Some(name), Some(now));
    }
    queries::update(tx, &after).await?;
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin.user_id),
        action: action_name(&command),
        subject_kind: "mechanic_profile",
        subject_id: id,
        before: audited(&before),
        after: audited(&after),
    };
    audit::record(tx, &context.random, now, entry).await?;
    if let Some(happened) = happened(&command, id) {
        notifications::record(tx, &context.random, happened, now).await?;
    }
    Ok(after)
}

/// The event that notifies the mechanic of a command that was not their own.
fn happened(command: &ProfileCommand, profile_id: Uuid) -> Option<DomainEvent<'_>> {
    match command {
        ProfileCommand::Resubmit | ProfileCommand::VerifyAgain { .. } => None,
        ProfileCommand::Verify { .. } => Some(DomainEvent::MechanicVerified(profile_id)),
        ProfileCommand::Reject { .. } => Some(DomainEvent::MechanicRejected(profile_id)),
        ProfileCommand::Suspend { reason } => Some(DomainEvent::MechanicSuspended { profile_id, reason }),
        ProfileCommand::Reinstate => Some(DomainEvent::MechanicReinstated(profile_id)),
    }
}

fn action_name(command: &ProfileCommand) -> &'static str {
    match command {
        ProfileCommand::Resubmit => "mechanic.resubmit",
        ProfileCommand::Verify { .. } => "mechanic.verify",
        ProfileCommand::VerifyAgain { .. } => "mechanic.verify_again",
        ProfileCommand::Reject { .. } => "mechanic.reject",
        ProfileCommand::Suspend { .. } => "mechanic.suspend",
        ProfileCommand::Reinstate => "mechanic.reinstate",
    }
}

/// The part of a profile that a command changes, for the audit log.
fn audited(row: &ProfileRow) -> serde_json::Value {
    json!({
        "status": row.status,
        "rejection_reason": row.rejection_reason,
        "suspension_reason": row.suspension_reason,
        "is_available": row.is_available,
        "verified_name": row.verified_name,
    })
}

fn illegal(refusal: ProfileTransitionError) -> ApiError {
    ApiError::new(Code::InvalidTransition, refusal.to_string())
}
