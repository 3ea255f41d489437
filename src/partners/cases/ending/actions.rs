//! Closes cases, and forgets whom they were about.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::queries;
use crate::{
    accounts::auth::{PartnerCaller, Principal},
    catalogue::vehicles,
    jobs,
    messaging::chat,
    partners::{
        cases::{
            audited, documents,
            queries::{self as cases, CaseRow},
            showing::no_such_case,
        },
        feeds::{self, CaseStatus, FeedsContext, NewPartnerEvent, PartnerEventKind},
    },
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// The number of cases looked up at once.
const CASES_AT_ONCE: i64 = 100;

/// Closes a case whose jobs are all over. A repeat changes nothing.
pub async fn close(context: &FeedsContext, caller: &PartnerCaller, case: &CaseRow) -> ApiResult<()> {
    for job_id in queries::unfed_jobs(&context.db, case.id).await? {
        feeds::catch_up(context, job_id).await?;
    }
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    cases::lock(&mut tx, case.id).await?.ok_or_else(no_such_case)?;
    if queries::has_unfinished_job(&mut tx, case.id).await? {
        let message = "A job of this case is not over. Cancel it, or wait until it ends.";
        return Err(ApiError::new(Code::InvalidTransition, message));
    }
    let Some(closed) = queries::close(&mut tx, case.id, now).await? else {
        return match cases::find(&mut *tx, case.id).await?.map(|case| case.status) {
            Some(CaseStatus::Closed) => Ok(()),
            Some(status) => {
                let message = format!("This case is {status}; only an open one can be closed.");
                Err(ApiError::new(Code::InvalidTransition, message))
            }
            None => Err(no_such_case()),
        };
    };
    tell(context, &mut tx, Principal::from(*caller), &closed, now).await?;
    tx.commit().await.map_err(commit_error)?;
    context.wake();
    Ok(())
}

/// Appends the event of a case that was closed, and records by whom.
async fn tell(
    context: &FeedsContext,
    tx: &mut PgConnection,
    by: Principal,
    closed: &CaseRow,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let event = NewPartnerEvent::of_case(PartnerEventKind::CaseClosed, now);
    feeds::append(tx, context, closed.id, vec![event]).await?;
    audited::closed(context, tx, by, closed).await
}

/// Removes the people who were helped from cases in which nothing has happened for as long as `kept`, and from their jobs; returns
/// the number of cases. A case that fails keeps no other back.
pub async fn forget_people(context: &FeedsContext, kept: TimeDelta) -> ApiResult<u64> {
    let now = context.clock.now();
    let mut forgotten = 0;
    loop {
        let old = queries::old(&context.db, now - kept, CASES_AT_ONCE).await?;
        let mut done = 0;
        for id in &old {
            match forget_person(context, *id, now - kept, now).await {
                Ok(is_forgotten) => done += u64::from(is_forgotten),
                Err(error) => error.log(),
            }
        }
        forgotten += done;
        if done > 0 {
            jobs::log::details_changed(context, None).await;
            context.wake();
        }
        if done == 0 || (old.len() as i64) < CASES_AT_ONCE {
            return Ok(forgotten);
        }
    }
}

/// Forgets the person of a case; returns false if something has happened in it after all. An open case is closed.
async fn forget_person(
    context: &FeedsContext,
    id: Uuid,
    before: DateTime<Utc>,
    now: DateTime<Utc>,
) -> ApiResult<bool> {
    let mut tx = context.db.begin().await?;
    if !queries::forget(&mut tx, id, before, now).await? {
        return Ok(false);
    }
    let vehicles = queries::forgotten_vehicles(&mut tx, id).await?;
    vehicles::anonymise_some(&mut tx, &vehicles, now).await?;
    let jobs = jobs::forget_case(&mut tx, id, now).await?;
    chat::forget_customers(&mut tx, &jobs, now).await?;
    chat::coarsen_places(&mut tx, &jobs).await?;
    documents::forget(&mut tx, id, now).await?;
    if let Some(closed) = queries::close(&mut tx, id, now).await? {
        tell(context, &mut tx, Principal::System, &closed, now).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(true)
}
