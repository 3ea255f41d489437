//! SQL of an organisation's vehicles.

use sqlx::{PgExecutor, Result};
use uuid::Uuid;

use crate::{catalogue::vehicles::VehicleRow, http::PageParams, platform::db::read};

/// The condition of both statements: $1 is the organisation's account, $2 the agency of whose cases the vehicles are, if only those
/// are shown.
macro_rules! listed {
    () => {
        "v.user_id = $1 and v.deleted_at is null
            and ($2::uuid is null or exists (select from partner_cases c where c.vehicle_id = v.id and c.made_by = $2))"
    };
}

/// Lists a part of an organisation's vehicles, in the order of their registration numbers. `made_by` limits them to those of the
/// cases that one agency made.
pub async fn list(
    db: impl PgExecutor<'_>,
    (account_id, made_by): (Uuid, Option<Uuid>),
    page: PageParams,
) -> Result<Vec<VehicleRow>> {
    sqlx::query(concat!(
        "select v.* from vehicles v where ",
        listed!(),
        " order by v.registration_number limit $3 offset $4",
    ))
    .bind(account_id)
    .bind(made_by)
    .bind(page.limit)
    .bind(page.offset())
    .persistent(false)
    .try_map(read::<VehicleRow>)
    .fetch_all(db)
    .await
}

pub async fn count(db: impl PgExecutor<'_>, (account_id, made_by): (Uuid, Option<Uuid>)) -> Result<i64> {
    sqlx::query_scalar(concat!("select count(*) from vehicles v where ", listed!()))
        .bind(account_id)
        .bind(made_by)
        .persistent(false)
        .fetch_one(db)
        .await
}
