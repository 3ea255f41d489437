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
        /// vehicle's plate, at least 4 characters.
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

/// The jobs that a search finds: $9 to $12 are the forms of its text. Each index gives its part: with all conditions in one `or`,
/// Postgres would go through all jobs in their order and split the words of each. The subqueries hide the words, because Postgres
/// would do the same for a word that most jobs have.
macro_rules! found {
    () => {
        concat!(
            "select id, created_at from job
            where search_words(pickup_address, description, beneficiary_name) @@ (select search_query($9)) and ",
            listed!(),
            " union
            select id, created_at from job where vehicle_registration_number like $11 and ",
            listed!(),
            " union
            select id, created_at from job where reverse(vehicle_registration_number) like $12 and ",
            listed!(),
            " union
            select id, created_at from job where customer_id = any(array(
                select person.id from users person
                where search_words(person.name, person.email) @@ (select search_query($9))
                    or reverse(person.phone) like $10)) and ",
            listed!(),
            " union
            select id, created_at from job where id = any(array(
                select state.id from job_states state where state.mechanic_profile_id = any(array(
                    select profile.id from mechanic_profiles profile join users person on person.id = profile.user_id
                    where search_words(person.name, person.email) @@ (select search_query($9))
                        or reverse(person.phone) like $10)))) and ",
            listed!(),
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

/// Lists the jobs that a search finds. Only those of the page are read whole.
async fn list_found(
    db: impl PgExecutor<'_>,
    filter: &AdminJobFilter,
    window: ListWindow,
) -> Result<Vec<ListedJob>> {
    sqlx::query(concat!(
        with_jobs!(),
        "select ",
        listed_columns!(),
        " from (
            select id from (",
        found!(),
        ") hit
            where ($13::timestamptz is null or (created_at, id) < ($13, $14))
            order by created_at desc, id desc
            limit $15 offset $16) page
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
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    .persistent(false)
    .try_map(read_in_order::<ListedJob>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &AdminJobFilter) -> Result<i64> {
    if filter.q.words.is_some() {
        return count_found(db, filter).await;
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

/// Counts what a search finds, without looking any of it up again.
async fn count_found(db: impl PgExecutor<'_>, filter: &AdminJobFilter) -> Result<i64> {
    sqlx::query_scalar(concat!(with_jobs!(), "select count(*) from (", found!(), ") hit"))
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
        .persistent(false)
        .fetch_one(db)
        .await
}
