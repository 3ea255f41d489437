//! The first minute of a developer: a simulated city on this very server, and sign-ins without a code. Development only; production,
//! and a program without the simulator, answer 404.
//!
//! The city is the command line's (`cli/sim.rs`): the service knows it as [`City`], and the city knows the service by its public
//! interface. It plays by the settings in force.

mod city;
mod dto;
mod guard;
mod handlers;
mod people;

pub use city::{City, CityAdmin, CityPerson, PlayTime};
pub use people::city_admin;

use std::{
    net::SocketAddr,
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, Utc};
use tokio::sync::watch;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::{accounts::auth::AuthContext, platform::error::ApiResult};
use dto::DemoState;

#[derive(Debug, Clone)]
pub struct DemoContext {
    auth: AuthContext,
    demo: Option<Demo>,
}

impl Deref for DemoContext {
    type Target = AuthContext;

    fn deref(&self) -> &AuthContext {
        &self.auth
    }
}

/// The city and what it is doing. Cheap to clone.
#[derive(Debug, Clone)]
struct Demo {
    city: Arc<dyn City>,
    /// The service, as its own people reach it.
    base: String,
    playing: Arc<Mutex<Option<Playing>>>,
    /// One person at a time is made, or made ready.
    settling: Arc<tokio::sync::Mutex<()>>,
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

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::get_demo)
        .service(handlers::play_demo)
        .service(handlers::stop_demo)
        .service(handlers::demo_sign_in);
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

    /// Lets the city play, unless it does.
    async fn play(&self, demo: &Demo) -> ApiResult<()> {
        // Making the admin again changes the password that an earlier request is about to use.
        let _one_at_a_time = demo.settling.lock().await;
        if demo.is_playing() {
            return Ok(());
        }
        let admin = city_admin(&self.db).await.map_err(people::refused)?;
        let (stop, stopped) = watch::channel(false);
        let (report, outcome) = watch::channel(None);
        *demo.lock() = Some(Playing { started_at: self.clock.now(), stop, outcome });
        let until = PlayTime { stop: stopped, end: demo.drain.clone() };
        let play = demo.city.play(demo.base.clone(), admin, until);
        actix_web::rt::spawn(async move {
            let outcome = play.await;
            if let Err(why) = &outcome {
                tracing::error!(%why, "the demo city ended");
            }
            report.send_replace(Some(outcome));
        });
        Ok(())
    }
}

impl Demo {
    /// Nothing new happens from now on; everyone goes offline shortly after.
    fn stop(&self) {
        if let Some(playing) = &*self.lock() {
            playing.stop.send_replace(true);
        }
    }

    fn is_playing(&self) -> bool {
        self.lock().as_ref().is_some_and(Playing::goes_on)
    }

    fn state(&self) -> DemoState {
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
