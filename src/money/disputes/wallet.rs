//! The routes by which mechanics read and open disputes from their wallet.

use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};
use uuid::Uuid;

use super::{
    actions::{self, no_dispute},
    dto::{Dispute, NewMechanicDispute, Party},
    queries::{self, DisputeRow, JobDisputeFilter},
};
use crate::{
    accounts::auth::{AnyMechanic, OwnId},
    http::{Body, IdempotencyKey, ListQuery, Owned, Page},
    jobs::{self, on_account::PricesOfJobs},
    money::payments::PaymentsContext,
    platform::{
        error::{ApiError, ApiResult, ErrorBody, after_commit},
        idempotency::{self, Claim, Request},
    },
};

/// Lists disputes about the mechanic's jobs, newest first, regardless of who opened them.
#[utoipa::path(
    tag = "disputes",
    params(ListQuery<JobDisputeFilter>),
    responses((status = 200, body = Page<Dispute>)),
)]
#[get("/wallet/disputes")]
pub async fn list_my_disputes(
    context: Data<PaymentsContext>,
    mechanic: AnyMechanic,
    query: ListQuery<JobDisputeFilter>,
) -> ApiResult<Json<Page<Dispute>>> {
    let (filter, page) = query.read()?;
    let rows = queries::list_of_mechanic(&context.db, mechanic.profile_id, &filter, page).await?;
    let total =
        page.total(rows.len(), queries::count_of_mechanic(&context.db, mechanic.profile_id, &filter)).await?;
    Ok(Json(page.of(shown(&context, rows).await?, total)))
}

/// Opens a dispute about one of the mechanic's jobs, as `POST /jobs/{id}/dispute` does.
#[utoipa::path(
    tag = "disputes",
    params(IdempotencyKey),
    request_body = NewMechanicDispute,
    responses(
        (status = 201, body = Dispute),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the job is not completed, was disputed, or \
            was completed too long ago; IDEMPOTENCY_IN_FLIGHT"),
    ),
)]
#[post("/wallet/disputes")]
pub async fn dispute_my_job(
    context: Data<PaymentsContext>,
    mechanic: AnyMechanic,
    key: IdempotencyKey,
    body: Body<NewMechanicDispute>,
) -> ApiResult<HttpResponse> {
    let key = key.read()?;
    let caller = mechanic.caller;
    let request = Request::new(caller.user_id, "/wallet/disputes", key, body.bytes());
    let make = async |claim: &Claim| {
        let (job_id, new) = body.read()?.dispute();
        let row = jobs::find(&context.db, job_id).await?;
        let own = row.filter(|row| row.mechanic_profile_id == Some(mechanic.profile_id));
        let row = own.ok_or_else(|| ApiError::invalid("job_id", "is not a job of yours"))?;
        actions::open(&context, caller.user_id, &row, Party::Mechanic, new, claim).await
    };
    let again = async |id, _| actions::as_opened(&context, id).await;
    let dispute = idempotency::once(&context, request, make, again).await?;
    let shown = shown(&context, vec![dispute]).await.map_err(after_commit)?;
    Ok(HttpResponse::Created().json(shown.into_iter().next()))
}

/// Returns a dispute about one of the mechanic's jobs.
#[utoipa::path(tag = "disputes", params(("id" = Uuid, Path)), responses((status = 200, body = Dispute)))]
#[get("/wallet/disputes/{id}")]
pub async fn get_my_dispute(
    context: Data<PaymentsContext>,
    own: Owned<OwnId, AnyMechanic>,
) -> ApiResult<Json<Dispute>> {
    let found = queries::find(&context.db, own.id).await?;
    let row = found.filter(|row| row.mechanic_profile_id == own.owner);
    let shown = shown(&context, row.into_iter().collect()).await?;
    Ok(Json(shown.into_iter().next().ok_or_else(no_dispute)?))
}

/// Returns disputes as the mechanic of their jobs sees them.
async fn shown(context: &PaymentsContext, rows: Vec<DisputeRow>) -> ApiResult<Vec<Dispute>> {
    let jobs: Vec<Uuid> = rows.iter().map(|row| row.job_id).collect();
    let prices = PricesOfJobs::to_mechanic(&context.db, &jobs, context.rates).await?;
    let shown = rows.into_iter().map(|row| {
        let prices = prices.of(row.job_id);
        Dispute::of(row, prices)
    });
    Ok(shown.collect())
}
