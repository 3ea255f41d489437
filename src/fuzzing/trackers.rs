//! Messages of the apps that send positions: whatever they say, a position that comes of it can be one.

use actix_web::{FromRequest, dev::Payload, test::TestRequest};
use chrono::DateTime;
use deserr::deserialize;
use roadcall_actors::mechanic::state::Ping;

use crate::{
    http::{Query, ValidationErrors, read_json},
    tracking::protocols::{OsmAndQuery, OwnTracksMessage, TraccarMessage},
};

fn check_ping(ping: &Ping) {
    assert!((-90.0..=90.0).contains(&ping.point.lat) && (-180.0..=180.0).contains(&ping.point.lng));
    let figures = [ping.accuracy_m, ping.speed_mps, ping.heading];
    assert!(figures.into_iter().flatten().all(|figure| figure.is_finite() && figure >= 0.0));
}

pub fn check(text: &str) {
    let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
    if let Ok(value) = read_json(text.as_bytes()) {
        let owntracks = deserialize::<OwnTracksMessage, _, ValidationErrors>(value.clone());
        if let Some(ping) = owntracks.ok().and_then(|message| message.ping().ok().flatten()) {
            check_ping(&ping);
        }
        let traccar = deserialize::<TraccarMessage, _, ValidationErrors>(value);
        if let Some(location) = traccar.ok().and_then(|message| message.location) {
            check_ping(&location.ping());
        }
    }
    let target = format!("/?{text}");
    if target.parse::<actix_web::http::Uri>().is_err() {
        return;
    }
    let request = TestRequest::with_uri(&target).to_http_request();
    let query =
        Query::<OsmAndQuery>::from_request(&request, &mut Payload::None).into_inner().expect("a query");
    if let Ok(ping) = query.read().and_then(|query| query.ping(now)) {
        check_ping(&ping);
    }
}
