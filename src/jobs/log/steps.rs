//! Steps of a job that another area decides on the copy of the job's actor, and writes together with rows of its own.

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::CommandId,
    job::state::{Actor, Command, Job},
    ports::JobChange,
};

use super::{hooks::CommitPath, prepared::PreparedChange};
use crate::jobs::{
    context::JobsContext,
    queries::{JobEventRow, JobRow},
};

/// Changes of one job that follow each other and are written at once: its row in the last state, and an entry of the log for each.
#[derive(Debug)]
pub struct JobSteps {
    earlier: Vec<PreparedChange>,
    last: PreparedChange,
}

impl JobSteps {
    /// Decides the commands one after the other. Returns `None` if there are none, if one is refused, or if a step has to be written
    /// in a transaction.
    pub fn decide(
        context: &JobsContext,
        mut job: Job,
        commands: &[(Actor, Command)],
        at: DateTime<Utc>,
    ) -> Option<Self> {
        let mut steps = Vec::with_capacity(commands.len());
        for (by, command) in commands {
            let event = job.decide(command, context.rules(), at).ok()?;
            let next = job.apply(&event, at);
            let change = JobChange {
                command_id: CommandId(context.random.id(at)),
                by: *by,
                at,
                before: Some(job),
                event,
                next: next.clone(),
                idempotency: None,
            };
            if context.hooks.path_of(&change) != CommitPath::Statement {
                return None;
            }
            steps.push(PreparedChange::new(&context.random, change));
            job = next;
        }
        let last = steps.pop()?;
        Some(Self { earlier: steps, last })
    }

    /// Returns the job after the last step.
    pub fn job(&self) -> &Job {
        &self.last.change.next
    }

    /// Returns about how many bytes a statement has for the steps.
    pub fn bytes(&self) -> usize {
        self.earlier.iter().chain([&self.last]).map(PreparedChange::bytes).sum()
    }

    pub(super) fn earlier(&self) -> &[PreparedChange] {
        &self.earlier
    }

    pub(super) fn last(&self) -> &PreparedChange {
        &self.last
    }

    /// Returns the version that the row must have.
    pub(super) fn expected_version(&self) -> i64 {
        self.earlier.first().unwrap_or(&self.last).change.expected_version()
    }

    /// Returns the log's new public entries, given the row after the last step. It is empty if a row before it can't be told.
    pub(super) fn shown(&self, mut row: JobRow) -> Vec<JobEventRow> {
        let mut entries = Vec::new();
        for PreparedChange { change, entry } in self.earlier.iter().chain([&self.last]).rev() {
            row = JobRow { version: change.next.version, seq: change.next.seq, updated_at: change.at, ..row };
            entries.extend(entry.shown(row.clone()));
            let replaced = entry.event.replaced.as_object();
            if replaced.is_some_and(|replaced| row.put_back(replaced).is_err()) {
                return Vec::new();
            }
        }
        entries.reverse();
        entries
    }
}
