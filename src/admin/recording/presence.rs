//! Derives when a mechanic was online from the signs of their presence. Pure.
//!
//! The service does not store when mechanics switch their availability. It does store when they were offered a job, answered,
//! drove, worked, or were seen by a search for another job.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::geo::Point;

use super::{
    dto::{RecordedPlace, RecordedSpan},
    stretch::Stretch,
};

/// The side of a cell of the grid on which all places are, in metres.
const GRID_M: f64 = 200.0;
/// Two signs that are this close belong to one span.
const JOINED: TimeDelta = TimeDelta::hours(2);
/// A mechanic was online for this long before the first sign of a span and after its last: as long as the service waits for a
/// silent phone.
const AROUND: TimeDelta = TimeDelta::minutes(15);
/// A better place than that of the first sign counts for the beginning if it is no later than this.
const SOON: TimeDelta = TimeDelta::minutes(10);

/// A period in which a mechanic was surely online.
#[derive(Debug, Clone, Copy)]
pub struct Sign {
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
    /// The mechanic's place at the beginning.
    pub place: Option<Seen>,
}

/// A place so many metres from a point, in an unknown direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    pub point: Point,
    pub off_m: u32,
}

impl Sign {
    pub fn at(at: DateTime<Utc>, place: Option<Seen>) -> Self {
        Self { from: at, to: at, place }
    }
}

impl Seen {
    pub fn here(point: Point) -> Self {
        Self { point, off_m: 0 }
    }
}

/// Moves a point to the grid.
pub fn coarse(point: Point) -> RecordedPlace {
    let Point { lat, lng } = point.snapped(GRID_M);
    RecordedPlace { lat, lng }
}

/// Rounds metres, so that distances tell no more than the grid does.
pub fn coarse_m(metres: u32) -> u32 {
    metres.saturating_add(50) / 100 * 100
}

/// Returns the spans within the stretch, in order. Until `free_from` the mechanic was on a job from before the stretch, and does
/// not count.
pub fn spans(mut signs: Vec<Sign>, stretch: &Stretch, free_from: Option<DateTime<Utc>>) -> Vec<RecordedSpan> {
    let begin = free_from.map_or(stretch.from, |at| at.max(stretch.from));
    signs.retain(|sign| sign.to >= begin && sign.from < stretch.to);
    for sign in signs.iter_mut().filter(|sign| sign.from < begin) {
        // The place of a sign from before the beginning says little.
        (sign.from, sign.place) = (begin, None);
    }
    signs.sort_by_key(|sign| (sign.from, sign.to));
    let mut groups: Vec<Vec<Sign>> = Vec::new();
    let mut ends = begin;
    for sign in signs {
        match groups.last_mut() {
            Some(group) if sign.from - ends <= JOINED => group.push(sign),
            _ => groups.push(vec![sign]),
        }
        ends = ends.max(sign.to);
    }
    groups.iter().filter_map(|group| span(group, begin, stretch)).collect()
}

fn span(group: &[Sign], begin: DateTime<Utc>, stretch: &Stretch) -> Option<RecordedSpan> {
    let first = group.first()?.from;
    let last = group.iter().map(|sign| sign.to).max()?;
    let from_s = stretch.seconds((first - AROUND).max(begin));
    let to_s = stretch.seconds((last + AROUND).min(stretch.to));
    let places = || group.iter().filter_map(|sign| sign.place.map(|seen| (sign.from, seen)));
    let soon = places().filter(|(at, _)| *at - first <= SOON).min_by_key(|(_, seen)| seen.off_m);
    let seen = soon.or_else(|| places().next()).map(|(_, seen)| seen);
    (from_s < to_s).then(|| RecordedSpan {
        from_s,
        to_s,
        place: seen.map(|seen| coarse(seen.point)),
        off_m: seen.map_or(0, |seen| coarse_m(seen.off_m)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Point = Point { lat: 12.9716, lng: 77.5946 };

    fn friday() -> Stretch {
        let at = |text: &str| DateTime::parse_from_rfc3339(text).expect("a time");
        Stretch::new(at("2026-11-20T00:00:00Z"), at("2026-11-21T00:00:00Z")).expect("a stretch")
    }

    fn minute(minutes: i64) -> DateTime<Utc> {
        friday().from + TimeDelta::minutes(minutes)
    }

    fn minutes(spans: &[RecordedSpan]) -> Vec<(i64, i64)> {
        spans.iter().map(|span| (span.from_s / 60, span.to_s / 60)).collect()
    }

    #[test]
    fn signs_two_hours_apart_are_one_span_and_more_are_two() {
        let signs = |at: &[i64]| at.iter().map(|at| Sign::at(minute(*at), None)).collect();
        assert_eq!(minutes(&spans(signs(&[720, 600]), &friday(), None)), [(585, 735)]);
        assert_eq!(minutes(&spans(signs(&[600, 721]), &friday(), None)), [(585, 615), (706, 736)]);
        let work = Sign { from: minute(300), to: minute(600), place: None };
        assert_eq!(minutes(&spans(vec![work, Sign::at(minute(700), None)], &friday(), None)), [(285, 715)]);
    }

    #[test]
    fn a_span_stays_within_the_stretch_and_begins_when_a_job_from_before_it_ends() {
        let long = Sign { from: minute(-90), to: minute(2_000), place: None };
        assert_eq!(minutes(&spans(vec![long], &friday(), None)), [(0, 1440)]);
        assert_eq!(minutes(&spans(vec![long], &friday(), Some(minute(75)))), [(75, 1440)]);
        assert!(spans(vec![Sign::at(minute(60), None)], &friday(), Some(minute(75))).is_empty());
        assert!(spans(vec![Sign::at(minute(1440), None)], &friday(), None).is_empty());
    }

    #[test]
    fn a_span_begins_at_the_first_place_or_at_a_better_place_soon_after() {
        let seen = |at, off_m| Sign::at(minute(at), Some(Seen { point: HERE, off_m }));
        let off = |signs| spans(signs, &friday(), None)[0].off_m;
        assert_eq!(off(vec![seen(10, 4_321), seen(19, 0)]), 0);
        assert_eq!(off(vec![seen(10, 4_321), seen(21, 0)]), 4_300);
        assert_eq!(off(vec![Sign::at(minute(1), None), seen(90, 260)]), 300);
        let place = spans(vec![seen(1, 0)], &friday(), None)[0].place;
        assert_eq!(place, Some(coarse(Point::new(12.971_65, 77.594_65))), "one cell, one place");
    }
}
