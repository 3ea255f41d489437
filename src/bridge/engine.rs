//! Starts the engine on its ports.

use std::sync::Arc;

use actix_web::rt;
use roadcall_actors::{
    Engine, Placement,
    ports::{Eta, Outbound, Ports},
    settings::Settings as Policies,
};

use super::{PgJournal, Recorders, recovery};
use crate::{
    catalogue::dispatch_settings::DispatchConfig,
    platform::{core::Core, db::EngineDb},
};

/// The parts of an engine.
#[derive(Debug)]
pub struct EngineParts {
    pub core: Core,
    /// The database that only the leader uses.
    pub db: EngineDb,
    pub policies: Arc<Policies>,
    pub dispatch: DispatchConfig,
    pub recorders: Recorders,
    pub outbound: Arc<dyn Outbound>,
    pub eta: Arc<dyn Eta>,
}

/// Loads what was committed before and takes it up again: when this returns, every open job and every engaged mechanic has its
/// actor. Mechanics who are only available get theirs while the engine already serves, and jobs are matched then.
pub async fn start(parts: &EngineParts) -> sqlx::Result<Engine> {
    let EngineParts { core, db, policies, dispatch, recorders, outbound, eta } = parts;
    let Core { clock, random, .. } = core;
    let (db, now) = (db.current(), clock.now());
    let snapshot = recovery::snapshot(&db, dispatch, now).await?;
    let (jobs, mechanics) = (snapshot.jobs.len(), snapshot.mechanics.len());
    let journal = PgJournal::new(db.clone(), dispatch.clone(), random.clone(), recorders.clone());
    let (outbound, eta) = (outbound.clone(), eta.clone());
    let ports = Ports { journal: Arc::new(journal), outbound, eta };
    let (clock, random) = (clock.clone(), random.clone());
    let policies = Policies::clone(policies);
    let engine = Engine::start(policies, ports, clock, random, Placement::OwnThreads, snapshot);
    engine.tune(dispatch.current().tuning(now));
    tracing::info!(jobs, mechanics, "the engine loaded the open jobs and engaged mechanics");
    rt::spawn(recovery::take_up_rest(db, engine.clone()));
    Ok(engine)
}
