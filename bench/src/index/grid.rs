//! The index by itself, in process, on one core.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use roadcall_actors::{dispatcher::index::Grid, geo::Point, ids::MechanicId};

use super::{
    K, Measured, WITHIN_M,
    city::{Answers, City},
    tell,
};
use crate::report::Report;

/// Questions that are answered in full, with some thousand points each.
const FULL: usize = 500;
/// A move of some centimetres, in degrees.
const NUDGE: f64 = 1e-6;

/// Returns what it measured, and the answers.
pub fn run(report: &mut Report, city: &City, runs: usize) -> Answers {
    let mut grid = filled(city);
    let answer =
        |from: &Point| grid.nearest(*from, WITHIN_M).take(K).map(|(id, _)| City::number(id)).collect();
    let answers: Answers = city.questions.iter().map(answer).collect();
    let nearest = times(runs, || {
        for from in &city.questions {
            black_box(grid.nearest(*from, WITHIN_M).take(K).last());
        }
    });
    let mut found = 0;
    let within = times(runs, || {
        found = city.questions.iter().take(FULL).map(|from| grid.within(*from, WITHIN_M).len()).sum();
    });
    let note = format!("{} found on average", found / FULL);
    let mut all = vec![
        Measured::new("grid: nearest 10 within 5 km", city.questions.len(), nearest),
        Measured::new("grid: all within 5 km", FULL, within).noted(note),
    ];
    let mut points = city.points.clone();
    let nudged = times(runs, || {
        for number in &city.moving {
            let point = &mut points[*number as usize];
            point.lat += NUDGE;
            grid.put(city.id(*number), *point);
            point.lat -= NUDGE;
        }
    });
    all.push(
        Measured::new("grid: move by 0.1 m", city.moving.len(), nudged)
            .noted("nearly all within a cell".into()),
    );
    let mut is_elsewhere = vec![false; points.len()];
    let across = times(runs, || {
        for number in &city.moving {
            let n = *number as usize;
            is_elsewhere[n] = !is_elsewhere[n];
            let to = if is_elsewhere[n] { city.elsewhere[n] } else { city.points[n] };
            grid.put(city.id(*number), to);
        }
    });
    all.push(Measured::new("grid: move across the city", city.moving.len(), across));
    tell(report, all);
    answers
}

fn filled(city: &City) -> Grid<MechanicId> {
    let mut grid = Grid::default();
    for (number, point) in (0..).zip(&city.points) {
        grid.put(city.id(number), *point);
    }
    grid
}

/// How long it takes, `runs` times.
pub fn times(runs: usize, mut work: impl FnMut()) -> Vec<Duration> {
    let mut once = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..runs).map(|_| once()).collect()
}
