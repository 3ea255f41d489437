//! Steps of a job that another area decides on the copy of the job's actor, and writes together with rows of its own.

use chrono::{DateTime, Utc};
use roadcall_actors::{
    ids::CommandId,
    job::state::{Actor, Command, Job},
    ports::JobChange,
};
use sqlx::{
    Postgres,
    postgres::{PgArguments, PgBindIterExt},
    query::QueryAs,
};

use super::{
    hooks::CommitPath,
    prepared::PreparedChange,
    together::{
        FurtherSql,
        queries::{AFTER_KEPT, Advance, Advances, advance_with},
    },
};
use crate::{
    jobs::{
        context::JobsContext,
        queries::{JobEventRow, JobRow},
    },
    notifications::NewNotifications,
};

/// Changes of one job that follow each other and are written at once: its row in the last state, and an entry of the log for each.
#[derive(Debug)]
pub struct JobSteps {
    earlier: Vec<PreparedChange>,
    last: PreparedChange,
    /// Notifications of the other area.
    notes: NewNotifications,
}

impl JobSteps {
    /// Decides the commands in their order. Returns `None` if there are none, if the job refuses one of them, or if a step has to be
    /// written alone or writes rows in other tables.
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
            let is_plain = context.hooks.path_of(&change) == CommitPath::Together
                && !context.hooks.writes_rows_after(&change);
            if !is_plain {
                return None;
            }
            steps.push(PreparedChange::new(&context.random, change));
            job = next;
        }
        let last = steps.pop()?;
        Some(Self { earlier: steps, last, notes: NewNotifications::default() })
    }

    /// Adds notifications that are written with the steps.
    pub fn with(self, notes: NewNotifications) -> Self {
        Self { notes, ..self }
    }

    /// Returns the job after the last step.
    pub fn job(&self) -> &Job {
        &self.last.change.next
    }

    /// Returns about how many bytes a statement has for the steps.
    pub fn bytes(&self) -> usize {
        self.earlier.iter().chain([&self.last]).map(PreparedChange::bytes).sum()
    }

    /// Returns the last step, with the version that the row must have before the first one, and the notifications of all.
    fn advance(&self) -> Advance<'_> {
        let first = self.earlier.first().unwrap_or(&self.last);
        let PreparedChange { change, entry } = &self.last;
        let notes = self.earlier.iter().chain([&self.last]).map(|step| &step.entry.notes);
        let notes = notes.chain([&self.notes]).collect();
        Advance { change, version: first.change.expected_version(), event: &entry.event, notes }
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

/// The number of arguments that [`StepColumns`] binds besides those of the last steps.
const OF_EARLIER: usize = 11;
/// The columns of an earlier step, as rows.
const STEP: [(&str, &str); 10] = [
    ("job_id", "uuid"),
    ("version", "bigint"),
    ("seq", "bigint"),
    ("kind", "text"),
    ("command_id", "uuid"),
    ("actor_kind", "text"),
    ("actor_id", "uuid"),
    ("data", "jsonb"),
    ("replaced", "jsonb"),
    ("at", "timestamptz"),
];

/// Returns SQL for rows of this name whose columns are arguments, each an array, from the number `first` on. The subqueries hide how
/// many rows there are.
pub fn rows_of_arrays(name: &str, first: usize, columns: &[(&str, &str)]) -> String {
    let arrays =
        columns.iter().zip(first..).map(|((_, kind), number)| format!("(select ${number}::{kind}[])"));
    let names = columns.iter().map(|(column, _)| *column);
    let (arrays, names) = (arrays.collect::<Vec<_>>().join(", "), names.collect::<Vec<_>>().join(", "));
    format!("unnest({arrays}) as {name} ({names})")
}

/// Returns the statement that writes steps of several jobs, with the rows of another area. The function gets the number of the first
/// argument that [`StepColumns`] does not bind. In the log, the last step replaces the values that only the statement knows.
pub fn statement_of_steps(of_area: impl FnOnce(usize) -> FurtherSql) -> String {
    let mut further = of_area(AFTER_KEPT + OF_EARLIER);
    let rows = rows_of_arrays("step", AFTER_KEPT + 1, &STEP);
    let earlier = format!(
        ", earlier as (
            insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, replaced, at)
            select job.id, step.version, step.seq, step.kind, step.command_id, step.actor_kind, step.actor_id, step.data,
                step.replaced, step.at
            from {rows} join job on job.id = step.job_id
        )"
    );
    further.writes.insert_str(0, &earlier);
    advance_with(&format!("(${AFTER_KEPT}::integer[])[was.n]"), &further)
}

/// The arguments of a statement that [`statement_of_steps`] returns, column by column.
#[derive(Debug)]
pub struct StepColumns<'a> {
    last: Advances<'a>,
    counts: Vec<i32>,
    earlier: Vec<&'a PreparedChange>,
}

impl<'a> StepColumns<'a> {
    /// Takes steps of different jobs.
    pub fn of(all: impl IntoIterator<Item = &'a JobSteps>) -> Self {
        let all: Vec<&'a JobSteps> = all.into_iter().collect();
        Self {
            last: Advances::new(all.iter().map(|steps| steps.advance()).collect()),
            counts: all.iter().map(|steps| steps.earlier.len() as i32 + 1).collect(),
            earlier: all.iter().flat_map(|steps| &steps.earlier).collect(),
        }
    }

    /// Binds the arguments.
    pub fn bind<'q>(
        &'q self,
        query: QueryAs<'q, Postgres, JobRow, PgArguments>,
    ) -> QueryAs<'q, Postgres, JobRow, PgArguments> {
        let Self { last, counts, earlier } = self;
        let jobs = move || earlier.iter().map(|step| &step.change.next);
        let events = move || earlier.iter().map(|step| &step.entry.event);
        let seqs = jobs().zip(events()).map(|(job, event)| event.is_public.then_some(job.seq));
        last.bind(query)
            .bind(counts)
            .bind(jobs().map(|job| job.id.0).bind_iter())
            .bind(jobs().map(|job| job.version).bind_iter())
            .bind(seqs.bind_iter())
            .bind(events().map(|event| event.kind).bind_iter())
            .bind(events().map(|event| event.command_id).bind_iter())
            .bind(events().map(|event| event.actor_kind).bind_iter())
            .bind(events().map(|event| event.actor_id).bind_iter())
            .bind(events().map(|event| &event.data).bind_iter())
            .bind(events().map(|event| &event.replaced).bind_iter())
            .bind(events().map(|event| event.at).bind_iter())
    }
}
