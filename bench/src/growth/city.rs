//! The places of mechanics and of questions, decided by a seed.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use roadcall_actors::{geo::Point, ids::MechanicId};
use uuid::Uuid;

use crate::plan::{MIDDLE, Place, Town};

/// The number of questions that are kept ready; a run takes as many as it can ask in reasonable time.
const QUESTIONS: usize = 50_000;
const MOVES: usize = 200_000;

#[derive(Debug)]
pub struct City {
    /// The place of each point before it moves; the index is the point's number.
    pub points: Vec<Point>,
    /// Questions for the mechanics nearest to these points.
    pub questions: Vec<Point>,
    /// The numbers of points, in the order in which they move.
    pub moving: Vec<u32>,
    ids: Vec<MechanicId>,
}

impl City {
    pub fn new(points: usize, side_km: f64, seed: u64) -> Self {
        let mut dice = StdRng::seed_from_u64(seed);
        let town = Town { middle: MIDDLE, half_side_m: side_km * 500.0 };
        let mut somewhere = |n: usize| -> Vec<Point> {
            let place = |Place { lat, lng }| Point::new(lat, lng);
            (0..n).map(|_| place(town.somewhere(&mut dice))).collect()
        };
        let (at, questions) = (somewhere(points), somewhere(QUESTIONS));
        let moving = (0..MOVES).map(|_| dice.random_range(0..points as u32)).collect();
        let id = |_| MechanicId(Uuid::from_u128(dice.random()));
        Self { points: at, questions, moving, ids: (0..points).map(id).collect() }
    }

    pub fn id(&self, number: u32) -> MechanicId {
        self.ids[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_city() {
        let (one, other) = (City::new(1_000, 5.0, 1), City::new(1_000, 5.0, 1));
        assert_eq!(
            (&one.points, &one.questions, &one.moving),
            (&other.points, &other.questions, &other.moving)
        );
    }
}
