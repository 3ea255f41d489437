use sqlx::{PgExecutor, Result};
use uuid::Uuid;

use crate::{
    http::{Between, ListWindow, SearchText, list_filter},
    jobs::{
        dto::{ConcernFilter, JobStatus},
        shown::{ListedJob, listed_columns},
    },
    platform::db::read_in_order,
};

list_filter! {
    /// The filter of the admins' list of jobs; every given condition must hold.
    AdminJobFilter {
        /// With one of these statuses: `status=a&status=b`, or `status=a,b`.
        statuses as "status": Vec<JobStatus> = ["dispatching"],
        /// With this concern, or with any.
        concern: Option<ConcernFilter> = "any",
        /// Of this category.
        service_category_id: Option<Uuid>,
        /// Of this customer.
        customer_id: Option<Uuid> = "019b7876-a4c0-7a10-8d21-5c0e4f9a1b01",
        /// Of this mechanic.
        mechanic_profile_id: Option<Uuid> = "019b7876-a4c0-7a10-8d21-5c0e4f9a1d01",
        /// Made in this time.
        made: Between,
        /// Words that begin words of the customer's or the mechanic's name or email, of the pickup address, the description
        /// or the beneficiary's name; or the last digits of one of their phone numbers, or the beginning or end of the
        /// vehicle's plate, at least 4 characters. `total` counts at most 1,000 of the jobs that it finds.
        q: SearchText = "KA01AB1234",
    }
}

/// The conditions of [`AdminJobFilter`] other than the search: $1 are the statuses, $2 the concerns, $3 is the category, $4 the
/// customer, $5 the mechanic, $6 and $7 are the period. If $8 says that only unfinished jobs can match, these are read by their
/// index.
macro_rules! listed {
    () => {
        "(is_unfinished or not $8::boolean)
            and (cardinality($1::text[]) = 0 or status = any($1))
            and (cardinality($2::text[]) = 0 or concern = any($2))
            and ($3::uuid is null or service_category_id = $3)
            and ($4::uuid is null or customer_id = $4)
            and ($5::uuid is null or mechanic_profile_id = $5)
            and ($6::timestamptz is null or created_at >= $6)
            and ($7::timestamptz is null or created_at < $7)"
    };
}

/// The jobs with the columns that a search and the conditions name. Unlike in the view, Postgres reads the states only if a
/// condition names one of their columns.
macro_rules! with_jobs {
    () => {
        "with job as not materialized (
            select facts.id, facts.created_at, facts.customer_id, facts.service_category_id, facts.pickup_address,
                facts.description, facts.beneficiary_name, facts.vehicle_registration_number, state.status,
                state.is_unfinished, state.concern, state.mechanic_profile_id
            from job_facts facts left join job_states state on state.id = facts.id)
        "
    };
}

/// The jobs that a search finds: $9 to $12 are the forms of its text, and $13 is the most that each part gives, if not all. Each index
/// gives its part: with all conditions in one `or`, Postgres would go through all jobs in their order and split the words of each. The
/// subqueries hide the words, because Postgres would do the same for a word that most jobs have.
macro_rules! found {
    () => {
        concat!(
            "(select id, created_at from job
            where search_words(pickup_address, description, beneficiary_name) @@ (select search_query($9)) and ",
            listed!(),
            " limit $13::bigint) union
            (select id, created_at from job where vehicle_registration_number like $11 and ",
            listed!(),
            " limit $13::bigint) union
            (select id, created_at from job where reverse(vehicle_registration_number) like $12 and ",
            listed!(),
            " limit $13::bigint) union
            (select id, created_at from job where customer_id = any(array(
                select person.id from users person
                where search_words(person.name, person.email) @@ (select search_query($9))
                    or reverse(person.phone) like $10)) and ",
            listed!(),
            " limit $13::bigint) union
            (select id, created_at from job where id = any(array(
                select state.id from job_states state where state.mechanic_profile_id = any(array(
                    select profile.id from mechanic_profiles profile join users person on person.id = profile.user_id
                    where search_words(person.name, person.email) @@ (select search_query($9))
                        or reverse(person.phone) like $10)))) and ",
            listed!(),
            " limit $13::bigint)",
        )
    };
}

/// The people whom a search finds, unless they are a crowd: more than 1,000.
macro_rules! with_people {
    () => {
        ", person as materialized (
            select id from users
            where search_words(name, email) @@ (select search_query($9)) or reverse(phone) like $10
            limit 1001
        ), mechanic as materialized (
            select profile.id from mechanic_profiles profile where profile.user_id in (select id from person)
        )"
    };
}

/// The condition that a search finds a person of `users`.
macro_rules! is_person_found {
    () => {
        "(lower(concat_ws(chr(10), users.name, users.email)) ~ all((select search_patterns($9))::text[])
            or reverse(users.phone) like $10)"
    };
}

/// The condition that a search finds a `job`, for jobs that are looked at one by one: each clause is the one in `found` for which there
/// is an index. A clause about the mechanic or a crowd is a subquery, and takes time only if there is such a mechanic or a crowd.
macro_rules! is_found {
    () => {
        concat!(
            "(lower(concat_ws(chr(10), job.pickup_address, job.description, job.beneficiary_name))
                ~ all((select search_patterns($9))::text[])
            or job.vehicle_registration_number like $11 or reverse(job.vehicle_registration_number) like $12
            or job.customer_id in (select id from person)
            or ((select count(*) from mechanic) > 0 and (
                select state.mechanic_profile_id in (select id from mechanic) from job_states state where state.id = job.id))
            or ((select count(*) from person) > 1000 and (
                (select ",
            is_person_found!(),
            " from users where users.id = job.customer_id)
                or (select ",
            is_person_found!(),
            " from job_states state join mechanic_profiles profile on profile.id = state.mechanic_profile_id
                    join users on users.id = profile.user_id
                where state.id = job.id))))",
        )
    };
}

impl AdminJobFilter {
    /// Returns whether only unfinished jobs can match. A mechanic is warned about only while they are on the way.
    fn is_of_unfinished(&self) -> bool {
        let are_unfinished = self.statuses.iter().all(|status| status.is_unfinished());
        self.concern.is_some() || (!self.statuses.is_empty() && are_unfinished)
    }
}

/// Lists the newest jobs first.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &AdminJobFilter,
    window: ListWindow,
) -> Result<Vec<ListedJob>> {
    if filter.q.words.is_some() {
        return list_found(db, filter, window).await;
    }
    sqlx::query(concat!(
        "select ",
        listed_columns!(),
        " from (
            select * from jobs where ",
        listed!(),
        " and ($9::timestamptz is null or (created_at, id) < ($9, $10))
            order by created_at desc, id desc
            limit $11 offset $12) j
        left join callback_requests c on c.job_id = j.id
        order by j.created_at desc, j.id desc",
    ))
    .bind(&filter.statuses)
    .bind(filter.concern.map(ConcernFilter::concerns).unwrap_or_default())
    .bind(filter.service_category_id)
    .bind(filter.customer_id)
    .bind(filter.mechanic_profile_id)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(filter.is_of_unfinished())
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read_in_order::<ListedJob>)
    .fetch_all(db)
    .await
}

/// Lists the jobs that a search finds. The newest 1,000 jobs are looked at first, one by one: if many fit the search, the page is full
/// before long. The indexes find all others, which are few enough to be sorted. Only the jobs of the page are read whole.
async fn list_found(
    db: impl PgExecutor<'_>,
    filter: &AdminJobFilter,
    window: ListWindow,
) -> Result<Vec<ListedJob>> {
    sqlx::query(concat!(
        with_jobs!(),
        with_people!(),
        ", recent as materialized (
            select id, created_at from (
                select * from job where ($14::timestamptz is null or (created_at, id) < ($14, $15))
                order by created_at desc, id desc
                limit 1000) job
            where ",
        listed!(),
        " and ",
        is_found!(),
        " order by created_at desc, id desc
            limit $16::bigint + $17::bigint
        ), page as (
            select id, created_at from recent where (select count(*) from recent) >= $16::bigint + $17::bigint
            union all
            select id, created_at from (",
        found!(),
        ") hit
            where (select count(*) from recent) < $16::bigint + $17::bigint
                and ($14::timestamptz is null or (created_at, id) < ($14, $15))
            order by created_at desc, id desc
            limit $16 offset $17)
        select ",
        listed_columns!(),
        " from page
        join jobs j on j.id = page.id
        left join callback_requests c on c.job_id = j.id
        order by j.created_at desc, j.id desc",
    ))
    .bind(&filter.statuses)
    .bind(filter.concern.map(ConcernFilter::concerns).unwrap_or_default())
    .bind(filter.service_category_id)
    .bind(filter.customer_id)
    .bind(filter.mechanic_profile_id)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(filter.is_of_unfinished())
    .bind(&filter.q.words)
    .bind(&filter.q.phone)
    .bind(&filter.q.plate)
    .bind(&filter.q.plate_end)
    .bind(None::<i64>)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read_in_order::<ListedJob>)
    .fetch_all(db)
    .await
}

/// Counts the jobs; of those that a search finds, at most as many as that.
pub async fn count(db: impl PgExecutor<'_>, filter: &AdminJobFilter, most_found: Option<i64>) -> Result<i64> {
    if filter.q.words.is_some() {
        return count_found(db, filter, most_found).await;
    }
    sqlx::query_scalar(concat!(with_jobs!(), "select count(*) from job where ", listed!()))
        .bind(&filter.statuses)
        .bind(filter.concern.map(ConcernFilter::concerns).unwrap_or_default())
        .bind(filter.service_category_id)
        .bind(filter.customer_id)
        .bind(filter.mechanic_profile_id)
        .bind(filter.made.0)
        .bind(filter.made.1)
        .bind(filter.is_of_unfinished())
        .persistent(false)
        .fetch_one(db)
        .await
}

/// Counts what a search finds, without looking any of it up again. If most of the newest jobs fit, no index is read: it would have to
/// name every job that fits before the first is counted.
async fn count_found(db: impl PgExecutor<'_>, filter: &AdminJobFilter, most: Option<i64>) -> Result<i64> {
    sqlx::query_scalar(concat!(
        with_jobs!(),
        with_people!(),
        ", recent as materialized (
            select id from (select * from job order by created_at desc, id desc limit 2000) job
            where ",
        listed!(),
        " and ",
        is_found!(),
        " limit $13::bigint
        )
        select case when (select count(*) from recent) >= $13::bigint then $13::bigint
            else (select count(*) from (select from (",
        found!(),
        ") hit limit $13::bigint) counted) end",
    ))
    .bind(&filter.statuses)
    .bind(filter.concern.map(ConcernFilter::concerns).unwrap_or_default())
    .bind(filter.service_category_id)
    .bind(filter.customer_id)
    .bind(filter.mechanic_profile_id)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(filter.is_of_unfinished())
    .bind(&filter.q.words)
    .bind(&filter.q.phone)
    .bind(&filter.q.plate)
    .bind(&filter.q.plate_end)
    .bind(most)
    .persistent(false)
    .fetch_one(db)
    .await
}
