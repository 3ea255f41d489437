//! What the apps send, and the settings that they take, in their own words.
//! Sources: <https://owntracks.org/booklet/tech/http/>, <https://owntracks.org/booklet/tech/json/> and
//! <https://www.traccar.org/osmand/>.

use std::str::FromStr;

use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use deserr::Deserr;
use roadcall_actors::{geo::Point, mechanic::state::Ping};
use serde::Serialize;
use url::form_urlencoded::Serializer;
use utoipa::ToSchema;

use crate::{
    http::{Invalid, Latitude, Longitude, Param, Timestamp, ValidationErrors},
    platform::error::{ApiError, ApiResult},
};

/// Beyond this an accuracy says no more.
const MAX_ACCURACY_M: f64 = 100_000.0;
/// How often positions are asked for, in seconds: on the way, and while nothing moves.
const INTERVAL_S: u32 = 15;
/// Kilometres an hour in a metre per second.
const KMH_PER_MPS: f64 = 3.6;
/// Metres a second in a knot.
const MPS_PER_KNOT: f64 = 1852.0 / 3600.0;
/// Times in seconds are below this, times in milliseconds above: it is 1970 for the one and 2106 for the other.
const FIRST_MILLIS: i64 = 1 << 32;

/// A message of OwnTracks in HTTP mode. What it has beyond these fields is not read.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors)]
pub struct OwnTracksMessage {
    /// Only `location` has a position. Other kinds are taken, and not used; `encrypted` is refused, since nothing can be read in it.
    #[deserr(rename = "_type", default)]
    #[schema(rename = "_type", example = "location")]
    pub kind: Option<String>,
    /// Required in a location, like `lon` and `tst`.
    #[deserr(default)]
    pub lat: Option<Latitude>,
    #[deserr(default)]
    pub lon: Option<Longitude>,
    /// When the position was taken, in seconds since 1970, by the phone's clock.
    #[deserr(default)]
    pub tst: Option<UnixSeconds>,
    /// Metres.
    #[deserr(default)]
    pub acc: Option<f64>,
    /// Kilometres an hour.
    #[deserr(default)]
    pub vel: Option<f64>,
    /// Degrees clockwise from north.
    #[deserr(default)]
    pub cog: Option<f64>,
}

impl OwnTracksMessage {
    /// The position in it, if it has one.
    pub fn ping(self) -> ApiResult<Option<Ping>> {
        match self.kind.as_deref() {
            Some("location") => {}
            Some("encrypted") => {
                let why =
                    "can't be read here: switch encryption off in the app, https protects what it sends";
                return Err(ApiError::invalid("_type", why));
            }
            // Leaving a region, a waypoint, steps; and an empty message, when a friend was deleted.
            Some(_) | None => return Ok(None),
        }
        let mut faults = ValidationErrors::default();
        let required =
            [("lat", self.lat.is_none()), ("lon", self.lon.is_none()), ("tst", self.tst.is_none())];
        for (field, is_missing) in required {
            if is_missing {
                faults.add(field, "is required in a location");
            }
        }
        faults.into_result()?;
        let (Some(lat), Some(lng), Some(UnixSeconds(recorded_at))) = (self.lat, self.lon, self.tst) else {
            return Ok(None);
        };
        let point = TrackerPoint {
            lat,
            lng,
            accuracy_m: self.acc,
            speed_mps: self.vel.map(|kmh| kmh / KMH_PER_MPS),
            heading: self.cog,
            is_mock: false,
        };
        Ok(Some(point.ping(recorded_at)))
    }
}

/// The settings of OwnTracks that matter here.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OwnTracksSettings<'a> {
    #[serde(rename = "_type")]
    kind: &'static str,
    mode: u8,
    url: &'a str,
    auth: bool,
    username: &'static str,
    password: &'a str,
    device_id: &'static str,
    tid: &'static str,
    monitoring: u8,
    move_mode_locator_interval: u32,
    locator_interval: u32,
    locator_displacement: u32,
    ignore_inaccurate_locations: u32,
    autostart_on_boot: bool,
    cmd: bool,
    allow_remote_location: bool,
    remote_configuration: bool,
    extended_data: bool,
}

/// A link that sets OwnTracks up when it is opened on the phone, or read by it as a QR code.
pub fn owntracks_setup_url(endpoint: &str, token: &str) -> String {
    let settings = OwnTracksSettings {
        kind: "configuration",
        // HTTP.
        mode: 3,
        url: endpoint,
        auth: true,
        username: "roadcall",
        password: token,
        device_id: "phone",
        tid: "rc",
        // Move: positions come at intervals, whether the phone moves or not.
        monitoring: 2,
        move_mode_locator_interval: INTERVAL_S,
        locator_interval: INTERVAL_S,
        locator_displacement: 20,
        ignore_inaccurate_locations: 500,
        autostart_on_boot: true,
        cmd: false,
        allow_remote_location: false,
        remote_configuration: false,
        extended_data: false,
    };
    let inline = STANDARD.encode(serde_json::to_vec(&settings).unwrap_or_default());
    format!("owntracks:///config?{}", Serializer::new(String::new()).append_pair("inline", &inline).finish())
}

/// `?id=&lat=&lon=&timestamp=…`. What it has beyond these parameters is not read.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors)]
pub struct OsmAndQuery {
    #[deserr(default)]
    pub id: Option<Param<String>>,
    #[deserr(default)]
    pub deviceid: Option<Param<String>>,
    #[deserr(default)]
    pub lat: Option<Param<Latitude>>,
    #[deserr(default)]
    pub lon: Option<Param<Longitude>>,
    #[deserr(default)]
    pub timestamp: Option<Param<OsmAndTime>>,
    #[deserr(default)]
    pub speed: Option<Param<f64>>,
    #[deserr(default)]
    pub bearing: Option<Param<f64>>,
    #[deserr(default)]
    pub accuracy: Option<Param<f64>>,
}

impl OsmAndQuery {
    pub fn token(&self) -> Option<&str> {
        self.id.as_ref().or(self.deviceid.as_ref()).map(|param| param.0.as_str())
    }

    /// The position in it. Without a time it was taken now.
    pub fn ping(self, now: DateTime<Utc>) -> ApiResult<Ping> {
        let mut faults = ValidationErrors::default();
        for (field, is_missing) in [("lat", self.lat.is_none()), ("lon", self.lon.is_none())] {
            if is_missing {
                faults.add(field, "is required");
            }
        }
        let (Some(lat), Some(lng)) = (self.lat, self.lon) else { return Err(faults.into()) };
        let value = |param: Option<Param<f64>>| param.map(|param| param.0);
        let point = TrackerPoint {
            lat: lat.0,
            lng: lng.0,
            accuracy_m: value(self.accuracy),
            speed_mps: value(self.speed).map(|knots| knots * MPS_PER_KNOT),
            heading: value(self.bearing),
            is_mock: false,
        };
        Ok(match self.timestamp {
            Some(Param(OsmAndTime(recorded_at))) => point.ping(recorded_at),
            None => Ping { seq: Ping::UNNUMBERED, ..point.ping(now) },
        })
    }
}

/// Seconds or milliseconds since 1970, or RFC 3339.
#[derive(Debug, Clone, Copy)]
pub struct OsmAndTime(DateTime<Utc>);

impl FromStr for OsmAndTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let at = match text.parse::<i64>() {
            Ok(seconds) if seconds < FIRST_MILLIS => DateTime::from_timestamp(seconds, 0),
            Ok(millis) => DateTime::from_timestamp_millis(millis),
            Err(_) => Some(text.parse::<Timestamp>()?.0),
        };
        at.map(Self).ok_or_else(|| "must be seconds or milliseconds since 1970, or a date-time".to_owned())
    }
}

/// A message of Traccar Client. What it has beyond these fields is not read.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors)]
pub struct TraccarMessage {
    /// The tracker's token.
    #[deserr(default)]
    pub device_id: Option<String>,
    #[deserr(default)]
    pub location: Option<TraccarLocation>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors)]
pub struct TraccarLocation {
    #[schema(value_type = Timestamp)]
    pub timestamp: Timestamp,
    pub coords: TraccarCoordinates,
    /// Whether the phone says that the position is simulated.
    #[deserr(default)]
    pub mock: Option<bool>,
}

/// Unknown values are negative.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors)]
pub struct TraccarCoordinates {
    pub latitude: Latitude,
    pub longitude: Longitude,
    /// Metres.
    #[deserr(default)]
    pub accuracy: Option<f64>,
    /// Metres a second.
    #[deserr(default)]
    pub speed: Option<f64>,
    /// Degrees clockwise from north.
    #[deserr(default)]
    pub heading: Option<f64>,
}

impl TraccarLocation {
    pub fn ping(self) -> Ping {
        let point = TrackerPoint {
            lat: self.coords.latitude,
            lng: self.coords.longitude,
            accuracy_m: self.coords.accuracy,
            speed_mps: self.coords.speed,
            heading: self.coords.heading,
            is_mock: self.mock.unwrap_or_default(),
        };
        point.ping(self.timestamp.0)
    }
}

/// A link that sets Traccar Client up when it is opened on the phone, or read by it as a QR code. Positions come at intervals, whether
/// the phone moves or not.
pub fn traccar_setup_url(endpoint: &str, token: &str) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("url", endpoint).append_pair("id", token);
    for (setting, value) in [
        ("accuracy", "high"),
        ("distance", "0"),
        ("interval", &INTERVAL_S.to_string()),
        ("fastest_interval", "10"),
        ("heartbeat", "30"),
        ("buffer", "true"),
        ("wakelock", "true"),
        ("stop_detection", "false"),
        ("service", "true"),
    ] {
        query.append_pair(setting, value);
    }
    format!("org.traccar.client://config?{}", query.finish())
}

/// A time in whole seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(i64) = UnixSeconds::new -> Invalid)]
#[schema(value_type = i64, minimum = 0, maximum = 253_402_300_799_i64, example = 1_773_477_190)]
pub struct UnixSeconds(pub DateTime<Utc>);

impl UnixSeconds {
    fn new(seconds: i64) -> Result<Self, Invalid> {
        let at = DateTime::from_timestamp(seconds, 0).filter(|_| (0..=253_402_300_799).contains(&seconds));
        at.map(Self).ok_or_else(|| "must be seconds since 1970".into())
    }
}

/// A position as one of these apps sends it, in our units. What an app does not know it leaves out, or says in a negative number.
#[derive(Debug)]
pub struct TrackerPoint {
    pub lat: Latitude,
    pub lng: Longitude,
    pub accuracy_m: Option<f64>,
    pub speed_mps: Option<f64>,
    pub heading: Option<f64>,
    pub is_mock: bool,
}

impl TrackerPoint {
    pub fn ping(self, recorded_at: DateTime<Utc>) -> Ping {
        let known = |value: Option<f64>, most: f64| value.filter(|value| (0.0..=most).contains(value));
        Ping {
            seq: Ping::number_of(recorded_at),
            point: Point::new(self.lat.0, self.lng.0),
            // One that is beyond all measure must not count as exact.
            accuracy_m: known(self.accuracy_m.map(|metres| metres.min(MAX_ACCURACY_M)), MAX_ACCURACY_M),
            speed_mps: known(self.speed_mps, 1_000.0),
            heading: known(self.heading, 360.0),
            recorded_at,
            is_mock: self.is_mock,
        }
    }
}
