//! Reserves the chosen mechanics, proposes them to the job, and then records why.

use std::{collections::BTreeSet, time::Duration};

use actix::prelude::*;

use super::{actor::DispatcherActor, answers::Decision, context::DispatcherContext, explaining};
use crate::{
    ids::{JobId, MechanicId},
    job::state::Proposal,
    mechanic::messages::Reserve,
    messages::MechanicMessage,
    status::OfferStatus,
};

/// The number of jobs without an offer that are explained in one go, and the pause for other work in between.
const EXPLAINED_AT_ONCE: usize = 16;
const EXPLAIN_PAUSE: Duration = Duration::from_millis(1);
/// The number of explanations that may wait to be recorded. Further ones are left out, as they explain no offer.
const MAX_UNEXPLAINED: usize = 1024;

/// The outcome of a proposal at its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProposalOutcome {
    Offered,
    Refused,
    /// The job's actor did not answer.
    NotReached,
}

impl DispatcherActor {
    /// Makes the offers that were decided. A job that gets no mechanic becomes unmatched, unless a candidate is left
    /// for it.
    pub(super) fn make_offers(&mut self, decisions: Vec<Decision>, ctx: &mut Context<Self>) {
        for decision in &decisions {
            decision.chosen.iter().for_each(|candidate| self.state.take(candidate.mechanic_id));
        }
        let (mut without, mut is_left) = (Vec::new(), false);
        for decision in decisions {
            let id = decision.job.job_id;
            if !decision.chosen.is_empty() {
                self.state.mark_proposed(id);
                self.propose(decision, ctx);
                continue;
            }
            is_left |= !self.mark_if_unmatched(&decision);
            without.push(decision);
        }
        if is_left {
            self.pass_soon(ctx);
        }
        self.explain_soon(without.into_iter(), ctx);
        self.set_wakes(ctx);
    }

    /// Marks a job that got no mechanic as unmatched if no candidate is left for it. Returns whether it did. A job
    /// with a pending offer does not take mechanics that others could use.
    fn mark_if_unmatched(&mut self, decision: &Decision) -> bool {
        let job = &decision.job;
        let now = decision.context.at;
        let is_left = |id| self.state.still_fits(job, id, now);
        let is_unmatched =
            job.demand.has_offer || !job.candidates.iter().any(|candidate| is_left(candidate.mechanic_id));
        if is_unmatched {
            self.state.mark_unmatched(job.job_id);
        }
        is_unmatched
    }

    /// Reserves each candidate with its own actor, then proposes those that are reserved to the job's actor.
    fn propose(&mut self, decision: Decision, ctx: &mut Context<Self>) {
        let (context, job_id, demand) =
            (self.context.clone(), decision.job.job_id, decision.job.demand.clone());
        let candidates = decision.chosen.clone();
        let work = async move {
            let (mut proposals, mut refused) = (Vec::new(), BTreeSet::new());
            for candidate in candidates {
                let offer_id = context.new_offer_id();
                let reserve = Reserve { offer_id, job_id };
                match context.mechanics.reserve(candidate.mechanic_id, reserve).await {
                    Ok(true) => proposals.push(Proposal {
                        offer_id,
                        mechanic_id: candidate.mechanic_id,
                        distance_m: candidate.estimate.distance_m,
                        eta_s: candidate.estimate.eta_s,
                        eta_base_s: candidate.estimate.base_s,
                        eta_source: candidate.estimate.source,
                        cost_s: candidate.terms.cost_s,
                        is_parked: candidate.is_parked,
                    }),
                    answer => {
                        refused.insert(candidate.mechanic_id);
                        // After a refusal the mechanic reports their supply without being asked.
                        if answer.is_err() {
                            // The mechanic counts as taken here, but may be free.
                            context.mechanics.request_supply(candidate.mechanic_id);
                        }
                    }
                }
            }
            (propose(&context, job_id, demand.attempt, demand.round, proposals).await, refused)
        };
        ctx.spawn(work.into_actor(self).map(move |(outcome, refused), actor, ctx| {
            if outcome == ProposalOutcome::NotReached {
                actor.state.mark_ready(job_id);
                actor.pass_soon(ctx);
            }
            if outcome == ProposalOutcome::Offered {
                let chosen = decision.chosen.iter().map(|candidate| candidate.mechanic_id);
                let asked: Vec<MechanicId> = chosen.filter(|id| !refused.contains(id)).collect();
                actor.note_offer(job_id, &decision.job.demand, &asked);
            }
            // A refused proposal was decided for a job that has changed since, so it explains nothing.
            if outcome == ProposalOutcome::Offered || refused.len() == decision.chosen.len() {
                actor.explain(&decision, &refused);
            } else {
                actor.counts.stale += 1;
            }
        }));
    }

    fn explain(&self, decision: &Decision, refused: &BTreeSet<MechanicId>) {
        if self.context.policy().explain {
            let explanation = explaining::explanation(&self.state, decision, refused);
            self.context.explanations.record_explanation(explanation);
        }
    }

    /// Explains decisions that offered a job to nobody when there is nothing else to do, and not repeatedly.
    pub(super) fn explain_soon(
        &mut self,
        decisions: impl Iterator<Item = Decision>,
        ctx: &mut Context<Self>,
    ) {
        if !self.context.policy().explain {
            return;
        }
        let was_empty = self.unexplained.is_empty();
        let room = MAX_UNEXPLAINED.saturating_sub(self.unexplained.len());
        let due = decisions.filter(|decision| self.recorded.is_due(decision));
        self.unexplained.extend(due.take(room));
        if was_empty && !self.unexplained.is_empty() {
            ctx.run_later(EXPLAIN_PAUSE, Self::explain_some);
        }
    }

    fn explain_some(&mut self, ctx: &mut Context<Self>) {
        for decision in self.unexplained.drain(..EXPLAINED_AT_ONCE.min(self.unexplained.len())) {
            let explanation = explaining::explanation(&self.state, &decision, &BTreeSet::new());
            if self.recorded.note(&decision, &explanation) {
                self.context.explanations.record_explanation(explanation);
            }
        }
        if !self.unexplained.is_empty() {
            ctx.run_later(EXPLAIN_PAUSE, Self::explain_some);
        }
    }
}

/// Hands the proposals to the job. Whatever the job decides, it updates its demand, which ends the proposal. The
/// reservations are released here only if the job's actor can't be reached.
async fn propose(
    context: &DispatcherContext,
    job_id: JobId,
    attempt: u32,
    round: u32,
    proposals: Vec<Proposal>,
) -> ProposalOutcome {
    let reserved: Vec<_> =
        proposals.iter().map(|proposal| (proposal.offer_id, proposal.mechanic_id)).collect();
    let error = match context.jobs.propose(job_id, attempt, round, proposals).await {
        Ok(Ok(_)) => return ProposalOutcome::Offered,
        Ok(Err(_)) => return ProposalOutcome::Refused,
        Err(error) => error,
    };
    tracing::warn!(job.id = %job_id, error.cause = %error, "a proposal did not reach its job");
    for (offer_id, mechanic_id) in reserved {
        context
            .mechanics
            .notify(mechanic_id, MechanicMessage::OfferEnded { offer_id, status: OfferStatus::Revoked });
        // The proposal may have reached the job nevertheless.
        context.mechanics.notify(mechanic_id, MechanicMessage::Reload);
    }
    ProposalOutcome::NotReached
}
