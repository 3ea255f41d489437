//! The apps' messages and settings, in their own terms. Sources: <https://owntracks.org/booklet/tech/http/>,
//! <https://owntracks.org/booklet/tech/json/> and <https://www.traccar.org/osmand/>.

use std::{borrow::Cow, str::FromStr};

use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use deserr::Deserr;
use roadcall_actors::{geo::Point, mechanic::state::Ping};
use serde::Serialize;
use serde_json::Value;
use url::form_urlencoded::{self, Serializer};
use utoipa::ToSchema;

use crate::http::{
    Invalid, Latitude, Longitude, Param, Timestamp, ValidationErrors, read_json, read_pairs, text_enum,
};

/// The number of characters that are kept of a reason.
const MAX_DETAIL: usize = 300;

/// A greater accuracy value carries no information.
const MAX_ACCURACY_M: f64 = 100_000.0;
/// How often positions are asked for, in seconds: on the way, and while nothing moves.
const INTERVAL_S: u32 = 15;
/// Kilometres an hour in a metre per second.
const KMH_PER_MPS: f64 = 3.6;
/// Metres a second in a knot.
const MPS_PER_KNOT: f64 = 1852.0 / 3600.0;
/// The last second of the year 9999.
const LAST_SECOND: i64 = 253_402_300_799;
/// A time below this is in seconds, and one above in milliseconds: it is 2106 in seconds and 1970 in milliseconds.
const FIRST_MILLIS: i64 = 1 << 32;

text_enum! {
    /// Why a message of a tracker can't be used, however often it is sent.
    TrackerFault {
        /// The message is too large, or in no form that these apps use.
        Unreadable = "unreadable",
        /// The message is encrypted. Switch encryption off in the app; https protects what it sends.
        Encrypted = "encrypted",
        /// The position or its time is missing, or a value is not valid.
        Invalid = "invalid",
        /// The phone's clock is more than a day ahead.
        ClockAhead = "clock_ahead",
        /// The position is more than a day old.
        TooOld = "too_old",
        /// The phone does not know where it is, and sends 0,0.
        NoFix = "no_fix",
    }
}

/// Why a message can't be used, in detail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable {
    pub fault: TrackerFault,
    /// The reason, at most [`MAX_DETAIL`] characters.
    pub detail: String,
}

impl Unusable {
    fn new(fault: TrackerFault, detail: impl AsRef<str>) -> Self {
        Self { fault, detail: detail.as_ref().chars().take(MAX_DETAIL).collect() }
    }

    pub fn unreadable(why: impl AsRef<str>) -> Self {
        Self::new(TrackerFault::Unreadable, why)
    }

    /// Makes the reason of a position that the mechanic's actor did not take, with how far the phone's clock is ahead.
    pub fn rejected(reason: &str, ahead: TimeDelta) -> Self {
        match reason {
            "recorded_in_the_future" => {
                let detail = format!("the phone's clock is ahead by {} days", ahead.num_days());
                Self::new(TrackerFault::ClockAhead, detail)
            }
            "no_fix" => Self::new(TrackerFault::NoFix, "the position is 0,0"),
            _ => Self::new(TrackerFault::TooOld, format!("the position is {} hours old", -ahead.num_hours())),
        }
    }
}

impl From<ValidationErrors> for Unusable {
    fn from(errors: ValidationErrors) -> Self {
        let faults = errors.0.iter().map(|(field, messages)| format!("{field}: {}", messages.join(", ")));
        Self::new(TrackerFault::Invalid, faults.collect::<Vec<_>>().join("; "))
    }
}

/// A message of OwnTracks in HTTP mode. Other fields are not read.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors)]
pub struct OwnTracksMessage {
    /// The kind of the message. Only `location` has a position. Other kinds are taken and not used.
    #[deserr(rename = "_type", default)]
    #[schema(rename = "_type", example = "location")]
    #[expect(dead_code, reason = "it is read before the rest, and described with it")]
    pub kind: Option<String>,
    /// The latitude; required in a location, like `lon` and `tst`.
    #[deserr(default)]
    pub lat: Option<Latitude>,
    #[deserr(default)]
    pub lon: Option<Longitude>,
    /// When the position was taken, in seconds since 1970, by the phone's clock.
    #[deserr(default)]
    pub tst: Option<UnixSeconds>,
    /// The accuracy in metres.
    #[deserr(default)]
    pub acc: Option<f64>,
    /// The speed in kilometres an hour.
    #[deserr(default)]
    pub vel: Option<f64>,
    /// The direction in degrees clockwise from north.
    #[deserr(default)]
    pub cog: Option<f64>,
}

impl OwnTracksMessage {
    /// Reads the position in a message, if it is of a kind that has one.
    pub fn ping_of(bytes: &[u8]) -> Result<Option<Ping>, Unusable> {
        // The body is empty when a friend was deleted.
        if bytes.is_empty() {
            return Ok(None);
        }
        let unreadable =
            |errors: ValidationErrors| Unusable { fault: TrackerFault::Unreadable, ..errors.into() };
        let value = read_json(bytes).map_err(unreadable)?;
        match value["_type"].as_str() {
            Some("location") => {}
            Some("encrypted") => {
                let why = "switch encryption off in the app; https protects what it sends";
                return Err(Unusable::new(TrackerFault::Encrypted, why));
            }
            // Leaving a region, a waypoint, a card, steps: we do not read these fields.
            Some(_) | None => return Ok(None),
        }
        deserr::deserialize::<Self, _, ValidationErrors>(value)?.ping().map(Some)
    }

    fn ping(self) -> Result<Ping, Unusable> {
        let mut faults = ValidationErrors::default();
        let required =
            [("lat", self.lat.is_none()), ("lon", self.lon.is_none()), ("tst", self.tst.is_none())];
        for (field, is_missing) in required {
            if is_missing {
                faults.add(field, "is required in a location");
            }
        }
        let (Some(lat), Some(lng), Some(UnixSeconds(recorded_at))) = (self.lat, self.lon, self.tst) else {
            return Err(faults.into());
        };
        let point = TrackerPoint {
            lat,
            lng,
            accuracy_m: self.acc,
            speed_mps: self.vel.map(|kmh| kmh / KMH_PER_MPS),
            heading: self.cog,
            is_mock: false,
        };
        Ok(point.ping(recorded_at))
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

/// Makes a link that sets OwnTracks up when it is opened on the phone, or read by it as a QR code.
pub fn owntracks_setup_url(endpoint: &str, token: &str) -> String {
    let settings = OwnTracksSettings {
        kind: "configuration",
        // The mode for HTTP.
        mode: 3,
        url: endpoint,
        auth: true,
        username: "roadcall",
        password: token,
        device_id: "phone",
        tid: "rc",
        // The mode "move": positions arrive at intervals, whether the phone moves or not.
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

/// A position by OsmAnd's protocol, as a query string or a form. Other parameters are not read.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors)]
pub struct OsmAndPosition {
    /// The tracker's token; `deviceid` is accepted as well.
    #[deserr(default)]
    #[schema(value_type = Option<String>)]
    #[expect(dead_code, reason = "it is read before the rest, and described with it")]
    pub id: Option<Param<String>>,
    /// The latitude; required, like `lon`, unless there is a `location`.
    #[deserr(default)]
    #[schema(value_type = Option<Latitude>)]
    pub lat: Option<Param<Latitude>>,
    #[deserr(default)]
    #[schema(value_type = Option<Longitude>)]
    pub lon: Option<Param<Longitude>>,
    /// The latitude and the longitude, instead of `lat` and `lon`.
    #[deserr(default)]
    #[schema(value_type = Option<String>, example = "12.97297,77.61701")]
    pub location: Option<Param<BothDegrees>>,
    /// The time as seconds or milliseconds since 1970, or as a date and a time; now if it is missing.
    #[deserr(default)]
    #[schema(value_type = Option<String>, example = "1773477190")]
    pub timestamp: Option<Param<OsmAndTime>>,
    /// The speed in knots.
    #[deserr(default)]
    #[schema(value_type = Option<f64>, example = 14.0)]
    pub speed: Option<Param<Figure>>,
    /// The direction in degrees clockwise from north.
    #[deserr(default)]
    #[schema(value_type = Option<f64>, example = 245)]
    pub bearing: Option<Param<Figure>>,
    /// The accuracy in metres.
    #[deserr(default)]
    #[schema(value_type = Option<f64>, example = 6.5)]
    pub accuracy: Option<Param<Figure>>,
}

/// Returns the tracker's token in a query string or a form.
pub fn token_in(pairs: &[u8]) -> Option<Cow<'_, str>> {
    form_urlencoded::parse(pairs).find(|(name, _)| is_token(name)).map(|(_, token)| token)
}

fn is_token(name: &str) -> bool {
    matches!(name, "id" | "deviceid")
}

impl OsmAndPosition {
    /// Reads the position in a query string or a form. A position without a time was taken now.
    pub fn ping_of(pairs: &[u8], now: DateTime<Utc>) -> Result<Option<Ping>, Unusable> {
        // The token was read before. If it is in the app's address, the app still sends its own number in the form.
        let others = form_urlencoded::parse(pairs).filter(|(name, _)| !is_token(name));
        let others = Serializer::new(String::new()).extend_pairs(others).finish();
        read_pairs::<Self>(others.as_bytes())?.ping(now).map(Some)
    }

    fn ping(self, now: DateTime<Utc>) -> Result<Ping, Unusable> {
        let degrees = match (self.lat, self.lon, self.location) {
            (Some(lat), Some(lng), _) => Ok((lat.0, lng.0)),
            (None, None, Some(Param(BothDegrees(lat, lng)))) => Ok((lat, lng)),
            (lat, lng, _) => {
                let mut faults = ValidationErrors::default();
                for (field, is_missing) in [("lat", lat.is_none()), ("lon", lng.is_none())] {
                    if is_missing {
                        faults.add(field, "is required");
                    }
                }
                Err(faults)
            }
        };
        let (lat, lng) = degrees?;
        let value = |param: Option<Param<Figure>>| param.map(|param| param.0.0);
        let point = TrackerPoint {
            lat,
            lng,
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

/// A number as a client writes it.
#[derive(Debug, Clone, Copy)]
pub struct Figure(f64);

impl FromStr for Figure {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.trim().parse().map(Self).map_err(|_| "must be a number")
    }
}

/// `LATITUDE,LONGITUDE`.
#[derive(Debug, Clone, Copy)]
pub struct BothDegrees(Latitude, Longitude);

impl FromStr for BothDegrees {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (lat, lng) = text.split_once(',').ok_or("must be a latitude and a longitude, with a comma")?;
        Ok(Self(lat.trim().parse()?, lng.trim().parse()?))
    }
}

/// Seconds or milliseconds since 1970, or a date and a time, in UTC if no offset follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OsmAndTime(pub DateTime<Utc>);

impl FromStr for OsmAndTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let at = match text.parse::<f64>() {
            Ok(number) if !number.is_finite() => None,
            Ok(number) if number < FIRST_MILLIS as f64 => {
                DateTime::from_timestamp_millis((number * 1_000.0) as i64)
            }
            Ok(millis) => DateTime::from_timestamp_millis(millis as i64),
            Err(_) => date_time(text),
        };
        // A time before 1970 or after 9999 is not a tracker's.
        let is_known = |at: &DateTime<Utc>| (0..=LAST_SECOND).contains(&at.timestamp());
        at.filter(is_known).map(Self).ok_or_else(|| {
            "must be seconds or milliseconds since 1970, or a date and a time such as 2026-03-14T08:30:12Z".to_owned()
        })
    }
}

/// Reads `2026-03-14T08:30:12.5+05:30`, also with a space for the T, with an offset of four digits, and without an offset.
fn date_time(text: &str) -> Option<DateTime<Utc>> {
    let (date, time) = text.split_at_checked(10)?;
    let time = time.strip_prefix(['T', 't', ' '])?.trim_end_matches(['Z', 'z']);
    // A plus that was not encoded arrives as a space.
    let text = format!("{date}T{}", time.replace(' ', "+"));
    let with_offset = DateTime::parse_from_str(&text, "%Y-%m-%dT%H:%M:%S%.f%#z").map(|at| at.to_utc());
    let without = || NaiveDateTime::parse_from_str(&text, "%Y-%m-%dT%H:%M:%S%.f").map(|at| at.and_utc());
    with_offset.or_else(|_| without()).ok()
}

/// The body of Traccar Client: JSON or a form, whatever its type says.
#[derive(Debug)]
pub enum TraccarBody {
    Json(Value),
    Form(Vec<u8>),
}

impl TraccarBody {
    pub fn of(bytes: &[u8]) -> Self {
        match read_json(bytes) {
            Ok(value) => Self::Json(value),
            Err(_) => Self::Form(bytes.to_owned()),
        }
    }

    /// Returns the tracker's token.
    pub fn token(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Json(value) => value["device_id"].as_str().map(Cow::Borrowed),
            Self::Form(pairs) => token_in(pairs),
        }
    }

    /// Reads the position in the body. A heartbeat in JSON may have none.
    pub fn ping(self, now: DateTime<Utc>) -> Result<Option<Ping>, Unusable> {
        match self {
            Self::Json(value) => {
                let message = deserr::deserialize::<TraccarMessage, _, ValidationErrors>(value)?;
                Ok(message.location.map(TraccarLocation::ping))
            }
            Self::Form(pairs) => OsmAndPosition::ping_of(&pairs, now),
        }
    }
}

/// A message of Traccar Client. Other fields are not read.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors)]
pub struct TraccarMessage {
    /// The tracker's token.
    #[deserr(default)]
    #[expect(dead_code, reason = "it is read before the rest, and described with it")]
    pub device_id: Option<String>,
    /// The phone's position.
    #[deserr(default)]
    pub location: Option<TraccarLocation>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors)]
pub struct TraccarLocation {
    /// When the phone measured the position.
    #[schema(value_type = Timestamp)]
    pub timestamp: Timestamp,
    pub coords: TraccarCoordinates,
    /// Whether the phone reports that the position is simulated.
    #[deserr(default)]
    pub mock: Option<bool>,
}

/// The coordinates. Unknown values are negative.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors)]
pub struct TraccarCoordinates {
    pub latitude: Latitude,
    pub longitude: Longitude,
    /// The accuracy in metres.
    #[deserr(default)]
    pub accuracy: Option<f64>,
    /// The speed in metres a second.
    #[deserr(default)]
    pub speed: Option<f64>,
    /// The direction in degrees clockwise from north.
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

/// Makes a link that sets Traccar Client up when it is opened on the phone, or read by it as a QR code. Positions arrive at
/// intervals, whether the phone moves or not.
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

/// A time in seconds since 1970; a fraction is not needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(f64) = UnixSeconds::new -> Invalid)]
#[schema(value_type = i64, minimum = 0, maximum = 253_402_300_799_i64, example = 1_773_477_190)]
pub struct UnixSeconds(pub DateTime<Utc>);

impl UnixSeconds {
    fn new(seconds: f64) -> Result<Self, Invalid> {
        // A value that is no number of this size becomes one outside these bounds.
        let whole = seconds as i64;
        let at = DateTime::from_timestamp(whole, 0).filter(|_| seconds >= 0.0 && whole <= LAST_SECOND);
        at.map(Self).ok_or_else(|| "must be seconds since 1970".into())
    }
}

/// A position from one of these apps, in our units. An app leaves unknown values out, or gives a negative number.
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
            // An accuracy beyond all measure must not count as exact.
            accuracy_m: known(self.accuracy_m.map(|metres| metres.min(MAX_ACCURACY_M)), MAX_ACCURACY_M),
            speed_mps: known(self.speed_mps, 1_000.0),
            heading: known(self.heading, 360.0),
            recorded_at,
            is_mock: self.is_mock,
        }
    }
}
