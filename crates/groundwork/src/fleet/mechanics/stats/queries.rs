use sqlx::{FromRow, PgExecutor, Result};
use uuid::Uuid;

use super::dto::StatsPeriod;

/// A mechanic's figures.
#[derive(Debug, FromRow)]
pub struct StatsRow {
    pub received: i64,
    pub accepted: i64,
    pub declined: i64,
    pub expired: i64,
    pub revoked: i64,
    pub completed: i64,
    pub cancelled: i64,
    pub released: i64,
    pub working_s: i64,
    pub avg_rating: Option<f64>,
    pub ratings: i64,
    pub gross_paise: i64,
    pub commission_paise: i64,
    pub tax_paise: i64,
    pub refunds_paise: i64,
    pub earnings_paise: i64,
    pub driven_m: i64,
    pub driving_s: i64,
    pub trips: i64,
}

/// Reads all figures with one statement, so that they are of the same moment. Ratings count only if they count in the profile's
/// average, too: the mechanic may not know the others yet. A refund is divided as in the ledger: commission and tax rounded half
/// up, the rest to the mechanic. Where an organisation hides its prices, the mechanic's share stands in place of the price, as in
/// jobs (`jobs/on_account/prices.rs`).
pub async fn of_period(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    period: StatsPeriod,
) -> Result<StatsRow> {
    sqlx::query_as(
        "select * from (
            select count(*) as received, count(*) filter (where status = 'accepted') as accepted,
                count(*) filter (where status = 'declined') as declined,
                count(*) filter (where status = 'expired') as expired,
                count(*) filter (where status = 'revoked') as revoked
            from offers where mechanic_profile_id = $1 and created_at >= $2 and created_at < $3
        ) offer, (
            select count(*) filter (where completed_at >= $2 and completed_at < $3) as completed,
                count(*) filter (where cancelled_at >= $2 and cancelled_at < $3) as cancelled,
                coalesce(sum(extract(epoch from completed_at - started_at))
                    filter (where completed_at >= $2 and completed_at < $3), 0)::bigint as working_s
            from job_states where mechanic_profile_id = $1
        ) job, (
            select count(*) as released from job_events
            where kind = 'released' and data ->> 'mechanic_profile_id' = $1::text and at >= $2 and at < $3
        ) loss, (
            select count(*) as ratings, round(avg(score), 2)::double precision as avg_rating
            from ratings where mechanic_profile_id = $1 and rater = 'customer' and hidden_at is null
                and counted_at is not null and created_at >= $2 and created_at < $3
        ) rating, (
            select coalesce(sum(case when is_hidden then share_paise else gross_paise end), 0)::bigint as gross_paise,
                coalesce(sum(commission_paise) filter (where not is_hidden), 0)::bigint as commission_paise,
                coalesce(sum(tax_paise) filter (where not is_hidden), 0)::bigint as tax_paise,
                coalesce(sum(case when is_hidden then returned_share else returned_paise end), 0)::bigint as refunds_paise,
                coalesce(sum(share_paise - returned_share), 0)::bigint as earnings_paise
            from (
                select share_paise, gross_paise, commission_paise, tax_paise, returned_paise,
                    returned_paise - round(commission_paise * returned_paise::numeric / greatest(gross_paise, 1))
                        - round(tax_paise * returned_paise::numeric / greatest(gross_paise, 1)) as returned_share,
                    channel <> 'cash' and exists (select from job_facts job
                        where job.id = earnings.job_id and job.partner_order ->> 'shows_prices' = 'false') as is_hidden
                from earnings where mechanic_profile_id = $1 and created_at >= $2 and created_at < $3
            ) earned
        ) money, (
            select count(*) as trips, coalesce(sum(trip.distance_m), 0)::bigint as driven_m,
                coalesce(sum(extract(epoch from trip.arrived_at - trip.set_out_at)), 0)::bigint as driving_s
            from trips trip join offers taken on taken.id = trip.offer_id
            where taken.mechanic_profile_id = $1 and trip.arrived_at >= $2 and trip.arrived_at < $3
        ) way",
    )
    .bind(mechanic_profile_id)
    .bind(period.from)
    .bind(period.to)
    .fetch_one(db)
    .await
}

/// The earnings in a step of the period; steps without earnings have no row.
#[derive(Debug, FromRow)]
pub struct StepRow {
    /// The step's number, from 0.
    pub step: i64,
    pub jobs: i64,
    pub earnings_paise: i64,
}

/// Returns the shares minus refunds, as [`of_period`] adds them up.
pub async fn steps(
    db: impl PgExecutor<'_>,
    mechanic_profile_id: Uuid,
    period: StatsPeriod,
    step_s: i64,
) -> Result<Vec<StepRow>> {
    sqlx::query_as(
        "select floor(extract(epoch from created_at - $2::timestamptz) / $4::bigint)::bigint as step,
            count(distinct job_id) filter (where kind = 'job') as jobs,
            coalesce(sum(share_paise - (returned_paise
                - round(commission_paise * returned_paise::numeric / greatest(gross_paise, 1))
                - round(tax_paise * returned_paise::numeric / greatest(gross_paise, 1)))), 0)::bigint as earnings_paise
        from earnings where mechanic_profile_id = $1 and created_at >= $2 and created_at < $3
        group by 1 order by 1",
    )
    .bind(mechanic_profile_id)
    .bind(period.from)
    .bind(period.to)
    .bind(step_s)
    .fetch_all(db)
    .await
}
