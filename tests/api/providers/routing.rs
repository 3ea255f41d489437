//! The router's adapter against a peer that speaks OSRM, and the service's caching of routes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta};
use futures_util::future::join;
use roadcall::{
    providers::routing::{AheadLimits, Durations, Limits, Osrm, Reach, Road, Routed, Router, RoutingError},
    service::settings::RouterUrl,
};
use roadcall_actors::{clock::Clock, eta::StraightLine, geo::Point};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpListener,
    sync::{Semaphore, watch},
};
use uuid::Uuid;

use crate::support::{
    osrm::OsrmPeer,
    peer::{Manner, redirects, says},
    within,
};

const PICKUP: Point = Point { lat: 12.9716, lng: 77.5946 };
const LINE: StraightLine = StraightLine { detour_factor: 1.35, speed_mps: 24.0 / 3.6 };
/// A timeout that is much longer than a peer on this machine takes.
const PATIENT: Duration = Duration::from_secs(20);

fn north(metres: f64) -> Point {
    Point::new(PICKUP.lat + metres / 111_195.0, PICKUP.lng)
}

fn osrm(url: &str, timeout: Duration) -> Osrm {
    roadcall::platform::https::install_tls_provider();
    Osrm::new(url.parse().unwrap(), "driving".to_owned(), timeout).unwrap()
}

async fn one(osrm: &Osrm) -> Result<Durations, RoutingError> {
    within("an answer", osrm.durations(&[north(900.0)], &[PICKUP])).await
}

/// Returns an answer to a question about one way, with these durations.
fn table(durations: &str) -> String {
    format!(
        r#"{{"code":"Ok","durations":{durations},"sources":[{{"location":[77.5946,12.9797]}}],
        "destinations":[{{"location":[77.5946,12.9716]}}]}}"#
    )
}

#[actix_web::test]
async fn a_request_for_a_table_follows_osrms_documentation() {
    let (quick, lost) = (north(3_000.0), north(1_000.0));
    let roads = vec![((quick.lat, quick.lng), Some(120.5)), ((lost.lat, lost.lng), None)];
    let peer = OsrmPeer::with_roads(roads).await;
    let osrm = osrm(&format!("{}/maps/", peer.url()), PATIENT);
    let durations = osrm.durations(&[quick, lost, north(500.0)], &[PICKUP, north(10.0)]).await;
    let expected = vec![vec![Some(120.5); 2], vec![None; 2], vec![Some(600.0); 2]];
    assert_eq!(durations, Ok(expected));
    assert_eq!(
        peer.asked(),
        ["/maps/table/v1/driving/77.59460,12.99858;77.59460,12.98059;77.59460,12.97610;77.59460,12.97160;\
          77.59460,12.97169?sources=0;1;2&destinations=3;4&annotations=duration&generate_hints=false"]
    );
}

#[actix_web::test]
async fn every_failure_has_its_name() {
    const JSON: &str = "application/json; charset=UTF-8";
    let says = |status, body: &str| says(status, body).with("content-type", JSON);
    let refused = |code: &str| RoutingError::Refused(code.to_owned());
    let odd = RoutingError::Garbage("not the table that was asked for");
    let unread = RoutingError::Garbage("no JSON of its kind");
    let untyped = RoutingError::Garbage("no JSON by its content type");
    let cases = [
        (says(400, r#"{"code":"NoTable","message":"No route found"}"#), refused("NoTable")),
        (says(400, r#"{"code":"NoSegment","message":"Could not find a segment"}"#), refused("NoSegment")),
        (says(400, r#"{"code":"TooBig","message":"Too many table coordinates"}"#), refused("TooBig")),
        (says(400, "{\"code\":\"a\\nb<script>\"}"), refused("abscript")),
        (says(400, &table("[[5]]")), RoutingError::Garbage("Ok with an error's status")),
        (says(429, "{}"), RoutingError::Status(429)),
        (says(500, "{}"), RoutingError::Status(500)),
        (says(503, ""), RoutingError::Status(503)),
        (says(204, ""), RoutingError::Status(204)),
        (says(200, ""), unread.clone()),
        (says(200, "{"), unread.clone()),
        (says(200, &table("[[NaN]]")), unread.clone()),
        (says(200, &table("[[1e999]]")), unread.clone()),
        (says(200, &table(r#"[["5"]]"#)), unread),
        (says(200, r#"{"code":"Ok"}"#), odd.clone()),
        (says(200, &table("null")), odd.clone()),
        (says(200, &table("[]")), odd.clone()),
        (says(200, &table("[[]]")), odd.clone()),
        (says(200, &table("[[1,2]]")), odd.clone()),
        (says(200, &table("[[1],[2]]")), odd),
        (says(200, &table("[[5]]")).with("content-type", "text/html"), untyped),
        (says(200, &" ".repeat(1024 * 1024 + 1)), RoutingError::TooLarge(1024 * 1024)),
        (Manner::Cut(200), RoutingError::Cut),
    ];
    let peer = OsrmPeer::start().await;
    peer.answer_as(Manner::Silent);
    let osrm = osrm(&peer.url(), PATIENT);
    for (manner, error) in cases {
        peer.answer_as(manner.clone());
        assert_eq!(one(&osrm).await, Err(error), "{manner:?}");
    }
    for seconds in ["-1", "90000", "1e300", "null"] {
        peer.answer_as(says(200, &table(&format!("[[{seconds}]]"))));
        assert_eq!(one(&osrm).await, Ok(vec![vec![None]]), "{seconds} s can't be true");
    }
    peer.answer_as(says(200, &table("[[77.5]]")));
    assert_eq!(one(&osrm).await, Ok(vec![vec![Some(77.5)]]), "and it works");
}

#[actix_web::test]
async fn a_question_whose_connection_is_cut_before_an_answer_is_asked_once_more() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let serving = actix_web::rt::spawn(async move {
        let body = table("[[77.5]]");
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        // The second of four questions gets an answer.
        for number in 1..=4 {
            let (stream, _) = listener.accept().await.expect("a connection");
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            while line != "\r\n" {
                line.clear();
                stream.read_line(&mut line).await.expect("a question");
            }
            if number == 2 {
                stream.write_all(answer.as_bytes()).await.expect("an answer");
            }
        }
    });
    let osrm = osrm(&url, PATIENT);
    assert_eq!(one(&osrm).await, Ok(vec![vec![Some(77.5)]]));
    assert_eq!(one(&osrm).await, Err(RoutingError::Cut), "twice is enough");
    within("four questions", serving).await.expect("no other one was needed");
}

#[actix_web::test]
async fn a_coordinate_off_the_map_has_no_way_even_if_osrm_snaps_it_to_a_road() {
    let peer = OsrmPeer::start().await;
    peer.move_roads(0.02);
    let osrm = osrm(&peer.url(), PATIENT);
    assert_eq!(one(&osrm).await, Ok(vec![vec![None]]), "2.2 km away");
    peer.move_roads(0.002);
    assert_eq!(one(&osrm).await, Ok(vec![vec![Some(600.0)]]), "220 m away");
    let teleport = north(50_000.0);
    peer.set_roads(vec![((teleport.lat, teleport.lng), Some(60.0))]);
    let durations = osrm.durations(&[teleport], &[PICKUP]).await;
    assert_eq!(durations, Ok(vec![vec![None]]), "nobody drives 50 km in a minute");
}

#[actix_web::test]
async fn a_request_for_a_road_follows_osrms_documentation() {
    let east = Point::new(PICKUP.lat + 0.01, PICKUP.lng - 0.01);
    let peer = OsrmPeer::start().await;
    let osrm = osrm(&format!("{}/maps", peer.url()), PATIENT);
    let road = osrm.road(east, PICKUP).await.expect("an answer").expect("a road");
    let corner = Point::new(east.lat, PICKUP.lng);
    assert_eq!((road.points, road.seconds), (vec![east, corner, PICKUP], 600.0));
    assert!((road.length_m - 2_195.0).abs() < 5.0, "{}", road.length_m);
    assert_eq!(
        peer.asked(),
        ["/maps/route/v1/driving/77.58460,12.98160;77.59460,12.97160?overview=full&geometries=geojson&\
          generate_hints=false"]
    );
    peer.set_roads(vec![((east.lat, east.lng), None)]);
    assert_eq!(osrm.road(east, PICKUP).await, Ok(None), "no way leads there");
    peer.move_roads(0.02);
    assert_eq!(osrm.road(east, PICKUP).await, Ok(None), "off the map");
    let answer = |routes: &str, ends: &str| {
        says(200, format!(r#"{{"code":"Ok","routes":{routes},"waypoints":{ends}}}"#))
    };
    let ends = r#"[{"location":[77.5846,12.9816]},{"location":[77.5946,12.9716]}]"#;
    let route = |seconds: &str, points: &str| {
        format!(r#"[{{"duration":{seconds},"distance":9,"geometry":{{"coordinates":{points}}}}}]"#)
    };
    let straight = "[[77.5846,12.9816],[77.5946,12.9716]]";
    let odd = Err(RoutingError::Garbage("not the way that was asked for"));
    let unread = Err(RoutingError::Garbage("no JSON of its kind"));
    let long = format!("[{}[77.5946,12.9716]]", "[77.5846,12.9816],".repeat(5_000));
    for (manner, expected) in [
        (answer("[]", ends), odd.clone()),
        (answer(&route("60", "[[77.5846,12.9816]]"), ends), odd.clone()),
        (answer(&route("60", "[[77.5846,12.9816],[77.5946,91]]"), ends), odd.clone()),
        (answer(&route("60", straight), "[]"), odd),
        (answer(&route("60", r#""kcvvW}yy~r""#), ends), unread),
        (answer(&route("-1", straight), ends), Ok(None)),
        (answer(&route("60", "[[77.5846,12.9816],[77.5946,13.9716]]"), ends), Ok(None)),
        (answer(&route("60", &long), ends), Ok(None)),
        (says(400, r#"{"code":"NoSegment"}"#), Err(RoutingError::Refused("NoSegment".to_owned()))),
        (Manner::Cut(200), Err(RoutingError::Cut)),
    ] {
        peer.answer_as(manner.clone());
        assert_eq!(osrm.road(east, PICKUP).await, expected, "{manner:?}");
    }
    peer.answer_as(answer(&route("60", straight), ends));
    assert!(osrm.road(east, PICKUP).await.expect("an answer").is_some(), "and it works");
}

#[actix_web::test]
async fn a_slow_router_is_abandoned_and_a_closed_port_is_reported() {
    let peer = OsrmPeer::start().await;
    peer.answer_as(Manner::Silent);
    assert_eq!(one(&osrm(&peer.url(), Duration::from_millis(30))).await, Err(RoutingError::Timeout));
    peer.die().await;
    assert_eq!(one(&osrm(&peer.url(), PATIENT)).await, Err(RoutingError::Unreachable));
}

#[actix_web::test]
async fn redirects_are_not_followed() {
    let inner = OsrmPeer::start().await;
    let peer = OsrmPeer::start().await;
    peer.answer_as(redirects(inner.url()));
    assert_eq!(one(&osrm(&peer.url(), PATIENT)).await, Err(RoutingError::Status(302)));
    assert_eq!(inner.count(), 0);
}

#[actix_web::test]
async fn a_password_in_the_url_is_sent_and_never_shown() {
    let peer = OsrmPeer::start().await;
    let url = format!("http://us:hunter2@127.0.0.1:{}", peer.port);
    let osrm = osrm(&url, PATIENT);
    one(&osrm).await.expect("an answer");
    assert_eq!(peer.last().header("authorization"), Some("Basic dXM6aHVudGVyMg=="));
    peer.die().await;
    let error = one(&osrm).await.expect_err("it is dead");
    let mut settings = roadcall::service::settings::Settings::defaults();
    settings.eta.router_url = RouterUrl(url);
    let shown = format!("{osrm:?} {error:?} {error}");
    assert!(!shown.contains("hunter2") && !shown.contains("77.59"), "{shown}");
    let shown = format!("{settings:?}");
    assert!(!shown.contains("hunter2"), "{shown}");
}

/// A router in this process that answers when the test allows it, with ten minutes for every route.
#[derive(Debug)]
struct Gated {
    gate: Semaphore,
    /// The number of requested routes of each request.
    asked: watch::Sender<Vec<usize>>,
    failing: AtomicUsize,
}

impl Gated {
    fn new(open: usize) -> Arc<Self> {
        Arc::new(Self {
            gate: Semaphore::new(open),
            asked: watch::Sender::default(),
            failing: AtomicUsize::new(0),
        })
    }

    async fn was_asked(&self, times: usize) {
        let mut asked = self.asked.subscribe();
        within("the router is asked", asked.wait_for(|asked| asked.len() >= times)).await.unwrap();
    }

    fn count(&self) -> usize {
        self.asked.borrow().len()
    }
}

#[async_trait]
impl Router for Gated {
    async fn durations(&self, origins: &[Point], destinations: &[Point]) -> Result<Durations, RoutingError> {
        self.asked.send_modify(|asked| asked.push(origins.len() * destinations.len()));
        self.gate.acquire().await.unwrap().forget();
        let fails = self.failing.load(Ordering::SeqCst) > 0;
        if fails {
            return Err(RoutingError::Unreachable);
        }
        Ok(vec![vec![Some(600.0); destinations.len()]; origins.len()])
    }

    /// Returns a straight road.
    async fn road(&self, from: Point, to: Point) -> Result<Option<Road>, RoutingError> {
        let seconds = self.durations(&[from], &[to]).await?[0][0].unwrap();
        Ok(Some(Road { points: vec![from, to], length_m: from.distance_m(to), seconds }))
    }

    async fn reach(&self, from: Point, to: Point) -> Result<Reach, RoutingError> {
        let seconds = self.durations(&[from], &[to]).await?[0][0].unwrap();
        Ok(Reach::By { length_m: from.distance_m(to), seconds })
    }
}

const ALWAYS: usize = 1_000_000;

fn limits() -> Limits {
    let ahead = AheadLimits { requests: 2, every: TimeDelta::zero() };
    Limits { timeout: PATIENT, points: 100, requests: 8, ways: 1_000, ttl: Duration::from_secs(600), ahead }
}

fn routed(router: &Arc<Gated>, limits: Limits) -> Routed {
    Routed::start(router.clone(), limits, Clock::system())
}

#[actix_web::test]
async fn a_miss_is_asked_once_in_the_background_and_known_the_next_time() {
    let router = Gated::new(0);
    let routed = routed(&router, limits());
    let way = (north(2_000.0), PICKUP);
    for _ in 0..50 {
        assert_eq!(routed.remembered(way, &LINE), None, "it does not wait");
    }
    router.was_asked(1).await;
    routed.remembered(way, &LINE);
    // Another route queues up behind it: when that one is requested, the first one is known.
    routed.remembered((north(9_000.0), PICKUP), &LINE);
    router.gate.add_permits(ALWAYS);
    router.was_asked(2).await;
    assert_eq!(routed.remembered(way, &LINE), Some(600.0));
    assert_eq!(*router.asked.borrow(), [1, 1], "one request for fifty questions");
}

#[actix_web::test]
async fn the_remaining_time_shrinks_evenly_along_the_way() {
    let router = Gated::new(1);
    let routed = routed(&router, limits());
    let table = routed.table(vec![(north(2_000.0), PICKUP)], LINE).expect("something to ask");
    assert_eq!(within("a table", table).await, [Some(600.0)]);
    // The router no longer answers, but the ETAs of the next 150 m still come from its last answer.
    let mut last = 600.0;
    for metres in (1_850..2_000).rev().step_by(10) {
        let reply = routed.remembered((north(f64::from(metres)), PICKUP), &LINE).expect("near what is known");
        let step = last - reply;
        assert!((0.0..=LINE.seconds(11.0)).contains(&step), "{metres} m: {reply} s after {last} s");
        last = reply;
    }
    assert_eq!(routed.remembered((north(1_000.0), PICKUP), &LINE), None, "elsewhere nothing is known");
}

#[actix_web::test]
async fn a_cached_route_is_not_requested_again() {
    let router = Gated::new(ALWAYS);
    let routed = routed(&router, limits());
    let ways: Vec<_> = (1..=5).map(|n| (north(f64::from(n) * 500.0), PICKUP)).collect();
    let table = routed.table(ways.clone(), LINE).expect("something to ask");
    assert_eq!(within("a table", table).await, [Some(600.0); 5]);
    assert!(routed.table(ways, LINE).is_none(), "nothing is to be waited for");
    assert_eq!(*router.asked.borrow(), [5]);
}

#[actix_web::test]
async fn beyond_the_limit_of_requests_nobody_waits() {
    let router = Gated::new(0);
    let routed = routed(&router, Limits { requests: 1, ..limits() });
    let first = routed.table(vec![(north(500.0), PICKUP)], LINE).expect("something to ask");
    let first = actix_web::rt::spawn(first);
    router.was_asked(1).await;
    let second = routed.table(vec![(north(5_000.0), PICKUP)], LINE).expect("something to ask");
    assert_eq!(within("an answer without the router", second).await, [None]);
    router.gate.add_permits(ALWAYS);
    assert_eq!(within("the first", first).await.unwrap(), [Some(600.0)]);
    assert_eq!(router.count(), 1);
}

#[actix_web::test]
async fn the_nearest_of_too_many_routes_are_requested() {
    let router = Gated::new(ALWAYS);
    let routed = routed(&router, Limits { points: 4, ..limits() });
    let ways: Vec<_> = (1..=20).rev().map(|n| (north(f64::from(n) * 500.0), PICKUP)).collect();
    let answers = within("a table", routed.table(ways, LINE).expect("something to ask")).await;
    // Four requests are made, each with three origins and the pickup.
    let known: Vec<bool> = answers.iter().map(Option::is_some).collect();
    assert_eq!(known.iter().filter(|known| **known).count(), 12);
    assert!(known[8..].iter().all(|known| *known), "{known:?}");
}

#[actix_web::test]
async fn a_table_always_answers_within_its_time() {
    let router = Gated::new(0);
    let routed = routed(&router, Limits { timeout: Duration::from_millis(30), ..limits() });
    let way = (north(500.0), PICKUP);
    let table = routed.table(vec![way], LINE).expect("something to ask");
    assert_eq!(within("an answer without the router", table).await, [None]);
}

#[actix_web::test]
async fn a_dead_router_is_left_alone_after_some_failures() {
    let router = Gated::new(ALWAYS);
    router.failing.store(1, Ordering::SeqCst);
    let routed = routed(&router, limits());
    let way = (north(500.0), PICKUP);
    for _ in 0..5 {
        let table = routed.table(vec![way], LINE).expect("something to ask");
        assert_eq!(within("an answer", table).await, [None]);
    }
    for _ in 0..100 {
        assert!(routed.table(vec![way], LINE).is_none(), "it costs nothing");
        assert_eq!(routed.remembered(way, &LINE), None);
    }
    assert_eq!(router.count(), 5);
}

fn trip(number: u128) -> (Uuid, Uuid) {
    (Uuid::from_u128(number), Uuid::from_u128(7))
}

#[actix_web::test]
async fn viewers_of_one_trip_share_one_request() {
    let router = Gated::new(0);
    let routed = routed(&router, limits());
    let way = (north(2_000.0), PICKUP);
    let look = || {
        actix_web::rt::spawn({
            let routed = routed.clone();
            async move { routed.ahead(trip(1), way).await }
        })
    };
    let (first, second) = (look(), look());
    router.was_asked(1).await;
    router.gate.add_permits(ALWAYS);
    let (first, second) = within("both", join(first, second)).await;
    let (first, second) = (first.unwrap().expect("a road"), second.unwrap());
    assert_eq!((first.points.len(), Some(&first)), (2, second.as_ref()));
    let later = routed.ahead(trip(1), (north(500.0), PICKUP)).await.expect("the rest");
    assert!((later.length_m - 500.0).abs() < 5.0 && (later.seconds - 150.0).abs() < 2.0, "{later:?}");
    assert_eq!(router.count(), 1);
}

#[actix_web::test]
async fn requests_for_maps_are_few_and_give_way_to_tables() {
    let router = Gated::new(0);
    let few = AheadLimits { requests: 1, every: TimeDelta::zero() };
    let routed = routed(&router, Limits { requests: 1, ahead: few, ..limits() });
    let (near, far) = ((north(900.0), PICKUP), (north(2_000.0), PICKUP));
    let looks = routed.clone();
    let look = actix_web::rt::spawn(async move { looks.ahead(trip(1), near).await });
    router.was_asked(1).await;
    assert_eq!(routed.ahead(trip(2), near).await, None, "its place is taken");
    let table = actix_web::rt::spawn(routed.table(vec![far], LINE).expect("something to ask"));
    router.was_asked(2).await;
    router.gate.add_permits(1);
    assert!(within("a road", look).await.unwrap().is_some(), "it holds no place of the tables");
    assert_eq!(routed.ahead(trip(3), near).await, None, "a table is being asked for");
    router.gate.add_permits(ALWAYS);
    assert_eq!(within("a table", table).await.unwrap(), [Some(600.0)]);
    assert!(routed.ahead(trip(3), near).await.is_some());
    assert_eq!(router.count(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_router_that_fails_for_maps_is_still_asked_for_tables() {
    let router = Gated::new(ALWAYS);
    router.failing.store(1, Ordering::SeqCst);
    let clock = Clock::virtual_from(DateTime::UNIX_EPOCH);
    let routed = Routed::start(router.clone(), limits(), clock);
    let way = (north(900.0), PICKUP);
    for _ in 0..50 {
        assert_eq!(routed.ahead(trip(1), way).await, None);
    }
    assert_eq!((router.count(), routed.is_up()), (5, true));
    router.failing.store(0, Ordering::SeqCst);
    let table = routed.table(vec![way], LINE).expect("something to ask");
    assert_eq!(table.await, [Some(600.0)]);
    assert_eq!(routed.ahead(trip(1), way).await, None, "for a while");
    tokio::time::advance(Duration::from_secs(5)).await;
    assert!(routed.ahead(trip(1), way).await.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_driver_who_often_leaves_the_way_is_rerouted_at_a_limited_rate() {
    let router = Gated::new(ALWAYS);
    let every = AheadLimits { requests: 2, every: TimeDelta::seconds(10) };
    let routed = Routed::start(
        router.clone(),
        Limits { ahead: every, ..limits() },
        Clock::virtual_from(DateTime::UNIX_EPOCH),
    );
    let beside = |metres: f64| (Point::new(north(2_000.0).lat, PICKUP.lng + metres / 108_300.0), PICKUP);
    let look = async |metres: f64| routed.ahead(trip(1), beside(metres)).await;
    assert!(look(0.0).await.is_some());
    assert!(look(200.0).await.is_some(), "the way that they left is shown meanwhile");
    assert_eq!(look(900.0).await, None, "not if it is far away");
    assert_eq!(router.count(), 1);
    tokio::time::advance(Duration::from_secs(10)).await;
    let begins = look(900.0).await.expect("a road").points[0];
    assert!(begins.distance_m(beside(900.0).0) < 1.0);
    assert_eq!(router.count(), 2);
    let elsewhere = (beside(900.0).0, north(-500.0));
    let to = routed.ahead(trip(1), elsewhere).await.expect("a road").points[1];
    assert_eq!((to, router.count()), (elsewhere.1, 3), "to another pickup at once");
}
