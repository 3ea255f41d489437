//! SQL that creates several jobs at once.

use std::sync::LazyLock;

use sqlx::{PgConnection, Result, postgres::PgBindIterExt};

use super::Creation;
use crate::jobs::{
    log::notes::{JobNotes, NOTE_ARGUMENTS, noted_sql},
    row::{JobCreation, JobRow, JobState, bind_created_of_all, bind_kept_of_all},
};

/// The number of the first argument of [`JobNotes`].
const FIRST_OF_NOTES: usize = 16;
/// The number of the argument before those of [`JobRow::CREATED`], which those of [`JobRow::KEPT`] follow.
const BEFORE_CREATED: usize = FIRST_OF_NOTES - 1 + NOTE_ARGUMENTS;

/// The condition of each lock but those of `account`: the statement waits for accounts before it holds any other lock.
const AFTER_ACCOUNTS: &str = "(select count(*) from account) >= 0";

/// The statement of [`insert_all`]. Each argument has an element for each job, but those of notifications and of the accounts of
/// organisations.
///
/// The conditions stand in `jobs::job_hook` and in `auth::lock_customer`, too, and the row of a job on account in `on_account`. All
/// rows but accounts are locked without waiting, so a job is left out while another transaction holds its customer or its case.
/// Most jobs of an organisation meet others of it: the statement waits for its account, and so two of them create the jobs of one
/// organisation one after the other. Accounts are locked in the order of their ids.
///
/// `count_open_jobs` is called with a customer whose row is locked, and sees everything that is committed by then. Nobody opens
/// another job of this customer before the statement is committed. `ranked` adds the jobs that the statement itself creates, and lets
/// none be created before all are counted: the function would see it.
pub(in crate::jobs::log) static INSERT_ALL: LazyLock<String> = LazyLock::new(|| {
    let (created, kept) = (JobRow::CREATED.join(", "), JobRow::KEPT.join(", "));
    let created_values = JobRow::created_of_all(BEFORE_CREATED + 1, "ready.n").join(", ");
    let kept_values = JobRow::kept_of_all(BEFORE_CREATED + JobRow::CREATED.len() + 1, "ready.n").join(", ");
    let noted = noted_sql(FIRST_OF_NOTES);
    format!(
        "with account as (
            select u.id, u.name, u.max_open_jobs from users u
            where u.id = any((select $15)::uuid[]) and u.status = 'active' and u.role = 'customer'
            order by u.id
            for no key update
        ), given as (
            select given.id, given.customer_id, given.vehicle_id, given.category_id, given.mark, given.waits, given.at,
                given.most, given.case_id, given.n::integer as n
            from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::uuid[]), (select $4::uuid[]),
                    (select $5::uuid[]), (select $6::boolean[]), (select $7::timestamptz[]), (select $8::bigint[]),
                    (select $14::uuid[]))
                with ordinality as given (id, customer_id, vehicle_id, category_id, mark, waits, at, most, case_id, n)
        ), person as (
            select u.id, u.name, u.max_open_jobs from users u
            where u.id = any((select $2)::uuid[]) and u.id <> all((select $15)::uuid[])
                and u.status = 'active' and u.role = 'customer' and {AFTER_ACCOUNTS}
            for no key update skip locked
        ), customer as (
            select * from account union all select * from person
        ), category as (
            select c.id from service_categories c
            where c.id = any((select $4)::uuid[]) and c.is_active and {AFTER_ACCOUNTS}
            for key share skip locked
        ), vehicle as (
            select v.id, v.user_id from vehicles v
            where v.id = any((select $3)::uuid[]) and v.deleted_at is null and {AFTER_ACCOUNTS}
            for key share skip locked
        ), open_case as (
            select k.id from partner_cases k
            where k.id = any((select $14)::uuid[]) and k.status = 'open' and {AFTER_ACCOUNTS}
            for share skip locked
        ), marked as (
            select k.id from idempotency_keys k
            where k.id = any((select $5)::uuid[]) and k.job_id is null and {AFTER_ACCOUNTS}
            for no key update skip locked
        ), fit as materialized (
            select given.id, given.vehicle_id, given.mark, given.waits, given.at, given.n,
                coalesce(customer.max_open_jobs, given.most) as most, customer.id as customer_id, customer.name
            from given
                join customer on customer.id = given.customer_id
                join category on category.id = given.category_id
                join vehicle on vehicle.id = given.vehicle_id and vehicle.user_id = given.customer_id
            where (given.mark is null or given.mark in (select marked.id from marked))
                and (given.case_id is null or given.case_id in (select open_case.id from open_case))
        ), counted as materialized (
            select fit.id, fit.customer_id, fit.mark, fit.waits, fit.n, fit.name, fit.most, open.of_kind, open.in_all,
                open.of_vehicle
            from fit cross join lateral count_open_jobs(fit.customer_id, fit.vehicle_id, fit.waits, fit.at) as open
        ), ranked as materialized (
            select counted.id, counted.mark, counted.n, counted.name, counted.most, counted.of_kind, counted.in_all,
                row_number() over (partition by counted.customer_id, counted.waits order by counted.n) as nth_of_kind,
                row_number() over (partition by counted.customer_id order by counted.n) as nth
            from counted where counted.of_vehicle = 0
        ), ready as materialized (
            select ranked.id, ranked.mark, ranked.n, ranked.name from ranked
            where ($8::bigint[])[ranked.n] is null
                or (ranked.of_kind + ranked.nth_of_kind <= ranked.most and ranked.in_all + ranked.nth <= 2 * ranked.most)
        ), facts as (
            insert into job_facts ({created})
            select {created_values} from ready
            returning *
        ), job as (
            insert into job_states (id, customer_id, vehicle_id, created_at, version, customer_name, {kept})
            select facts.id, facts.customer_id, facts.vehicle_id, facts.created_at, 1, ready.name, {kept_values}
            from facts join ready on ready.id = facts.id
            returning *
        ), event as (
            insert into job_events (job_id, version, seq, kind, command_id, actor_kind, actor_id, data, replaced, at)
            select job.id, job.version, job.seq, ($9::text[])[ready.n], ($10::uuid[])[ready.n], ($11::text[])[ready.n],
                ($12::uuid[])[ready.n], ($13::jsonb[])[ready.n], '{{}}', ($7::timestamptz[])[ready.n]
            from job join ready on ready.id = job.id
        ), on_account as (
            insert into partner_jobs (job_id, case_id, account_id, created_at)
            select facts.id, facts.case_id, facts.customer_id, facts.created_at from facts where facts.case_id is not null
        ), made_under_mark as (
            update idempotency_keys k set job_id = job.id
            from ready join job on job.id = ready.id
            where k.id = ready.mark
        ), {noted}
        select facts.*, job.*, noted.count from facts join job on job.id = facts.id left join noted on true"
    )
});

/// Inserts both parts of the rows, as version 1, with their first events and notifications, and completes the marks. Returns the
/// rows of the jobs that were created. For each of the others a condition does not hold, or another transaction holds a row that it
/// needs. The creations must be [`compatible`](super::compatible).
pub(in crate::jobs::log) async fn insert_all(
    tx: &mut PgConnection,
    creations: &[Creation<'_>],
) -> Result<Vec<JobRow>> {
    let jobs = || creations.iter().map(|creation| &creation.change.next);
    let changes = || creations.iter().map(|creation| creation.change);
    let events = || creations.iter().map(|creation| creation.event);
    let accounts = jobs().filter(|job| job.spec.on_account.is_some()).map(|job| job.spec.customer_id.0);
    let facts = creations.iter().map(|new| JobCreation::of(&new.change.next, new.details, new.change.at));
    let facts: Vec<JobCreation<'_>> = facts.collect();
    let states: Vec<JobState<'_>> = changes().map(|change| JobState::of(&change.next, change.at)).collect();
    let notes = JobNotes::of(creations.iter().map(|new| (new.change.next.id.0, new.notes)));
    let query = sqlx::query_as(INSERT_ALL.as_str())
        .bind(jobs().map(|job| job.id.0).bind_iter())
        .bind(jobs().map(|job| job.spec.customer_id.0).bind_iter())
        .bind(jobs().map(|job| job.spec.vehicle_id.0).bind_iter())
        .bind(jobs().map(|job| job.spec.category_id.0).bind_iter())
        .bind(changes().map(|change| change.idempotency).bind_iter())
        .bind(changes().map(|change| change.next.spec.begin_at > change.at).bind_iter())
        .bind(changes().map(|change| change.at).bind_iter())
        .bind(creations.iter().map(|new| new.details.most_open_jobs.map(i64::from)).bind_iter())
        .bind(events().map(|event| event.kind).bind_iter())
        .bind(events().map(|event| event.command_id).bind_iter())
        .bind(events().map(|event| event.actor_kind).bind_iter())
        .bind(events().map(|event| event.actor_id).bind_iter())
        .bind(events().map(|event| &event.data).bind_iter())
        .bind(jobs().map(|job| job.spec.on_account.as_ref().map(|account| account.case_id)).bind_iter())
        .bind(accounts.bind_iter());
    bind_kept_of_all(bind_created_of_all(notes.bind(query), &facts), &states).fetch_all(tx).await
}
