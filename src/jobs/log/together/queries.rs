//! SQL that writes the changes of several jobs at once.

use std::sync::LazyLock;

use roadcall_actors::{
    job::state::{Job, LiveOffer},
    ports::JobChange,
};
use sqlx::{PgConnection, Result, postgres::PgBindIterExt};
use uuid::Uuid;

use crate::{
    jobs::{
        log::{
            offers::{EndedOffer, OfferChanges, assigned},
            queries::{EventColumns, next_version, values_replaced_by_sql},
        },
        row::{JobRow, JobState, bind_kept_of_all},
    },
    notifications::NewNotifications,
};

/// The number of the argument before those of [`JobRow::KEPT`].
const BEFORE_KEPT: usize = 42;

/// The statement of [`advance_all`]: the arguments 1 to [`BEFORE_KEPT`], then [`JobRow::KEPT`]. The arguments 1 to 15 and the kept
/// columns have an element for each job, 16 to 20 for each offer that ends, 21 to 32 for each new offer, 33 to 42 for each
/// notification.
///
/// Everything that is locked is locked without waiting, so the order of the locks does not matter. A change that depends on a row
/// which another transaction holds is left out, like a change whose conditions do not hold. What the conditions say stands in
/// `mechanics::lock_verified` and `offers::job_hook`, too. The subqueries around arguments hide how many there are: Postgres then
/// makes one plan for any number, once. The subquery around the status of offers keeps it from finding them among all that are
/// pending, by the index of those, instead of by their ids.
pub(in crate::jobs::log) static ADVANCE_ALL: LazyLock<String> = LazyLock::new(|| {
    let kept = JobRow::kept_of_all(BEFORE_KEPT + 1, "was.n");
    let (is_active, mechanic) = ("($5::boolean[])[was.n]", "($6::uuid[])[was.n]");
    let next_version = next_version(&kept, is_active, mechanic, "($7::bigint[])[was.n]");
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
        ), ready as (
            select given.id, given.version, given.n from given
            where (given.assigned is null or given.assigned in (select profile.id from profile))
                and given.ends = (select count(*) from ending where ending.job_id = given.id)
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
        )
        select facts.*, job.*, noted.count
        from job join job_facts facts on facts.id = job.id left join noted on true"
    )
});

/// A change to an existing job, with its event and notifications.
#[derive(Debug, Clone, Copy)]
pub(super) struct Advance<'a> {
    pub change: &'a JobChange,
    pub event: &'a EventColumns,
    pub notes: &'a NewNotifications,
}

/// Advances the rows of different jobs by one version each, with their events, notifications and offers. Returns the rows that
/// advanced. Each of the others has another version or a condition that does not hold, or another transaction holds a row that it
/// needs.
pub(super) async fn advance_all(tx: &mut PgConnection, advances: &[Advance<'_>]) -> Result<Vec<JobRow>> {
    let changes = || advances.iter().map(|advance| advance.change);
    let events = || advances.iter().map(|advance| advance.event);
    let notes = || advances.iter().map(|advance| advance.notes);
    let states: Vec<JobState<'_>> = changes().map(|change| JobState::of(&change.next, change.at)).collect();
    let offers: Vec<OfferChanges<'_>> = changes().filter_map(OfferChanges::of).collect();
    let ended: Vec<EndedOffer<'_>> = offers.iter().flat_map(OfferChanges::all_ended).collect();
    let ends = |change: &JobChange| ended.iter().filter(|offer| offer.job_id == change.next.id.0).count();
    let made: Vec<(&Job, &LiveOffer)> = offers
        .iter()
        .flat_map(|changes| changes.made.iter().map(move |offer| (changes.job, offer)))
        .collect();
    let noted: Vec<Uuid> = advances
        .iter()
        .flat_map(|advance| advance.notes.ids.iter().map(move |_| advance.change.next.id.0))
        .collect();
    let query = sqlx::query_as(ADVANCE_ALL.as_str())
        .bind(changes().map(|change| change.next.id.0).bind_iter())
        .bind(changes().map(|change| change.expected_version()).bind_iter())
        .bind(changes().map(|change| assigned(change).map(|(mechanic, _)| mechanic.0)).bind_iter())
        .bind(changes().map(|change| ends(change) as i64).bind_iter())
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
        .bind(made.iter().map(|(_, offer)| offer.expires_at).bind_iter())
        .bind(noted.iter().bind_iter())
        .bind(notes().flat_map(|notes| &notes.ids).bind_iter())
        .bind(notes().flat_map(|notes| &notes.user_ids).bind_iter())
        .bind(notes().flat_map(|notes| &notes.profile_ids).bind_iter())
        .bind(notes().flat_map(|notes| &notes.kinds).bind_iter())
        .bind(notes().flat_map(|notes| &notes.titles).bind_iter())
        .bind(notes().flat_map(|notes| &notes.bodies).bind_iter())
        .bind(notes().flat_map(|notes| &notes.data).bind_iter())
        .bind(notes().flat_map(|notes| &notes.are_urgent).bind_iter())
        .bind(notes().flat_map(|notes| &notes.expire_at).bind_iter());
    bind_kept_of_all(query, &states).fetch_all(tx).await
}

/// Converts a count to a column's type.
fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
