//! The dispatcher's decisions: asks for ETA tables, solves what competes, small problems at once and large ones beside.
//!
//! Whatever is decided elsewhere is decided on an old picture. Its jobs are held meanwhile, so that nothing is begun
//! twice for one of them, and when it comes back every choice is looked at again: those whose job or mechanic changed
//! are dropped and the jobs looked at anew, the rest is used.

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
    answers::{self, Pick, Users},
    components::Component,
    explain::Method,
    matching::Waiting,
    planning::Due,
    solving::{Matched, Posed},
    state::Estimated,
};
use crate::{geo::Point, ids::MechanicId, ports::Estimate};

/// Pairs of job and mechanic in one question for a table, and of one job; the nearest.
const MAX_PAIRS: usize = 400;
const MAX_PAIRS_OF_JOB: usize = 16;
/// With fewer pairs left for each job a choice among them says little: so many jobs are decided without a table.
const MIN_PAIRS_OF_JOB: usize = 4;
/// Questions under way at once; beyond it jobs are decided without a table, rather than wait for those of others.
const MAX_TABLES: usize = 8;
/// A port that does not keep to its own limit is not waited for longer than this.
const TABLE_LIMIT: Duration = Duration::from_secs(2);
/// Solves beside the dispatcher at once; further components wait for the next pass.
const MAX_SOLVES: usize = 2;

/// One question for a table: the jobs with their word and the ways that were asked for.
#[derive(Debug)]
struct Asked {
    jobs: Vec<(Waiting, Vec<(MechanicId, Point)>)>,
}

type Answer = Option<Vec<Estimate>>;

impl DispatcherActor {
    /// Asks for a table where the port has one; decides at once where not.
    pub(super) fn ask_or_decide(
        &mut self,
        due: Due,
        users: &Users,
        now: DateTime<Utc>,
        ctx: &mut Context<Self>,
    ) {
        let Some(asked) = self.question(&due) else { return self.decide(due, users, now, ctx) };
        let mut answer = self.table(&asked, now);
        // Whether there is anything to wait for is known at the first look.
        match answer.as_mut().poll(&mut task::Context::from_waker(task::Waker::noop())) {
            Poll::Ready(None) => self.decide(due, users, now, ctx),
            Poll::Ready(Some(answer)) => {
                self.counts.eta_tables += 1;
                asked.jobs.iter().for_each(|(job, _)| self.picture.hold(job));
                self.decide_by_table(&asked, answer, ctx);
            }
            Poll::Pending => {
                self.counts.eta_tables += 1;
                self.tables += 1;
                asked.jobs.iter().for_each(|(job, _)| self.picture.hold(job));
                ctx.spawn(answer.into_actor(self).map(move |answer, actor, ctx| {
                    actor.tables -= 1;
                    actor.decide_by_table(&asked, answer.flatten(), ctx);
                }));
            }
        }
    }

    /// The nearest candidates of each job that is due. `None` where a table would come too late or say too little.
    fn question(&self, due: &Due) -> Option<Asked> {
        let jobs = due.jobs().count();
        let of_job = (MAX_PAIRS / jobs.max(1)).min(MAX_PAIRS_OF_JOB);
        if self.tables >= MAX_TABLES || of_job < MIN_PAIRS_OF_JOB || jobs == 0 {
            return None;
        }
        let jobs = due.jobs().map(|job| {
            let mut nearest: Vec<_> = job.candidates.iter().collect();
            nearest.sort_by_key(|candidate| (candidate.estimate.distance_m, candidate.mechanic_id));
            let ids = nearest.into_iter().take(of_job).map(|candidate| candidate.mechanic_id);
            let ways = ids.filter_map(|id| Some((id, self.picture.view(id)?.point)));
            (job.clone(), ways.collect())
        });
        Some(Asked { jobs: jobs.collect() })
    }

    /// The port's answer: `None` where it has no table, `Some(None)` where it did not answer as promised.
    fn table(&self, asked: &Asked, now: DateTime<Utc>) -> Pin<Box<dyn Future<Output = Option<Answer>>>> {
        let eta = self.world.ports.eta.clone();
        let ways: Vec<_> = asked.ways().collect();
        let expected = ways.len();
        Box::pin(async move {
            let table = eta.table(ways, now)?;
            let answer = tokio::time::timeout(TABLE_LIMIT, table).await.ok();
            Some(answer.filter(|estimates| estimates.len() == expected))
        })
    }

    /// Decides for the jobs of a question by its answer, as far as jobs and mechanics are still what they were.
    fn decide_by_table(&mut self, asked: &Asked, answer: Answer, ctx: &mut Context<Self>) {
        let (world, policy, now) = (self.world.clone(), self.world.matching(), self.world.clock.now());
        let fallback = || {
            let estimate = |(from, to)| world.ports.eta.estimate(from, to, now);
            asked.ways().map(estimate).collect()
        };
        let mut estimates = answer.unwrap_or_else(fallback).into_iter();
        let mut tables = Vec::with_capacity(asked.jobs.len());
        for (job, ways) in &asked.jobs {
            let estimates: BTreeMap<_, _> = ways.iter().map(|(id, _)| *id).zip(estimates.by_ref()).collect();
            if self.picture.release(job.job_id, job.word) {
                tables.push(Estimated { job_id: job.job_id, estimates });
            } else {
                self.counts.stale += 1;
            }
        }
        let (_, users) = self.look(now, ctx);
        let mut open = Vec::with_capacity(tables.len());
        for table in &tables {
            match self.picture.look_by_table(table, &policy, now) {
                Some(job) => open.push(job),
                None => self.counts.stale += 1,
            }
        }
        let due = Due::all(open, &policy);
        self.decide(due, &users, now, ctx);
        self.pass_soon(ctx);
    }

    /// Decides for everybody that is due, save those whose problem is solved beside.
    fn decide(&mut self, mut due: Due, users: &Users, now: DateTime<Utc>, ctx: &mut Context<Self>) {
        let policy = self.world.matching();
        let mut small = Vec::with_capacity(due.components.len());
        for component in due.components {
            // A run on the caller's thread, under virtual time, must be the same run again.
            let may_be_long = self.world.arbiters.are_ours && component.is_contested;
            match may_be_long.then(|| Posed::new(&component, &policy)) {
                Some(Ok(posed)) if posed.edges() > policy.solve_inline_edges => {
                    self.solve_beside(component, posed, ctx);
                }
                _ => small.push(component),
            }
        }
        due.components = small;
        let decided = due.decide(users, &policy, now);
        decided.contested.iter().for_each(|method| self.note_contested(*method));
        self.carry_out(decided.decisions, ctx);
    }

    fn note_contested(&mut self, method: Method) {
        self.counts.contested += 1;
        self.counts.bounded += u64::from(matches!(method, Method::Bounded { .. }));
    }

    /// Solves a large component on a thread of its own.
    fn solve_beside(&mut self, component: Component, posed: Posed, ctx: &mut Context<Self>) {
        if self.solves >= MAX_SOLVES {
            // Its jobs are awake, and looked at again.
            return self.pass_soon(ctx);
        }
        self.solves += 1;
        self.counts.beside += 1;
        component.jobs.iter().for_each(|job| self.picture.hold(job));
        let solve = actix_rt::task::spawn_blocking(move || posed.solve());
        ctx.spawn(solve.into_actor(self).map(move |matched, actor, ctx| {
            actor.solves -= 1;
            match matched {
                Ok(matched) => actor.use_solution(component, matched, ctx),
                Err(error) => {
                    tracing::error!(error.cause = %error, "a solve broke off");
                    for job in &component.jobs {
                        actor.picture.release(job.job_id, job.word);
                    }
                    actor.pass_soon(ctx);
                }
            }
        }));
    }

    fn use_solution(&mut self, component: Component, matched: Matched, ctx: &mut Context<Self>) {
        let now = self.world.clock.now();
        self.note_contested(matched.method);
        let mut picks = Vec::new();
        for pick in matched.picks(component) {
            let is_same = self.picture.release(pick.job.job_id, pick.job.word);
            let still_fits = |pick: &Pick| {
                pick.first
                    .as_ref()
                    .is_none_or(|first| self.picture.still_fits(&pick.job, first.mechanic_id, now))
            };
            if is_same && still_fits(&pick) {
                picks.push(pick);
            } else {
                self.counts.stale += 1;
            }
        }
        let (_, users) = self.look(now, ctx);
        self.carry_out(answers::offers(picks, &users, now), ctx);
        self.pass_soon(ctx);
    }
}

impl Asked {
    fn ways(&self) -> impl Iterator<Item = (Point, Point)> {
        self.jobs.iter().flat_map(|(job, ways)| ways.iter().map(|(_, from)| (*from, job.want.pickup)))
    }
}
