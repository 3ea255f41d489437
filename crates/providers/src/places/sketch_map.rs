//! The places of the demo city: the names on the sketch that the web apps' map shows.

use std::collections::BTreeMap;

use roadcall_base::geo::Point;
use serde::Deserialize;

use super::PlaceKind;

/// The same file that the maps draw. Its first line explains the format.
const SKETCH: &str = include_str!("../../../../web/src/shared/map/bengaluru.json");
/// Metres per unit of the drawing, to the east and to the north, as the maps have it.
const UNIT_M: (f64, f64) = (10.845, 11.06);

/// The names in English, Hindi and Kannada.
pub(super) type Names = [String; 3];

/// Pairs of numbers in a flat list.
type Flat = Vec<f64>;

#[derive(Deserialize)]
struct Drawing {
    outline: Flat,
    roads: Vec<(String, Option<Names>, Flat)>,
    lakes: Vec<(Option<Names>, Flat)>,
    parks: Vec<(Option<Names>, Flat)>,
    airfields: Vec<(Option<Names>, Flat, Flat)>,
    towns: Vec<(u8, Names, f64, f64)>,
    landmarks: Vec<(Names, f64, f64)>,
    quarters: Vec<(u8, Names, f64, f64, f64)>,
}

/// Metres to the east and to the north of the drawing's corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot(f64, f64);

impl Spot {
    fn drawn(x: f64, y: f64) -> Self {
        Self(x * UNIT_M.0, y * UNIT_M.1)
    }

    pub fn of(point: Point) -> Self {
        Self::drawn((point.lng - 77.0) * 1e4, (point.lat - 12.0) * 1e4)
    }

    pub fn point(self) -> Point {
        Point::new(12.0 + self.1 / UNIT_M.1 / 1e4, 77.0 + self.0 / UNIT_M.0 / 1e4)
    }

    pub fn distance_m(self, to: Self) -> f64 {
        (self.0 - to.0).hypot(self.1 - to.1)
    }

    /// Returns the spot nearest to this one on a piece of a line.
    fn onto(self, from: Self, to: Self) -> Self {
        let (x, y) = (to.0 - from.0, to.1 - from.1);
        let length = x * x + y * y;
        let share = if length > 0.0 { ((self.0 - from.0) * x + (self.1 - from.1) * y) / length } else { 0.0 };
        let share = share.clamp(0.0, 1.0);
        Self(from.0 + share * x, from.1 + share * y)
    }
}

/// A name on the sketch.
#[derive(Debug)]
pub(super) struct Drawn {
    pub names: Names,
    pub kind: PlaceKind,
    /// The spots of a road's lines; anything else has one line with one spot.
    lines: Vec<Vec<Spot>>,
}

impl Drawn {
    fn at(names: Names, kind: PlaceKind, spot: Spot) -> Self {
        Self { names, kind, lines: vec![vec![spot]] }
    }

    /// Returns the spot of this name that is nearest to a place.
    pub fn nearest(&self, to: Spot) -> Spot {
        let pieces = self.lines.iter().flat_map(|line| {
            let next = line.iter().skip(1).chain(line.last());
            line.iter().zip(next).map(|(from, next)| to.onto(*from, *next))
        });
        pieces.min_by(|a, b| a.distance_m(to).total_cmp(&b.distance_m(to))).unwrap_or(to)
    }

    pub fn distance_m(&self, to: Spot) -> f64 {
        self.nearest(to).distance_m(to)
    }
}

/// All names on the sketch.
#[derive(Debug)]
pub(super) struct SketchMap {
    pub places: Vec<Drawn>,
    /// The border of the city.
    outline: Vec<Spot>,
}

impl SketchMap {
    pub fn read() -> serde_json::Result<Self> {
        let drawing: Drawing = serde_json::from_str(SKETCH)?;
        let mut places: Vec<Drawn> = Vec::new();
        let mut roads: BTreeMap<Names, Vec<Vec<Spot>>> = BTreeMap::new();
        for (_, names, line) in drawing.roads {
            if let Some(names) = names {
                roads.entry(names).or_default().push(spots(&line));
            }
        }
        for (_, names, x, y) in drawing.towns {
            places.push(Drawn::at(names, PlaceKind::Town, Spot::drawn(x, y)));
        }
        for (_, names, x, y, _) in drawing.quarters {
            places.push(Drawn::at(names, PlaceKind::Area, Spot::drawn(x, y)));
        }
        for (names, x, y) in drawing.landmarks {
            places.push(Drawn::at(names, PlaceKind::Landmark, Spot::drawn(x, y)));
        }
        let fields = drawing.airfields.into_iter().map(|(names, ground, _)| (names, ground));
        for (names, outline) in drawing.parks.into_iter().chain(drawing.lakes).chain(fields) {
            if let Some(names) = names {
                places.push(Drawn::at(names, PlaceKind::Landmark, middle(&spots(&outline))));
            }
        }
        places.extend(roads.into_iter().map(|(names, lines)| Drawn {
            names,
            kind: PlaceKind::Street,
            lines,
        }));
        Ok(Self { places, outline: spots(&drawing.outline) })
    }

    /// Returns whether a spot is in the sketched city.
    pub fn is_in_city(&self, spot: Spot) -> bool {
        let next = self.outline.iter().skip(1).chain(self.outline.first());
        let crossed = self.outline.iter().zip(next).filter(|(a, b)| {
            (a.1 > spot.1) != (b.1 > spot.1) && spot.0 < a.0 + (spot.1 - a.1) / (b.1 - a.1) * (b.0 - a.0)
        });
        crossed.count() % 2 == 1
    }

    /// Returns the nearest place of a kind within so many metres.
    pub fn nearest(&self, kind: PlaceKind, to: Spot, within_m: f64) -> Option<&Drawn> {
        let of_kind = self.places.iter().filter(|place| place.kind == kind);
        let measured = of_kind.map(|place| (place.distance_m(to), place));
        let nearest = measured.filter(|(metres, _)| *metres <= within_m).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, place)| place)
    }
}

fn spots(flat: &[f64]) -> Vec<Spot> {
    flat.chunks_exact(2).map(|pair| Spot::drawn(pair[0], pair[1])).collect()
}

fn middle(outline: &[Spot]) -> Spot {
    let between = |values: &dyn Fn(&Spot) -> f64| {
        let (least, most) = outline
            .iter()
            .map(values)
            .fold((f64::MAX, f64::MIN), |(least, most), value| (least.min(value), most.max(value)));
        f64::midpoint(least, most)
    };
    Spot(between(&|spot| spot.0), between(&|spot| spot.1))
}
