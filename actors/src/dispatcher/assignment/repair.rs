//! Places the rows that a search left when its budget ended: on the cheapest free columns, then by exchanges. Pure.

use super::problem::{Edge, Matching, NONE, Problem};

/// The number of edges that exchanges may look at, for each edge of the problem.
const STEPS_PER_EDGE: usize = 8;

/// Places the rows of `left`, the largest gains first, and then exchanges columns between two rows while that gains.
pub(super) fn place(problem: &Problem, matching: &mut Matching, left: &[usize]) {
    let mut gains: Vec<(i64, usize, Edge)> = Vec::new();
    for row in left {
        let unassigned = problem.unassigned[*row];
        let gaining = problem.edges_of(*row).iter().take_while(|edge| edge.cost <= unassigned);
        gains.extend(gaining.map(|edge| (edge.cost - unassigned, *row, *edge)));
    }
    gains.sort_unstable();
    for (_, row, edge) in gains {
        if matching.column_of[row] == NONE && matching.is_free(edge.column) {
            matching.assign(row, edge);
        }
    }
    let mut steps = problem.edge_count() * STEPS_PER_EDGE;
    while left.iter().filter(|row| improve(problem, matching, **row, &mut steps)).count() > 0 {}
}

/// Lets a row take a column from another row that loses less than this row gains. Returns whether it did.
fn improve(problem: &Problem, matching: &mut Matching, row: usize, steps: &mut usize) -> bool {
    let now = matching.cost_of(problem, row);
    let own = matching.column_of[row];
    for edge in problem.edges_of(row).iter().take_while(|edge| edge.cost < now) {
        let Some(rest) = steps.checked_sub(1) else { return false };
        *steps = rest;
        let other = matching.row_of[edge.column as usize];
        if other == NONE {
            matching.release(row);
            matching.assign(row, *edge);
            return true;
        }
        let (other, paid) = (other as usize, matching.price_of[edge.column as usize]);
        let (instead, looked_at) = next_best(problem, matching, other, own);
        *steps = steps.saturating_sub(looked_at);
        let loss = instead.map_or(problem.unassigned[other], |edge| edge.cost) - paid;
        if loss < now - edge.cost {
            matching.release(row);
            matching.release(other);
            matching.assign(row, *edge);
            if let Some(instead) = instead {
                matching.assign(other, instead);
            }
            return true;
        }
    }
    false
}

/// Returns the cheapest edge of a row to a free column, or to `freed`, that costs no more than staying unassigned;
/// and how many edges were looked at.
fn next_best(problem: &Problem, matching: &Matching, row: usize, freed: u32) -> (Option<Edge>, usize) {
    let unassigned = problem.unassigned[row];
    let mut looked_at = 0;
    let found = problem.edges_of(row).iter().take_while(|edge| edge.cost <= unassigned).find(|edge| {
        looked_at += 1;
        matching.is_free(edge.column) || edge.column == freed
    });
    (found.copied(), looked_at)
}

#[cfg(test)]
mod tests {
    use super::{super::problem::Row, *};

    #[test]
    fn another_column_is_free_or_freed_and_every_edge_before_it_was_looked_at() {
        let rows = [(9, vec![(0, 1), (1, 2), (2, 9), (3, 10)]), (9, vec![(0, 1)])];
        let rows = rows.map(|(unassigned_cost, edges)| Row { unassigned_cost, edges });
        let problem = Problem::new(rows.into(), 4).expect("a problem in range");
        let mut matching = Matching::new(&problem);
        let edge = |column| problem.edges_of(0)[column as usize];
        for (taken, freed, expected) in [
            (vec![], NONE, (Some(edge(0)), 1)),
            (vec![0], NONE, (Some(edge(1)), 2)),
            (vec![0], 0, (Some(edge(0)), 1)),
            (vec![0, 1], NONE, (Some(edge(2)), 3)),
            (vec![0, 1, 2], 1, (Some(edge(1)), 2)),
            (vec![0, 1, 2], NONE, (None, 3)),
        ] {
            taken.iter().for_each(|column| matching.assign(1, edge(*column)));
            assert_eq!(next_best(&problem, &matching, 0, freed), expected, "{taken:?} {freed}");
        }
    }

    #[test]
    fn exchanges_end_when_they_have_looked_at_as_many_edges_as_they_may() {
        let rows = [(9, vec![(0, 1), (1, 2)]), (9, vec![(0, 2)])];
        let rows = rows.map(|(unassigned_cost, edges)| Row { unassigned_cost, edges });
        let problem = Problem::new(rows.into(), 2).expect("a problem in range");
        for (may, is_improved, left) in [(0, false, 0), (1, true, 0), (3, true, 0), (9, true, 6)] {
            let mut matching = Matching::new(&problem);
            matching.assign(0, problem.edges_of(0)[0]);
            let mut steps = may;
            // It looks once at the column, and twice at what the column's row could have instead.
            assert_eq!(improve(&problem, &mut matching, 1, &mut steps), is_improved, "{may}");
            assert_eq!(steps, left, "{may}");
        }
    }
}
