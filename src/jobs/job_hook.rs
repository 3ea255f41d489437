//! The writes of jobs themselves in the transaction that changes a job, besides the row and its event, and the locks of the people
//! and things that a job is about.

use chrono::{DateTime, Utc};
use roadcall_actors::{
    engine::FreeCancellationAllowance,
    job::state::{Actor, Event, ItemChange, JobSpec, Override, Status},
    ports::{Guard, JobChange},
    random::Random,
};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounts::auth,
    jobs::{
        dto::PhotoStage,
        log::HookError,
        on_account,
        queries::{self, LockedSubjects},
    },
    platform::{
        audit::{self, NewAuditEntry},
        error::Code,
        idempotency,
    },
};

/// An admin's action on a job.
#[derive(Debug)]
pub struct AdminAction {
    /// The entry of the audit log, except for the job as it was before.
    entry: NewAuditEntry<'static>,
    at: DateTime<Utc>,
}

/// Returns an admin's action, with the job afterwards.
pub fn admin_action(change: &JobChange) -> Option<AdminAction> {
    let Actor::Admin(admin) = change.by else { return None };
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
    let entry = NewAuditEntry {
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
        before: json!(null),
        after,
    };
    Some(AdminAction { entry, at: change.at })
}

fn standing(status: Status, mechanic: Option<Uuid>) -> serde_json::Value {
    json!({ "status": status.as_str(), "mechanic_profile_id": mechanic })
}

/// Records admins' actions, with the jobs before and after.
pub async fn audit_admins(
    tx: &mut PgConnection,
    random: &Random,
    actions: &[AdminAction],
) -> Result<(), HookError> {
    for AdminAction { entry, at } in actions {
        let before = queries::find(&mut *tx, entry.subject_id).await?;
        let before = before.map_or(json!(null), |row| standing(row.status.0, row.mechanic_profile_id));
        audit::record(tx, random, *at, NewAuditEntry { before, ..entry.clone() }).await?;
    }
    Ok(())
}

/// A job that opens.
#[derive(Debug)]
pub struct OpeningJob<'a> {
    spec: &'a JobSpec,
    /// The number of jobs that the customer may have open at once, if it is limited.
    most_open: Option<u32>,
    /// Whether the job begins, or begins again, which only a category that is offered allows.
    begins: bool,
    at: DateTime<Utc>,
}

/// Returns a new job.
pub fn creation(change: &JobChange) -> Option<OpeningJob<'_>> {
    let Event::Created { details } = &change.event else { return None };
    let (spec, most_open) = (&change.next.spec, details.most_open_jobs);
    Some(OpeningJob { spec, most_open, begins: true, at: change.at })
}

/// Returns a job that opens again: it begins again, or a mechanic takes it back although nobody was found. Its customer may have
/// left in the meantime, and its vehicle may have been deleted.
pub fn reopening(change: &JobChange) -> Option<OpeningJob<'_>> {
    let was_open = change.before.as_ref()?.status().is_open();
    if was_open || !change.next.status().is_open() {
        return None;
    }
    let (begins, most_open) = match &change.event {
        Event::Retried { most_open_jobs, .. } => (true, *most_open_jobs),
        _ => (false, None),
    };
    Some(OpeningJob { spec: &change.next.spec, most_open, begins, at: change.at })
}

/// Locks the customers' accounts against changes while their jobs open.
pub async fn lock_customers(
    tx: &mut PgConnection,
    _: &Random,
    opening: &[OpeningJob<'_>],
) -> Result<(), HookError> {
    for OpeningJob { spec, .. } in opening {
        auth::lock_customer(tx, spec.customer_id.0).await.map_err(|error| match error.code {
            // The vehicle is deleted with its owner's account.
            Code::Unauthorized => HookError::Refused(Guard::VehicleGone),
            Code::Forbidden | Code::AccountSuspended => HookError::Refused(Guard::NotACustomer),
            _ => HookError::Failed(error),
        })?;
    }
    Ok(())
}

/// Limits customers' open jobs, which the lock of their account makes count one after the other. Ensures that the categories are
/// still offered to jobs that begin, and that nobody deletes the vehicles, or closes the cases, while jobs for them open.
pub async fn lock_subjects(
    tx: &mut PgConnection,
    _: &Random,
    opening: &[OpeningJob<'_>],
) -> Result<(), HookError> {
    for OpeningJob { spec, most_open, begins, at } in opening {
        let subjects = queries::lock_subjects(tx, spec, *at).await?;
        if let Some(most) = most_open {
            limit_open_jobs(&subjects, *most)?;
        }
        if *begins && !subjects.is_category_offered {
            return Err(HookError::Refused(Guard::CategoryGone));
        }
        if !subjects.has_vehicle {
            return Err(HookError::Refused(Guard::VehicleGone));
        }
        if let Some(account) = &spec.on_account
            && !on_account::queries::lock_open_case(tx, account.case_id).await?
        {
            return Err(HookError::Refused(Guard::CaseNotOpen));
        }
    }
    Ok(())
}

/// Refuses a job beyond those that its customer may have open at once. Jobs that wait for their time are counted apart: a booking
/// for next week must not keep help away today. Bookings whose time has come make no room for further ones, so both kinds
/// together are limited as well.
fn limit_open_jobs(subjects: &LockedSubjects, most: u32) -> Result<(), HookError> {
    let most = subjects.own_most.and_then(|own| u32::try_from(own).ok()).unwrap_or(most);
    let twice = most.saturating_mul(2);
    if subjects.open_of_kind >= i64::from(most) {
        return Err(HookError::Refused(Guard::TooManyOpenJobs { most }));
    }
    if subjects.open_in_all >= i64::from(twice) {
        return Err(HookError::Refused(Guard::TooManyOpenJobs { most: twice }));
    }
    Ok(())
}

/// A cancellation that is free because it came soon after the acceptance.
#[derive(Debug)]
pub struct FreeCancellation {
    job_id: Uuid,
    customer_id: Uuid,
    allowance: FreeCancellationAllowance,
    at: DateTime<Utc>,
}

/// Returns the cancellation, if it is free because it came soon after the acceptance.
pub fn free_cancellation(change: &JobChange) -> Option<FreeCancellation> {
    let Event::Cancelled { uses_free: Some(allowance), .. } = change.event else { return None };
    let (job_id, customer_id) = (change.next.id.0, change.next.spec.customer_id.0);
    Some(FreeCancellation { job_id, customer_id, allowance, at: change.at })
}

/// Counts free cancellations. Of two at once, the second may cost something.
pub async fn use_free_cancellations(
    tx: &mut PgConnection,
    _: &Random,
    cancellations: &[FreeCancellation],
) -> Result<(), HookError> {
    for FreeCancellation { job_id, customer_id, allowance, at } in cancellations {
        auth::lock_account(tx, *customer_id).await?;
        if !queries::use_free_cancellation(tx, (*job_id, *customer_id), *allowance, *at).await? {
            return Err(HookError::Refused(Guard::FreeCancellationsUsed));
        }
    }
    Ok(())
}

/// The idempotency mark of a request, and what the request made.
#[derive(Debug)]
pub struct MadeUnderMark {
    pub mark: Uuid,
    pub made: MadeByRequest,
}

/// The thing that a request made, by its id.
#[derive(Debug, Clone, Copy)]
pub enum MadeByRequest {
    Job(Uuid),
    LineItem(Uuid),
}

/// Returns the idempotency mark that the change completes.
pub fn mark(change: &JobChange) -> Option<MadeUnderMark> {
    let made = match &change.event {
        Event::Created { .. } => MadeByRequest::Job(change.next.id.0),
        Event::ItemChanged { how: ItemChange::Proposed, item } => MadeByRequest::LineItem(item.id.0),
        _ => return None,
    };
    Some(MadeUnderMark { mark: change.idempotency?, made })
}

/// Completes the marks with the job or line item that the request made, with which its repeats are answered.
pub async fn complete_marks(
    tx: &mut PgConnection,
    _: &Random,
    marks: &[MadeUnderMark],
) -> Result<(), HookError> {
    for MadeUnderMark { mark, made } in marks {
        let is_completed = match made {
            MadeByRequest::Job(id) => idempotency::complete_mark(tx, *mark, *id).await?,
            MadeByRequest::LineItem(id) => idempotency::complete_item_mark(tx, *mark, *id).await?,
        };
        if !is_completed {
            return Err(HookError::Refused(Guard::MarkUsed));
        }
    }
    Ok(())
}

/// Photos that the mechanic took for a step of the work.
#[derive(Debug)]
pub struct StepPhotos<'a> {
    pub stage: PhotoStage,
    pub urls: &'a [String],
    pub job_id: Uuid,
    pub by: Option<Uuid>,
    pub at: DateTime<Utc>,
}

/// Returns the photos that the mechanic took of the loaded vehicle, or at the end of the work.
pub fn new_photos(change: &JobChange) -> Option<StepPhotos<'_>> {
    let (stage, urls) = match &change.event {
        Event::Loaded { photo_urls } => (PhotoStage::Before, photo_urls),
        Event::Completed { photo_urls, .. } => (PhotoStage::After, photo_urls),
        _ => return None,
    };
    let by = change.by.user().map(|user| user.0);
    let photos = StepPhotos { stage, urls, job_id: change.next.id.0, by, at: change.at };
    (!urls.is_empty()).then_some(photos)
}

/// Stores the photos.
pub async fn insert_photos(
    tx: &mut PgConnection,
    random: &Random,
    photos: &[StepPhotos<'_>],
) -> Result<(), HookError> {
    for StepPhotos { stage, urls, job_id, by, at } in photos {
        let ids: Vec<Uuid> = urls.iter().map(|_| random.id(*at)).collect();
        queries::insert_photos(tx, *stage, &ids, urls, *job_id, *by, *at).await?;
    }
    Ok(())
}
