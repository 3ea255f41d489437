//! The adapters of place search against peers that speak like Photon and Nominatim, and the protection of such a service.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta};
use futures_util::future::join_all;
use roadcall::{
    http::AcceptedLanguage,
    providers::places::{
        FoundPlace, Geocoder, Nominatim, Photon, PlaceKind, PlaceLimits, PlaceQuery, PlacesError, Remembered,
    },
    service::settings::{PlaceProvider, PlaceSettings, Secret, Settings},
};
use roadcall_actors::{clock::Clock, geo::Point};
use tokio::sync::{Semaphore, watch};
use uuid::Uuid;

use crate::support::{
    free_ports,
    geocoders::GeocoderPeer,
    peer::{Manner, redirects, says},
    within,
};

const HERE: Point = Point { lat: 12.97163, lng: 77.59462 };
const JSON: &str = "application/json; charset=utf-8";

fn settings(peer: &GeocoderPeer, provider: PlaceProvider) -> PlaceSettings {
    roadcall::platform::https::install_tls_provider();
    let mut settings = Settings::defaults().places;
    peer.set(&mut settings, provider);
    settings
}

fn photon(peer: &GeocoderPeer) -> Photon {
    Photon::start(&settings(peer, PlaceProvider::Photon)).unwrap()
}

fn named(text: &str, language: &str) -> PlaceQuery {
    PlaceQuery::named(text, Some(HERE), AcceptedLanguage::of(language))
}

fn at(lat: f64, lng: f64) -> PlaceQuery {
    PlaceQuery::at(Point::new(lat, lng), AcceptedLanguage::of("en"))
}

async fn find(asked: &dyn Geocoder, query: &PlaceQuery) -> Result<Vec<FoundPlace>, PlacesError> {
    within("an answer", asked.find(query)).await
}

fn lines(found: &[FoundPlace]) -> Vec<(&str, &str, PlaceKind)> {
    found.iter().map(|place| (place.name.as_str(), place.address.as_str(), place.kind)).collect()
}

fn asked(peer: &GeocoderPeer) -> (String, String) {
    let asked = peer.last();
    let parameters = asked.parameters().into_iter().map(|(name, value)| format!("{name}={value}"));
    (asked.path, parameters.collect::<Vec<_>>().join("&"))
}

#[actix_web::test]
async fn requests_to_photon_follow_its_documentation() {
    let peer = GeocoderPeer::photon().await;
    let photon = photon(&peer);
    let found = find(&photon, &named("  Toit   Indira ", "kn-IN")).await.expect("places");
    assert_eq!(
        asked(&peer),
        ("/api".to_owned(), "lat=12.97&limit=10&lon=77.59&q=toit indira".to_owned()),
        "a kilometre says enough of where somebody is"
    );
    assert_eq!(
        lines(&found),
        [
            ("Toit", "Toit, 298, 100 Feet Road, Stage 2, Bengaluru 560038", PlaceKind::Landmark),
            ("Toit Lane", "Toit Lane, Bengaluru", PlaceKind::Street),
        ]
    );
    assert_eq!(found[0].at, Point::new(12.979_150_4, 77.640_701_2));
    let headers = peer.last().headers;
    assert_eq!(headers["accept-language"], "kn, en;q=0.5");
    assert!(!headers.contains_key("authorization"));

    let found = find(&photon, &at(12.973_018, 77.616_984)).await.expect("a place");
    assert_eq!(asked(&peer), ("/reverse".to_owned(), "lat=12.9730&limit=1&lon=77.6170".to_owned()));
    assert_eq!(
        lines(&found),
        [("12, MG Road", "12, MG Road, Ashok Nagar, Bengaluru 560001", PlaceKind::House)]
    );
    assert_eq!(find(&photon, &at(0.5, 65.0)).await, Ok(Vec::new()), "the sea");
}

#[actix_web::test]
async fn requests_to_nominatim_follow_its_documentation() {
    let peer = GeocoderPeer::nominatim().await;
    let mut settings = settings(&peer, PlaceProvider::Nominatim);
    settings.url = format!("{}/", peer.url());
    settings.contact = "maps@roadcall.example".to_owned();
    settings.key_header = "X-Api-Key".to_owned();
    settings.key = Secret("hunter2".to_owned());
    let nominatim = Nominatim::start(&settings).unwrap();
    let found = find(&nominatim, &named("Trinity", "en")).await.expect("places");
    assert_eq!(
        asked(&peer),
        (
            "/search".to_owned(),
            "addressdetails=1&format=jsonv2&limit=10&q=trinity&viewbox=77.34,12.72,77.84,13.22".to_owned()
        )
    );
    assert_eq!(
        lines(&found),
        [
            ("Trinity Circle", "Trinity Circle, MG Road, Ashok Nagar, Bengaluru 560001", PlaceKind::Landmark),
            ("Trinity", "Trinity, Bengaluru", PlaceKind::Area),
        ]
    );
    let headers = peer.last().headers;
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(headers["user-agent"], format!("roadcall/{version} (maps@roadcall.example)"));
    assert_eq!((headers["x-api-key"].as_str(), headers["accept-language"].as_str()), ("hunter2", "en"));

    let found = find(&nominatim, &at(12.972_97, 77.617_01)).await.expect("a place");
    let parameters = "addressdetails=1&format=jsonv2&lat=12.9730&lon=77.6170".to_owned();
    assert_eq!(asked(&peer), ("/reverse".to_owned(), parameters));
    assert_eq!(lines(&found), [("MG Road", "MG Road, Ashok Nagar, Bengaluru 560001", PlaceKind::Street)]);
    let at_sea = find(&nominatim, &at(0.5, 65.0)).await;
    assert_eq!(at_sea, Ok(Vec::new()), "it says that it is unable to geocode");
    let shown = format!("{nominatim:?} {settings:?} {:?} {found:?}", named("Trinity", "en"));
    for secret in ["hunter2", "Trinity", "MG Road", "12.97"] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[actix_web::test]
async fn every_failure_has_its_name_and_unusable_places_are_left_out() {
    let says = |status, body: &str| says(status, body).with("content-type", JSON);
    let unread = PlacesError::Garbage("no JSON of its kind");
    let large = 256 * 1024;
    let cases = [
        (says(400, r#"{"message":"language xx is not supported"}"#), PlacesError::Refused),
        (says(429, "{}"), PlacesError::Status(429)),
        (says(500, "{}"), PlacesError::Status(500)),
        (says(204, ""), PlacesError::Status(204)),
        (says(200, ""), unread.clone()),
        (says(200, "{"), unread.clone()),
        (says(200, "[]"), unread.clone()),
        (says(200, r#"{"features":{}}"#), unread),
        (
            says(200, "{}").with("content-type", "text/html"),
            PlacesError::Garbage("no JSON by its content type"),
        ),
        (says(200, &" ".repeat(large + 1)), PlacesError::TooLarge(large)),
        (Manner::Cut(200), PlacesError::Cut),
    ];
    let peer = GeocoderPeer::photon().await;
    peer.answer_as(Manner::Silent);
    let photon = photon(&peer);
    for (speech, error) in cases {
        peer.answer_as(speech.clone());
        assert_eq!(find(&photon, &named("toit", "en")).await, Err(error), "{speech:?}");
    }
    let feature = |at: &str, properties: &str| {
        format!(r#"{{"geometry":{{"type":"Point","coordinates":{at}}},"properties":{properties}}}"#)
    };
    let odd = [
        "{}".to_owned(),
        "null".to_owned(),
        r#"{"geometry":null,"properties":null}"#.to_owned(),
        feature(r#"["a","b"]"#, r#"{"name":"words"}"#),
        feature("[77.6]", r#"{"name":"a line"}"#),
        feature("[[77.6,12.9],[77.7,12.9]]", r#"{"name":"a way"}"#),
        feature("[77.6,91]", r#"{"name":"beyond the pole"}"#),
        feature("[181,12.9]", r#"{"name":"around the globe"}"#),
        feature("[77.6,12.9]", "{}"),
        feature("[77.6,12.9]", r#"{"name":"  "}"#),
    ];
    peer.answer_as(says(200, &format!(r#"{{"features":[{}]}}"#, odd.join(","))));
    assert_eq!(find(&photon, &named("toit", "en")).await, Ok(Vec::new()));
    // One bad feature among others hides none of them, and unusual features are read.
    let unusual = feature(
        "[77.6,12.9,920.5]",
        r#"{"name":"Toit","postcode":560038,"city":"Bengaluru","street":{"odd":1},"extent":[1,2],"type":7}"#,
    );
    peer.answer_as(says(200, &format!(r#"{{"features":[{},{unusual}]}}"#, odd.join(","))));
    let found = find(&photon, &named("toit", "en")).await.expect("a place");
    assert_eq!(lines(&found), [("Toit", "Toit, Bengaluru 560038", PlaceKind::Landmark)]);
    assert_eq!(found[0].at, Point::new(12.9, 77.6));
    let many = vec![feature("[77.6,12.9]", r#"{"name":"Toit"}"#); 50];
    peer.answer_as(says(200, &format!(r#"{{"features":[{}]}}"#, many.join(","))));
    assert_eq!(find(&photon, &named("toit", "en")).await.map(|found| found.len()), Ok(10));
}

#[actix_web::test]
async fn unusual_fields_of_nominatims_places_are_read_or_left_out() {
    let unusual = r#"{"lat":12.97,"lon":"77.59","display_name":null,"category":null,"type":1,"name":"Toit",
        "address":{"postcode":560038,"city":"Bengaluru","road":null}}"#;
    let peer = GeocoderPeer::nominatim().await;
    peer.answer_as(says(200, format!(r#"[{{}},"odd",{unusual},null]"#)));
    let nominatim = Nominatim::start(&settings(&peer, PlaceProvider::Nominatim)).unwrap();
    let found = find(&nominatim, &named("toit", "en")).await.expect("a place");
    assert_eq!(lines(&found), [("Toit", "Toit, Bengaluru 560038", PlaceKind::Landmark)]);
    peer.answer_as(says(200, unusual));
    let found = find(&nominatim, &at(12.97, 77.59)).await.expect("a place");
    assert_eq!(lines(&found), [("Toit", "Toit, Bengaluru 560038", PlaceKind::Landmark)]);
    peer.answer_as(says(200, r#"{"lat":[]}"#));
    assert_eq!(find(&nominatim, &at(12.98, 77.59)).await, Ok(Vec::new()));
    peer.answer_as(says(200, "[]"));
    let unread = PlacesError::Garbage("no JSON of its kind");
    assert_eq!(find(&nominatim, &at(12.99, 77.59)).await, Err(unread));
}

#[actix_web::test]
async fn slow_services_closed_ports_and_redirects_are_refused() {
    let peer = GeocoderPeer::photon().await;
    peer.answer_as(Manner::Silent);
    let mut settings = settings(&peer, PlaceProvider::Photon);
    settings.timeout_ms = 100;
    let quick = Photon::start(&settings).unwrap();
    assert_eq!(find(&quick, &named("toit", "en")).await, Err(PlacesError::Timeout));
    let inner = GeocoderPeer::photon().await;
    peer.answer_as(redirects(inner.url()));
    assert_eq!(find(&photon(&peer), &named("toit", "en")).await, Err(PlacesError::Status(302)));
    assert_eq!(inner.count(), 0);
    let [nobodys] = free_ports();
    settings.url = format!("http://127.0.0.1:{nobodys}");
    settings.timeout_ms = 10_000;
    let dead = Photon::start(&settings).unwrap();
    assert_eq!(find(&dead, &named("toit", "en")).await, Err(PlacesError::Unreachable));
}

/// A service in this process that answers when the test allows it.
#[derive(Debug)]
struct Gated {
    gate: Semaphore,
    fails: AtomicBool,
    asked: watch::Sender<usize>,
    /// The number of answers given.
    answered: AtomicUsize,
}

impl Gated {
    fn new(open: usize) -> Arc<Self> {
        Arc::new(Self {
            gate: Semaphore::new(open),
            fails: AtomicBool::new(false),
            asked: watch::Sender::default(),
            answered: AtomicUsize::new(0),
        })
    }

    fn count(&self) -> usize {
        *self.asked.borrow()
    }
}

#[async_trait]
impl Geocoder for Gated {
    async fn find(&self, _: &PlaceQuery) -> Result<Vec<FoundPlace>, PlacesError> {
        self.asked.send_modify(|asked| *asked += 1);
        self.gate.acquire().await.unwrap().forget();
        self.answered.fetch_add(1, Ordering::Relaxed);
        if self.fails.load(Ordering::Relaxed) { Err(PlacesError::Status(500)) } else { Ok(Vec::new()) }
    }
}

fn limits(per_second: f64) -> PlaceLimits {
    PlaceLimits {
        patience: Duration::from_millis(500),
        per_second,
        answers: 100,
        ttl: Duration::from_secs(3600),
    }
}

/// Returns a service that answers at once, and the memory before it, on a clock of the test's own.
fn remembered(per_second: f64) -> (Arc<Gated>, Remembered) {
    let (service, clock) =
        (Gated::new(1_000), Clock::virtual_from(DateTime::UNIX_EPOCH + TimeDelta::days(20_000)));
    let remembered = Remembered::new(service.clone(), limits(per_second), clock);
    (service, remembered)
}

#[actix_web::test]
async fn simultaneous_questions_are_asked_once_and_failures_are_not_cached() {
    let service = Gated::new(0);
    let remembered = Remembered::new(service.clone(), limits(1_000.0), Clock::system());
    let query = named("toit", "en");
    let asking = join_all((0..20).map(|_| find(&remembered, &query)));
    let answering = async {
        let mut asked = service.asked.subscribe();
        within("it is asked", asked.wait_for(|asked| *asked == 1)).await.unwrap();
        service.gate.add_permits(1);
    };
    let (answers, ()) = futures_util::future::join(asking, answering).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(service.count(), 1);
    find(&remembered, &query).await.expect("remembered");
    assert_eq!(service.count(), 1, "the memory answers");

    service.gate.add_permits(100);
    find(&remembered, &named("toit", "hi")).await.expect("another language");
    find(&remembered, &at(12.971_61, 77.594_61)).await.expect("a point");
    find(&remembered, &at(12.971_63, 77.594_62)).await.expect("the same, as rounded");
    assert_eq!(service.count(), 3);
    service.fails.store(true, Ordering::Relaxed);
    let other = named("other", "en");
    assert_eq!(find(&remembered, &other).await, Err(PlacesError::Status(500)));
    service.fails.store(false, Ordering::Relaxed);
    find(&remembered, &other).await.expect("asked again");
    assert_eq!(service.count(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_failing_service_is_left_alone_while_cached_answers_are_given() {
    let (service, remembered) = remembered(1_000.0);
    let known = named("known", "en");
    find(&remembered, &known).await.expect("it works");
    service.fails.store(true, Ordering::Relaxed);
    for number in 0..5 {
        let failed = find(&remembered, &named(&format!("place {number}"), "en")).await;
        assert_eq!(failed, Err(PlacesError::Status(500)));
    }
    assert_eq!(find(&remembered, &named("more", "en")).await, Err(PlacesError::Resting));
    assert_eq!(service.count(), 6);
    find(&remembered, &known).await.expect("remembered");
    service.fails.store(false, Ordering::Relaxed);
    tokio::time::advance(Duration::from_secs(6)).await;
    find(&remembered, &named("more", "en")).await.expect("it works again");
}

#[tokio::test(start_paused = true)]
async fn questions_per_second_are_limited_and_nobody_waits_long() {
    // The second question would wait a second, which is longer than anybody waits here.
    let (service, remembered) = remembered(1.0);
    find(&remembered, &named("first", "en")).await.expect("the first turn");
    for text in ["second", "third"] {
        assert_eq!(find(&remembered, &named(text, "en")).await, Err(PlacesError::Busy(1)), "{text}");
    }
    find(&remembered, &named("first", "en")).await.expect("what is known takes no turn");
    assert_eq!(service.count(), 1);
    tokio::time::advance(Duration::from_millis(700)).await;
    find(&remembered, &named("second", "en")).await.expect("0.3 s are waited for");
    assert_eq!(service.count(), 2);
}

async fn find_for(asked: &dyn Geocoder, text: String, asker: Uuid) -> Result<Vec<FoundPlace>, PlacesError> {
    asked.find_for(&named(&text, "en"), asker).await
}

#[tokio::test(start_paused = true)]
async fn one_person_has_only_a_share_of_the_questions() {
    let (service, remembered) = remembered(1_000.0);
    let (hungry, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let asking = (0..8).map(|number| find_for(&remembered, format!("place {number}"), hungry));
    let (found, refused): (Vec<_>, Vec<_>) = join_all(asking).await.into_iter().partition(Result::is_ok);
    assert_eq!((found.len(), refused.len()), (6, 2), "so many at once");
    assert!(refused.iter().all(|answer| *answer == Err(PlacesError::Share(1))), "{refused:?}");
    find_for(&remembered, "more".to_owned(), other).await.expect("others have their own");
    find_for(&remembered, "more".to_owned(), hungry).await.expect("what is known is nobody's share");
    assert_eq!(service.count(), 7);
    tokio::time::advance(Duration::from_secs(1)).await;
    find_for(&remembered, "even more".to_owned(), hungry).await.expect("there is room again");
}
