use chrono::{DateTime, Utc};

use super::dto::{OsmAndPosition, OsmAndTime, TraccarBody};

/// 2026-03-14 08:30:12 UTC.
const AT: i64 = 1_773_477_012;

fn read(text: &str) -> Option<DateTime<Utc>> {
    text.parse::<OsmAndTime>().ok().map(|time| time.0)
}

#[test]
fn times_are_read_in_every_form_that_clients_use() {
    let at = DateTime::from_timestamp(AT, 0);
    let half = DateTime::from_timestamp_millis(AT * 1_000 + 500);
    for (text, expected) in [
        ("1773477012", at),
        ("1773477012000", at),
        ("1773477012.5", half),
        ("1773477012500", half),
        ("2026-03-14T08:30:12Z", at),
        ("2026-03-14 08:30:12", at),
        ("2026-03-14T08:30:12", at),
        ("2026-03-14T08:30:12.500Z", half),
        ("2026-03-14 08:30:12.5", half),
        ("2026-03-14T14:00:12+05:30", at),
        ("2026-03-14T14:00:12+0530", at),
        ("2026-03-14T14:00:12.5+0530", half),
        ("2026-03-14 03:30:12-05", at),
        // The plus was not encoded.
        ("2026-03-14T14:00:12 0530", at),
        ("2026-03-14T14:00:12 05:30", at),
        ("2026-03-14 14:00:12 05:30", at),
        (" 1773477012 ", at),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
    for text in [
        "",
        "now",
        "nan",
        "inf",
        "-1",
        "1e300",
        "2026-03-14",
        "2026-13-14T08:30:12Z",
        "2026-03-14T08:30",
        "é026-03-14T08:30:12Z",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn a_form_is_read_like_a_query_string() {
    let now = DateTime::from_timestamp(AT, 0).expect("a time");
    let text = b"id=t&lat=12.5&lon=77.25&timestamp=1773477000&speed=-1&accuracy=5&bearing=-1&batt=80";
    let form = TraccarBody::of(text);
    assert_eq!(form.token().as_deref(), Some("t"));
    let ping = form.ping(now).expect("it can be used").expect("a position");
    assert_eq!((ping.point.lat, ping.point.lng), (12.5, 77.25));
    assert_eq!((ping.accuracy_m, ping.speed_mps, ping.heading), (Some(5.0), None, None), "-1 is unknown");
    assert_eq!(OsmAndPosition::ping_of(text, now), Ok(Some(ping)));
    let with_its_own_number = [&b"id=t&"[..], b"id=123456&deviceid=7&", text].concat();
    assert_eq!(OsmAndPosition::ping_of(&with_its_own_number, now), Ok(Some(ping)));
    // A position without a time was taken now.
    let ping = OsmAndPosition::ping_of(b"location=12.5, 77.25", now).expect("it can be used");
    assert_eq!(ping.map(|ping| (ping.point.lng, ping.recorded_at)), Some((77.25, now)));
}
