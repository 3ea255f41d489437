//! A small town with a river and an island, as a map for routers, and what a router knows of it.

use roadcall::providers::routing::Router;
use roadcall_actors::geo::Point;
use serde_json::json;

use super::{
    AssertFields, TestApp,
    bodies::id_of,
    roadside::{PICKUP, Scene},
    within,
};

/// The number of rows of crossings. Streets lead north and east, 200 m apart. A river flows between the columns 5 and 6, with a
/// bridge in the last row alone. In row 0, columns 0 to 5 are a one-way street eastwards.
const ROWS: usize = 12;
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

/// Returns the time that a router gives for a way.
pub async fn seconds(router: &dyn Router, from: Point, to: Point) -> Option<f64> {
    let durations = within("an answer", router.durations(&[from], &[to])).await;
    durations.expect("a table")[0][0]
}

/// Checks that a way takes the time for these streets, and up to five turns, each of which takes a few seconds.
#[track_caller]
pub fn takes(told: Option<f64>, streets_s: f64) {
    let told = told.expect("a way");
    assert!((streets_s - 1.0..=streets_s + 40.0).contains(&told), "{told} s instead of {streets_s} s");
}

/// Checks what a router that takes so long for each street knows of the town.
pub async fn knows_bridges_one_way_streets_and_unreachable_places(router: &dyn Router, street_s: f64) {
    for (from, to, streets) in [
        (at(5, 2), at(5, 5), 3.0),
        (at(5, 5), at(5, 6), 13.0),
        (at(0, 0), at(0, 4), 4.0),
        (at(0, 4), at(0, 0), 6.0),
    ] {
        takes(seconds(router, from, to).await, streets * street_s);
    }
    let island = at(ISLAND.0, ISLAND.1);
    assert_eq!(seconds(router, island, at(5, 5)).await, None, "it would be moved to the town");
    assert_eq!(seconds(router, SEA, at(5, 5)).await, None, "it would be moved to the nearest road");
    let (origins, destinations) = ([at(5, 2), SEA, at(5, 6), at(0, 4)], [at(5, 5), at(0, 0)]);
    let table = router.durations(&origins, &destinations).await.expect("a table");
    assert_eq!(table[1], [None, None]);
    for (origin, destination, streets) in [(0, 0, 3.0), (2, 0, 13.0), (3, 1, 6.0)] {
        takes(table[origin][destination], streets * street_s);
    }

    let road = router.road(at(5, 5), at(5, 6)).await.expect("an answer").expect("a road");
    takes(Some(road.seconds), 13.0 * street_s);
    assert!((road.length_m - 2_600.0).abs() < 20.0, "{}", road.length_m);
    for place in [at(5, 5), at(8, 5), at(11, 5), at(11, 6), at(8, 6), at(5, 6)] {
        let is_near = road.points.iter().any(|point| point.distance_m(place) < 2.0);
        assert!(is_near, "{place:?} in {:?}", road.points);
    }
    assert!(road.points[0].distance_m(at(5, 5)) < 2.0, "it begins there");
    for nowhere in [island, SEA] {
        assert_eq!(router.road(at(5, 5), nowhere).await, Ok(None));
    }
    let still = router.road(at(5, 5), at(5, 5)).await.expect("an answer").expect("a road");
    assert_eq!((still.length_m, still.seconds), (0.0, 0.0));
}

/// Checks that the mechanic on this side of the river is preferred to a nearer one; returns the job that they took.
pub async fn prefers_the_mechanic_on_this_side_of_the_river(app: &TestApp, router: &str) -> Scene {
    let place = |point: Point| (point.lat, point.lng);
    let (admin, stranded) = (app.admin().await, app.breakdown_at(place(at(5, 5))).await);
    // One is 200 m away across the river, and the other 800 m away on this side.
    let _across = app.on_road_at(&admin, place(at(5, 6))).await;
    let mut mechanic = app.on_road_at(&admin, place(at(5, 1))).await;
    let job = id_of(&stranded.call().await);
    let offer = mechanic.offer().await;
    offer.assert_fields(json!({"job_id": job, "eta_source": router}));
    mechanic.client.post(&format!("/offers/{}/accept", id_of(&offer)), json!({})).await.expect(200);
    let scene = Scene { customer: stranded.client, mechanic, job };
    assert!((metres_ahead(&scene).await - 800).abs() < 5);
    scene
}

/// Returns the length of the way to the pickup that the customer is shown.
pub async fn metres_ahead(scene: &Scene) -> i64 {
    let way = scene.customer.get(&scene.path("/way-ahead")).await.expect(200);
    way["properties"]["distance_m"].as_i64().expect("a length")
}

fn id(row: i32, column: i32) -> i32 {
    1_000 + row * 50 + column
}
