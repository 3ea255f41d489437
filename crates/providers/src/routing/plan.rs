//! Decides which routes go into which request. Pure.

use std::collections::HashMap;

use roadcall_base::geo::Point;

/// The origin and the destination.
pub type Way = (Point, Point);

/// One request: its coordinates, and where each route is in the answer.
#[derive(Debug, Default)]
pub struct Batch {
    pub origins: Vec<Point>,
    pub destinations: Vec<Point>,
    /// The index of the route, its row and its column.
    pub cells: Vec<(usize, usize, usize)>,
    rows: HashMap<(u64, u64), usize>,
    columns: HashMap<(u64, u64), usize>,
}

/// Packs routes into at most `requests` batches of at most `points` coordinates each, the nearest first, since they matter most.
/// Routes that find no room are left out.
pub fn batches(ways: &[Way], points: usize, requests: usize) -> Vec<Batch> {
    let mut order: Vec<usize> = (0..ways.len()).collect();
    let length = |index: &usize| ways[*index].0.distance_m(ways[*index].1);
    order.sort_by(|a, b| length(a).total_cmp(&length(b)).then(a.cmp(b)));
    let mut batches: Vec<Batch> = Vec::new();
    for index in order {
        let way = ways[index];
        let place = batches.iter().position(|batch| batch.has_room_for(way, points));
        let place = place.or_else(|| {
            (batches.len() < requests).then(|| {
                batches.push(Batch::default());
                batches.len() - 1
            })
        });
        if let Some(batch) = place.and_then(|place| batches.get_mut(place)) {
            batch.add(index, way);
        }
    }
    batches
}

impl Batch {
    fn has_room_for(&self, (from, to): Way, points: usize) -> bool {
        let new = usize::from(!self.rows.contains_key(&key(from)))
            + usize::from(!self.columns.contains_key(&key(to)));
        self.origins.len() + self.destinations.len() + new <= points
    }

    fn add(&mut self, index: usize, (from, to): Way) {
        let row = place_of(from, &mut self.origins, &mut self.rows);
        let column = place_of(to, &mut self.destinations, &mut self.columns);
        self.cells.push((index, row, column));
    }
}

fn place_of(point: Point, points: &mut Vec<Point>, places: &mut HashMap<(u64, u64), usize>) -> usize {
    *places.entry(key(point)).or_insert_with(|| {
        points.push(point);
        points.len() - 1
    })
}

fn key(point: Point) -> (u64, u64) {
    (point.lat.to_bits(), point.lng.to_bits())
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn way() -> impl Strategy<Value = Way> {
        let point = || (0..12_i32, 0..12_i32);
        (point(), point()).prop_map(|((a, b), (c, d))| {
            let at =
                |lat: i32, lng: i32| Point::new(12.9 + f64::from(lat) / 100.0, 77.5 + f64::from(lng) / 100.0);
            (at(a, b), at(c, d))
        })
    }

    proptest! {
        #[test]
        fn every_way_is_where_its_batch_says_and_at_most_once(
            ways in vec(way(), 0..80), points in 2_usize..30, requests in 1_usize..4,
        ) {
            let batches = batches(&ways, points, requests);
            prop_assert!(batches.len() <= requests);
            let mut seen = vec![false; ways.len()];
            for batch in &batches {
                prop_assert!(batch.origins.len() + batch.destinations.len() <= points);
                for (index, row, column) in &batch.cells {
                    prop_assert_eq!(ways[*index], (batch.origins[*row], batch.destinations[*column]));
                    prop_assert!(!std::mem::replace(&mut seen[*index], true));
                }
            }
            // A route that was left out is no nearer than every first choice.
            if let Some(out) = seen.iter().position(|found| !found) {
                prop_assert_eq!(batches.len(), requests, "way {} found no room", out);
            }
        }
    }

    #[test]
    fn the_nearest_are_asked_when_there_is_no_room_for_all() {
        let pickup = Point::new(12.97, 77.59);
        let ways: Vec<Way> =
            (1..=10).rev().map(|n| (Point::new(12.97 + f64::from(n) / 1000.0, 77.59), pickup)).collect();
        let batches = batches(&ways, 4, 1);
        let asked: Vec<usize> = batches[0].cells.iter().map(|cell| cell.0).collect();
        assert_eq!(asked, [9, 8, 7], "three origins and the pickup");
    }
}
