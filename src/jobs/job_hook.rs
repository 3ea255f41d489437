//! The writes of jobs themselves in the transaction that changes a job, besides the row and its event, and the locks of the people
//! and things that a job is about.

use roadcall_actors::{
    job::state::{Actor, Event, ItemChange, Override, Status},
    ports::{Guard, JobChange},
    random::Random,
};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounts::auth,
    catalogue::{categories, vehicles},
    jobs::{dto::PhotoStage, log::HookError, queries},
    platform::{audit, error::Code, idempotency},
};

/// Records an admin's action, with the job before and after.
pub async fn audit_admin(
    tx: &mut PgConnection,
    random: &Random,
    change: &JobChange,
) -> Result<(), HookError> {
    let Actor::Admin(admin) = change.by else { return Ok(()) };
    let before = queries::find(&mut *tx, change.next.id.0).await?;
    let standing = |status: Status, mechanic: Option<Uuid>| json!({ "status": status.as_str(), "mechanic_profile_id": mechanic });
    let mechanic = change.next.assignment().map(|assignment| assignment.mechanic_id.0);
    let mut after = standing(change.next.status(), mechanic);
    match &change.event {
        Event::Created { .. } => after["customer_id"] = json!(change.next.spec.customer_id.0),
        Event::Accepted { overridden: Some(Override { rules, reason }), .. } => {
            after["overridden_rules"] = rules.iter().map(|rule| rule.as_str()).collect();
            after["override_reason"] = json!(reason);
        }
        // An admin's reason is free text and is stored only here.
        Event::Released { reason_code, .. } => after["reason"] = json!(reason_code),
        Event::Cancelled { fee_paise, reason, .. } => {
            after["reason"] = json!(reason);
            after["fee_paise"] = json!(fee_paise);
        }
        _ => {}
    }
    let entry = audit::NewAuditEntry {
        actor_id: Some(admin.0),
        action: match &change.event {
            Event::Created { .. } => "job.create",
            Event::Accepted { .. } => "job.assign",
            Event::Released { .. } => "job.reassign",
            Event::Retried { .. } => "job.retry",
            Event::Cancelled { .. } => "job.cancel",
            Event::Resolved => "job.resolve",
            other => other.kind(),
        },
        subject_kind: "job",
        subject_id: change.next.id.0,
        before: before.map_or(json!(null), |row| standing(row.status.0, row.mechanic_profile_id)),
        after,
    };
    Ok(audit::record(tx, random, change.at, entry).await?)
}

/// Returns whether the job begins, or begins again.
fn begins(change: &JobChange) -> bool {
    matches!(change.event, Event::Created { .. } | Event::Retried { .. })
}

/// Locks the customer's account against changes while their job begins, or begins again.
pub async fn lock_customer(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    if !begins(change) {
        return Ok(());
    }
    auth::lock_customer(tx, change.next.spec.customer_id.0).await.map_err(|error| match error.code {
        // The vehicle is deleted with its owner's account.
        Code::Unauthorized => HookError::Refused(Guard::VehicleGone),
        Code::Forbidden | Code::AccountSuspended => HookError::Refused(Guard::NotACustomer),
        _ => HookError::Failed(error),
    })
}

/// Ensures that the category is still offered while a job begins, or begins again.
pub async fn lock_category(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    if !begins(change) {
        return Ok(());
    }
    match categories::lock_offered(tx, change.next.spec.category_id.0).await? {
        true => Ok(()),
        false => Err(HookError::Refused(Guard::CategoryGone)),
    }
}

/// Ensures that nobody deletes the vehicle while a job for it begins, or begins again.
pub async fn lock_vehicle(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    if !begins(change) {
        return Ok(());
    }
    let spec = &change.next.spec;
    match vehicles::lock_own(tx, spec.customer_id.0, spec.vehicle_id.0).await? {
        Some(_) => Ok(()),
        None => Err(HookError::Refused(Guard::VehicleGone)),
    }
}

/// Completes an idempotency mark with the job or line item that the request made, with which its repeats are answered.
pub async fn complete_mark(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    let Some(mark) = change.idempotency else { return Ok(()) };
    let is_completed = match &change.event {
        Event::Created { .. } => idempotency::complete_mark(tx, mark, change.next.id.0).await?,
        Event::ItemChanged { how: ItemChange::Proposed, item } => {
            idempotency::complete_item_mark(tx, mark, item.id.0).await?
        }
        _ => true,
    };
    if is_completed { Ok(()) } else { Err(HookError::Refused(Guard::MarkUsed)) }
}

/// Refuses a job beyond those that its customer may have open at once. Locks their account, so that jobs are counted one after
/// the other. Jobs that wait for their time are counted apart: a booking for next week must not keep help away today. Bookings
/// whose time has come make no room for further ones, so both kinds together are limited as well.
pub async fn limit_open_jobs(tx: &mut PgConnection, _: &Random, change: &JobChange) -> Result<(), HookError> {
    let most = match &change.event {
        Event::Created { details } => details.most_open_jobs,
        Event::Retried { most_open_jobs, .. } => *most_open_jobs,
        _ => None,
    };
    let Some(most) = most else { return Ok(()) };
    let spec = &change.next.spec;
    let is_scheduled = spec.begin_at > change.at;
    let open = queries::open_jobs(tx, spec.customer_id.0, is_scheduled, change.at).await?;
    let most = open.own_most.and_then(|own| u32::try_from(own).ok()).unwrap_or(most);
    let twice = most.saturating_mul(2);
    if open.of_kind >= i64::from(most) {
        Err(HookError::Refused(Guard::TooManyOpenJobs { most }))
    } else if open.in_all >= i64::from(twice) {
        Err(HookError::Refused(Guard::TooManyOpenJobs { most: twice }))
    } else {
        Ok(())
    }
}

/// Counts a cancellation that is free because it came soon after the acceptance. Of two at once, the second may cost something.
pub async fn use_free_cancellation(
    tx: &mut PgConnection,
    _: &Random,
    change: &JobChange,
) -> Result<(), HookError> {
    let Event::Cancelled { uses_free: Some(free), .. } = &change.event else { return Ok(()) };
    let customer = change.next.spec.customer_id.0;
    auth::lock_account(tx, customer).await?;
    let ids = (change.next.id.0, customer);
    let is_left = queries::use_free_cancellation(tx, ids, *free, change.at).await?;
    if is_left { Ok(()) } else { Err(HookError::Refused(Guard::FreeCancellationsUsed)) }
}

/// Stores the photos that the mechanic took of the loaded vehicle, and at the end of the work.
pub async fn insert_photos(
    tx: &mut PgConnection,
    random: &Random,
    change: &JobChange,
) -> Result<(), HookError> {
    let (stage, photo_urls) = match &change.event {
        Event::Loaded { photo_urls } => (PhotoStage::Before, photo_urls),
        Event::Completed { photo_urls, .. } => (PhotoStage::After, photo_urls),
        _ => return Ok(()),
    };
    if photo_urls.is_empty() {
        return Ok(());
    }
    let by = match change.by {
        Actor::Customer(user) | Actor::Mechanic(user) | Actor::Admin(user) => Some(user.0),
        Actor::System => None,
    };
    let ids: Vec<Uuid> = photo_urls.iter().map(|_| random.id(change.at)).collect();
    Ok(queries::insert_photos(tx, stage, &ids, photo_urls, change.next.id.0, by, change.at).await?)
}
