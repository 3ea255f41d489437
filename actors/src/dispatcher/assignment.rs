//! Who serves whom at the least total cost: an exact sparse assignment. Pure.
//!
//! Rows (jobs) are assigned to columns (mechanics) along priced edges, each column once; a row may stay unassigned at
//! its own price, so every problem has a solution. The method is that of successive shortest augmenting paths with
//! dual values (R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
//! problems", Computing 38, 1987): `search` reduces and augments.
//!
//! The dual values are always feasible. They prove that an exact solution is exact ([`certify`]). If the budget ends
//! early, they bound how far the answer can be from the optimum; `repair` then places the remaining rows.

mod repair;
mod search;

use self::search::Search;

/// The largest price, positive or negative. With at most [`MAX_ROWS`] rows, no sum of prices overflows.
pub const MAX_COST: i64 = 1 << 40;
/// The most rows, and the most columns.
pub const MAX_ROWS: usize = 1 << 20;

const NONE: u32 = u32::MAX;

/// A row as the caller describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The price of leaving the row unassigned.
    pub unassigned_cost: i64,
    /// Columns that may serve the row, and their prices. If a column is listed twice, the lower price counts.
    pub edges: Vec<(u32, i64)>,
}

/// A sparse instance, checked.
#[derive(Debug, Clone)]
pub struct Problem {
    unassigned: Vec<i64>,
    /// Where each row begins in `edges`, and where the last one ends.
    begins: Vec<usize>,
    /// Sorted by row, then price, then column. Dual values of columns are never positive, so a scan may stop early.
    edges: Vec<Edge>,
    columns: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    cost: i64,
    column: u32,
}

/// How many edges the search may look at. This is a count and not a time, so that a replay gives the same answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget(pub u64);

impl Budget {
    pub const UNLIMITED: Self = Self(u64::MAX);
}

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
    /// Edges that the search looked at.
    pub steps: u64,
}

impl Solution {
    /// The most by which the cost may exceed the least possible.
    pub fn gap(&self) -> i64 {
        self.cost - self.lower_bound
    }
}

/// Values of the dual problem; their sum is a lower bound on the cost of every assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duals {
    /// Never more than the price of leaving the row unassigned.
    pub rows: Vec<i64>,
    /// Never positive. The sum of a row's and a column's value is never more than the price of their edge.
    pub columns: Vec<i64>,
}

/// Why a problem or a solution is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("more than {MAX_ROWS} rows or columns")]
    TooLarge,
    #[error("a price of row {row} is beyond {MAX_COST} either way")]
    CostOutOfRange { row: usize },
    #[error("row {row} names column {column}, which is none")]
    NoSuchColumn { row: usize, column: u32 },
    #[error("an answer for a problem of another size")]
    Shape,
    #[error("row {row} is assigned along no edge")]
    NoSuchEdge { row: usize },
    #[error("column {column} is assigned twice")]
    AssignedTwice { column: u32 },
    #[error("the cost is not that of the assignment")]
    WrongCost,
    #[error("the dual values of row {row} and of its options contradict its prices")]
    InfeasibleRow { row: usize },
    #[error("the dual value of column {column} is positive")]
    InfeasibleColumn { column: usize },
    #[error("the lower bound is not the sum of the dual values")]
    WrongBound,
    #[error("the dual values do not prove that no assignment costs less")]
    NotProven,
}

impl Problem {
    /// Refuses input that can't be calculated with: see [`MAX_COST`] and [`MAX_ROWS`].
    pub fn new(rows: Vec<Row>, columns: usize) -> Result<Self, Fault> {
        if rows.len() > MAX_ROWS || columns > MAX_ROWS {
            return Err(Fault::TooLarge);
        }
        let mut problem = Self { unassigned: Vec::new(), begins: vec![0], edges: Vec::new(), columns };
        for (row, Row { unassigned_cost, mut edges }) in rows.into_iter().enumerate() {
            let mut costs = edges.iter().map(|(_, cost)| *cost).chain([unassigned_cost]);
            if costs.any(|cost| !(-MAX_COST..=MAX_COST).contains(&cost)) {
                return Err(Fault::CostOutOfRange { row });
            }
            if let Some((column, _)) = edges.iter().find(|(column, _)| *column as usize >= columns) {
                return Err(Fault::NoSuchColumn { row, column: *column });
            }
            edges.sort_unstable();
            edges.dedup_by_key(|(column, _)| *column);
            edges.sort_unstable_by_key(|(column, cost)| (*cost, *column));
            problem.unassigned.push(unassigned_cost);
            problem.edges.extend(edges.into_iter().map(|(column, cost)| Edge { cost, column }));
            problem.begins.push(problem.edges.len());
        }
        Ok(problem)
    }

    pub fn rows(&self) -> usize {
        self.unassigned.len()
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    fn edges_of(&self, row: usize) -> &[Edge] {
        &self.edges[self.begins[row]..self.begins[row + 1]]
    }

    /// The best dual value of a row, given these values of columns.
    fn dual_of(&self, row: usize, columns: &[i64]) -> i64 {
        let options = self.edges_of(row).iter().map(|edge| edge.cost - columns[edge.column as usize]);
        options.fold(self.unassigned[row], i64::min)
    }
}

/// Finds an assignment of least cost. If the budget ends before that, returns a good one and a bound on how far it is
/// from the optimum.
///
/// The same problem and budget give the same answer. If several assignments have the least cost, the order of rows,
/// then of columns, decides which one it is.
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

/// The assignment while it is being searched for.
#[derive(Debug, Clone)]
struct Matching {
    column_of: Vec<u32>,
    row_of: Vec<u32>,
    /// The price of the edge of each assigned column.
    price_of: Vec<i64>,
}

impl Matching {
    fn new(problem: &Problem) -> Self {
        Self {
            column_of: vec![NONE; problem.rows()],
            row_of: vec![NONE; problem.columns],
            price_of: vec![0; problem.columns],
        }
    }

    fn assign(&mut self, row: usize, edge: Edge) {
        self.column_of[row] = edge.column;
        self.row_of[edge.column as usize] = row as u32;
        self.price_of[edge.column as usize] = edge.cost;
    }

    fn release(&mut self, row: usize) {
        if self.column_of[row] != NONE {
            self.row_of[self.column_of[row] as usize] = NONE;
            self.column_of[row] = NONE;
        }
    }

    fn is_free(&self, column: u32) -> bool {
        self.row_of[column as usize] == NONE
    }

    fn cost_of(&self, problem: &Problem, row: usize) -> i64 {
        match self.column_of[row] {
            NONE => problem.unassigned[row],
            column => self.price_of[column as usize],
        }
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
