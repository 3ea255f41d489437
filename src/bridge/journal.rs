//! The engine's journal on Postgres: each decision is committed before its actor acts on it (`writes.rs`).
//!
//! Other areas that change a job append through [`crate::jobs::log`] in their own transaction.

use std::fmt;

use chrono::{DateTime, Utc};
use futures_util::{FutureExt, future::BoxFuture};
use opentelemetry::trace::SpanKind;
use roadcall_actors::{
    dispatcher::explain::Explanation,
    ids::{CommandId, JobId, MechanicId},
    job::state::{Event, Job},
    mechanic::state::{Fix, Mechanic, Parked, ParkingEnd, TrailPoint},
    ports::{
        CommitError, ExplanationLog, Guard, JobChange, JobJournal, LoadError, LoggedAs, MechanicJournal,
    },
    random::Random,
    traces::in_context,
};
use uuid::Uuid;

use super::{Recorders, load, queries, writes::JobWriter};
use crate::{
    catalogue::dispatch_settings::DispatchConfig,
    fleet::mechanics,
    jobs::{RememberedJob, log},
    platform::{
        db::{Batches, Db, LeadershipStatus},
        error::was_rolled_back,
        traces,
    },
};

/// Commits, loads and records for the engine.
#[derive(Debug, Clone)]
pub struct PgJournal {
    db: Db,
    random: Random,
    recorders: Recorders,
    writer: JobWriter,
    jobs: Batches<Uuid, Job>,
    mechanics: Batches<Uuid, Mechanic>,
}

/// The maximum number of jobs, and of mechanics, whose actors wait to be loaded; a further one is tried again at its actor's next tick.
const MAX_WAITING: usize = 20_000;

impl PgJournal {
    pub fn new(db: Db, dispatch: DispatchConfig, random: Random, recorders: Recorders) -> Self {
        let from = (db.clone(), dispatch.clone());
        let jobs = Batches::new("jobs", MAX_WAITING, move |ids| {
            let (db, dispatch) = from.clone();
            async move {
                let jobs = log::load_jobs(&db, &dispatch, &ids).await?;
                Ok(jobs.into_iter().map(|job| (job.id.0, job)).collect())
            }
            .boxed()
        });
        let from = db.clone();
        let mechanics = Batches::new("mechanics", MAX_WAITING, move |ids| {
            let db = from.clone();
            async move { load::mechanics_of(&db, &ids).await }.boxed()
        });
        let writer = JobWriter::new(db.clone(), random.clone());
        Self { db, random, recorders, writer, jobs, mechanics }
    }

    /// Commits the change, so that nobody reads the job from memory as it was before.
    async fn commit_noted(&self, change: JobChange) -> Result<(), CommitError> {
        let Job { id, version, .. } = change.next;
        let noted = self.recorders.remembered.begin(id.0);
        let committed = self.commit_change(change).await;
        if !matches!(committed, Err(CommitError::Unknown(_))) {
            let after = committed.is_ok().then(|| self.recorders.recent.row(id.0, version)).flatten();
            noted.end(after.map(RememberedJob::from));
        }
        committed
    }

    async fn commit_change(&self, change: JobChange) -> Result<(), CommitError> {
        let (id, ends_calls) = (change.next.id.0, ends_calls(&change.event));
        let entry = self.writer.write(change).await?;
        entry.into_iter().for_each(|entry| self.recorders.recent.put(id, entry));
        self.recorders.wakeups.notify();
        if ends_calls {
            self.recorders.calls.wake();
        }
        Ok(())
    }
}

impl PgJournal {
    async fn write_end_of_parking(
        &self,
        id: MechanicId,
        since: DateTime<Utc>,
        why: ParkingEnd,
        at: DateTime<Utc>,
    ) -> Result<(), CommitError> {
        let mut tx = self.db.begin().await.map_err(failed)?;
        mechanics::end_parking(&mut tx, &self.random, (id.0, since), why, at).await.map_err(failed)?;
        tx.commit().await.map_err(|error| match was_rolled_back(&error) {
            true => failed(error),
            false => CommitError::Unknown(error.to_string()),
        })?;
        self.recorders.wakeups.notify();
        Ok(())
    }
}

impl JobJournal for PgJournal {
    fn commit(&self, change: JobChange) -> BoxFuture<'_, Result<(), CommitError>> {
        async move {
            let id = change.next.id.0;
            let Some(span) = self.recorders.traces.on_job("job.commit", SpanKind::Client, id) else {
                return self.commit_noted(change).await;
            };
            traces::note(&span, "db.system.name", "postgresql");
            traces::note(&span, "job.event", change.event.kind());
            let committed = in_context(self.commit_noted(change), Some(span.clone())).await;
            match &committed {
                Ok(()) => self.recorders.traces.changed(id, &span),
                Err(CommitError::Unknown(_)) => traces::failed(&span, "may have been committed"),
                Err(_) => traces::failed(&span, "not committed"),
            }
            committed
        }
        .boxed()
    }

    fn find_command(
        &self,
        job: JobId,
        command: CommandId,
    ) -> BoxFuture<'_, Result<Option<LoggedAs>, LoadError>> {
        async move { log::find_command(&self.db, job.0, command.0).await.map_err(could_not_load) }.boxed()
    }

    fn load_job(&self, id: JobId) -> BoxFuture<'_, Result<Option<Job>, LoadError>> {
        async move { self.jobs.get(id.0).await.map_err(could_not_load) }.boxed()
    }
}

impl MechanicJournal for PgJournal {
    fn load_mechanic(&self, id: MechanicId) -> BoxFuture<'_, Result<Option<Mechanic>, LoadError>> {
        async move { self.mechanics.get(id.0).await.map_err(could_not_load) }.boxed()
    }

    fn save_availability(
        &self,
        id: MechanicId,
        available: bool,
        at: DateTime<Utc>,
    ) -> BoxFuture<'_, Result<(), CommitError>> {
        async move { verified(queries::save_availability(&self.db, id.0, available, at).await) }.boxed()
    }

    fn save_parking(
        &self,
        id: MechanicId,
        parked: Parked,
        label: Option<String>,
    ) -> BoxFuture<'_, Result<(), CommitError>> {
        async move { verified(mechanics::save_parking(&self.db, id.0, parked, label).await) }.boxed()
    }

    fn end_parking(
        &self,
        id: MechanicId,
        since: DateTime<Utc>,
        why: ParkingEnd,
        at: DateTime<Utc>,
    ) -> BoxFuture<'_, Result<(), CommitError>> {
        self.write_end_of_parking(id, since, why, at).boxed()
    }

    fn record_trail(&self, points: Vec<TrailPoint>) -> BoxFuture<'_, Result<(), LoadError>> {
        self.recorders.trail.record(&self.db, points).boxed()
    }

    fn record_position(&self, id: MechanicId, fix: Fix) {
        // An actor may briefly outlive the lead of its server.
        if self.db.lease().standing() != LeadershipStatus::Replaced {
            self.recorders.trail.record_position_later(id, fix);
        }
    }
}

impl ExplanationLog for PgJournal {
    fn record_explanation(&self, explanation: Explanation) {
        self.recorders.decisions.record(explanation);
    }
}

/// Converts the result of a single statement about a mechanic, which is false if they are not verified. The statement commits by
/// itself: without an answer it may have happened.
fn verified(saved: sqlx::Result<bool>) -> Result<(), CommitError> {
    match saved {
        Ok(true) => Ok(()),
        Ok(false) => Err(CommitError::Refused(Guard::NotVerified)),
        Err(error @ (sqlx::Error::Io(_) | sqlx::Error::Protocol(_))) => {
            Err(CommitError::Unknown(error.to_string()))
        }
        Err(error) => Err(failed(error)),
    }
}

/// Returns whether the two sides have nothing more to discuss for now. A worker then ends their call.
fn ends_calls(event: &Event) -> bool {
    matches!(event, Event::Completed { .. } | Event::Cancelled { .. } | Event::Released { .. })
}

/// Converts the error of a statement that failed before the commit was sent, so that it surely has not happened.
fn failed(error: sqlx::Error) -> CommitError {
    CommitError::Failed(error.to_string())
}

fn could_not_load(error: impl fmt::Display) -> LoadError {
    LoadError(error.to_string())
}
