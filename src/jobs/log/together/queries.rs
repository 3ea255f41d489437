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

use super::further::{FurtherRows, FurtherSql};
use crate::{
    jobs::{
        log::{
            notes::{JobNotes, NOTE_ARGUMENTS, noted_sql},
            offers::{EndedOffer, OfferChanges, assigned},
            queries::{EventColumns, next_version, values_replaced_by_sql},
        },
        row::{JobRow, JobState, bind_kept_of_all, set_kept},
    },
    notifications::NewNotifications,
};

/// The number of the argument before those of [`JobRow::KEPT`].
const BEFORE_KEPT: usize = 42;
/// The number of the first argument of [`JobNotes`].
const FIRST_OF_NOTES: usize = BEFORE_KEPT + 1 - NOTE_ARGUMENTS;
/// The number of the first argument that [`Advances`] does not bind.
pub(in crate::jobs::log) const AFTER_KEPT: usize = BEFORE_KEPT + 1 + JobRow::KEPT.len();

/// The statement of [`advance_all`]: the arguments 1 to [`BEFORE_KEPT`], then [`JobRow::KEPT`]. The arguments 1 to 15 and the kept
/// columns have an element for each job, 16 to 20 for each offer that ends, 21 to 32 for each new offer, 33 to 42 for each
/// notification.
///
/// Everything that is locked is locked without waiting, so the order of the locks does not matter. A change that depends on a row
/// which another transaction holds is left out, like a change whose conditions do not hold. What the conditions say stands in
/// `mechanics::lock_verified` and `offers::job_hook`, too. The subqueries around arguments hide how many there are: Postgres then
/// makes one plan for any number, once. The subquery around the status of offers keeps it from finding them among all that are
/// pending, by the index of those, instead of by their ids.
pub(in crate::jobs::log) static ADVANCE_ALL: LazyLock<String> =
    LazyLock::new(|| advance_with("1", &FurtherSql::default()));

/// The statement of [`advance_all_with_rows`]: the same, and [`FurtherSql`] with the arguments after [`JobRow::KEPT`].
pub(in crate::jobs::log) static ADVANCE_ALL_WITH_ROWS: LazyLock<String> =
    LazyLock::new(|| advance_with("1", &FurtherSql::new(AFTER_KEPT)));

/// Returns a statement like [`ADVANCE_ALL`] that advances each job by this number of versions (SQL), and writes further rows.
pub(in crate::jobs::log) fn advance_with(versions: &str, further: &FurtherSql) -> String {
    let FurtherSql { guards, conditions, writes, called } = further;
    let result = called.map(|called| format!(", {called}.result")).unwrap_or_default();
    let joined = called.map(|called| format!(" left join {called} on true")).unwrap_or_default();
    let kept = JobRow::KEPT.iter().zip(JobRow::kept_of_all(BEFORE_KEPT + 1, "was.n"));
    let kept = kept.map(|(column, value)| set_kept(column, &value)).collect::<Vec<_>>().join(", ");
    let (is_active, mechanic) = ("($5::boolean[])[was.n]", "($6::uuid[])[was.n]");
    let next_version = next_version(versions, &kept, is_active, mechanic, "($7::bigint[])[was.n]");
    let replaced = values_replaced_by_sql();
    let noted = noted_sql(FIRST_OF_NOTES);
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
        ){guards}, ready as (
            select given.id, given.version, given.n from given
            where (given.assigned is null or given.assigned in (select profile.id from profile))
                and given.ends = (select count(*) from ending where ending.job_id = given.id){conditions}
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
        ), {noted}{writes}
        select facts.*, job.*, noted.count{result}
        from job join job_facts facts on facts.id = job.id left join noted on true{joined}"
    )
}

/// A change to an existing job, with its event and notifications.
#[derive(Debug)]
pub(in crate::jobs::log) struct Advance<'a> {
    pub change: &'a JobChange,
    /// The version that the row must have.
    pub version: i64,
    pub event: &'a EventColumns,
    pub notes: Vec<&'a NewNotifications>,
}

/// Changes with the parts that several columns come from.
#[derive(Debug)]
pub(in crate::jobs::log) struct Advances<'a> {
    advances: Vec<Advance<'a>>,
    states: Vec<JobState<'a>>,
    /// The offers that end, and their number for each change.
    ended: Vec<EndedOffer<'a>>,
    ends: Vec<i64>,
    made: Vec<(&'a Job, &'a LiveOffer)>,
    notes: JobNotes<'a>,
}

impl<'a> Advances<'a> {
    pub fn new(advances: Vec<Advance<'a>>) -> Self {
        let changes = || advances.iter().map(|advance| advance.change);
        let offers: Vec<OfferChanges<'a>> = changes().filter_map(OfferChanges::of).collect();
        let ended: Vec<EndedOffer<'a>> = offers.iter().flat_map(OfferChanges::all_ended).collect();
        let ends =
            |change: &JobChange| ended.iter().filter(|offer| offer.job_id == change.next.id.0).count() as i64;
        let made = |changes: &OfferChanges<'a>| {
            let job = changes.job;
            changes.made.iter().map(move |offer| (job, offer))
        };
        let notes = advances
            .iter()
            .flat_map(|advance| advance.notes.iter().map(move |notes| (advance.change.next.id.0, *notes)));
        Self {
            states: changes().map(|change| JobState::of(&change.next, change.at)).collect(),
            ends: changes().map(ends).collect(),
            made: offers.iter().flat_map(made).collect(),
            notes: JobNotes::of(notes),
            ended,
            advances,
        }
    }

    /// Binds the arguments of [`ADVANCE_ALL`].
    pub fn bind<'q>(
        &'q self,
        query: QueryAs<'q, Postgres, JobRow, PgArguments>,
    ) -> QueryAs<'q, Postgres, JobRow, PgArguments> {
        let Self { advances, states, ended, ends, made, notes } = self;
        let changes = move || advances.iter().map(|advance| advance.change);
        let events = move || advances.iter().map(|advance| advance.event);
        let query = query
            .bind(changes().map(|change| change.next.id.0).bind_iter())
            .bind(advances.iter().map(|advance| advance.version).bind_iter())
            .bind(changes().map(|change| assigned(change).map(|(mechanic, _)| mechanic.0)).bind_iter())
            .bind(ends)
            .bind(changes().map(|change| change.next.status().is_active()).bind_iter())
            .bind(states.iter().map(JobState::mechanic).bind_iter())
            .bind(states.iter().map(JobState::dispatch_version).bind_iter())
            .bind(events().map(|event| event.kind).bind_iter())
            .bind(events().map(|event| event.is_public).bind_iter())
            .bind(events().map(|event| &event.replaced).bind_iter())
            .bind(events().map(|event| event.command_id).bind_iter())
            .bind(events().map(|event| event.actor_kind).bind_iter())
            .bind(events().map(|event| event.actor_id).bind_iter())
            .bind(events().map(|event| &event.data).bind_iter())
            .bind(events().map(|event| event.at).bind_iter())
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
            .bind(made.iter().map(|(_, offer)| offer.expires_at).bind_iter());
        bind_kept_of_all(notes.bind(query), states)
    }
}

/// Advances the rows of different jobs by one version each, with their events, notifications and offers. Returns the rows that
/// advanced. Each of the others has another version or a condition that does not hold, or another transaction holds a row that it
/// needs.
pub(super) async fn advance_all(tx: &mut PgConnection, advances: &Advances<'_>) -> Result<Vec<JobRow>> {
    advances.bind(sqlx::query_as(ADVANCE_ALL.as_str())).fetch_all(tx).await
}

/// Advances the rows like [`advance_all`], and writes the changes' rows in other tables.
pub(super) async fn advance_all_with_rows(
    tx: &mut PgConnection,
    advances: &Advances<'_>,
    further: &FurtherRows<'_>,
) -> Result<Vec<JobRow>> {
    let query = advances.bind(sqlx::query_as(ADVANCE_ALL_WITH_ROWS.as_str()));
    further.bind(query).fetch_all(tx).await
}

/// Converts a count to a column's type.
fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
