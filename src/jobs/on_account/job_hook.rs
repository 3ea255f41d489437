//! The organisation's side of a job in the transaction that changes the job. The statements for several jobs do the same
//! (`log/creating`, `log/together/further.rs`).

use chrono::{DateTime, Utc};
use roadcall_actors::{
    job::state::{Actor, Event, ItemChange, ItemStatus},
    ports::JobChange,
    random::Random,
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{promise::PromiseState, queries};

/// A new job on account.
#[derive(Debug, Clone, Copy)]
pub struct NewAccountJob {
    pub job_id: Uuid,
    pub case_id: Uuid,
    pub account_id: Uuid,
    pub at: DateTime<Utc>,
}

/// Returns a new job on account.
pub fn creation(change: &JobChange) -> Option<NewAccountJob> {
    let Event::Created { .. } = change.event else { return None };
    let spec = &change.next.spec;
    let case_id = spec.on_account.as_ref()?.case_id;
    Some(NewAccountJob { job_id: change.next.id.0, case_id, account_id: spec.customer_id.0, at: change.at })
}

/// Writes the organisation's side of new jobs.
pub async fn insert_jobs(tx: &mut PgConnection, _: &Random, new: &[NewAccountJob]) -> sqlx::Result<()> {
    for job in new {
        queries::insert(tx, job).await?;
    }
    Ok(())
}

/// The promise to an organisation from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewPromise {
    pub job_id: Uuid,
    /// `None` if the mechanic has left, or their travel time is not known.
    pub at: Option<DateTime<Utc>>,
    /// The state of a promise without a time.
    pub untimed: PromiseState,
}

/// Returns the promise that goes with a mechanic who gets the job, or none with the mechanic who leaves it. An organisation takes a
/// job from its mechanic by refusing the promised time.
pub fn promise(change: &JobChange) -> Option<NewPromise> {
    change.next.spec.on_account.as_ref()?;
    let (at, untimed) = match (&change.event, change.by) {
        (Event::Accepted { assignment, .. }, _) => (assignment.promise(), PromiseState::None),
        (Event::Released { .. }, Actor::Partner(_)) => (None, PromiseState::Refused),
        (Event::Released { .. }, _) => (None, PromiseState::None),
        _ => return None,
    };
    Some(NewPromise { job_id: change.next.id.0, at, untimed })
}

/// Writes promises.
pub async fn write_promises(tx: &mut PgConnection, _: &Random, promises: &[NewPromise]) -> sqlx::Result<()> {
    for promise in promises {
        queries::promise(tx, *promise).await?;
    }
    Ok(())
}

/// Extra work on account that is proposed, or decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtraWork {
    pub item_id: Uuid,
    pub job_id: Uuid,
    pub is_decided: bool,
    pub at: DateTime<Utc>,
}

/// Returns extra work that the organisation has to decide, or that is decided. The row of a withdrawn item goes with the item.
pub fn extra_work(change: &JobChange) -> Option<ExtraWork> {
    change.next.spec.on_account.as_ref()?;
    match &change.event {
        Event::ItemChanged { how: ItemChange::Withdrawn, .. } => None,
        Event::ItemChanged { item, .. } => Some(ExtraWork {
            item_id: item.id.0,
            job_id: change.next.id.0,
            is_decided: item.status != ItemStatus::Proposed,
            at: change.at,
        }),
        _ => None,
    }
}

/// Writes until when extra work has to be decided, after the items themselves.
pub async fn write_approvals(tx: &mut PgConnection, _: &Random, work: &[ExtraWork]) -> sqlx::Result<()> {
    for extra in work {
        queries::ask(tx, *extra).await?;
    }
    Ok(())
}
