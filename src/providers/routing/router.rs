use futures_util::future::BoxFuture;
use roadcall_actors::geo::Point;

/// Seconds from each origin (row) to each destination (column); `None` where no way, or none to be believed, is known.
pub type Durations = Vec<Vec<Option<f64>>>;

/// A way along roads.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Road {
    /// From the road nearest to the origin to the one nearest to the destination.
    pub points: Vec<Point>,
    pub length_m: f64,
    pub seconds: f64,
}

/// How far a place is by road.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reach {
    By {
        length_m: f64,
        seconds: f64,
    },
    /// No road leads there, as across the sea.
    NoWay,
    /// The answer can't be believed, or there was none.
    Unknown,
}

/// A router. Answers within its own time limit, never with a number that can't be true, and never in another
/// shape than as many rows as origins with as many columns as destinations.
pub trait Router: std::fmt::Debug + Send + Sync + 'static {
    fn durations<'a>(
        &'a self,
        origins: &'a [Point],
        destinations: &'a [Point],
    ) -> BoxFuture<'a, Result<Durations, RoutingError>>;

    /// The quickest way, with at least two points and not more than a map can show; `None` where no way, or none to be
    /// believed, is known.
    fn road(&self, from: Point, to: Point) -> BoxFuture<'_, Result<Option<Road>, RoutingError>>;

    /// How far the quickest way is, however long, without its line.
    fn reach(&self, from: Point, to: Point) -> BoxFuture<'_, Result<Reach, RoutingError>>;
}

/// Why a router gave no answer. None of them contains coordinates, which say where people are, or the router's address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RoutingError {
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
    /// It works, and can't or won't answer this question; with its own code.
    #[error("refused: {0}")]
    Refused(String),
}

impl RoutingError {
    /// Whether the router is to blame: it is then left alone for a while.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::Refused(_))
    }

    /// For metrics.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Unreachable => "unreachable",
            Self::Cut => "cut",
            Self::Status(_) => "status",
            Self::TooLarge(_) => "too_large",
            Self::Garbage(_) => "garbage",
            Self::Refused(_) => "refused",
        }
    }
}
