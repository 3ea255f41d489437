//! Questions about jobs, and what another writer changed.

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};

use crate::{
    assigning,
    dispatcher::queries::{CandidatesQuery, NearbyMechanic},
    engine::{AssignmentCandidate, Engine},
    ids::JobId,
    job::{
        fee::{self, FeeQuote, FreeCancellationAllowance},
        state::{Job, Wanted},
    },
    outbound::Outlook,
    refusal::Refusal,
    settings::SharedSearchPolicy,
};

/// The distance from a pickup beyond which no mechanic is shown as a candidate.
const CANDIDATES_WITHIN_M: f64 = 50_000.0;

/// Asks what cancelling costs the customer now, or why they can't cancel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuoteCancellation {
    pub job: JobId,
    pub free_cancellations: Option<FreeCancellationAllowance>,
}

impl QuoteCancellation {
    pub(super) async fn run(self, engine: &Engine) -> Result<FeeQuote, Refusal> {
        let job = engine.job(self.job).await?;
        let (progress, context) = (engine.progress(&job).await, engine.context());
        let fees = &context.settings.fees;
        fee::quote(&job, fees, progress, self.free_cancellations, context.clock.now())
    }
}

/// Asks what it costs the customer if an admin cancels the job now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteCancellationByAdmin {
    pub job: JobId,
}

impl QuoteCancellationByAdmin {
    pub(super) async fn run(self, engine: &Engine) -> Result<FeeQuote, Refusal> {
        let job = engine.job(self.job).await?;
        let (progress, context) = (engine.progress(&job).await, engine.context());
        fee::quote_by_admin(&job, &context.settings.fees, progress, context.clock.now())
    }
}

/// Asks which online mechanics are nearest to the pickup of an open job, nearest first, and what the rules say of
/// each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CandidatesOf {
    pub job: JobId,
    pub most: usize,
}

impl CandidatesOf {
    pub(super) async fn run(self, engine: &Engine) -> Result<Vec<AssignmentCandidate>, Refusal> {
        let wanted = engine.job(self.job).await?;
        if !assigning::is_open(wanted.status()) {
            return Err(Refusal::InvalidTransition { from: wanted.status(), wanted: Wanted::Assign });
        }
        let query = CandidatesQuery { demand: wanted.wish(), within_m: CANDIDATES_WITHIN_M, k: self.most };
        let near = engine.ask_dispatcher(query).await?;
        let candidates = near.into_iter().map(|near| candidate(engine, &wanted, near));
        Ok(join_all(candidates).await.into_iter().flatten().collect())
    }
}

/// Returns the candidate, or `None` if the mechanic's actor does not answer or no longer has a position.
async fn candidate(engine: &Engine, job: &Job, near: NearbyMechanic) -> Option<AssignmentCandidate> {
    let NearbyMechanic { id, misfits } = near;
    let mechanic = engine.mechanic(id).await?;
    let context = engine.context();
    let (last, now) = (mechanic.last?, context.clock.now());
    Some(AssignmentCandidate {
        id,
        last,
        estimate: context.ports.eta.estimate(last.point, job.spec.pickup, now),
        job: mechanic.engagement.job(),
        misfits,
        assignability: assigning::assignability(job, &mechanic, &context.settings.presence, now),
    })
}

/// Asks for the policy by which the job searches, or will search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchPolicyOf {
    pub job: JobId,
}

impl SearchPolicyOf {
    pub(super) async fn run(self, engine: &Engine) -> Result<SharedSearchPolicy, Refusal> {
        engine.job(self.job).await.map(|job| job.spec.search)
    }
}

/// Asks what the customer of a job without a mechanic can expect. The answer is `None` once it has a mechanic, or
/// before its dispatch begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobOutlook {
    pub job: JobId,
}

impl JobOutlook {
    pub(super) async fn run(self, engine: &Engine) -> Result<Option<Outlook>, Refusal> {
        engine.job_outlook(self.job).await
    }
}

/// Notes that another writer changed the job's row: the engine loads it again, unless it has it, and informs the
/// watchers. If this is lost, the engine notices at its next commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobChanged {
    pub job: JobId,
    /// The version since the change, if it is known.
    pub version: Option<i64>,
}

impl JobChanged {
    pub(super) async fn run(self, engine: &Engine) -> Result<(), Refusal> {
        engine.refresh(self.job, self.version).await
    }
}

/// Notes that another writer changed rows that the engine does not load: its server reads them again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowsChanged {
    /// The job that the rows are about; `None` if they may be about any.
    pub job: Option<JobId>,
}

impl RowsChanged {
    /// Does nothing: the service of this process has noted the change before it asks.
    pub(super) async fn run(self, _: &Engine) -> Result<(), Refusal> {
        Ok(())
    }
}
