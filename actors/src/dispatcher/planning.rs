//! Makes one pass over the waiting jobs: which jobs are decided now, and with what result. Pure.

use chrono::{DateTime, Utc};

use super::{
    answers::{self, CandidateUse, Decision, Match},
    components::{self, Component},
    explain::Method,
    matching::WaitingJob,
    solving::{Matched, PosedProblem},
};
use crate::settings::{MatchingPolicy, Strategy};

/// The jobs to decide, grouped by what is decided together.
#[derive(Debug, Default)]
pub struct Due {
    pub components: Vec<Component>,
    /// Jobs that have an offer out and room for more.
    pub widening: Vec<WaitingJob>,
}

/// The decisions of a pass.
#[derive(Debug, Default)]
pub struct Decided {
    pub decisions: Vec<Decision>,
    /// How each contested component was decided.
    pub contested: Vec<Method>,
}

impl Due {
    /// Returns all jobs, however long they have gathered.
    pub fn all(open: Vec<WaitingJob>, policy: &MatchingPolicy) -> Self {
        if policy.strategy != Strategy::Exact {
            let components = vec![Component { jobs: open, is_contested: false }];
            return Self { components, widening: Vec::new() };
        }
        let (widening, searching) = open.into_iter().partition(|job| job.demand.has_offer);
        Self { components: components::split(searching), widening }
    }

    /// Returns the jobs without competition and those that have gathered long enough, and the time at which the
    /// next jobs will have.
    pub fn now(
        open: Vec<WaitingJob>,
        policy: &MatchingPolicy,
        now: DateTime<Utc>,
    ) -> (Self, Option<DateTime<Utc>>) {
        let Self { components, widening } = Self::all(open, policy);
        let waits =
            |component: &Component| component.gathers_until(policy.window).filter(|until| now < *until);
        let next = components.iter().filter_map(waits).min();
        let components = components.into_iter().filter(|component| waits(component).is_none()).collect();
        (Self { components, widening }, next)
    }

    /// Returns every job that is decided.
    pub fn jobs(&self) -> impl Iterator<Item = &WaitingJob> {
        self.components.iter().flat_map(|component| &component.jobs).chain(&self.widening)
    }

    /// Decides for all of these jobs, by the policy's strategy.
    pub fn decide(self, uses: &CandidateUse, policy: &MatchingPolicy, now: DateTime<Utc>) -> Decided {
        if policy.strategy != Strategy::Exact {
            let jobs = self.components.into_iter().flat_map(|component| component.jobs).collect();
            let decisions = answers::greedy(jobs, policy.strategy, now);
            return Decided { decisions, contested: Vec::new() };
        }
        let widen = |job| Match { job, first: None, method: Method::Alone, competing: 1 };
        let mut matches: Vec<Match> = self.widening.into_iter().map(widen).collect();
        let mut contested = Vec::new();
        for component in self.components {
            let matched = if component.is_contested {
                let posed = PosedProblem::new(&component, policy);
                let matched = posed.map_or_else(|_| Matched::greedy(&component), |posed| posed.solve());
                contested.push(matched.method);
                matched
            } else {
                Matched::alone(&component)
            };
            matches.extend(matched.matches(component));
        }
        Decided { decisions: answers::offers(matches, uses, now), contested }
    }
}
