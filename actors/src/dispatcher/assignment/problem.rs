//! The problem of an assignment, and an assignment under construction. Pure.

/// The largest price, positive or negative. With at most [`MAX_ROWS`] rows, no sum of prices overflows.
pub const MAX_COST: i64 = 1 << 40;
/// The largest number of rows, and of columns.
pub const MAX_ROWS: usize = 1 << 20;

pub(super) const NONE: u32 = u32::MAX;

/// A row as the caller describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The price of leaving the row unassigned.
    pub unassigned_cost: i64,
    /// Columns that may serve the row, and their prices. If a column is listed twice, the lower price counts.
    pub edges: Vec<(u32, i64)>,
}

/// A checked sparse instance.
#[derive(Debug, Clone)]
pub struct Problem {
    pub(super) unassigned: Vec<i64>,
    /// The index in `edges` at which each row begins, and the index at which the last row ends.
    begins: Vec<usize>,
    /// Sorted by row, then price, then column. Dual values of columns are never positive, so a scan may stop early.
    edges: Vec<Edge>,
    pub(super) columns: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) cost: i64,
    pub(super) column: u32,
}

/// The number of edges that the search may look at. This is a count and not a time, so that a replay gives the same
/// answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget(pub u64);

impl Budget {
    pub const UNLIMITED: Self = Self(u64::MAX);
}

/// The reason why a problem or a solution is invalid.
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
    /// Checks the rows and builds the problem. Refuses numbers beyond [`MAX_COST`] and [`MAX_ROWS`].
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

    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn edges_of(&self, row: usize) -> &[Edge] {
        &self.edges[self.begins[row]..self.begins[row + 1]]
    }

    /// Returns the best dual value of a row, given these values of columns.
    pub(super) fn dual_of(&self, row: usize, columns: &[i64]) -> i64 {
        let options = self.edges_of(row).iter().map(|edge| edge.cost - columns[edge.column as usize]);
        options.fold(self.unassigned[row], i64::min)
    }
}

/// The assignment while it is being searched for.
#[derive(Debug, Clone)]
pub(super) struct Matching {
    pub(super) column_of: Vec<u32>,
    pub(super) row_of: Vec<u32>,
    /// The price of the edge of each assigned column.
    pub(super) price_of: Vec<i64>,
}

impl Matching {
    pub(super) fn new(problem: &Problem) -> Self {
        Self {
            column_of: vec![NONE; problem.rows()],
            row_of: vec![NONE; problem.columns],
            price_of: vec![0; problem.columns],
        }
    }

    pub(super) fn assign(&mut self, row: usize, edge: Edge) {
        self.column_of[row] = edge.column;
        self.row_of[edge.column as usize] = row as u32;
        self.price_of[edge.column as usize] = edge.cost;
    }

    pub(super) fn release(&mut self, row: usize) {
        if self.column_of[row] != NONE {
            self.row_of[self.column_of[row] as usize] = NONE;
            self.column_of[row] = NONE;
        }
    }

    pub(super) fn is_free(&self, column: u32) -> bool {
        self.row_of[column as usize] == NONE
    }

    pub(super) fn cost_of(&self, problem: &Problem, row: usize) -> i64 {
        match self.column_of[row] {
            NONE => problem.unassigned[row],
            column => self.price_of[column as usize],
        }
    }
}
