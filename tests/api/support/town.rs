//! A small town with a river and an island, as a map for routers.

use roadcall_actors::geo::Point;

use super::roadside::PICKUP;

/// The number of rows of crossings. Streets lead north and east, 200 m apart. A river flows between the columns 5 and 6, with a
/// bridge in the last row alone. In row 0, columns 0 to 5 are a one-way street eastwards. Cars drive 28.8 km/h.
const ROWS: usize = 12;
pub const STREET_S: f64 = 25.0;
/// Degrees of 200 m.
const NORTH: f64 = 0.001_798_6;
const EAST: f64 = 0.001_845_7;
const BRIDGE: usize = ROWS - 1;
/// The row and column of two crossings with a street between them, and no way to the town.
pub const ISLAND: (i32, i32) = (-10, 30);
pub const SEA: Point = Point { lat: 12.9, lng: 77.4 };

/// Returns the place of a crossing. The pickup of other tests is in row 5 and column 5, at the river.
pub fn at(row: i32, column: i32) -> Point {
    Point::new(PICKUP.0 + NORTH * f64::from(row - 5), PICKUP.1 + EAST * f64::from(column - 5))
}

/// Returns the map in OSM's XML, sorted by kind and id.
pub fn map() -> String {
    let mut nodes = String::new();
    let mut ways = String::new();
    let mut node = |row: i32, column: i32| {
        let (Point { lat, lng }, id) = (at(row, column), id(row, column));
        nodes += &format!(r#"<node id="{id}" version="1" lat="{lat:.7}" lon="{lng:.7}"/>"#);
    };
    let mut number = 0;
    let mut street = |crossings: &[(i32, i32)], is_one_way: bool| {
        number += 1;
        let refs: String =
            crossings.iter().map(|(row, column)| format!(r#"<nd ref="{}"/>"#, id(*row, *column))).collect();
        let one_way = if is_one_way { r#"<tag k="oneway" v="yes"/>"# } else { "" };
        ways += &format!(
            r#"<way id="{number}" version="1">{refs}<tag k="highway" v="residential"/><tag k="maxspeed" v="36"/>{one_way}</way>"#
        );
    };
    let beside = (ISLAND.0, ISLAND.1 + 1);
    [ISLAND, beside].into_iter().for_each(|(row, column)| node(row, column));
    street(&[ISLAND, beside], false);
    let all = 0..ROWS as i32;
    for row in all.clone() {
        all.clone().for_each(|column| node(row, column));
        let crossings: Vec<_> = all.clone().map(|column| (row, column)).collect();
        if row == BRIDGE as i32 {
            street(&crossings, false);
        } else {
            street(&crossings[..6], row == 0);
            street(&crossings[6..], false);
        }
    }
    for column in all.clone() {
        street(&all.clone().map(|row| (row, column)).collect::<Vec<_>>(), false);
    }
    format!(r#"<osm version="0.6">{nodes}{ways}</osm>"#)
}

fn id(row: i32, column: i32) -> i32 {
    1_000 + row * 50 + column
}
