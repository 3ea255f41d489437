//! What runs only on the server that leads.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinHandle;

use crate::{
    cluster::Lead,
    platform::db::DbError,
    service::{Candidacy, Service, StartError},
    workers,
};

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
