//! Where the show is played: a whole service of its own in this process, or one that runs already.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use roadcall_actors::{clock::Clock, random::Random};

use super::show::Venue;
use crate::{
    accounting::ledger::{self, Audit},
    accounts::auth::Role,
    app::{self, Running, StartOptions},
    lifecycle::admins::{self, CreateAdminError},
    platform::{
        db::{Database, Db, DbError},
        settings::{Settings, SettingsError},
    },
    service::StartError,
};

/// The demo's own port, so that it runs beside a service on the usual one.
pub const LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8090);

/// Why there is nowhere to play.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    #[error("the demo is for development; unset ROADCALL_ENV")]
    Production,
    #[error("--url must be http://HOST:PORT: the demo talks to a development service nearby")]
    Url,
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Database(#[from] DbError),
    #[error("the demo's admin: {0}")]
    Admin(#[from] CreateAdminError),
}

/// A service to play in front of.
#[derive(Debug)]
pub struct Stage {
    pub venue: Venue,
    own: Option<Running>,
    /// The folder to remove at the end, where nobody asked to keep it.
    scratch: Option<Scratch>,
}

/// A folder that goes with the demo.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::debug!(%error, "the demo's folder could not be removed");
        }
    }
}

impl Stage {
    /// Starts a service of the demo's own with an embedded Postgres in `data_dir`, or in a folder that is removed at
    /// the end. `DATABASE_URL` is left alone: the demo's invented people do not belong into anyone's database. Where
    /// everyone drives `time_scale` times as fast, cancelling is free for that much less time; and what mechanics earn
    /// can be withdrawn at once, for which nothing may be disputed: nobody watches for two days.
    pub async fn own(
        mut settings: Settings,
        data_dir: Option<&Path>,
        time_scale: f64,
    ) -> Result<Self, StageError> {
        if settings.is_production() {
            return Err(StageError::Production);
        }
        settings.database.url = None;
        (settings.money.dispute_window_s, settings.wallet.clearing_hours) = (0, 0);
        settings.wallet.new_account_wait_hours = 0;
        settings.fees.free_after_accept_s = (settings.fees.free_after_accept_s as f64 / time_scale) as i64;
        let scratch = match data_dir {
            Some(_) => None,
            None => Some(Scratch(std::env::temp_dir().join(format!("roadcall-demo-{}", std::process::id())))),
        };
        if let Some(Scratch(folder)) = &scratch {
            settings.server.data_dir = folder.clone();
        } else if let Some(folder) = data_dir {
            settings.server.data_dir = folder.to_owned();
        }
        let running = app::start(settings, StartOptions::default()).await?;
        let base = format!("http://{}", running.address);
        let venue = admit(&running.service.core().db, base).await?;
        Ok(Self { venue, own: Some(running), scratch })
    }

    /// Plays in front of a service that runs: its admin is made through its database, as `roadcall admin create`
    /// does.
    pub async fn at(url: &str, settings: &Settings) -> Result<Self, StageError> {
        if settings.is_production() {
            return Err(StageError::Production);
        }
        let base = url.trim_end_matches('/').to_owned();
        let parsed = url::Url::parse(&base).map_err(|_| StageError::Url)?;
        if parsed.scheme() != "http" || parsed.host().is_none() || parsed.path() != "/" {
            return Err(StageError::Url);
        }
        let database = Database::open_beside(&settings.database, &settings.server.data_dir).await?;
        let venue = admit(database.db(), base).await;
        database.close().await?;
        Ok(Self { venue: venue?, own: None, scratch: None })
    }

    /// What the ledger proves of itself, where the service is the demo's own. An error is told in words.
    pub async fn audit(&self) -> Option<Result<Audit, String>> {
        let own = self.own.as_ref()?;
        Some(ledger::audit(&own.service.core().db).await.map_err(|error| error.to_string()))
    }

    /// Ends only if a service of the demo's own ended by itself.
    pub async fn failed(&self) -> StartError {
        match &self.own {
            Some(running) => running.failed().await,
            None => std::future::pending().await,
        }
    }

    /// Stops what this stage started.
    pub async fn strike(self, force: impl Future<Output = ()>) {
        if let Some(running) = self.own {
            running.stop(force).await;
        }
        drop(self.scratch);
    }
}

/// Makes the demo's admin, with a password that only this process knows.
pub async fn admit(db: &Db, base: String) -> Result<Venue, CreateAdminError> {
    let random = Random::system();
    let admin_email = "demo-admin@example.com".to_owned();
    let admin_password = random.digits(9) + &random.digits(9);
    let (role, clock) = (Role::Admin, Clock::system());
    admins::create_admin(db, &admin_email, &admin_password, role, &clock, &random).await?;
    Ok(Venue { base, admin_email, admin_password })
}
