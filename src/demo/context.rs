use std::{
    net::SocketAddr,
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, Utc};
use tokio::sync::watch;

use super::{
    city::{City, CityAdmin, PlayTime},
    dto::DemoState,
};
use crate::accounts::auth::AuthContext;

#[derive(Debug, Clone)]
pub struct DemoContext {
    pub(super) auth: AuthContext,
    pub(super) demo: Option<Demo>,
}

impl Deref for DemoContext {
    type Target = AuthContext;

    fn deref(&self) -> &AuthContext {
        &self.auth
    }
}

/// The city and what it is doing. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Demo {
    pub(super) city: Arc<dyn City>,
    /// The service, as its own people reach it.
    pub(super) base: String,
    playing: Arc<Mutex<Option<Playing>>>,
    /// One person at a time is made, or made ready.
    pub(super) settling: Arc<tokio::sync::Mutex<()>>,
    /// Turns true when the service begins to stop.
    drain: watch::Receiver<bool>,
}

/// The city that plays, or played last.
#[derive(Debug)]
struct Playing {
    started_at: DateTime<Utc>,
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
            settling: Arc::default(),
            drain,
        });
        Self { auth: auth.clone(), demo }
    }

    pub fn is_available(&self) -> bool {
        self.demo.is_some()
    }
}

impl Demo {
    /// The city plays until it is stopped, or the service is.
    pub(super) fn start(&self, admin: CityAdmin, now: DateTime<Utc>) {
        let (stop, stopped) = watch::channel(false);
        let (report, outcome) = watch::channel(None);
        *self.lock() = Some(Playing { started_at: now, stop, outcome });
        let until = PlayTime { stop: stopped, end: self.drain.clone() };
        let play = self.city.play(self.base.clone(), admin, until);
        actix_web::rt::spawn(async move {
            let outcome = play.await;
            if let Err(why) = &outcome {
                tracing::error!(%why, "the demo city ended");
            }
            report.send_replace(Some(outcome));
        });
    }

    /// Nothing new happens from now on; everyone goes offline shortly after.
    pub(super) fn stop(&self) {
        if let Some(playing) = &*self.lock() {
            playing.stop.send_replace(true);
        }
    }

    pub(super) fn is_playing(&self) -> bool {
        self.lock().as_ref().is_some_and(Playing::goes_on)
    }

    pub(super) fn state(&self) -> DemoState {
        let playing = self.lock();
        let current = playing.as_ref().filter(|playing| playing.goes_on());
        let failure = playing.as_ref().and_then(|playing| match &*playing.outcome.borrow() {
            Some(Err(why)) => Some(why.clone()),
            _ => None,
        });
        DemoState {
            is_playing: current.is_some(),
            started_at: current.map(|playing| playing.started_at.into()),
            title: self.city.title().to_owned(),
            failure,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Playing>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Playing {
    fn goes_on(&self) -> bool {
        !*self.stop.borrow() && self.outcome.borrow().is_none()
    }
}
