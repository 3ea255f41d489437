use std::{net::SocketAddr, sync::Arc};

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use roadcall_actors::geo::Point;
use tokio::sync::watch;

use super::{
    city::{City, CityAdmin, PlayTime},
    dto::{DemoPlace, DemoState},
};
use crate::accounts::auth::AuthContext;

/// The radius around the middle of the city, in metres. A person within it counts as being in the city.
const NEAR_M: f64 = 30_000.0;

#[derive(Debug, Clone, derive_more::Deref)]
pub struct DemoContext {
    #[deref]
    pub(super) auth: AuthContext,
    pub(super) demo: Option<Demo>,
}

/// The city and what it is doing. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Demo {
    pub(super) city: Arc<dyn City>,
    /// The service, as its own people reach it.
    pub(super) base: String,
    playing: Arc<Mutex<Option<Playing>>>,
    /// The point around which the city plays, if it is another point than its own middle: maps begin there. It is changed under the
    /// lock of `playing`.
    moved_to: Arc<watch::Sender<Option<Point>>>,
    /// One person at a time is made, or made ready.
    pub(super) settling: Arc<tokio::sync::Mutex<()>>,
    /// Turns true when the service begins to stop.
    drain: watch::Receiver<bool>,
}

/// The city that plays, or played last.
#[derive(Debug)]
struct Playing {
    started_at: DateTime<Utc>,
    around: Option<Point>,
    stop: watch::Sender<bool>,
    outcome: watch::Receiver<Option<Result<(), String>>>,
}

impl DemoContext {
    /// `address` is the listener's, which is on loopback in development.
    pub fn new(
        auth: &AuthContext,
        city: Option<Arc<dyn City>>,
        address: SocketAddr,
        drain: watch::Receiver<bool>,
    ) -> Self {
        let demo = city.filter(|_| !auth.settings.is_production()).map(|city| Demo {
            city,
            base: format!("http://{address}"),
            playing: Arc::default(),
            moved_to: Arc::new(watch::Sender::new(None)),
            settling: Arc::default(),
            drain,
        });
        Self { auth: auth.clone(), demo }
    }

    /// Tells where maps begin while the city plays around another point; `None` without a city.
    pub fn moved_to(&self) -> Option<watch::Receiver<Option<Point>>> {
        self.demo.as_ref().map(|demo| demo.moved_to.subscribe())
    }
}

impl Demo {
    /// Lets the city play until it or the service is stopped: where it is, unless the person who asks is far from there.
    pub(super) fn start(&self, admin: CityAdmin, around: Option<Point>, now: DateTime<Utc>) {
        let around = around.filter(|point| point.distance_m(self.city.center()) > NEAR_M);
        let (stop, stopped) = watch::channel(false);
        let (report, outcome) = watch::channel(None);
        {
            let mut playing = self.playing.lock();
            *playing = Some(Playing { started_at: now, around, stop, outcome });
            self.moved_to.send_replace(around);
        }
        let until = PlayTime { stop: stopped, end: self.drain.clone() };
        let play = self.city.play(self.base.clone(), admin, around, until);
        let demo = self.clone();
        actix_web::rt::spawn(async move {
            let outcome = play.await;
            if let Err(why) = &outcome {
                tracing::error!(%why, "the demo city ended");
            }
            demo.end(&report, outcome);
        });
    }

    /// Reports how a city ended. Maps begin at their usual place again, unless another city plays by now.
    fn end(&self, report: &watch::Sender<Option<Result<(), String>>>, outcome: Result<(), String>) {
        let playing = self.playing.lock();
        report.send_replace(Some(outcome));
        if !playing.as_ref().is_some_and(Playing::goes_on) {
            self.moved_to.send_replace(None);
        }
    }

    /// Stops new events; everyone goes offline shortly after.
    pub(super) fn stop(&self) {
        let playing = self.playing.lock();
        if let Some(playing) = &*playing {
            playing.stop.send_replace(true);
        }
        self.moved_to.send_replace(None);
    }

    /// Returns whether the city plays, and near this point if there is one.
    pub(super) fn is_playing_near(&self, point: Option<Point>) -> bool {
        let playing = self.playing.lock();
        let Some(current) = playing.as_ref().filter(|playing| playing.goes_on()) else { return false };
        let center = current.around.unwrap_or_else(|| self.city.center());
        point.is_none_or(|point| point.distance_m(center) <= NEAR_M)
    }

    pub(super) fn state(&self) -> DemoState {
        let playing = self.playing.lock();
        let current = playing.as_ref().filter(|playing| playing.goes_on());
        let failure = playing.as_ref().and_then(|playing| match &*playing.outcome.borrow() {
            Some(Err(why)) => Some(why.clone()),
            _ => None,
        });
        let around = current.and_then(|playing| playing.around);
        let center = around.unwrap_or_else(|| self.city.center());
        DemoState {
            is_playing: current.is_some(),
            is_moved: around.is_some(),
            center: DemoPlace { lat: center.lat, lng: center.lng },
            started_at: current.map(|playing| playing.started_at.into()),
            title: self.city.title().to_owned(),
            failure,
        }
    }
}

impl Playing {
    fn goes_on(&self) -> bool {
        !*self.stop.borrow() && self.outcome.borrow().is_none()
    }
}
