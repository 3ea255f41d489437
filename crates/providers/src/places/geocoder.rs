use async_trait::async_trait;
use roadcall_base::geo::Point;
use roadcall_http::{AcceptedLanguage, text_enum};
use uuid::Uuid;

/// The maximum number of places in an answer.
pub const MAX_PLACES: usize = 10;

/// A service that finds places. It answers within its own time limit, best first, with at most [`MAX_PLACES`] that can be shown:
/// each has a name, an address and coordinates on the globe.
#[async_trait]
pub trait Geocoder: std::fmt::Debug + Send + Sync + 'static {
    async fn find(&self, query: &PlaceQuery) -> Result<Vec<FoundPlace>, PlacesError>;

    /// Finds for a person who may use up only a share of the service's limit.
    async fn find_for(&self, query: &PlaceQuery, _asker: Uuid) -> Result<Vec<FoundPlace>, PlacesError> {
        self.find(query).await
    }
}

/// A question. Coordinates are rounded: the service learns no more exactly than necessary where people are.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum PlaceQuery {
    /// Places with this name, preferably near that point.
    Named { text: String, near: Option<RoundedPoint>, language: AcceptedLanguage },
    /// The place at a point: at most one.
    At { point: RoundedPoint, language: AcceptedLanguage },
}

impl std::fmt::Debug for PlaceQuery {
    // People's places must not be printed.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PlaceQuery(..)")
    }
}

impl PlaceQuery {
    /// Makes a search by name. `near` is rounded to about 1 km.
    pub fn named(text: &str, near: Option<Point>, language: AcceptedLanguage) -> Self {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        Self::Named { text: words.join(" "), near: near.map(|near| RoundedPoint::of(near, 2)), language }
    }

    /// Makes a search at a point, which is rounded to about 11 m.
    pub fn at(point: Point, language: AcceptedLanguage) -> Self {
        Self::At { point: RoundedPoint::of(point, 4), language }
    }
}

/// A point in hundred-thousandths of a degree.
#[derive(derive_more::Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[debug("RoundedPoint(..)")]
pub struct RoundedPoint {
    lat: i32,
    lng: i32,
}

impl RoundedPoint {
    fn of(point: Point, decimals: i32) -> Self {
        let scale = 10_f64.powi(decimals);
        let rounded = |degrees: f64| ((degrees * scale).round() / scale * 1e5).round() as i32;
        Self { lat: rounded(point.lat), lng: rounded(point.lng) }
    }

    pub(super) fn point(self) -> Point {
        Point::new(f64::from(self.lat) / 1e5, f64::from(self.lng) / 1e5)
    }
}

text_enum! {
    /// The kind of a place.
    PlaceKind {
        /// A building or a house number.
        House = "house",
        Street = "street",
        /// A part of a town, or a place without streets of its own.
        Area = "area",
        /// A village, a town, a city.
        Town = "town",
        /// An area larger than a town.
        Region = "region",
        /// A shop, a park, a lake, a station: anything with a name of its own. Also a point that somebody typed.
        Landmark = "landmark",
    }
}

/// A place that was found.
#[derive(derive_more::Debug, Clone, PartialEq)]
#[debug("FoundPlace {{ kind: {kind:?}, .. }}")]
pub struct FoundPlace {
    /// Never empty, and on one line.
    pub name: String,
    /// The whole address on one line, with the name: at most 300 characters.
    pub address: String,
    pub at: Point,
    pub kind: PlaceKind,
}

/// Why place search has no answer. The error contains neither the question nor the service's address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacesError {
    #[error("no answer in time")]
    Timeout,
    #[error("can't be reached")]
    Unreachable,
    #[error("the answer broke off")]
    Cut,
    #[error("answered {0}")]
    Status(u16),
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
    #[error("the answer is not understood: {0}")]
    Garbage(&'static str),
    /// The service works, but does not accept this question.
    #[error("refused the question")]
    Refused,
    /// The service has reached its limit per second; try again after so many seconds.
    #[error("too many questions wait")]
    Busy(u64),
    /// The person has used up their share of that limit; they may try again after so many seconds.
    #[error("one person asks too much")]
    Share(u64),
    /// The service failed, and is left alone for a while.
    #[error("left alone after failures")]
    Resting,
}

impl PlacesError {
    /// Returns whether the fault is the service's: it is then left alone for a while.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::Refused | Self::Busy(_) | Self::Share(_) | Self::Resting)
    }

    /// Returns the error's name in metrics.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Unreachable => "unreachable",
            Self::Cut => "cut",
            Self::Status(_) => "status",
            Self::TooLarge(_) => "too_large",
            Self::Garbage(_) => "garbage",
            Self::Refused => "refused",
            Self::Busy(_) => "busy",
            Self::Share(_) => "share",
            Self::Resting => "resting",
        }
    }
}

/// Why place search can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum PlacesStartError {
    #[error("places.url is no http or https URL")]
    Url,
    #[error("places.key_header, places.key or places.contact can't be sent in a header")]
    Header,
    #[error("the HTTP client of place search: {0}")]
    Client(#[from] reqwest::Error),
    #[error("the sketch of the demo city: {0}")]
    Sketch(#[from] serde_json::Error),
}
