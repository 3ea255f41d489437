//! The exact search: rows compete for columns, then the remaining rows are placed along shortest augmenting paths.
//! Pure.
//!
//! Invariants: the dual value of a column is never positive and is zero while the column is free; an assigned row has
//! its cheapest option, by price less dual value; a row that stays unassigned has no option below its own price.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::problem::{Budget, Edge, Matching, NONE, Problem};

/// How many times rows may compete before paths are cheaper, as a multiple of the number of rows.
const ROUNDS: usize = 12;

/// The state of a search.
#[derive(Debug)]
pub(super) struct Search<'a> {
    problem: &'a Problem,
    pub matching: Matching,
    pub column_duals: Vec<i64>,
    budget: u64,
    left: u64,
    paths: Paths,
}

/// Shortest paths from one row, with their buffers, which are reused from row to row.
#[derive(Debug)]
struct Paths {
    /// The columns by the length of the path to them.
    open: BinaryHeap<Reverse<(i64, u32)>>,
    /// The length by column; `i64::MAX` if no path is known.
    length: Vec<i64>,
    /// The row before each column on the shortest path, and the price of that edge.
    before: Vec<(u32, i64)>,
    /// The columns with a length.
    touched: Vec<u32>,
    /// The columns whose length is final.
    settled: Vec<u32>,
}

/// The place where a path may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The path ends at a free column.
    Column(u32),
    /// The path ends at a row that gives up its column and stays unassigned.
    Row(u32),
}

/// The best end so far, and its distance.
#[derive(Debug, Clone, Copy)]
struct Best {
    length: i64,
    end: End,
}

impl<'a> Search<'a> {
    pub fn new(problem: &'a Problem, budget: Budget) -> Self {
        let columns = problem.columns;
        Self {
            problem,
            matching: Matching::new(problem),
            column_duals: vec![0; columns],
            budget: budget.0,
            left: budget.0,
            paths: Paths {
                open: BinaryHeap::new(),
                length: vec![i64::MAX; columns],
                before: vec![(NONE, 0); columns],
                touched: Vec::new(),
                settled: Vec::new(),
            },
        }
    }

    /// Returns the number of edges looked at so far.
    pub fn steps(&self) -> u64 {
        self.budget - self.left
    }

    /// Places rows until all are placed or the budget ends. Returns the rows that are not placed, in order.
    pub fn run(&mut self) -> Vec<usize> {
        let mut left = self.compete();
        left.sort_unstable();
        let placed = left.iter().take_while(|row| self.augment(**row)).count();
        left.split_off(placed)
    }

    /// Lets rows compete: each row takes its cheapest column and raises that column's price (lowers its dual value)
    /// to the point where it is still as cheap as the next best option. The row that had the column looks for
    /// another. Returns the rows that found no place this way.
    fn compete(&mut self) -> Vec<usize> {
        let rows = self.problem.rows();
        let mut left = Vec::new();
        let mut rounds = rows * ROUNDS;
        for first in 0..rows {
            let mut next = Some(first);
            while let Some(row) = next {
                if rounds == 0 || self.left == 0 {
                    left.push(row);
                    break;
                }
                rounds -= 1;
                next = match self.take_cheapest(row) {
                    Ok(displaced) => displaced,
                    Err(NotAlone) => {
                        left.push(row);
                        None
                    }
                };
            }
        }
        left
    }

    /// Gives a row its cheapest column. Returns the row that had the column before.
    fn take_cheapest(&mut self, row: usize) -> Result<Option<usize>, NotAlone> {
        let unassigned = self.problem.unassigned[row];
        let (mut best, mut cost, mut second) = (None::<(Edge, bool)>, unassigned, unassigned);
        for edge in self.problem.edges_of(row) {
            if edge.cost > cost && edge.cost >= second {
                break;
            }
            self.left = self.left.saturating_sub(1);
            let reduced = edge.cost - self.column_duals[edge.column as usize];
            let is_free = self.matching.is_free(edge.column);
            let is_better = match best {
                None => reduced <= cost,
                Some((_, is_best_free)) => reduced < cost || (reduced == cost && is_free && !is_best_free),
            };
            if is_better {
                (best, cost, second) = (Some((*edge, is_free)), reduced, cost);
            } else {
                second = second.min(reduced);
            }
        }
        let Some((edge, is_free)) = best else { return Ok(None) };
        if !is_free && cost == second {
            return Err(NotAlone);
        }
        let column = edge.column as usize;
        let displaced = (!is_free).then_some(self.matching.row_of[column] as usize);
        if let Some(displaced) = displaced {
            self.matching.column_of[displaced] = NONE;
        }
        self.column_duals[column] -= second - cost;
        self.matching.assign(row, edge);
        Ok(displaced)
    }

    /// Places a row by moving others along the shortest path. Returns `false` if the budget ended before a path was
    /// found.
    fn augment(&mut self, root: usize) -> bool {
        let Some(best) = self.shortest(root) else {
            self.paths.forget();
            return false;
        };
        for column in &self.paths.settled {
            let column = *column as usize;
            self.column_duals[column] += self.paths.length[column] - best.length;
        }
        let mut next = match best.end {
            End::Column(column) => column,
            End::Row(row) => std::mem::replace(&mut self.matching.column_of[row as usize], NONE),
        };
        while next != NONE {
            let (row, cost) = self.paths.before[next as usize];
            let given_up = self.matching.column_of[row as usize];
            self.matching.assign(row as usize, Edge { cost, column: next });
            next = given_up;
        }
        self.paths.forget();
        true
    }

    /// Finds the shortest path by Dijkstra's algorithm over prices less dual values, which are never negative along
    /// an assigned row.
    fn shortest(&mut self, root: usize) -> Option<Best> {
        let mut best = Best { length: self.problem.unassigned[root], end: End::Row(root as u32) };
        self.reach(root, 0, &mut best)?;
        while let Some(Reverse((length, column))) = self.paths.open.pop() {
            if length >= best.length {
                break;
            }
            if length > self.paths.length[column as usize] {
                continue;
            }
            self.paths.settled.push(column);
            let row = self.matching.row_of[column as usize];
            let price = self.matching.price_of[column as usize] - self.column_duals[column as usize];
            let base = length - price;
            let given_up = base + self.problem.unassigned[row as usize];
            if given_up < best.length {
                best = Best { length: given_up, end: End::Row(row) };
            }
            self.reach(row as usize, base, &mut best)?;
        }
        Some(best)
    }

    /// Follows the edges of a row whose prices begin at `base`.
    fn reach(&mut self, row: usize, base: i64, best: &mut Best) -> Option<()> {
        let Paths { open, length: lengths, before, touched, .. } = &mut self.paths;
        for edge in self.problem.edges_of(row) {
            let at_least = base + edge.cost;
            if at_least > best.length {
                break;
            }
            self.left = self.left.checked_sub(1)?;
            let column = edge.column as usize;
            let length = at_least - self.column_duals[column];
            if self.matching.is_free(edge.column) {
                let is_tie = length == best.length && matches!(best.end, End::Row(_));
                if length < best.length || is_tie {
                    *best = Best { length, end: End::Column(edge.column) };
                    before[column] = (row as u32, edge.cost);
                }
            } else if length < best.length && length < lengths[column] {
                if lengths[column] == i64::MAX {
                    touched.push(edge.column);
                }
                lengths[column] = length;
                before[column] = (row as u32, edge.cost);
                open.push(Reverse((length, edge.column)));
            }
        }
        Some(())
    }
}

/// The cheapest column belongs to another row, and another option is as cheap, so prices decide nothing.
#[derive(Debug, Clone, Copy)]
struct NotAlone;

impl Paths {
    fn forget(&mut self) {
        for column in self.touched.drain(..) {
            self.length[column as usize] = i64::MAX;
        }
        self.open.clear();
        self.settled.clear();
    }
}
