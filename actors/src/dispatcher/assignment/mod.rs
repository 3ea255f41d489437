//! Finds who serves whom at the least total cost: an exact sparse assignment. Pure.
//!
//! Rows (jobs) are assigned to columns (mechanics) along priced edges, each column once; a row may stay unassigned at
//! its own price, so every problem has a solution. The method is successive shortest augmenting paths with
//! dual values (R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
//! problems", Computing 38, 1987): `search` reduces and augments.
//!
//! The dual values are always feasible. They prove that an exact solution is exact ([`certify`]). If the budget ends
//! early, they bound how far the answer can be from the optimum; `repair` then places the remaining rows.

mod problem;
mod repair;
mod search;

pub use self::problem::{Budget, Fault, MAX_COST, MAX_ROWS, Problem, Row};
use self::{problem::NONE, search::Search};

/// An answer with its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The column of each row; `None` if it stays unassigned.
    pub columns_of_rows: Vec<Option<u32>>,
    pub cost: i64,
    /// No assignment costs less than this.
    pub lower_bound: i64,
    /// Whether `cost` is the least possible; if so, `lower_bound` is equal to it, which proves it.
    pub is_exact: bool,
    pub duals: Duals,
    /// The number of edges that the search looked at.
    pub steps: u64,
}

impl Solution {
    /// Returns the most by which the cost may exceed the least possible.
    pub fn gap(&self) -> i64 {
        self.cost - self.lower_bound
    }
}

/// Values of the dual problem; their sum is a lower bound on the cost of every assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duals {
    /// Each value is at most the price of leaving the row unassigned.
    pub rows: Vec<i64>,
    /// Each value is at most zero. The sum of a row's and a column's value is never more than the price of their
    /// edge.
    pub columns: Vec<i64>,
}

/// Finds an assignment of least cost. If the budget ends before that, returns a good one and a bound on how far it is
/// from the optimum.
///
/// The same problem and budget give the same answer. If several assignments have the least cost, the order of rows,
/// then of columns, decides between them.
pub fn solve(problem: &Problem, budget: Budget) -> Solution {
    let mut search = Search::new(problem, budget);
    let left = search.run();
    let (steps, columns) = (search.steps(), search.column_duals);
    let mut matching = search.matching;
    repair::place(problem, &mut matching, &left);
    let rows: Vec<i64> = (0..problem.rows()).map(|row| problem.dual_of(row, &columns)).collect();
    let cost = (0..problem.rows()).map(|row| matching.cost_of(problem, row)).sum();
    let lower_bound = rows.iter().sum::<i64>() + columns.iter().sum::<i64>();
    let of_row = matching.column_of.iter().map(|column| (*column != NONE).then_some(*column));
    Solution {
        columns_of_rows: of_row.collect(),
        cost,
        lower_bound,
        is_exact: cost == lower_bound,
        duals: Duals { rows, columns },
        steps,
    }
}

/// Checks an answer against its problem: that it is an assignment of this cost, and that the dual values are feasible
/// and give the bound. For an exact answer, cost and bound must be equal, which proves that no assignment is cheaper.
pub fn certify(problem: &Problem, solution: &Solution) -> Result<(), Fault> {
    let Duals { rows, columns } = &solution.duals;
    let is_of_size = solution.columns_of_rows.len() == problem.rows();
    if !is_of_size || rows.len() != problem.rows() || columns.len() != problem.columns {
        return Err(Fault::Shape);
    }
    let (mut taken, mut cost) = (vec![false; problem.columns], 0);
    for (row, column) in solution.columns_of_rows.iter().enumerate() {
        let Some(column) = *column else {
            cost += problem.unassigned[row];
            continue;
        };
        let edge = problem.edges_of(row).iter().find(|edge| edge.column == column);
        cost += edge.ok_or(Fault::NoSuchEdge { row })?.cost;
        if std::mem::replace(&mut taken[column as usize], true) {
            return Err(Fault::AssignedTwice { column });
        }
    }
    if cost != solution.cost {
        return Err(Fault::WrongCost);
    }
    if let Some(column) = columns.iter().position(|dual| *dual > 0) {
        return Err(Fault::InfeasibleColumn { column });
    }
    if let Some(row) = (0..problem.rows()).find(|row| rows[*row] > problem.dual_of(*row, columns)) {
        return Err(Fault::InfeasibleRow { row });
    }
    let bound = rows.iter().sum::<i64>() + columns.iter().sum::<i64>();
    if bound != solution.lower_bound {
        return Err(Fault::WrongBound);
    }
    let is_proven = if solution.is_exact { cost == bound } else { cost >= bound };
    is_proven.then_some(()).ok_or(Fault::NotProven)
}
