//! Groups jobs by cells. Pure.

use std::collections::BTreeMap;

use h3o::{CellIndex, LatLng, Resolution};

use super::{dto::HeatCell, queries::DemandRow};

/// Returns the cells that have a job, by index, or `None` if there are more than `most`.
pub fn cells(calls: &[DemandRow], resolution: u8, most: usize) -> Option<Vec<HeatCell>> {
    let resolution = Resolution::try_from(resolution).ok()?;
    let mut by_cell: BTreeMap<CellIndex, Vec<&DemandRow>> = BTreeMap::new();
    for call in calls {
        let Ok(place) = LatLng::new(call.lat, call.lng) else { continue };
        by_cell.entry(place.to_cell(resolution)).or_default().push(call);
        if by_cell.len() > most {
            return None;
        }
    }
    Some(by_cell.into_iter().map(|(cell, calls)| shown(cell, &calls)).collect())
}

fn shown(cell: CellIndex, calls: &[&DemandRow]) -> HeatCell {
    let centre = LatLng::from(cell);
    let minutes: Vec<f64> = calls.iter().filter_map(|call| call.minutes).collect();
    let unserved = calls.iter().filter(|call| call.is_unserved).count();
    HeatCell {
        cell: cell.to_string(),
        lat: to_decimetre(centre.lat()),
        lng: to_decimetre(centre.lng()),
        ring: ring(cell, centre),
        jobs: whole(calls.len()),
        arrived: whole(minutes.len()),
        median_minutes_to_arrival: median(minutes),
        unserved_share: unserved as f64 / calls.len().max(1) as f64,
    }
}

fn ring(cell: CellIndex, centre: LatLng) -> Vec<[f64; 2]> {
    let beside = |lng: f64| match lng - centre.lng() {
        apart if apart > 180.0 => lng - 360.0,
        apart if apart < -180.0 => lng + 360.0,
        _ => lng,
    };
    let boundary = cell.boundary();
    let mut ring: Vec<_> =
        boundary.iter().map(|corner| [beside(corner.lng()), corner.lat()].map(to_decimetre)).collect();
    ring.extend(ring.first().copied());
    ring
}

/// Rounds degrees to six decimals, about 0.1 m: more would be useless.
fn to_decimetre(degrees: f64) -> f64 {
    (degrees * 1e6).round() / 1e6
}

/// Returns the median; for an even number of values, the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (lower, upper) = (values.get(values.len().checked_sub(1)? / 2)?, values.get(values.len() / 2)?);
    Some((lower + upper) / 2.0)
}

fn whole(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(lat: f64, lng: f64, minutes: Option<f64>) -> DemandRow {
        DemandRow { lat, lng, minutes, is_unserved: minutes.is_none() }
    }

    /// Returns twice the area; above zero if the corners are in counter-clockwise order.
    fn doubled_area(ring: &[[f64; 2]]) -> f64 {
        ring.windows(2).map(|pair| pair[0][0] * pair[1][1] - pair[1][0] * pair[0][1]).sum()
    }

    #[test]
    fn jobs_count_in_the_cell_of_their_pickup() {
        let here = [Some(10.0), Some(30.0), Some(14.0), None].map(|minutes| call(12.9716, 77.5946, minutes));
        let there = [call(13.0716, 77.5946, Some(7.0))];
        let found = cells(&[&here[..], &there].concat(), 8, 2).expect("few cells");
        let [one, other] = &found[..] else { panic!("{found:?}") };
        let (here, there) = if one.jobs == 4 { (one, other) } else { (other, one) };
        assert_eq!((here.jobs, here.arrived, here.median_minutes_to_arrival), (4, 3, Some(14.0)));
        assert_eq!((here.unserved_share, there.unserved_share), (0.25, 0.0));
        assert_eq!((there.jobs, there.median_minutes_to_arrival), (1, Some(7.0)));
        assert!((here.lat - 12.9716).abs() < 0.01 && (here.lng - 77.5946).abs() < 0.01, "{here:?}");
    }

    #[test]
    fn rings_are_closed_and_turn_left_even_at_the_date_line() {
        for (lat, lng) in [(12.9716, 77.5946), (0.0, 180.0), (-16.5, -179.999), (-33.9, 18.4)] {
            let cell = cells(&[call(lat, lng, None)], 5, 1).expect("one").remove(0);
            assert_eq!(cell.ring.first(), cell.ring.last());
            assert!((7..=11).contains(&cell.ring.len()), "{cell:?}");
            assert!(doubled_area(&cell.ring) > 0.0, "{cell:?}");
            let wide = cell.ring.iter().map(|corner| (corner[0] - cell.lng).abs()).fold(0.0, f64::max);
            assert!(wide < 1.0, "{cell:?}");
        }
    }

    #[test]
    fn too_many_cells_are_not_returned() {
        let calls: Vec<_> = (0..4).map(|step| call(10.0 + f64::from(step), 77.0, None)).collect();
        assert_eq!(cells(&calls, 8, 4).map(|cells| cells.len()), Some(4));
        assert_eq!(cells(&calls, 8, 3), None);
    }

    #[test]
    fn the_median_is_the_middle_value() {
        let cases = [
            (vec![], None),
            (vec![3.0], Some(3.0)),
            (vec![9.0, 1.0], Some(5.0)),
            (vec![9.0, 1.0, 2.0], Some(2.0)),
        ];
        for (values, expected) in cases {
            assert_eq!(median(values), expected);
        }
    }
}
