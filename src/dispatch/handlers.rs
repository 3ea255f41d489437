use std::time::Duration;

use actix_web::{
    HttpResponse, get,
    web::{Data, Json},
};
use roadcall_actors::{
    engine,
    ids::JobId,
    job::state::Status,
    protocol::{CandidatesOf, SearchPolicyOf},
    settings::SearchPolicy,
};
use tokio::time::timeout;
use uuid::Uuid;

use super::{
    actions::MAX_DECISIONS,
    context::DispatchContext,
    dto::{AssignmentCandidate, DispatchRecord},
    queries, view,
};
use crate::{
    accounts::{
        auth::{Admin, desk},
        users::Contacts,
    },
    catalogue::{categories, dispatch_settings},
    fleet::mechanics,
    http::{List, Owned},
    jobs::JobRow,
    offers,
    platform::error::{ApiResult, ErrorBody},
    wire::refused,
};

/// The number of candidates shown for an assignment.
const MAX_CANDIDATES: usize = 50;
/// The maximum number of offers of a job that are shown: the newest.
const MAX_OFFERS: i64 = 500;
/// How long to wait for the job's actor: an operator may be asking because it is stuck.
const ACTOR_LIMIT: Duration = Duration::from_secs(1);

/// Explains why each mechanic was, or was not, offered the job.
///
/// To answer "why was nobody sent?", look at the newest decision. An empty `considered` means that nobody was online within
/// `ring_km`. `unfit` mechanics were there but may not serve (see `reason`). `passed` ones fit, but somebody else, or another
/// job, took precedence. To answer "why was this mechanic sent and not that one?", compare their `terms` in the decision that
/// offered the job. `offer` shows the outcome of each offer. The record is kept for a time after the job has ended
/// (`dispatch.records_retention_days`); decisions of the last second before a crash may be missing.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Cases))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = DispatchRecord)),
)]
#[get("/admin/jobs/{id}/dispatch")]
pub async fn get_job_dispatch(
    context: Data<DispatchContext>,
    job: Owned<JobRow, Admin<desk::Cases>>,
) -> ApiResult<HttpResponse> {
    let id = job.id;
    if !context.decisions.flush().await {
        tracing::debug!(job.id = %id, "the newest dispatch decisions are not saved yet");
    }
    let decisions = queries::of_job(&context.db, id, MAX_DECISIONS).await?;
    // Offers are read after the decisions, so that every offer that a decision led to is included.
    let offers = offers::of_job(&context.db, id, MAX_OFFERS).await?;
    let considered = decisions.iter().flat_map(|row| row.considered.0.iter().map(|kept| kept.mechanic));
    let mut mechanic_ids: Vec<Uuid> =
        considered.chain(offers.iter().map(|row| row.mechanic_profile_id)).collect();
    mechanic_ids.sort_unstable();
    mechanic_ids.dedup();
    let names = mechanics::first_names(&context.db, &mechanic_ids).await?;
    let policy = policy(&context, &job).await?;
    let rows = view::Rows { decisions, offers, names };
    Ok(HttpResponse::Ok().json(view::present(&job, &rows, &policy)))
}

/// Lists the mechanics who could take an open job: the 50 who are online nearest to the pickup, nearest first, at most 50 km
/// away, each with the reasons against them.
#[utoipa::path(
    tag = "admin",
    extensions(("x-desks" = json!(desk::Dispatch))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = List<AssignmentCandidate>),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the work has begun, or the job is over"),
    ),
)]
#[get("/admin/jobs/{id}/candidates")]
pub async fn list_job_candidates(
    context: Data<DispatchContext>,
    job: Owned<JobRow, Admin<desk::Dispatch>>,
) -> ApiResult<Json<List<AssignmentCandidate>>> {
    let candidates = context
        .engine
        .ask(CandidatesOf { job: JobId(job.id), most: MAX_CANDIDATES })
        .await
        .map_err(refused)?;
    let ids = candidates.iter().map(|candidate| candidate.id.0);
    let contacts = Contacts::of(&context.db, ids).await?;
    let shown = |candidate: engine::AssignmentCandidate| {
        let contact = contacts.mechanic(candidate.id.0);
        AssignmentCandidate::of(candidate, contact)
    };
    Ok(Json(List { data: candidates.into_iter().map(shown).collect() }))
}

/// Returns the policy by which the job's actor searches, or will search. If the search is over, or the actor does not answer,
/// returns the policy of the job's last search, as far as the category has not changed.
async fn policy(context: &DispatchContext, job: &JobRow) -> ApiResult<SearchPolicy> {
    if is_searched_for(job)
        && let Ok(Ok(policy)) =
            timeout(ACTOR_LIMIT, context.engine.ask(SearchPolicyOf { job: JobId(job.id) })).await
    {
        return Ok(SearchPolicy::clone(&policy));
    }
    let category = categories::find(&context.db, job.service_category_id).await?;
    let overrides = category.map(|category| category.overrides).unwrap_or_default();
    let by = match job.dispatch_version {
        Some(version) => dispatch_settings::find(&context.db, &context.dispatch, version).await?,
        None => None,
    };
    Ok(dispatch_settings::search_policy(&by.unwrap_or_else(|| context.dispatch.current()), &overrides))
}

fn is_searched_for(job: &JobRow) -> bool {
    matches!(job.status.0, Status::Pending | Status::Dispatching)
}
