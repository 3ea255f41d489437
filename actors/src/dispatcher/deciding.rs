//! Decides which job is offered to whom: requests ETA tables, and solves competing jobs, small problems at once and
//! large ones on another thread.
//!
//! A decision that takes a while is based on a state that is out of date when the answer comes. Its jobs are pending
//! meanwhile, so that no second decision begins for any of them. When the answer comes, every choice is checked again:
//! choices whose job or mechanic has changed are dropped, and those jobs are looked at again. The other choices are
//! used.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    task::{self, Poll},
    time::Duration,
};

use actix::prelude::*;
use chrono::{DateTime, Utc};

use super::{
    actor::DispatcherActor,
    answers::{self, CandidateUse, Match},
    components::Component,
    explain::Method,
    matching::WaitingJob,
    planning::Due,
    solving::{Matched, PosedProblem},
    state::JobEstimates,
};
use crate::{eta::TripEstimate, geo::Point, ids::MechanicId};

/// The largest number of pairs of job and mechanic in one request for a table, and of pairs of one job among them.
/// The nearest are taken.
const MAX_PAIRS: usize = 400;
const MAX_PAIRS_OF_JOB: usize = 16;
/// With fewer pairs for each job a table helps little, so the jobs are decided without one.
const MIN_PAIRS_OF_JOB: usize = 4;
/// The largest number of requests under way at once. Beyond that, jobs are decided without a table rather than wait
/// for the tables of others.
const MAX_TABLES: usize = 8;
/// How long to wait for a port that does not keep its own time limit, which is 5 s at most (`eta.router_timeout_ms`).
const TABLE_LIMIT: Duration = Duration::from_secs(6);
/// The largest number of solves on other threads at once. Further components wait for the next pass.
const MAX_SOLVES: usize = 2;

/// One request for a table: the jobs, each with the routes that were asked for.
#[derive(Debug)]
struct TableRequest {
    jobs: Vec<(WaitingJob, Vec<(MechanicId, Point)>)>,
}

type Answer = Option<Vec<TripEstimate>>;

impl DispatcherActor {
    /// Requests a table if the port has one; otherwise decides at once.
    pub(super) fn ask_or_decide(
        &mut self,
        due: Due,
        uses: &CandidateUse,
        now: DateTime<Utc>,
        ctx: &mut Context<Self>,
    ) {
        let Some(request) = self.table_request(&due) else { return self.decide(due, uses, now, ctx) };
        let mut answer = self.table(&request, now);
        // The first poll shows whether there is anything to wait for.
        match answer.as_mut().poll(&mut task::Context::from_waker(task::Waker::noop())) {
            Poll::Ready(None) => self.decide(due, uses, now, ctx),
            Poll::Ready(Some(answer)) => {
                self.counts.eta_tables += 1;
                request.jobs.iter().for_each(|(job, _)| self.state.mark_pending(job));
                self.decide_by_table(&request, answer, ctx);
            }
            Poll::Pending => {
                self.counts.eta_tables += 1;
                self.tables += 1;
                request.jobs.iter().for_each(|(job, _)| self.state.mark_pending(job));
                ctx.spawn(answer.into_actor(self).map(move |answer, actor, ctx| {
                    actor.tables -= 1;
                    actor.decide_by_table(&request, answer.flatten(), ctx);
                }));
            }
        }
    }

    /// Returns the nearest candidates of each due job, or `None` if a table would come too late or help too little.
    fn table_request(&self, due: &Due) -> Option<TableRequest> {
        let jobs = due.jobs().count();
        let of_job = (MAX_PAIRS / jobs.max(1)).min(MAX_PAIRS_OF_JOB);
        if self.tables >= MAX_TABLES || of_job < MIN_PAIRS_OF_JOB || jobs == 0 {
            return None;
        }
        let jobs = due.jobs().map(|job| {
            let mut nearest: Vec<_> = job.candidates.iter().collect();
            nearest.sort_by_key(|candidate| (candidate.estimate.distance_m, candidate.mechanic_id));
            let ids = nearest.into_iter().take(of_job).map(|candidate| candidate.mechanic_id);
            let ways = ids.filter_map(|id| Some((id, self.state.supply(id)?.point)));
            (job.clone(), ways.collect())
        });
        Some(TableRequest { jobs: jobs.collect() })
    }

    /// Returns the port's answer: `None` if it has no table, `Some(None)` if it did not answer as promised.
    fn table(
        &self,
        request: &TableRequest,
        now: DateTime<Utc>,
    ) -> Pin<Box<dyn Future<Output = Option<Answer>>>> {
        let eta = self.context.eta.clone();
        let ways: Vec<_> = request.ways().collect();
        let expected = ways.len();
        Box::pin(async move {
            let table = eta.table(ways, now)?;
            let answer = tokio::time::timeout(TABLE_LIMIT, table).await.ok();
            Some(answer.filter(|estimates| estimates.len() == expected))
        })
    }

    /// Decides for the jobs of a request by its answer, as far as jobs and mechanics have not changed since.
    fn decide_by_table(&mut self, request: &TableRequest, answer: Answer, ctx: &mut Context<Self>) {
        self.take_supplies_in();
        let (eta, policy, now) = (self.context.eta.clone(), self.context.policy(), self.context.clock.now());
        let fallback = || {
            let estimate = |(from, to)| eta.estimate(from, to, now);
            request.ways().map(estimate).collect()
        };
        let mut estimates = answer.unwrap_or_else(fallback).into_iter();
        let mut tables = Vec::with_capacity(request.jobs.len());
        for (job, ways) in &request.jobs {
            let estimates: BTreeMap<_, _> = ways.iter().map(|(id, _)| *id).zip(estimates.by_ref()).collect();
            if self.state.resolve_pending(job.job_id, job.revision) {
                tables.push(JobEstimates { job_id: job.job_id, estimates });
            } else {
                self.counts.stale += 1;
            }
        }
        let (_, uses) = self.look(now, ctx);
        let mut open = Vec::with_capacity(tables.len());
        for table in &tables {
            match self.state.look_by_table(table, &policy, now) {
                Some(job) => open.push(job),
                None => self.counts.stale += 1,
            }
        }
        let due = Due::all(open, &policy);
        self.decide(due, &uses, now, ctx);
        self.pass_soon(ctx);
    }

    /// Decides for all jobs that are due, except those whose problem is solved on another thread.
    fn decide(&mut self, mut due: Due, uses: &CandidateUse, now: DateTime<Utc>, ctx: &mut Context<Self>) {
        let policy = self.context.policy();
        let mut small = Vec::with_capacity(due.components.len());
        for component in due.components {
            let may_be_long = self.context.may_solve_elsewhere && component.is_contested;
            match may_be_long.then(|| PosedProblem::new(&component, &policy)) {
                Some(Ok(posed)) if posed.edges() > policy.solve_inline_edges => {
                    self.solve_elsewhere(component, posed, ctx);
                }
                _ => small.push(component),
            }
        }
        due.components = small;
        let decided = due.decide(uses, &policy, now);
        decided.contested.iter().for_each(|method| self.note_contested(*method));
        self.make_offers(decided.decisions, ctx);
    }

    fn note_contested(&mut self, method: Method) {
        self.counts.contested += 1;
        self.counts.bounded += u64::from(matches!(method, Method::Bounded { .. }));
    }

    /// Solves a large component on a thread of its own.
    fn solve_elsewhere(&mut self, component: Component, posed: PosedProblem, ctx: &mut Context<Self>) {
        if self.solves >= MAX_SOLVES {
            // The component's jobs stay ready, and the next pass looks at them again.
            return self.pass_soon(ctx);
        }
        self.solves += 1;
        self.counts.beside += 1;
        component.jobs.iter().for_each(|job| self.state.mark_pending(job));
        let solve = actix_rt::task::spawn_blocking(move || posed.solve());
        ctx.spawn(solve.into_actor(self).map(move |matched, actor, ctx| {
            actor.solves -= 1;
            match matched {
                Ok(matched) => actor.use_solution(component, matched, ctx),
                Err(error) => {
                    tracing::error!(error.cause = %error, "solving an assignment failed");
                    for job in &component.jobs {
                        actor.state.resolve_pending(job.job_id, job.revision);
                    }
                    actor.pass_soon(ctx);
                }
            }
        }));
    }

    fn use_solution(&mut self, component: Component, matched: Matched, ctx: &mut Context<Self>) {
        self.take_supplies_in();
        let now = self.context.clock.now();
        self.note_contested(matched.method);
        let mut choices = Vec::new();
        for choice in matched.matches(component) {
            let is_same = self.state.resolve_pending(choice.job.job_id, choice.job.revision);
            let still_fits = |choice: &Match| {
                choice
                    .first
                    .as_ref()
                    .is_none_or(|first| self.state.still_fits(&choice.job, first.mechanic_id, now))
            };
            if is_same && still_fits(&choice) {
                choices.push(choice);
            } else {
                self.counts.stale += 1;
            }
        }
        let (_, uses) = self.look(now, ctx);
        self.make_offers(answers::offers(choices, &uses, now), ctx);
        self.pass_soon(ctx);
    }
}

impl TableRequest {
    fn ways(&self) -> impl Iterator<Item = (Point, Point)> {
        self.jobs.iter().flat_map(|(job, ways)| ways.iter().map(|(_, from)| (*from, job.demand.pickup)))
    }
}
