//! Checks messages of the apps that send positions: whatever they contain, a position read from them is on the globe.

use chrono::DateTime;
use roadcall_actors::mechanic::state::Ping;

use crate::tracking::protocols::{OsmAndPosition, OwnTracksMessage, TraccarBody};

fn check_ping(ping: &Ping) {
    assert!((-90.0..=90.0).contains(&ping.point.lat) && (-180.0..=180.0).contains(&ping.point.lng));
    let figures = [ping.accuracy_m, ping.speed_mps, ping.heading];
    assert!(figures.into_iter().flatten().all(|figure| figure.is_finite() && figure >= 0.0));
}

pub fn check(text: &str) {
    let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
    let pings = [
        OwnTracksMessage::ping_of(text.as_bytes()),
        TraccarBody::of(text.as_bytes()).ping(now),
        OsmAndPosition::ping_of(text.as_bytes(), now),
    ];
    pings.iter().filter_map(|ping| ping.as_ref().ok()).flatten().for_each(check_ping);
}
