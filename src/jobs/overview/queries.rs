use sqlx::{PgExecutor, Result};
use uuid::Uuid;

use crate::{
    http::{Between, ListWindow, SearchText},
    jobs::{
        dto::{JobConcern, JobStatus},
        queries::JobRow,
    },
    platform::db::read,
};

/// The conditions of an admin's search among all jobs; every given condition must hold.
#[derive(Debug, Clone, Default)]
pub struct AdminJobFilter {
    /// The statuses of the jobs; every status if empty.
    pub statuses: Vec<JobStatus>,
    /// The concerns of the jobs; jobs with and without a concern if empty.
    pub concerns: Vec<JobConcern>,
    pub category: Option<Uuid>,
    pub customer: Option<Uuid>,
    pub mechanic: Option<Uuid>,
    pub made: Between,
    /// Words in the job itself, in its people's data, or the registration number that it shows.
    pub q: SearchText,
}

/// Lists the newest jobs first. The search collects an array of ids first, to which each index gives its part: with all
/// conditions in one `or`, Postgres would go through all jobs in their order and split the words of each.
pub async fn list(
    db: impl PgExecutor<'_>,
    filter: &AdminJobFilter,
    window: ListWindow,
) -> Result<Vec<JobRow>> {
    sqlx::query(
        "select * from jobs
        where (cardinality($1::text[]) = 0 or status = any($1))
            and (cardinality($2::text[]) = 0 or concern = any($2))
            and ($3::uuid is null or service_category_id = $3)
            and ($4::uuid is null or customer_id = $4)
            and ($5::uuid is null or mechanic_profile_id = $5)
            and ($6::timestamptz is null or created_at >= $6)
            and ($7::timestamptz is null or created_at < $7)
            and ($8::text is null or id = any(array(
                select id from jobs
                where search_words(pickup_address, description, beneficiary_name) @@ search_query($8)
                union
                select id from jobs where vehicle_registration_number like $10
                union
                select id from jobs where reverse(vehicle_registration_number) like $11
                union
                select id from jobs where customer_id = any(array(
                    select person.id from users person
                    where search_words(person.name, person.email) @@ search_query($8)
                        or reverse(person.phone) like $9))
                union
                select id from jobs where mechanic_profile_id = any(array(
                    select profile.id from mechanic_profiles profile join users person on person.id = profile.user_id
                    where search_words(person.name, person.email) @@ search_query($8)
                        or reverse(person.phone) like $9)))))
            and ($12::timestamptz is null or (created_at, id) < ($12, $13))
        order by created_at desc, id desc
        limit $14 offset $15",
    )
    .bind(&filter.statuses)
    .bind(&filter.concerns)
    .bind(filter.category)
    .bind(filter.customer)
    .bind(filter.mechanic)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(&filter.q.words)
    .bind(&filter.q.phone)
    .bind(&filter.q.plate)
    .bind(&filter.q.plate_end)
    .bind(window.after_at())
    .bind(window.after_id())
    .bind(window.limit)
    .bind(window.offset)
    // The query is planned for the given filters, so that a search uses its indexes.
    .persistent(false)
    .try_map(read::<JobRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, filter: &AdminJobFilter) -> Result<i64> {
    sqlx::query_scalar(
        "select count(*) from jobs
        where (cardinality($1::text[]) = 0 or status = any($1))
            and (cardinality($2::text[]) = 0 or concern = any($2))
            and ($3::uuid is null or service_category_id = $3)
            and ($4::uuid is null or customer_id = $4)
            and ($5::uuid is null or mechanic_profile_id = $5)
            and ($6::timestamptz is null or created_at >= $6)
            and ($7::timestamptz is null or created_at < $7)
            and ($8::text is null or id = any(array(
                select id from jobs
                where search_words(pickup_address, description, beneficiary_name) @@ search_query($8)
                union
                select id from jobs where vehicle_registration_number like $10
                union
                select id from jobs where reverse(vehicle_registration_number) like $11
                union
                select id from jobs where customer_id = any(array(
                    select person.id from users person
                    where search_words(person.name, person.email) @@ search_query($8)
                        or reverse(person.phone) like $9))
                union
                select id from jobs where mechanic_profile_id = any(array(
                    select profile.id from mechanic_profiles profile join users person on person.id = profile.user_id
                    where search_words(person.name, person.email) @@ search_query($8)
                        or reverse(person.phone) like $9)))))",
    )
    .bind(&filter.statuses)
    .bind(&filter.concerns)
    .bind(filter.category)
    .bind(filter.customer)
    .bind(filter.mechanic)
    .bind(filter.made.0)
    .bind(filter.made.1)
    .bind(&filter.q.words)
    .bind(&filter.q.phone)
    .bind(&filter.q.plate)
    .bind(&filter.q.plate_end)
    .persistent(false)
    .fetch_one(db)
    .await
}
