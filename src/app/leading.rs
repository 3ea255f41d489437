//! The tasks that run only on the leading server.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use actix_web::rt;
use tokio::{task::JoinHandle, time::timeout};

use super::Running;
use crate::{
    cluster::Lead,
    platform::db::{Database, DbError, LeadershipStatus},
    service::{Candidacy, Service, StartError},
    workers,
};

/// How long the database may take to answer a replaced server.
const ANSWER_LIMIT: Duration = Duration::from_secs(2);
/// How long one answer may take, since an idle connection may have broken, and the pause before the next attempt.
const ONE_ANSWER_LIMIT: Duration = Duration::from_secs(1);
const ASK_AGAIN: Duration = Duration::from_millis(100);

/// The tasks to end when this server no longer leads. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct LeaderTasks {
    running: Arc<Mutex<RunningLead>>,
    /// The task that waits until this server of a cluster leads, and then begins the leader's work.
    standing: Arc<Mutex<Option<JoinHandle<()>>>>,
}

/// The running tasks of a leader; empty on a server that does not lead.
#[derive(Debug, Default)]
pub(super) struct RunningLead {
    pub workers: Vec<JoinHandle<()>>,
    /// Set only in a cluster.
    pub lead: Option<Lead>,
    /// Whether the server had the lock, but can't lead.
    pub has_failed: bool,
}

impl LeaderTasks {
    pub(super) fn begin(&self, workers: Vec<JoinHandle<()>>, lead: Option<Lead>) {
        let running = RunningLead { workers, lead, has_failed: false };
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
    }

    /// Takes the tasks that have to be ended.
    pub(super) fn take(&self) -> RunningLead {
        std::mem::take(&mut self.running.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes this server lead its cluster as soon as no other one does.
    pub(super) fn stand(
        &self,
        database: &Database,
        candidacy: &Arc<Candidacy>,
        service: &Service,
        webhooks_to: &str,
    ) {
        let (led, lead, lease) = (database.lead(), database.held_lead(), database.engine_db().lease());
        let (candidacy, service, tasks) = (candidacy.clone(), Box::new(service.clone()), self.clone());
        let webhooks_to = webhooks_to.to_owned();
        let standing = rt::spawn(async move {
            let outcome = lead_cluster(led, &candidacy, &service, &tasks, webhooks_to).await;
            // Another server may have taken over meanwhile, which is no failure.
            if let Err(error) = outcome
                && lease.standing() != LeadershipStatus::Replaced
            {
                tracing::error!(%error, "this server can't lead; it starts again");
                tasks.running.lock().unwrap_or_else(PoisonError::into_inner).has_failed = true;
                lead.give_up().await;
                // A candidate that failed before it led has nothing to give up.
                lease.fail();
            }
        });
        *self.standing.lock().unwrap_or_else(PoisonError::into_inner) = Some(standing);
    }

    /// Stops this server from standing for the lead.
    pub(super) fn stand_no_more(&self) {
        let standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner).take();
        standing.iter().for_each(JoinHandle::abort);
    }
}

/// Waits until this server leads its cluster, and then begins the leader's work.
async fn lead_cluster(
    led: impl Future<Output = Result<(), DbError>>,
    candidacy: &Candidacy,
    service: &Service,
    tasks: &LeaderTasks,
    webhooks_to: String,
) -> Result<(), StartError> {
    led.await?;
    let lead = candidacy.lead(service).await?;
    tasks.begin(workers::start_leading(service, webhooks_to), Some(lead));
    tracing::info!("this server leads");
    Ok(())
}

/// How a server ends before it starts again at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartAgain {
    /// Requests are not finished, since none of them can be committed.
    AtOnce,
    /// Requests are finished, as after SIGTERM.
    InOrder,
}

impl Running {
    /// Resolves when this server has to start again: it leads and answers no other server or is not ready, or another server has
    /// taken over. After a take-over a server of a cluster can go on instead, and may lead again.
    pub async fn is_to_start_again(&self) -> StartAgain {
        tokio::select! {
            () = self.unheard() => StartAgain::InOrder,
            () = self.lead_now_and_then() => StartAgain::AtOnce,
        }
    }

    /// Resolves when this server has led and can't go on without the lead.
    async fn lead_now_and_then(&self) {
        loop {
            self.replaced().await;
            let (Some(candidacy), Some(database)) = (&self.candidacy, &self.database) else { return };
            if !self.go_on_without_lead(database).await {
                return;
            }
            database.stand_again();
            self.leader_tasks.stand(database, candidacy, &self.service, &self.webhooks_to);
        }
    }

    /// Ends the engine and its tasks, since another server leads. Sockets and requests go on by way of that server. Returns
    /// whether they do: not if the database does not answer, since this server is then cut off.
    async fn go_on_without_lead(&self, database: &Database) -> bool {
        self.leader_tasks.stand_no_more();
        let RunningLead { workers, lead, has_failed } = self.leader_tasks.take();
        workers.iter().for_each(JoinHandle::abort);
        drop(lead);
        self.service.engine.end();
        self.service.trail.forget().await;
        if has_failed {
            return false;
        }
        let answered = async {
            while !timeout(ONE_ANSWER_LIMIT, database.is_led()).await.is_ok_and(|led| led.is_ok()) {
                tokio::time::sleep(ASK_AGAIN).await;
            }
        };
        let is_answered = timeout(ANSWER_LIMIT, answered).await.is_ok();
        if is_answered {
            tracing::warn!("another server leads; this one goes on without the lead");
        }
        is_answered
    }
}
