//! The notifications of several jobs' changes, as part of the statement that writes the changes.

use sqlx::{
    Postgres,
    postgres::{PgArguments, PgBindIterExt},
    query::QueryAs,
};
use uuid::Uuid;

use crate::{jobs::row::JobRow, notifications::NewNotifications};

/// The types of the arguments that [`JobNotes::bind`] binds. Each has an element for each notification.
const TYPES: [&str; 10] =
    ["uuid", "uuid", "uuid", "uuid", "text", "text", "text", "jsonb", "boolean", "timestamptz"];

/// The number of these arguments.
pub(super) const NOTE_ARGUMENTS: usize = TYPES.len();

/// Returns the part `noted` of a statement, which writes the notifications of the jobs in its part `job`. Nobody reads the
/// notifications of organisations' accounts, so the arguments have none: they are prepared where the job is known, and so is the
/// organisation that ordered it. Where only an account is known, `notifications::insert` leaves them out. The statement has to read
/// it, or Postgres leaves it out. The first argument has this number. The subqueries around arguments hide how many there are:
/// Postgres then makes one plan for any number, once.
pub(super) fn noted_sql(first: usize) -> String {
    let arguments = TYPES.iter().zip(first..).map(|(kind, number)| format!("(select ${number}::{kind}[])"));
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    format!(
        "noted as (
            select record_notifications(max(job.updated_at), array_agg(note.id), array_agg(note.user_id),
                array_agg(note.profile_id), array_agg(note.type), array_agg(note.title), array_agg(note.body),
                array_agg(note.data), array_agg(note.is_urgent), array_agg(note.expires_at)) as count
            from unnest({arguments})
                    as note (job_id, id, user_id, profile_id, type, title, body, data, is_urgent, expires_at)
                join job on job.id = note.job_id
            having count(*) > 0
        )"
    )
}

/// Notifications, and the job of each.
#[derive(Debug)]
pub(super) struct JobNotes<'a> {
    jobs: Vec<Uuid>,
    notes: Vec<&'a NewNotifications>,
}

impl<'a> JobNotes<'a> {
    /// Returns the notifications of the changes of these jobs.
    pub fn of(changes: impl Iterator<Item = (Uuid, &'a NewNotifications)>) -> Self {
        let changes: Vec<_> = changes.collect();
        let jobs = changes.iter().flat_map(|(job_id, notes)| notes.ids.iter().map(move |_| *job_id));
        Self { jobs: jobs.collect(), notes: changes.iter().map(|(_, notes)| *notes).collect() }
    }

    /// Binds the arguments of [`noted_sql`].
    pub fn bind<'q>(
        &'q self,
        query: QueryAs<'q, Postgres, JobRow, PgArguments>,
    ) -> QueryAs<'q, Postgres, JobRow, PgArguments> {
        let Self { jobs, notes } = self;
        let notes = move || notes.iter().copied();
        query
            .bind(jobs)
            .bind(notes().flat_map(|notes| &notes.ids).bind_iter())
            .bind(notes().flat_map(|notes| &notes.user_ids).bind_iter())
            .bind(notes().flat_map(|notes| &notes.profile_ids).bind_iter())
            .bind(notes().flat_map(|notes| &notes.kinds).bind_iter())
            .bind(notes().flat_map(|notes| &notes.titles).bind_iter())
            .bind(notes().flat_map(|notes| &notes.bodies).bind_iter())
            .bind(notes().flat_map(|notes| &notes.data).bind_iter())
            .bind(notes().flat_map(|notes| &notes.are_urgent).bind_iter())
            .bind(notes().flat_map(|notes| &notes.expire_at).bind_iter())
    }
}
