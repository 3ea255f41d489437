//! The points, questions and moves that everybody gets, decided by a seed.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use roadcall_actors::{geo::Point, ids::MechanicId};
use uuid::Uuid;

use super::K;
use crate::{
    Failure,
    plan::{MIDDLE, Place, Town},
};

/// Questions that are kept ready; a run takes as many as it can ask in reasonable time.
const QUESTIONS: usize = 50_000;
const MOVES: usize = 200_000;

#[derive(Debug)]
pub struct City {
    /// Where each point is before it moves; its number is its place here.
    pub points: Vec<Point>,
    /// Questions: the nearest to here.
    pub questions: Vec<Point>,
    /// Numbers, in the order in which points move.
    pub moving: Vec<u32>,
    /// Where points are that went elsewhere.
    pub elsewhere: Vec<Point>,
    ids: Vec<MechanicId>,
}

/// The answer to each question: numbers, nearest first.
pub type Answers = Vec<Vec<u32>>;

impl City {
    pub fn new(points: usize, side_km: f64, seed: u64) -> Self {
        let mut dice = StdRng::seed_from_u64(seed);
        let town = Town { middle: MIDDLE, half_side_m: side_km * 500.0 };
        let mut somewhere = |n: usize| -> Vec<Point> {
            let place = |Place { lat, lng }| Point::new(lat, lng);
            (0..n).map(|_| place(town.somewhere(&mut dice))).collect()
        };
        let (at, questions, elsewhere) = (somewhere(points), somewhere(QUESTIONS), somewhere(points));
        let moving = (0..MOVES).map(|_| dice.random_range(0..points as u32)).collect();
        // Random, as the service's are, but for the number.
        let id = |n: usize| MechanicId(Uuid::from_u128((dice.random::<u128>() << 32) | n as u128));
        Self { points: at, questions, moving, elsewhere, ids: (0..points).map(id).collect() }
    }

    pub fn id(&self, number: u32) -> MechanicId {
        self.ids[number as usize]
    }

    pub fn number(id: MechanicId) -> u32 {
        id.0.as_u128() as u32
    }

    /// How a peer's answers compare: a note if they are the same, an error if they are not as near. A peer may
    /// round positions, so within `tolerance_m` another order is no error.
    pub fn compare(&self, expected: &Answers, got: &Answers, tolerance_m: f64) -> Result<String, Failure> {
        let mut same = 0;
        for ((expected, got), from) in expected.iter().zip(got).zip(&self.questions) {
            same += usize::from(expected == got);
            let metres = |number: &u32| from.distance_m(self.points[*number as usize]);
            let are_as_near = expected.len() == got.len()
                && expected
                    .iter()
                    .zip(got)
                    .all(|(one, other)| (metres(one) - metres(other)).abs() <= tolerance_m);
            if !are_as_near {
                return Err(format!("from {from:?}: {expected:?} expected, {got:?} answered").into());
            }
        }
        Ok(format!("same {K} in {same} of {}", got.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_may_differ_in_the_order_of_points_as_near_and_in_nothing_else() {
        let mut city = City::new(1_000, 5.0, 1);
        city.points[1] = city.points[0];
        let expected: Answers = vec![vec![0, 1, 2]];
        assert_eq!(city.compare(&expected, &expected, 0.0).unwrap(), "same 10 in 1 of 1");
        assert_eq!(city.compare(&expected, &vec![vec![1, 0, 2]], 0.0).unwrap(), "same 10 in 0 of 1");
        for wrong in [vec![0, 1, 3], vec![0, 1], vec![]] {
            assert!(city.compare(&expected, &vec![wrong], 1.0).is_err());
        }
    }

    #[test]
    fn a_seed_gives_the_same_city_and_an_id_tells_its_number() {
        let (one, other) = (City::new(1_000, 5.0, 1), City::new(1_000, 5.0, 1));
        assert_eq!(
            (&one.points, &one.questions, &one.moving),
            (&other.points, &other.questions, &other.moving)
        );
        assert_eq!(City::number(one.id(77)), 77);
    }
}
