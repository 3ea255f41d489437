//! What runs only on the server that leads.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{task::JoinHandle, time::timeout};

use super::Running;
use crate::{
    cluster::Lead,
    platform::db::DbError,
    service::{Candidacy, Service, StartError},
    workers,
};

/// How long the database may take to answer a server that was replaced.
const ANSWER_LIMIT: Duration = Duration::from_secs(2);
/// Pause between two looks whether anybody leads, of a server that can't any more.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// So many looks in a row must find nobody. Servers that can lead look twice as often, and take the lead first.
const LOOKS: u32 = 2;

/// Knows what there is to end when this server leads no more. A cheap clone.
#[derive(Debug, Clone, Default)]
pub(super) struct LeaderTasks(Arc<Mutex<RunningLead>>);

/// Nothing of a server that does not lead.
#[derive(Debug, Default)]
pub(super) struct RunningLead {
    pub workers: Vec<JoinHandle<()>>,
    /// In a cluster.
    pub lead: Option<Lead>,
}

impl LeaderTasks {
    pub(super) fn begin(&self, workers: Vec<JoinHandle<()>>, lead: Option<Lead>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = RunningLead { workers, lead };
    }

    /// What there is to end.
    pub(super) fn take(&self) -> RunningLead {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Waits until this server leads its cluster, and does then what only that one does.
pub(super) async fn lead_cluster(
    led: impl Future<Output = Result<(), DbError>>,
    candidacy: Candidacy,
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

/// How a server ends that starts again at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartAgain {
    /// What is in progress can't be committed.
    AtOnce,
    /// As at SIGTERM: requests are finished.
    InOrder,
}

impl Running {
    /// Resolves when this server is to start again: it leads and no other one hears it, or it is not ready, or another one has taken
    /// over. In a cluster it goes on after that, for as long as anybody leads.
    pub async fn is_to_start_again(&self) -> StartAgain {
        tokio::select! {
            () = self.unheard() => StartAgain::InOrder,
            () = self.replaced() => {
                if !self.go_on_without_lead().await {
                    return StartAgain::AtOnce;
                }
                self.unled().await;
                StartAgain::InOrder
            }
        }
    }

    /// Another server has taken over. In a cluster, ends the engine and what runs beside it, while sockets and requests go on by way of
    /// the other server. Returns whether they do: not if the database does not answer, since this server is cut off then.
    async fn go_on_without_lead(&self) -> bool {
        let (Some(candidacy_task), Some(database)) = (&self.candidacy_task, &self.database) else {
            return false;
        };
        candidacy_task.abort();
        let RunningLead { workers, lead } = self.leader_tasks.take();
        workers.iter().for_each(JoinHandle::abort);
        let Some(lead) = lead else { return false };
        drop(lead);
        if let Some(engine) = self.service.engine.get() {
            // Its actors would go on telling this server's sockets what they remember.
            engine.end();
        }
        let is_answered = timeout(ANSWER_LIMIT, database.is_led()).await.is_ok_and(|led| led.is_ok());
        if is_answered {
            tracing::warn!("another server leads; this one goes on without the lead");
        }
        is_answered
    }

    /// Resolves when nobody leads any more, for a server that has led before: to lead again it has to start again.
    async fn unled(&self) {
        let Some(database) = &self.database else { return std::future::pending().await };
        let mut unled_looks = 0;
        while unled_looks < LOOKS {
            tokio::time::sleep(LOOK_EVERY).await;
            // A database that does not answer knows no leader, nor would it let this server lead.
            match timeout(ANSWER_LIMIT, database.is_led()).await {
                Ok(Ok(false)) => unled_looks += 1,
                Ok(Ok(true) | Err(_)) | Err(_) => unled_looks = 0,
            }
        }
        tracing::warn!("no server leads, and this one has led before: it starts again to lead");
    }
}
