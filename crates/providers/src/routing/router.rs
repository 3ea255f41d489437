use async_trait::async_trait;
use roadcall_base::geo::Point;

/// Seconds from each origin (row) to each destination (column); `None` if no plausible route is known.
pub type Durations = Vec<Vec<Option<f64>>>;

/// A route along roads.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Road {
    /// The points from the road nearest to the origin to the road nearest to the destination.
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
    /// No road leads there, for example across the sea.
    NoWay,
    /// There was no answer, or it can't be believed.
    Unknown,
}

/// A router. It answers within its own time limit, and never with an impossible number. There are always as many rows as origins,
/// each with as many columns as destinations.
#[async_trait]
pub trait Router: std::fmt::Debug + Send + Sync + 'static {
    async fn durations(&self, origins: &[Point], destinations: &[Point]) -> Result<Durations, RoutingError>;

    /// Returns the quickest route, with at least two points and not more than a map can show; `None` if no plausible route is
    /// known.
    async fn road(&self, from: Point, to: Point) -> Result<Option<Road>, RoutingError>;

    /// Returns how far the quickest route is, however long, without its line.
    async fn reach(&self, from: Point, to: Point) -> Result<Reach, RoutingError>;
}

/// Why a router gave no answer. The error contains neither coordinates, which show where people are, nor the router's address.
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
    /// The router works, but refuses this question, with a code of its own.
    #[error("refused: {0}")]
    Refused(String),
}

impl RoutingError {
    /// Returns whether the fault is the router's: it is then left alone for a while.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::Refused(_))
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
            Self::Refused(_) => "refused",
        }
    }
}
