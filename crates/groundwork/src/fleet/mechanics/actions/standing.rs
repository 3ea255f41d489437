//! Verifying, rejecting, suspending and reinstating mechanics. Every change of status leaves an audit row in its own transaction.

use roadcall_accounts::auth::MechanicStatus;
use roadcall_platform::{
    audit,
    error::{ApiError, ApiResult, Code, commit_error},
};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    fleet::mechanics::{
        context::{MechanicsContext, changed},
        queries::{self, ProfileRow},
        refusals::no_such_mechanic,
        state::{ProfileCommand, ProfileEvent, ProfileTransitionError},
    },
    notifications::{self, DomainEvent},
};

/// Changes a profile's status.
pub async fn move_profile(
    context: &MechanicsContext,
    admin: Uuid,
    id: Uuid,
    command: ProfileCommand,
) -> ApiResult<ProfileRow> {
    let mut tx = context.db.begin().await?;
    let before = lock_present(&mut tx, id).await?;
    let profile = write_move(&mut tx, context, admin, before, command).await?;
    tx.commit().await.map_err(commit_error)?;
    changed(context, &profile).await;
    Ok(profile)
}

/// Verifies a submitted profile under the given name, or else under the person's own. A verified profile is verified again only
/// if a name is given. Locks the person, then the profile. Call [`changed`] after the commit.
pub async fn verify(
    tx: &mut PgConnection,
    context: &MechanicsContext,
    admin: Uuid,
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

/// Returns the person's own name, if it is still the one with which they submitted their profile: an admin who sends no name has
/// compared that one with the documents.
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
    admin: Uuid,
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
    let entry = audit::NewAuditEntry::new(
        admin,
        action_name(&command),
        ("mechanic_profile", id),
        (audited(&before), audited(&after)),
    );
    audit::record(tx, &context.random, now, entry).await?;
    if let Some(happened) = happened(&command, id) {
        notifications::record(tx, &context.random, happened, now).await?;
    }
    Ok(after)
}

/// Returns the event that notifies the mechanic of a command that was not their own.
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

/// Returns the part of a profile that a command changes, for the audit log.
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
