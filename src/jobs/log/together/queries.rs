//! SQL that writes the changes of several jobs at once.

use std::sync::LazyLock;

use roadcall_actors::{
    job::state::{Job, LiveOffer},
    ports::JobChange,
};
use sqlx::{
    PgConnection, Postgres, Result,
    postgres::{PgArguments, PgBindIterExt},
    query::QueryAs,
};
use uuid::Uuid;

use crate::{
    jobs::{
        log::{
            offers::{EndedOffer, OfferChanges, assigned},
            prepared::PreparedChange,
            queries::{EventColumns, next_version, values_replaced_by_sql},
            steps::JobSteps,
        },
        row::{JobRow, JobState, bind_kept_of_all},
    },
    notifications::NewNotifications,
};

/// The number of the argument before those of [`JobRow::KEPT`].
const BEFORE_KEPT: usize = 42;
/// The number of the first argument that [`AdvanceColumns`] does not bind.
const AFTER_KEPT: usize = BEFORE_KEPT + 1 + JobRow::KEPT.len();
/// The number of arguments that [`StepColumns`] binds in addition.
const OF_STEPS: usize = 11;

/// SQL of another area in the statement that advances several jobs.
#[derive(Debug, Default)]
pub struct SqlBeside {
    /// Table expressions before those that lock the jobs, each with a comma at the end. They may read the jobs that are `given`,
    /// by their `id` and their number `n`.
    pub before: String,
    /// A further condition on a job that is `given`, which begins with `and`.
    pub condition: String,
    /// Table expressions after those that advance each `job`, each with a comma at the beginning. The last one is named `beside`,
    /// and returns a `result`.
    pub after: String,
}

/// The statement of [`advance_all`].
pub(in crate::jobs::log) static ADVANCE_ALL: LazyLock<String> =
    LazyLock::new(|| advance_all_sql("1", &SqlBeside::default()));

/// Returns the statement that advances several jobs, each by a number of `steps` (SQL), with what another area adds: the
/// arguments 1 to [`BEFORE_KEPT`], then [`JobRow::KEPT`]. The arguments 1 to 15 and the kept
/// columns have an element for each job, 16 to 20 for each offer that ends, 21 to 32 for each new offer, 33 to 42 for each
/// notification.
///
/// Everything that is locked is locked without waiting, so the order of the locks does not matter. A change that depends on a row
/// which another transaction holds is left out, like a change whose conditions do not hold. What the conditions say stands in
/// `mechanics::lock_verified` and `offers::job_hook`, too. The subqueries around arguments hide how many there are: Postgres then
/// makes one plan for any number, once. The subquery around the status of offers keeps it from finding them among all that are
/// pending, by the index of those, instead of by their ids.
fn advance_all_sql(steps: &str, SqlBeside { before, condition, after }: &SqlBeside) -> String {
    let (result, joined) =
        if after.is_empty() { ("", "") } else { (", beside.result", " left join beside on true") };
    let kept = JobRow::kept_of_all(BEFORE_KEPT + 1, "was.n");
    let (is_active, mechanic) = ("($5::boolean[])[was.n]", "($6::uuid[])[was.n]");
    let next_version = next_version(steps, &kept, is_active, mechanic, "($7::bigint[])[was.n]");
    let replaced = values_replaced_by_sql();
    format!(
        "with given as (
            select given.id, given.version, given.assigned, given.ends, given.n::integer as n
            from unnest((select $1::uuid[]), (select $2::bigint[]), (select $3::uuid[]), (select $4::bigint[]))
                with ordinality as given (id, version, assigned, ends, n)
        ), person as (
            select u.id from users u
            where u.id in (select m.user_id from mechanic_profiles m where m.id = any((select $3)::uuid[])) and u.status = 'active'
            for key share skip locked
        ), profile as (
            select m.id from mechanic_profiles m join person on person.id = m.user_id
            where m.id = any((select $3)::uuid[]) and m.status = 'verified'
            for key share of m skip locked
        ), ending as (
            select o.id, e.job_id, e.status, e.reason
            from unnest((select $16::uuid[]), (select $17::uuid[]), (select $18::text[]), (select $19::text[]),
                    (select $20::timestamptz[]))
                    as e (id, job_id, status, reason, open_until)
                join offers o on o.id = e.id
            where o.status = (select 'pending') and (e.open_until is null or o.expires_at >= e.open_until)
            for no key update of o skip locked
        ), {before} ready as (
            select given.id, given.version, given.n from given
            where (given.assigned is null or given.assigned in (select profile.id from profile))
                and given.ends = (select count(*) from ending where ending.job_id = given.id)
                {condition}
        ), held as (
            select j.*, ready.n from ready join job_states j on j.id = ready.id and j.version = ready.version
            for no key update of j skip locked
        ), job as (
            update job_states j set {next_version}
            from held was join users customer on customer.id = was.customer_id
            where j.id = was.id
            returning j.*, {replaced} as replaced, was.n
        ), event as (
            insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, replaced, at)
            select job.id, job.version, case when ($9::boolean[])[job.n] then job.seq end, ($8::text[])[job.n],
                ($11::uuid[])[job.n], ($12::text[])[job.n], ($13::uuid[])[job.n], ($14::jsonb[])[job.n],
                ($10::jsonb[])[job.n] || job.replaced, ($15::timestamptz[])[job.n]
            from job
        ), ended as (
            update offers o set status = ending.status, decline_reason = ending.reason, settled_at = job.updated_at
            from ending join job on job.id = ending.job_id
            where o.id = ending.id
        ), made as (
            insert into offers (id, job_id, mechanic_profile_id, attempt, round, status, distance_m, eta_s, eta_base_s,
                eta_source, cost_s, created_at, expires_at)
            select offer.id, offer.job_id, offer.mechanic_profile_id, offer.attempt, offer.round, 'pending',
                offer.distance_m, offer.eta_s, offer.eta_base_s, offer.eta_source, offer.cost_s, offer.created_at,
                offer.expires_at
            from unnest((select $21::uuid[]), (select $22::uuid[]), (select $23::uuid[]), (select $24::integer[]),
                    (select $25::integer[]), (select $26::integer[]), (select $27::integer[]), (select $28::integer[]),
                    (select $29::text[]), (select $30::bigint[]), (select $31::timestamptz[]),
                    (select $32::timestamptz[]))
                    as offer (id, job_id, mechanic_profile_id, attempt, round, distance_m, eta_s, eta_base_s,
                        eta_source, cost_s, created_at, expires_at)
                join job on job.id = offer.job_id
            order by offer.mechanic_profile_id
        ), noted as (
            select record_notifications(max(job.updated_at), array_agg(note.id), array_agg(note.user_id),
                array_agg(note.profile_id), array_agg(note.type), array_agg(note.title), array_agg(note.body),
                array_agg(note.data), array_agg(note.is_urgent), array_agg(note.expires_at)) as count
            from unnest((select $33::uuid[]), (select $34::uuid[]), (select $35::uuid[]), (select $36::uuid[]),
                    (select $37::text[]), (select $38::text[]), (select $39::text[]), (select $40::jsonb[]),
                    (select $41::boolean[]), (select $42::timestamptz[]))
                    as note (job_id, id, user_id, profile_id, type, title, body, data, is_urgent, expires_at)
                join job on job.id = note.job_id
            having count(*) > 0
        ) {after}
        select facts.*, job.*, noted.count{result}
        from job join job_facts facts on facts.id = job.id left join noted on true{joined}"
    )
}

/// A change to an existing job, with its event and notifications.
#[derive(Debug, Clone, Copy)]
pub(super) struct Advance<'a> {
    pub change: &'a JobChange,
    pub event: &'a EventColumns,
    pub notes: &'a NewNotifications,
}

/// The columns of an earlier step of a job, as rows.
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

/// Returns SQL for rows of this name whose columns are arguments, each an array, from the number `first` on.
pub fn rows_of_arrays(name: &str, first: usize, columns: &[(&str, &str)]) -> String {
    let arrays =
        columns.iter().zip(first..).map(|((_, kind), number)| format!("(select ${number}::{kind}[])"));
    let names = columns.iter().map(|(column, _)| *column);
    let (arrays, names) = (arrays.collect::<Vec<_>>().join(", "), names.collect::<Vec<_>>().join(", "));
    format!("unnest({arrays}) as {name} ({names})")
}

/// Returns the statement that advances several jobs by steps, with what another area adds. The function gets the number of the
/// first argument that [`StepColumns`] does not bind.
///
/// The values that only the statement knows are replaced by the last step.
pub fn statement_of_steps(of_area: impl FnOnce(usize) -> SqlBeside) -> String {
    let SqlBeside { before, condition, after } = of_area(AFTER_KEPT + OF_STEPS);
    let rows = rows_of_arrays("step", AFTER_KEPT + 1, &STEP);
    let earlier = format!(
        ", earlier as (
            insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, replaced, at)
            select job.id, step.version, step.seq, step.kind, step.command_id, step.actor_kind, step.actor_id, step.data,
                step.replaced, step.at
            from {rows} join job on job.id = step.job_id
        )"
    );
    let beside = SqlBeside { before, condition, after: earlier + &after };
    advance_all_sql(&format!("(${AFTER_KEPT}::integer[])[was.n]"), &beside)
}

/// Advances the rows of different jobs by one version each, with their events, notifications and offers. Returns the rows that
/// advanced. Each of the others has another version or a condition that does not hold, or another transaction holds a row that it
/// needs.
pub(super) async fn advance_all(tx: &mut PgConnection, advances: &[Advance<'_>]) -> Result<Vec<JobRow>> {
    let columns = AdvanceColumns::of(advances);
    columns.bind(sqlx::query_as(ADVANCE_ALL.as_str())).fetch_all(tx).await
}

/// A statement whose arguments are being bound.
type Bound<'q> = QueryAs<'q, Postgres, JobRow, PgArguments>;

/// The arguments of the statement that advances several jobs, column by column.
#[derive(Debug)]
struct AdvanceColumns<'a> {
    changes: Vec<&'a JobChange>,
    /// The version that each row must have.
    versions: Vec<i64>,
    events: Vec<&'a EventColumns>,
    /// Notifications, with the job that each of them is about.
    notes: Vec<(Uuid, &'a NewNotifications)>,
    states: Vec<JobState<'a>>,
    ended: Vec<EndedOffer<'a>>,
    made: Vec<(&'a Job, &'a LiveOffer)>,
}

impl<'a> AdvanceColumns<'a> {
    fn of(advances: &[Advance<'a>]) -> Self {
        let changes: Vec<&'a JobChange> = advances.iter().map(|advance| advance.change).collect();
        let offers: Vec<OfferChanges<'a>> = changes.iter().copied().filter_map(OfferChanges::of).collect();
        let made = offers
            .iter()
            .flat_map(|changes| changes.made.iter().map(move |offer| (changes.job, offer)))
            .collect();
        Self {
            versions: changes.iter().map(|change| change.expected_version()).collect(),
            events: advances.iter().map(|advance| advance.event).collect(),
            notes: advances.iter().map(|advance| (advance.change.next.id.0, advance.notes)).collect(),
            states: changes.iter().map(|change| JobState::of(&change.next, change.at)).collect(),
            ended: offers.iter().flat_map(OfferChanges::all_ended).collect(),
            made,
            changes,
        }
    }

    fn bind<'q>(&'q self, query: Bound<'q>) -> Bound<'q> {
        let Self { changes, versions, events, notes, states, ended, made } = self;
        let ends = |change: &JobChange| ended.iter().filter(|offer| offer.job_id == change.next.id.0).count();
        let noted = notes.iter().flat_map(|(job, notes)| notes.ids.iter().map(move |_| job));
        let notes = move || notes.iter().map(|(_, notes)| *notes);
        let query = query
            .bind(changes.iter().map(|change| change.next.id.0).bind_iter())
            .bind(versions.iter().bind_iter())
            .bind(changes.iter().map(|change| assigned(change).map(|(mechanic, _)| mechanic.0)).bind_iter())
            .bind(changes.iter().map(|change| ends(change) as i64).collect::<Vec<_>>())
            .bind(changes.iter().map(|change| change.next.status().is_active()).bind_iter())
            .bind(states.iter().map(JobState::mechanic).bind_iter())
            .bind(states.iter().map(JobState::dispatch_version).bind_iter())
            .bind(events.iter().map(|event| event.kind).bind_iter())
            .bind(events.iter().map(|event| event.is_public).bind_iter())
            .bind(events.iter().map(|event| &event.replaced).bind_iter())
            .bind(events.iter().map(|event| event.command_id).bind_iter())
            .bind(events.iter().map(|event| event.actor_kind).bind_iter())
            .bind(events.iter().map(|event| event.actor_id).bind_iter())
            .bind(events.iter().map(|event| &event.data).bind_iter())
            .bind(events.iter().map(|event| event.at).bind_iter())
            .bind(ended.iter().map(|offer| offer.id).bind_iter())
            .bind(ended.iter().map(|offer| offer.job_id).bind_iter())
            .bind(ended.iter().map(|offer| offer.status).bind_iter())
            .bind(ended.iter().map(|offer| offer.decline_reason).bind_iter())
            .bind(ended.iter().map(|offer| offer.open_until).bind_iter())
            .bind(made.iter().map(|(_, offer)| offer.id.0).bind_iter())
            .bind(made.iter().map(|(job, _)| job.id.0).bind_iter())
            .bind(made.iter().map(|(_, offer)| offer.mechanic_id.0).bind_iter())
            .bind(made.iter().map(|(job, _)| int(job.attempt)).bind_iter())
            .bind(made.iter().map(|(_, offer)| int(offer.round)).bind_iter())
            .bind(made.iter().map(|(_, offer)| int(offer.distance_m)).bind_iter())
            .bind(made.iter().map(|(_, offer)| int(offer.eta_s)).bind_iter())
            .bind(made.iter().map(|(_, offer)| int(offer.eta_base_s)).bind_iter())
            .bind(made.iter().map(|(_, offer)| offer.eta_source.as_str()).bind_iter())
            .bind(made.iter().map(|(_, offer)| offer.cost_s).bind_iter())
            .bind(made.iter().map(|(_, offer)| offer.created_at).bind_iter())
            .bind(made.iter().map(|(_, offer)| offer.expires_at).bind_iter())
            .bind(noted.bind_iter())
            .bind(notes().flat_map(|notes| &notes.ids).bind_iter())
            .bind(notes().flat_map(|notes| &notes.user_ids).bind_iter())
            .bind(notes().flat_map(|notes| &notes.profile_ids).bind_iter())
            .bind(notes().flat_map(|notes| &notes.kinds).bind_iter())
            .bind(notes().flat_map(|notes| &notes.titles).bind_iter())
            .bind(notes().flat_map(|notes| &notes.bodies).bind_iter())
            .bind(notes().flat_map(|notes| &notes.data).bind_iter())
            .bind(notes().flat_map(|notes| &notes.are_urgent).bind_iter())
            .bind(notes().flat_map(|notes| &notes.expire_at).bind_iter());
        bind_kept_of_all(query, states)
    }
}

/// The arguments of a statement that [`statement_of_steps`] returns, column by column.
#[derive(Debug)]
pub struct StepColumns<'a> {
    last: AdvanceColumns<'a>,
    counts: Vec<i32>,
    /// The steps before the last ones.
    earlier: Vec<(&'a JobChange, &'a EventColumns)>,
}

impl<'a> StepColumns<'a> {
    /// Takes steps of different jobs.
    pub fn of(all: impl IntoIterator<Item = &'a JobSteps>) -> Self {
        let all: Vec<&'a JobSteps> = all.into_iter().collect();
        let advance = |steps: &'a JobSteps| {
            let PreparedChange { change, entry } = steps.last();
            Advance { change, event: &entry.event, notes: &entry.notes }
        };
        let mut last = AdvanceColumns::of(&all.iter().copied().map(advance).collect::<Vec<_>>());
        last.versions = all.iter().map(|steps| steps.expected_version()).collect();
        let earlier: Vec<&'a PreparedChange> = all.iter().copied().flat_map(JobSteps::earlier).collect();
        last.notes.extend(earlier.iter().map(|step| (step.change.next.id.0, &step.entry.notes)));
        let counts = all.iter().map(|steps| steps.earlier().len() as i32 + 1).collect();
        Self { last, counts, earlier: earlier.iter().map(|step| (&step.change, &step.entry.event)).collect() }
    }

    /// Binds the arguments.
    pub fn bind<'q>(&'q self, query: Bound<'q>) -> Bound<'q> {
        let Self { last, counts, earlier } = self;
        let seq = |(change, event): &(&JobChange, &EventColumns)| event.is_public.then_some(change.next.seq);
        last.bind(query)
            .bind(counts)
            .bind(earlier.iter().map(|(change, _)| change.next.id.0).bind_iter())
            .bind(earlier.iter().map(|(change, _)| change.next.version).bind_iter())
            .bind(earlier.iter().map(seq).bind_iter())
            .bind(earlier.iter().map(|(_, event)| event.kind).bind_iter())
            .bind(earlier.iter().map(|(_, event)| event.command_id).bind_iter())
            .bind(earlier.iter().map(|(_, event)| event.actor_kind).bind_iter())
            .bind(earlier.iter().map(|(_, event)| event.actor_id).bind_iter())
            .bind(earlier.iter().map(|(_, event)| &event.data).bind_iter())
            .bind(earlier.iter().map(|(_, event)| &event.replaced).bind_iter())
            .bind(earlier.iter().map(|(_, event)| event.at).bind_iter())
    }
}

/// Converts a count to a column's type.
fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
