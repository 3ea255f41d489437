//! Compares the assignment with brute force, with another implementation, and with its own proof.

use pathfinding::{kuhn_munkres::kuhn_munkres_min, matrix::Matrix};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::super::assignment::{Budget, Fault, MAX_COST, MAX_ROWS, Problem, Row, Solution, certify, solve};

fn row(unassigned_cost: i64, edges: &[(u32, i64)]) -> Row {
    Row { unassigned_cost, edges: edges.to_vec() }
}

fn problem(rows: &[Row], columns: usize) -> Problem {
    Problem::new(rows.to_vec(), columns).expect("a problem in range")
}

/// Solves the problem, and checks the proof and that solving it again gives the same answer.
fn solved(problem: &Problem) -> Solution {
    let solution = solve(problem, Budget::UNLIMITED);
    assert_eq!(certify(problem, &solution), Ok(()));
    assert!(solution.is_exact, "no budget, no gap: {}", solution.gap());
    assert_eq!(solve(problem, Budget::UNLIMITED), solution, "the same again");
    solution
}

/// Returns the least cost, found by trying all assignments.
fn by_brute_force(rows: &[Row], taken: &mut Vec<u32>) -> i64 {
    let Some((first, rest)) = rows.split_first() else { return 0 };
    let mut least = first.unassigned_cost + by_brute_force(rest, taken);
    for (column, cost) in &first.edges {
        if !taken.contains(column) {
            taken.push(*column);
            least = least.min(cost + by_brute_force(rest, taken));
            taken.pop();
        }
    }
    least
}

/// Returns the least cost by a third-party dense method, in which staying unassigned is an extra column of each
/// row.
fn by_another_implementation(rows: &[Row], columns: usize) -> i64 {
    const FORBIDDEN: i64 = 1 << 50;
    let mut matrix = Matrix::new(rows.len(), columns + rows.len(), FORBIDDEN);
    for (n, row) in rows.iter().enumerate() {
        matrix[(n, columns + n)] = row.unassigned_cost;
        for (column, cost) in &row.edges {
            let place = &mut matrix[(n, *column as usize)];
            *place = *cost.min(place);
        }
    }
    kuhn_munkres_min(&matrix).0
}

fn random(seed: u64, rows: usize, columns: usize, degree: usize, costs: std::ops::Range<i64>) -> Vec<Row> {
    let mut dice = StdRng::seed_from_u64(seed);
    let mut one = || {
        let edges = (0..dice.random_range(0..=2 * degree))
            .map(|_| (dice.random_range(0..columns as u32), dice.random_range(costs.clone())));
        let edges = edges.collect();
        Row { unassigned_cost: dice.random_range(costs.clone()), edges }
    };
    (0..rows).map(|_| one()).collect()
}

/// Places jobs and mechanics around a few centres, priced by distance. Few are near each other; all that are near
/// may serve.
fn clustered(seed: u64, rows: usize, columns: usize, reach: f64) -> Vec<Row> {
    let mut dice = StdRng::seed_from_u64(seed);
    let centres: Vec<(f64, f64)> =
        (0..8).map(|_| (dice.random_range(0.0..50.0), dice.random_range(0.0..50.0))).collect();
    let mut somewhere = |n: usize| -> Vec<(f64, f64)> {
        let mut beside = |centre: f64| centre + dice.random_range(-3.0..3.0) * dice.random_range(0.0..1.0);
        (0..n).map(|n| centres[n % 8]).map(|(x, y)| (beside(x), beside(y))).collect()
    };
    let (jobs, mechanics) = (somewhere(rows), somewhere(columns));
    let edges_of = |(x, y): (f64, f64)| {
        let ways = mechanics.iter().zip(0..).map(move |((to_x, to_y), n)| (n, (x - to_x).hypot(y - to_y)));
        ways.filter(|(_, way)| *way < reach).map(|(n, way)| (n, (way * 200.0) as i64)).collect()
    };
    jobs.into_iter().map(|job| Row { unassigned_cost: 3_600, edges: edges_of(job) }).collect()
}

fn small_rows() -> impl Strategy<Value = Vec<Row>> {
    let costs = prop_oneof![0_i64..4, -20_i64..20, -1_000_000_i64..1_000_000];
    let edges = proptest::collection::vec((0_u32..6, costs.clone()), 0..7);
    let row = (costs, edges).prop_map(|(unassigned_cost, edges)| Row { unassigned_cost, edges });
    proptest::collection::vec(row, 0..7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_assignment_of_a_small_problem_costs_less(rows in small_rows()) {
        prop_assert_eq!(solved(&problem(&rows, 6)).cost, by_brute_force(&rows, &mut Vec::new()));
    }

    #[test]
    fn a_budget_that_ends_gives_an_assignment_and_a_true_bound(rows in small_rows(), budget in 0_u64..40) {
        let problem = problem(&rows, 6);
        let solution = solve(&problem, Budget(budget));
        prop_assert_eq!(certify(&problem, &solution), Ok(()));
        let least = by_brute_force(&rows, &mut Vec::new());
        prop_assert!(solution.lower_bound <= least && least <= solution.cost);
        prop_assert!(!solution.is_exact || solution.cost == least);
    }

    #[test]
    fn the_order_of_rows_and_columns_does_not_change_the_cost(
        rows in small_rows(),
        columns in Just((0_u32..6).collect::<Vec<_>>()).prop_shuffle(),
        turn in 0_usize..6,
    ) {
        let mut other = rows.clone();
        for row in &mut other {
            row.edges.iter_mut().for_each(|(column, _)| *column = columns[*column as usize]);
            row.edges.reverse();
        }
        let turn = turn.min(rows.len());
        other.rotate_left(turn);
        prop_assert_eq!(solved(&problem(&other, 6)).cost, solved(&problem(&rows, 6)).cost);
    }

    #[test]
    fn a_unique_cheapest_assignment_is_found_in_any_order(
        rows in small_rows(),
        columns in Just((0_u32..6).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        // Each option has a binary digit of its own, so no two assignments cost the same.
        let mut digit = 0;
        let mut unique = |cost: i64| {
            digit += 1;
            cost % 8 * (1 << 37) / 8 + (1 << digit.min(36))
        };
        let rows: Vec<Row> = rows.into_iter().take(4).map(|row| {
            let edges = row.edges.into_iter().collect::<std::collections::BTreeMap<_, _>>();
            Row {
                unassigned_cost: unique(row.unassigned_cost),
                edges: edges.into_iter().map(|(column, cost)| (column, unique(cost))).collect(),
            }
        }).collect();
        let mut other = rows.clone();
        for row in &mut other {
            row.edges.iter_mut().for_each(|(column, _)| *column = columns[*column as usize]);
        }
        other.reverse();
        let mut found = solved(&problem(&other, 6)).columns_of_rows;
        found.reverse();
        let expected = solved(&problem(&rows, 6)).columns_of_rows.into_iter();
        let expected: Vec<_> = expected.map(|column| column.map(|column| columns[column as usize])).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn another_implementation_finds_the_same_cost(
        seed in any::<u64>(),
        (rows, columns) in (1_usize..40, 1_usize..40),
        degree in 1_usize..8,
        costs in prop_oneof![Just(0_i64..3), Just(-50_i64..50), Just(0_i64..1_000_000)],
    ) {
        let rows = random(seed, rows, columns, degree, costs);
        prop_assert_eq!(solved(&problem(&rows, columns)).cost, by_another_implementation(&rows, columns));
    }
}

#[test]
fn large_answers_are_proven() {
    for (n, costs) in [0..1_000_000, 0..5, -1_000..1_000, 7..8].into_iter().enumerate() {
        for columns in [500, 2_000, 8_000] {
            solved(&problem(&random(n as u64, 2_000, columns, 10, costs.clone()), columns));
        }
    }
}

#[test]
fn cities_are_solved_whether_supply_is_scarce_or_plenty() {
    for (rows, columns) in [(95, 215), (215, 95), (1_000, 1_000), (1_000, 300), (300, 1_000)] {
        let rows = clustered(columns as u64, rows, columns, 3.0);
        let solution = solved(&problem(&rows, columns));
        let assigned = solution.columns_of_rows.iter().flatten().count();
        assert!(assigned * 10 > rows.len().min(columns) * 6, "{assigned} of {} by {columns}", rows.len());
    }
}

#[test]
fn a_large_problem_whose_budget_ends_reports_how_good_the_answer_is() {
    let rows = clustered(1, 800, 700, 3.0);
    let problem = problem(&rows, 700);
    let exact = solved(&problem);
    let mut gaps = Vec::new();
    for share in [0, 10, 50, 90, 100] {
        let budget = Budget(exact.steps * share / 100);
        let solution = solve(&problem, budget);
        assert_eq!(certify(&problem, &solution), Ok(()));
        assert!(solution.steps <= budget.0, "{} of {budget:?}", solution.steps);
        assert!(solution.lower_bound <= exact.cost && exact.cost <= solution.cost);
        assert_eq!(solve(&problem, budget), solution, "the same again");
        gaps.push(solution.gap());
    }
    assert!(gaps.is_sorted_by(|one, other| one >= other), "more budget, a smaller gap: {gaps:?}");
    assert_eq!(gaps.last(), Some(&0));
}

#[test]
fn an_exchange_corrects_the_choice_of_the_cheapest_first() {
    // Taking the cheapest edge first would cost 1 + 100.
    let rows = [row(100, &[(0, 1), (1, 2)]), row(100, &[(0, 2)])];
    let solution = solve(&problem(&rows, 2), Budget(0));
    assert_eq!((solution.columns_of_rows, solution.cost), (vec![Some(1), Some(0)], 4));
}

#[test]
fn without_a_search_the_largest_gains_come_first_and_then_rows_exchange_columns() {
    let cases = [
        (
            vec![
                row(60, &[(0, 50), (2, 20), (3, 70)]),
                row(80, &[(1, 30), (2, 10), (3, 10)]),
                row(90, &[(1, 70), (2, 30), (3, 40)]),
            ],
            vec![Some(2), Some(1), Some(3)],
            90,
        ),
        (
            vec![
                row(40, &[(0, 80), (1, 10), (2, 10)]),
                row(80, &[(0, 60), (1, 70), (2, 90)]),
                row(70, &[(0, 90), (2, 80)]),
                row(90, &[(0, 10), (1, 10), (2, 30)]),
            ],
            vec![Some(2), Some(0), None, Some(1)],
            150,
        ),
        // An exchange that gains nothing is not made.
        (
            vec![row(60, &[(0, 60)]), row(60, &[(0, 50), (1, 50)]), row(10, &[(0, 10), (1, 30)])],
            vec![None, Some(0), None],
            120,
        ),
        // This takes more looks than there are edges.
        (
            vec![row(90, &[(0, 3), (1, 8), (2, 5)]), row(90, &[(0, 1), (2, 3)]), row(90, &[(0, 2), (2, 6)])],
            vec![Some(1), Some(2), Some(0)],
            13,
        ),
    ];
    for (rows, columns, cost) in cases {
        let solution = solve(&problem(&rows, 4), Budget(0));
        assert_eq!((solution.columns_of_rows, solution.cost), (columns, cost), "{rows:?}");
    }
}

#[test]
fn a_search_looks_at_the_same_edges_whenever_it_is_repeated() {
    // A budget counts them: with other counts, other problems would be solved exactly.
    let looks = |rows: Vec<Row>, columns| solved(&problem(&rows, columns)).steps;
    let found = [
        looks(clustered(3, 60, 40, 3.0), 40),
        looks(clustered(4, 40, 60, 3.0), 60),
        looks(random(5, 50, 50, 6, 0..4), 50),
        looks(random(6, 50, 40, 6, -50..50), 40),
    ];
    assert_eq!(found, [3_653, 162, 138, 99]);
}

#[test]
fn a_war_of_prices_is_ended_by_a_path() {
    // Each of the three outbids the next by a little, up to the cost of staying unassigned.
    let rows = [[3, 6], [3, 3], [5, 3]].map(|[one, other]| row(100_000, &[(0, one), (1, other)]));
    let solution = solved(&problem(&rows, 2));
    assert_eq!(solution.columns_of_rows, [None, Some(0), Some(1)]);
    // The search takes twelve looks at two options for each row, and a few for the path.
    assert!((72..80).contains(&solution.steps), "{}", solution.steps);
}

#[test]
fn at_the_end_of_a_path_a_column_is_better_than_none_at_the_same_cost() {
    let rows = [
        row(100_000, &[(0, 3), (1, 6), (2, 100_000)]),
        row(100_000, &[(0, 3), (1, 3)]),
        row(100_000, &[(0, 5), (1, 3)]),
    ];
    assert_eq!(solved(&problem(&rows, 3)).columns_of_rows, [Some(2), Some(0), Some(1)]);
}

#[test]
fn an_empty_problem_and_one_without_edges_are_solved() {
    assert_eq!(solved(&problem(&[], 0)).cost, 0);
    assert_eq!(solved(&problem(&[], 3)).cost, 0);
    let none = solved(&problem(&[row(5, &[]), row(-7, &[])], 0));
    assert_eq!((none.columns_of_rows, none.cost), (vec![None, None], -2));
}

#[test]
fn a_row_stays_unassigned_if_that_is_cheaper() {
    let solution = solved(&problem(&[row(3, &[(0, 4)]), row(9, &[(0, 5)])], 1));
    assert_eq!(solution.columns_of_rows, [None, Some(0)]);
}

#[test]
fn ties_go_to_the_earlier_row_and_the_lower_column() {
    let same = row(50, &[(2, 7), (1, 7), (0, 7)]);
    let solution = solved(&problem(&[same.clone(), same.clone()], 3));
    assert_eq!(solution.columns_of_rows, [Some(0), Some(1)]);
    let one = row(50, &[(0, 7)]);
    assert_eq!(solved(&problem(&[one.clone(), one], 1)).columns_of_rows, [Some(0), None]);
    // The same holds where a row has to give up its column.
    let rows =
        [row(50, &[(0, 7), (1, 7), (3, 9), (2, 9)]), row(50, &[(0, 7), (1, 7)]), row(50, &[(0, 7), (1, 7)])];
    assert_eq!(solved(&problem(&rows, 4)).columns_of_rows, [Some(2), Some(1), Some(0)]);
}

#[test]
fn the_cheaper_of_duplicate_edges_counts() {
    assert_eq!(solved(&problem(&[row(50, &[(0, 9), (0, 4), (0, 6)])], 1)).cost, 4);
}

#[test]
fn the_largest_prices_do_not_overflow() {
    let rows = random(3, 300, 200, 10, -MAX_COST..MAX_COST);
    solved(&problem(&rows, 200));
    let extreme: Vec<Row> =
        (0..40).map(|n| row(MAX_COST, &[(n % 20, -MAX_COST), ((n + 1) % 20, MAX_COST)])).collect();
    assert_eq!(solved(&problem(&extreme, 20)).cost, 0);
}

#[test]
fn input_that_cannot_be_calculated_with_is_refused() {
    let fault = |rows: Vec<Row>, columns| Problem::new(rows, columns).err();
    assert_eq!(fault(vec![row(0, &[(1, 1)])], 1), Some(Fault::NoSuchColumn { row: 0, column: 1 }));
    assert_eq!(fault(vec![row(0, &[]), row(MAX_COST + 1, &[])], 1), Some(Fault::CostOutOfRange { row: 1 }));
    assert_eq!(fault(vec![row(0, &[(0, i64::MIN)])], 1), Some(Fault::CostOutOfRange { row: 0 }));
    assert_eq!(fault(Vec::new(), MAX_ROWS + 1), Some(Fault::TooLarge));
}

#[test]
fn a_forged_answer_is_detected() {
    let problem = problem(&[row(9, &[(0, 1), (1, 2)]), row(9, &[(0, 1)])], 2);
    let good = solved(&problem);
    let forged = |forge: &dyn Fn(&mut Solution)| {
        let mut solution = good.clone();
        forge(&mut solution);
        certify(&problem, &solution).err()
    };
    assert_eq!(forged(&|s| s.columns_of_rows = vec![None]), Some(Fault::Shape));
    assert_eq!(forged(&|s| s.columns_of_rows[1] = Some(1)), Some(Fault::NoSuchEdge { row: 1 }));
    assert_eq!(forged(&|s| s.columns_of_rows[0] = Some(0)), Some(Fault::AssignedTwice { column: 0 }));
    assert_eq!(forged(&|s| s.cost -= 1), Some(Fault::WrongCost));
    assert_eq!(forged(&|s| s.duals.columns[1] = 1), Some(Fault::InfeasibleColumn { column: 1 }));
    assert_eq!(forged(&|s| s.duals.rows[0] += 1), Some(Fault::InfeasibleRow { row: 0 }));
    assert_eq!(forged(&|s| s.lower_bound -= 1), Some(Fault::WrongBound));
    let lower = |s: &mut Solution| {
        s.duals.rows[0] -= 1;
        s.lower_bound -= 1;
    };
    assert_eq!(forged(&lower), Some(Fault::NotProven));
}
