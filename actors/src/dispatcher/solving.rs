//! Turns competing jobs into one assignment problem, and its solution into matches. Pure.

use std::collections::BTreeSet;

use super::{
    answers::Match,
    assignment::{self, Budget, Fault, Problem, Row},
    components::Component,
    explain::Method,
    matching::{MAX_TERM_S, WaitingJob},
};
use crate::{ids::MechanicId, settings::MatchingPolicy};

/// The largest number of jobs in one component whose ties are broken by rank. With more, the prices would exceed
/// what the solver accepts, so its own order decides.
const MAX_RANKED: i64 = 1_500;

/// A contested component as a problem of numbers, which may be solved on any thread.
#[derive(Debug)]
pub struct PosedProblem {
    problem: Problem,
    columns: Vec<MechanicId>,
    /// Prices are multiplied by this, which leaves room below a second for breaking ties.
    scale: i64,
    budget: Budget,
}

/// The mechanic matched with each job.
#[derive(Debug, Clone, PartialEq)]
pub struct Matched {
    /// The mechanic of each job, in the order of the component's jobs.
    pub mechanics: Vec<Option<MechanicId>>,
    pub method: Method,
}

/// Returns the cost of leaving a job without a mechanic, which is never less than serving it with its cheapest
/// candidate. So a far pickup is served if no other job wants the mechanic. More jobs are served rather than fewer,
/// as long as the travel times of the others do not grow by more than this.
///
/// The price of the work is part of the cost: some mechanic has to do it, so leaving it for later saves nothing.
/// Otherwise the job with less work would always come first.
pub fn unserved(job: &WaitingJob, policy: &MatchingPolicy) -> i64 {
    let first = job.candidates.first().map(|candidate| &candidate.terms);
    let cheapest = first.map_or(0, |terms| terms.cost_s + 1);
    let work_s = first.and_then(|terms| terms.foresight).map_or(0, |foresight| foresight.on_site_price_s);
    (policy.unserved_s.min(MAX_TERM_S) + work_s).max(cheapest) + job.priority_s
}

impl PosedProblem {
    /// Poses the problem with the component's jobs as rows and their mechanics as columns.
    ///
    /// Ties go to the older job, then to the candidate of lower cost, then of lower id: each choice costs a fraction of
    /// a second more by its rank, and these fractions add up to less than a second.
    pub fn new(component: &Component, policy: &MatchingPolicy) -> Result<Self, Fault> {
        let (jobs, depth) = (&component.jobs, component.depth());
        let kept = || jobs.iter().map(|job| &job.candidates[..depth.min(job.candidates.len())]);
        let mut columns: Vec<_> = kept().flatten().map(|candidate| candidate.mechanic_id).collect();
        columns.sort_unstable();
        columns.dedup();
        let n = jobs.len() as i64;
        let scale = if n <= MAX_RANKED { n * (n + depth as i64) + 1 } else { 1 };
        let price = |cost_s: i64, rank: i64| cost_s * scale + rank.min(scale - 1);
        let rows = jobs.iter().zip(kept()).zip(0..).map(|((job, kept), rank)| Row {
            unassigned_cost: price(unserved(job, policy), n - rank),
            edges: kept
                .iter()
                .zip(0..)
                .filter_map(|(candidate, rank)| {
                    let column = columns.binary_search(&candidate.mechanic_id).ok()?;
                    Some((column as u32, price(candidate.terms.cost_s, rank)))
                })
                .collect(),
        });
        let problem = Problem::new(rows.collect(), columns.len())?;
        let is_small = problem.edge_count() <= policy.solve_exact_edges;
        let budget = if is_small { Budget::UNLIMITED } else { Budget(policy.solve_steps) };
        Ok(Self { problem, columns, scale, budget })
    }

    /// Returns the number of pairs of job and mechanic.
    pub fn edges(&self) -> usize {
        self.problem.edge_count()
    }

    /// Returns the minimum-cost assignment, or the best that was found within the budget.
    pub fn solve(&self) -> Matched {
        let solution = assignment::solve(&self.problem, self.budget);
        let gap_s = (solution.gap() + self.scale - 1) / self.scale;
        let method = if solution.is_exact { Method::Exact } else { Method::Bounded { gap_s } };
        let columns = solution.columns_of_rows.into_iter();
        let mechanics =
            columns.map(|column| column.and_then(|column| self.columns.get(column as usize).copied()));
        Matched { mechanics: mechanics.collect(), method }
    }
}

impl Matched {
    /// Returns the result for an uncontested component: every job gets its cheapest candidate.
    pub fn alone(component: &Component) -> Self {
        let cheapest = |job: &WaitingJob| job.candidates.first().map(|candidate| candidate.mechanic_id);
        Self { mechanics: component.jobs.iter().map(cheapest).collect(), method: Method::Alone }
    }

    /// Returns the result for a component with more jobs than the solver accepts: the oldest jobs choose first.
    pub fn greedy(component: &Component) -> Self {
        let mut taken = BTreeSet::new();
        let first = |job: &WaitingJob| {
            let mut mechanics = job.candidates.iter().map(|candidate| candidate.mechanic_id);
            mechanics.find(|id| taken.insert(*id))
        };
        Self { mechanics: component.jobs.iter().map(first).collect(), method: Method::Greedy }
    }

    /// Returns the jobs of the component with their chosen candidates.
    pub fn matches(self, component: Component) -> impl Iterator<Item = Match> {
        let (method, competing) = (self.method, component.jobs.len());
        component.jobs.into_iter().zip(self.mechanics).map(move |(job, mechanic)| {
            let candidate = job.candidates.iter().find(|candidate| Some(candidate.mechanic_id) == mechanic);
            let first = candidate.cloned();
            Match { job, first, method, competing }
        })
    }
}
