//! Changing what a mechanic serves, and deciding on changes that wait for an admin.

use chrono::{DateTime, Utc};
use roadcall_accounts::auth::{self, MechanicStatus};
use roadcall_http::{Change, ValidationErrors};
use roadcall_platform::{
    audit::{self, NewAuditEntry},
    error::{ApiError, ApiResult, Code, commit_error},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    queries::{self, ChangeRow},
    served::{Served, check_match},
};
use crate::{
    catalogue::categories,
    fleet::mechanics::{
        actions::check_categories,
        context::{MechanicsContext, changed},
        dto::{OwnMechanicProfile, ProfileChanges},
        lookup,
        queries::{self as profiles, ProfileRow},
        refusals::no_such_mechanic,
    },
    notifications::{self, DomainEvent},
};

/// Changes what a mechanic serves and within which radius, as far as no admin has to approve it.
pub async fn change(
    context: &MechanicsContext,
    user_id: Uuid,
    profile_id: Uuid,
    changes: ProfileChanges,
) -> ApiResult<OwnMechanicProfile> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    // An account that is being deleted leaves no change behind.
    auth::lock_account(&mut tx, user_id).await?;
    let mut profile = profiles::lock(&mut tx, profile_id).await?.ok_or_else(no_such_mechanic)?;
    if let Some(wanted) = wanted(&mut tx, &profile, &changes).await? {
        check(&mut tx, &profile, &changes, &wanted).await?;
        serve(&mut tx, context, &mut profile, wanted, now).await?;
    }
    profile.service_radius_km = changes.service_radius_km.map(|km| km.0).over(profile.service_radius_km);
    profile.updated_at = now;
    profiles::update(&mut tx, &profile).await?;
    let shown = lookup::own(&mut tx, profile.clone()).await?;
    tx.commit().await.map_err(commit_error)?;
    changed(context, &profile).await;
    Ok(shown)
}

/// Returns what the mechanic wants to serve; `None` if the request does not say. Fields that are left out stay as in the pending
/// change or, without one, as they are now.
async fn wanted(
    tx: &mut PgConnection,
    profile: &ProfileRow,
    changes: &ProfileChanges,
) -> ApiResult<Option<Served>> {
    if changes.vehicle_types == Change::Keep && changes.service_category_ids == Change::Keep {
        return Ok(None);
    }
    let pending = queries::find_of_profile(tx, profile.id).await?;
    let before = pending.map_or_else(|| profile.served(), |pending| pending.wanted());
    let kinds = changes.vehicle_types.clone().map(|kinds| kinds.collapsed());
    let ids = changes.service_category_ids.clone();
    let ids = ids.map(|ids| ids.collapsed().into_iter().map(|id| id.0).collect());
    Ok(Some(Served {
        vehicle_types: kinds.over(before.vehicle_types),
        service_category_ids: ids.over(before.service_category_ids),
    }))
}

async fn check(
    tx: &mut PgConnection,
    profile: &ProfileRow,
    changes: &ProfileChanges,
    wanted: &Served,
) -> ApiResult<()> {
    let mut errors = ValidationErrors::default();
    let field = match &changes.service_category_ids {
        Change::Keep => "vehicle_types",
        Change::To(ids) => {
            check_categories(tx, &ids.0, &profile.service_category_ids, &mut errors).await?;
            "service_category_ids"
        }
    };
    check_match(tx, wanted, field, &mut errors).await?;
    errors.into_result()
}

/// Sets what a locked profile serves from now on, and stores the rest for an admin. If a pending change already asks for the
/// same, it keeps its id.
async fn serve(
    tx: &mut PgConnection,
    context: &MechanicsContext,
    profile: &mut ProfileRow,
    wanted: Served,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let pending = queries::find_of_profile(&mut *tx, profile.id).await?;
    if pending.is_some_and(|pending| pending.wanted() == wanted) {
        return Ok(());
    }
    queries::withdraw(tx, profile.id).await?;
    let valid = match profile.status {
        MechanicStatus::PendingVerification | MechanicStatus::Rejected => wanted.clone(),
        MechanicStatus::Verified | MechanicStatus::Suspended => {
            still_valid(tx, profile.served(), &wanted).await?
        }
    };
    if !wanted.is_within(&valid) {
        let change = ChangeRow {
            id: context.random.id(now),
            mechanic_profile_id: profile.id,
            vehicle_types: wanted.vehicle_types,
            service_category_ids: wanted.service_category_ids,
            requested_at: now,
        };
        queries::insert(tx, &change).await?;
    }
    profile.set_served(valid);
    Ok(())
}

/// Returns the part of `current` that stays valid at once; all of it if that part could match no job.
async fn still_valid(tx: &mut PgConnection, current: Served, wanted: &Served) -> ApiResult<Served> {
    match current.narrowed_to(wanted) {
        Some(narrowed) if narrowed.can_match(tx).await? => Ok(narrowed),
        _ => Ok(current),
    }
}

/// An admin's decision on a change.
#[derive(Debug, Clone)]
pub enum ChangeDecision {
    Approve,
    Reject { reason: String },
}

/// Decides on a change; returns the profile after it.
pub async fn decide(
    context: &MechanicsContext,
    admin: Uuid,
    change: &ChangeRow,
    decision: ChangeDecision,
) -> ApiResult<ProfileRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let (before, wanted) = lock(&mut tx, change).await?;
    let mut after = before.clone();
    queries::withdraw(&mut tx, before.id).await?;
    if matches!(decision, ChangeDecision::Approve) {
        check_still_possible(&mut tx, &before, &wanted).await?;
        after.set_served(wanted.clone());
        after.updated_at = now;
        profiles::update(&mut tx, &after).await?;
    }
    audit::record(&mut tx, &context.random, now, entry(admin, &decision, &before, &wanted)).await?;
    let happened = match &decision {
        ChangeDecision::Approve => DomainEvent::MechanicChangeApproved(before.id),
        ChangeDecision::Reject { reason } => {
            DomainEvent::MechanicChangeRejected { profile_id: before.id, reason }
        }
    };
    notifications::record(&mut tx, &context.random, happened, now).await?;
    tx.commit().await.map_err(commit_error)?;
    changed(context, &after).await;
    Ok(after)
}

/// Locks the profile, then reads its change: the same order in which the mechanic replaces it.
async fn lock(tx: &mut PgConnection, change: &ChangeRow) -> ApiResult<(ProfileRow, Served)> {
    let profile = profiles::lock(tx, change.mechanic_profile_id).await?.ok_or_else(no_such_change)?;
    let change = queries::find(&mut *tx, change.id).await?.ok_or_else(no_such_change)?;
    Ok((profile, change.wanted()))
}

/// Checks that the change is still possible: categories may have been removed since the mechanic asked.
async fn check_still_possible(tx: &mut PgConnection, profile: &ProfileRow, wanted: &Served) -> ApiResult<()> {
    let ids = &wanted.service_category_ids;
    let servable = categories::lock_servable(tx, ids, &profile.service_category_ids).await?;
    if servable.len() < ids.len() || !wanted.can_match(tx).await? {
        let message = "A category in this request was switched off or changed. Reject the request and give that as the reason.";
        return Err(ApiError::new(Code::Conflict, message));
    }
    Ok(())
}

fn entry(
    admin: Uuid,
    decision: &ChangeDecision,
    before: &ProfileRow,
    wanted: &Served,
) -> NewAuditEntry<'static> {
    let (action, after) = match decision {
        ChangeDecision::Approve => ("mechanic.approve_change", audited(wanted)),
        ChangeDecision::Reject { reason } => {
            ("mechanic.reject_change", json!({"rejected": audited(wanted), "reason": reason}))
        }
    };
    NewAuditEntry::new(admin, action, ("mechanic_profile", before.id), (audited(&before.served()), after))
}

fn audited(served: &Served) -> Value {
    json!({"vehicle_types": served.vehicle_types, "service_category_ids": served.service_category_ids})
}

fn no_such_change() -> ApiError {
    ApiError::not_found("change")
}
