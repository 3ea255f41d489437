//! The dispatcher's hands: reserves the chosen mechanics, proposes them to the job, and then tells why.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use actix::prelude::*;

use super::{actor::DispatcherActor, answers::Decision, explaining};
use crate::{
    ids::{CommandId, JobId, MechanicId, OfferId},
    job::{
        messages::{Begun, Order},
        state::{Actor as By, Command, Proposal},
    },
    mechanic::messages::Reserve,
    ports::OfferStatus,
    wires::Word,
    world::World,
};

/// Jobs without an offer that are explained at a stretch, and the pause for others in between.
const EXPLAINED_AT_ONCE: usize = 16;
const EXPLAIN_PAUSE: Duration = Duration::from_millis(1);
/// Explanations that may be due; further ones are left out, as they tell of no offer.
const MAX_UNEXPLAINED: usize = 1024;

/// What became of a proposal at its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    Made,
    Refused,
    /// The job's actor did not answer.
    Lost,
}

impl DispatcherActor {
    /// Proposes what was decided. A job that gets nobody rests, unless somebody is left.
    pub(super) fn carry_out(&mut self, decisions: Vec<Decision>, ctx: &mut Context<Self>) {
        for decision in &decisions {
            decision.chosen.iter().for_each(|candidate| self.picture.take(candidate.mechanic_id));
        }
        let (mut without, mut is_left) = (Vec::new(), false);
        for decision in decisions {
            let id = decision.job.job_id;
            if !decision.chosen.is_empty() {
                self.picture.propose(id);
                self.propose(decision, ctx);
                continue;
            }
            is_left |= !self.rests(&decision);
            without.push(decision);
        }
        if is_left {
            self.pass_soon(ctx);
        }
        self.explain_soon(without.into_iter(), ctx);
    }

    /// Puts a job that got nobody to rest where nobody is left for it. One with an offer out leaves the others what they
    /// could use.
    fn rests(&mut self, decision: &Decision) -> bool {
        let job = &decision.job;
        let now = decision.context.at;
        let is_left = |id| self.picture.still_fits(job, id, now);
        let rests =
            job.want.has_offer || !job.candidates.iter().any(|candidate| is_left(candidate.mechanic_id));
        if rests {
            self.picture.rest(job.job_id);
        }
        rests
    }

    /// Reserves each candidate with its own actor, then proposes those that are reserved to the job's actor.
    fn propose(&mut self, decision: Decision, ctx: &mut Context<Self>) {
        let (world, job_id, want) = (self.world.clone(), decision.job.job_id, decision.job.want.clone());
        let candidates = decision.chosen.clone();
        let work = async move {
            let (mut proposals, mut refused) = (Vec::new(), BTreeSet::new());
            for candidate in candidates {
                let offer_id = OfferId(world.new_id());
                let reserve = Reserve { offer_id, job_id };
                match world.ask_mechanic(candidate.mechanic_id, reserve).await {
                    Ok(true) => proposals.push(Proposal {
                        offer_id,
                        mechanic_id: candidate.mechanic_id,
                        distance_m: candidate.estimate.distance_m,
                        eta_s: candidate.estimate.eta_s,
                        eta_base_s: candidate.estimate.base_s,
                        eta_source: candidate.estimate.source,
                        cost_s: candidate.terms.cost_s,
                    }),
                    answer => {
                        refused.insert(candidate.mechanic_id);
                        // After a refusal its own word, already on its way, says why.
                        if answer.is_err() {
                            // Taken in the picture, and perhaps free in truth.
                            world.ask_where_it_stands(candidate.mechanic_id);
                        }
                    }
                }
            }
            (offer(&world, job_id, want.attempt, want.round, proposals).await, refused)
        };
        ctx.spawn(work.into_actor(self).map(move |(heard, refused), actor, ctx| {
            if heard == Heard::Lost {
                actor.picture.wake(job_id);
                actor.pass_soon(ctx);
            }
            // What the job refused was decided for a job that had changed: it explains nothing.
            if heard == Heard::Made || refused.len() == decision.chosen.len() {
                actor.explain(&decision, &refused);
            } else {
                actor.counts.stale += 1;
            }
        }));
    }

    fn explain(&self, decision: &Decision, refused: &BTreeSet<MechanicId>) {
        if self.world.matching().explain {
            let explanation = explaining::explanation(&self.picture, decision, refused);
            self.world.ports.journal.record_explanation(explanation);
        }
    }

    /// Decisions that offered a job to nobody: told when nothing else is to be done, and not again and again.
    pub(super) fn explain_soon(
        &mut self,
        decisions: impl Iterator<Item = Decision>,
        ctx: &mut Context<Self>,
    ) {
        if !self.world.matching().explain {
            return;
        }
        let was_empty = self.unexplained.is_empty();
        let room = MAX_UNEXPLAINED.saturating_sub(self.unexplained.len());
        let due = decisions.filter(|decision| self.ledger.is_due(decision));
        self.unexplained.extend(due.take(room));
        if was_empty && !self.unexplained.is_empty() {
            ctx.run_later(EXPLAIN_PAUSE, Self::explain_some);
        }
    }

    fn explain_some(&mut self, ctx: &mut Context<Self>) {
        for decision in self.unexplained.drain(..EXPLAINED_AT_ONCE.min(self.unexplained.len())) {
            let explanation = explaining::explanation(&self.picture, &decision, &BTreeSet::new());
            if self.ledger.note(&decision, &explanation) {
                self.world.ports.journal.record_explanation(explanation);
            }
        }
        if !self.unexplained.is_empty() {
            ctx.run_later(EXPLAIN_PAUSE, Self::explain_some);
        }
    }
}

/// Hands the proposals to the job. Whatever comes of it, the job speaks again, which ends the proposal; only when
/// its actor can't be reached the reservations are let go here.
async fn offer(
    world: &Arc<World>,
    job_id: JobId,
    attempt: u32,
    round: u32,
    proposals: Vec<Proposal>,
) -> Heard {
    let held: Vec<_> = proposals.iter().map(|proposal| (proposal.offer_id, proposal.mechanic_id)).collect();
    let command = Command::Offer { attempt, round, proposals };
    let order = Order { id: CommandId(world.new_id()), by: By::System, command, begun: Begun::default() };
    let error = match world.ask_job(job_id, order).await {
        Ok(Ok(_)) => return Heard::Made,
        Ok(Err(_)) => return Heard::Refused,
        Err(error) => error,
    };
    tracing::warn!(job.id = %job_id, error.cause = %error, "a proposal did not reach its job");
    for (offer_id, mechanic_id) in held {
        world.tell_mechanic(mechanic_id, Word::OfferEnded { offer_id, status: OfferStatus::Revoked });
        // It may have reached the job all the same.
        world.tell_mechanic(mechanic_id, Word::Reload);
    }
    Heard::Lost
}
