//! Use cases of owners with their vehicles, and of admins on their behalf.

use chrono::{DateTime, Datelike, Utc};
use roadcall_accounts::auth;
use roadcall_http::{Change, ValidationErrors};
use roadcall_platform::{
    core::Core,
    error::{ApiError, ApiResult, Code, commit_error, refusal_of},
    idempotency::{self, Claim},
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    audited,
    dto::{NewVehicle, VehicleChanges},
    queries::{self, VehicleRow},
};

/// The maximum number of vehicles of a person; one more is refused with 409.
pub const MAX_PER_USER: i64 = 50;

/// Adds a vehicle; a person's first one becomes the default. `admin` is the admin who adds it on the owner's behalf.
pub async fn create(
    context: &Core,
    owner: Uuid,
    new: NewVehicle,
    admin: Option<Uuid>,
    claim: &Claim,
) -> ApiResult<VehicleRow> {
    let mut tx = context.db.begin().await?;
    let row = add(&mut tx, context, owner, new, admin).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Adds a vehicle in the caller's transaction; returns `false` if the owner has a vehicle with that registration number.
pub async fn add_if_new(
    tx: &mut PgConnection,
    context: &Core,
    owner: Uuid,
    new: NewVehicle,
) -> ApiResult<bool> {
    auth::lock_customer(tx, owner).await?;
    let owned = queries::list(&mut *tx, owner).await?;
    if owned.iter().any(|row| row.registration_number == new.registration_number.0) {
        return Ok(false);
    }
    add(tx, context, owner, new, None).await?;
    Ok(true)
}

async fn add(
    tx: &mut PgConnection,
    context: &Core,
    owner: Uuid,
    new: NewVehicle,
    admin: Option<Uuid>,
) -> ApiResult<VehicleRow> {
    let now = context.clock.now();
    check_year(new.year.map(|year| year.0), now)?;
    auth::lock_account(tx, owner).await?;
    let count = queries::count(&mut *tx, owner).await?;
    if count >= MAX_PER_USER {
        return Err(ApiError::new(
            Code::Conflict,
            format!("A person can have at most {MAX_PER_USER} vehicles. Delete one first."),
        ));
    }
    let is_default = new.is_default.unwrap_or(false) || count == 0;
    let row = VehicleRow { is_default, ..row_of(context.random.id(now), owner, new, now) };
    if row.is_default {
        queries::clear_default(tx, owner, now).await?;
    }
    if !queries::insert_if_new(tx, &row).await? {
        return Err(match admin {
            Some(_) => ApiError::new(
                Code::Conflict,
                "This customer already has a vehicle with this registration number.",
            ),
            None => refusal_of("vehicles_registration_per_user").unwrap_or_else(no_such_vehicle),
        });
    }
    if let Some(admin) = admin {
        audited::added(tx, &context.random, admin, &row).await?;
    }
    Ok(row)
}

/// Returns the vehicle of an organisation with this registration number, and whether it was added for that. An organisation may
/// have any number of vehicles, and none of them is its default.
pub async fn of_organisation(
    tx: &mut PgConnection,
    context: &Core,
    account_id: Uuid,
    new: NewVehicle,
) -> ApiResult<(VehicleRow, bool)> {
    let now = context.clock.now();
    check_year(new.year.map(|year| year.0), now)?;
    let row = row_of(context.random.id(now), account_id, new, now);
    if queries::insert_if_new(tx, &row).await? {
        return Ok((row, true));
    }
    let found = queries::by_registration(tx, account_id, &row.registration_number).await?;
    // It was deleted at this moment.
    let found = found.ok_or_else(|| ApiError::unavailable("a vehicle was there, and is not any more"))?;
    Ok((found, false))
}

fn row_of(id: Uuid, owner: Uuid, new: NewVehicle, now: DateTime<Utc>) -> VehicleRow {
    VehicleRow {
        id,
        user_id: owner,
        vehicle_type: new.vehicle_type,
        make: new.make.map(|make| make.0).unwrap_or_default(),
        model: new.model.map(|model| model.0).unwrap_or_default(),
        registration_number: new.registration_number.0,
        year: new.year.map(|year| year.0 as i32),
        fuel_type: new.fuel_type.map(|fuel| fuel.to_string()),
        color: new.color.map(|color| color.0),
        is_default: false,
        created_at: now,
        updated_at: now,
    }
}

/// Changes the given fields. Making a vehicle the default replaces the present default.
pub async fn change(context: &Core, owner: Uuid, id: Uuid, changes: VehicleChanges) -> ApiResult<VehicleRow> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, owner).await?;
    let row = queries::find(&mut *tx, owner, id).await?.ok_or_else(no_such_vehicle)?;
    let becomes_default = changes.is_default == Change::To(true) && !row.is_default;
    let row = changed(row, changes, now)?;
    if becomes_default {
        queries::clear_default(&mut tx, owner, now).await?;
    }
    queries::update(&mut tx, &row).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Removes a vehicle. If it was the default, the newest remaining vehicle becomes the default.
pub async fn delete(context: &Core, owner: Uuid, id: Uuid) -> ApiResult<()> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, owner).await?;
    let row = queries::lock(&mut tx, owner, id).await?.ok_or_else(no_such_vehicle)?;
    if queries::has_open_job(&mut tx, id).await? {
        return Err(ApiError::new(
            Code::VehicleInUse,
            "This vehicle has an open job. Finish or cancel it first.",
        ));
    }
    queries::mark_deleted(&mut tx, id, now).await?;
    if row.is_default {
        queries::promote_newest(&mut tx, owner, now).await?;
    }
    tx.commit().await.map_err(commit_error)
}

/// Returns the row after the changes, or 422 with the faults.
fn changed(row: VehicleRow, changes: VehicleChanges, now: DateTime<Utc>) -> ApiResult<VehicleRow> {
    if row.is_default && changes.is_default == Change::To(false) {
        let why = "can't be switched off; make another vehicle the default instead";
        return Err(ApiError::invalid("is_default", why));
    }
    let year = changes.year.map(|year| year.0).over(row.year.map(i64::from));
    check_year(year, now)?;
    Ok(VehicleRow {
        vehicle_type: changes.vehicle_type.over(row.vehicle_type),
        make: changes.make.map(|make| make.0).over(row.make),
        model: changes.model.map(|model| model.0).over(row.model),
        registration_number: changes.registration_number.map(|plate| plate.0).over(row.registration_number),
        year: year.map(|year| year as i32),
        fuel_type: changes.fuel_type.map(|fuel| fuel.to_string()).over(row.fuel_type),
        color: changes.color.map(|color| color.0).over(row.color),
        is_default: changes.is_default.over(row.is_default),
        updated_at: now,
        ..row
    })
}

/// Checks the year of manufacture: next year's models are sold this year.
fn check_year(year: Option<i64>, now: DateTime<Utc>) -> ApiResult<()> {
    let newest = i64::from(now.year()) + 1;
    let mut errors = ValidationErrors::default();
    if year.is_some_and(|year| year > newest) {
        errors.add("year", format!("must be at most {newest}"));
    }
    errors.into_result()
}

pub(super) fn no_such_vehicle() -> ApiError {
    ApiError::not_found("vehicle")
}
