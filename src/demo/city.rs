use futures_util::future::BoxFuture;
use roadcall_actors::geo::Point;
use tokio::sync::watch;

/// Simulated people who use a service by its public interface.
pub trait City: std::fmt::Debug + Send + Sync {
    fn title(&self) -> &str;

    /// Returns the middle of the city, which is used unless the city plays around another point.
    fn center(&self) -> Point;

    /// Returns the point nearest to this one around which the city can play.
    fn nearest(&self, point: Point) -> Point;

    /// Signs everyone up at the service (`base` such as `http://127.0.0.1:8080`) and lets them live until the time is over:
    /// around a point, or where the city is.
    fn play(
        &self,
        base: String,
        admin: CityAdmin,
        around: Option<Point>,
        until: PlayTime,
    ) -> BoxFuture<'static, Result<(), String>>;

    /// Gives a person who is signed in what they need to begin, if they lack it: a customer a vehicle, a mechanic a verified
    /// profile.
    fn settle(&self, base: String, person: CityPerson) -> BoxFuture<'static, Result<(), String>>;
}

/// The admin who verifies the city's mechanics.
#[derive(derive_more::Debug)]
// Secrets must not reach a log through a debug print.
#[debug("CityAdmin {{ email: {email:?}, .. }}")]
pub struct CityAdmin {
    pub email: String,
    pub password: String,
}

/// How long a city plays.
#[derive(Debug)]
pub struct PlayTime {
    /// Turns true when everyone should finish and go offline.
    pub stop: watch::Receiver<bool>,
    /// Turns true when the service ends.
    pub end: watch::Receiver<bool>,
}

/// A person to settle, by their access token.
pub enum CityPerson {
    Customer { token: String },
    Mechanic { token: String, admin_token: String },
}

impl std::fmt::Debug for CityPerson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Customer { .. } => "Customer(..)",
            Self::Mechanic { .. } => "Mechanic(..)",
        })
    }
}
