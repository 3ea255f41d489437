//! Adds drivers to an organisation, and deletes them.

use sqlx::PgConnection;

use super::{
    dto::NewFleetDriver,
    queries::{self, DriverRow},
};
use crate::{
    accounts::auth::{PartnerCaller, Principal},
    http::with_region,
    partners::cases::{
        audited,
        fleet::dto::{ImportedSheet, SheetLine},
        fleet::reading::{self, ReadLine},
    },
    platform::{
        core::Core,
        error::{ApiError, ApiResult, Code, commit_error},
        idempotency::{self, Claim},
    },
};

/// The most drivers whom an organisation or an agency adds to a fleet; one more is refused with 409.
const MAX_DRIVERS: i64 = 20_000;

/// Adds a driver. The caller must not have added another one with this reference.
pub async fn add(
    core: &Core,
    caller: &PartnerCaller,
    new: NewFleetDriver,
    claim: &Claim,
) -> ApiResult<DriverRow> {
    let mut tx = core.db.begin().await?;
    let (row, is_new) = added(&mut tx, core, caller, new).await?;
    if !is_new {
        let message = "The organisation already has a driver with this reference. Delete that driver first.";
        return Err(ApiError::new(Code::Conflict, message));
    }
    check_number(&mut tx, caller).await?;
    idempotency::complete(&mut tx, claim, row.id).await?;
    audited::of_driver(core, &mut tx, Principal::from(*caller), "partner_driver.create", &row).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Returns the driver with this reference, and whether they were added for that.
async fn added(
    tx: &mut PgConnection,
    core: &Core,
    caller: &PartnerCaller,
    new: NewFleetDriver,
) -> ApiResult<(DriverRow, bool)> {
    let now = core.clock.now();
    let row = DriverRow {
        id: core.random.id(now),
        organisation_id: caller.organisation_id,
        made_by: caller.made_by,
        reference: new.reference.0,
        name: new.name.0,
        phone: new.phone.0,
        language: new.language.map_or_else(|| "en".to_owned(), |tag| tag.0),
        registration_number: new.registration_number.map(|plate| plate.0),
        created_at: now,
    };
    if queries::insert_if_new(tx, &row).await? {
        return Ok((row, true));
    }
    let found = queries::by_reference(tx, &row).await?;
    // They were deleted at this moment.
    let found = found.ok_or_else(|| ApiError::unavailable("a driver was there, and is not any more"))?;
    Ok((found, false))
}

/// Checks the number of drivers after some were added.
async fn check_number(tx: &mut PgConnection, caller: &PartnerCaller) -> ApiResult<()> {
    if queries::count(tx, (caller.organisation_id, Some(caller.made_by))).await? > MAX_DRIVERS {
        let message =
            format!("A fleet can have at most {MAX_DRIVERS} drivers. Delete those who have left first.");
        return Err(ApiError::new(Code::Conflict, message));
    }
    Ok(())
}

/// Adds the drivers of a spreadsheet whom the caller has not added yet, and says what became of each line.
pub async fn import(core: &Core, caller: &PartnerCaller, csv: &str) -> ApiResult<ImportedSheet> {
    let read = with_region(core.settings.phone.region, || reading::lines::<NewFleetDriver>(csv))?;
    let mut tx = core.db.begin().await?;
    let mut lines = Vec::with_capacity(read.len());
    for ReadLine { number, row } in read {
        lines.push(match row {
            Err(fault) => SheetLine::refused(number, fault),
            Ok(new) => {
                let (row, is_new) = added(&mut tx, core, caller, new).await?;
                SheetLine { driver_id: Some(row.id), ..SheetLine::accepted(number, is_new) }
            }
        });
    }
    let sheet = ImportedSheet::of(lines);
    if sheet.added > 0 {
        check_number(&mut tx, caller).await?;
        let imported = ("partner_drivers.import", caller.organisation_id, sheet.added);
        audited::imported(core, &mut tx, Principal::from(*caller), imported).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(sheet)
}

/// Deletes a driver. Cases that named them keep who was helped, until they forget it.
pub async fn delete(core: &Core, caller: &PartnerCaller, row: &DriverRow) -> ApiResult<()> {
    let mut tx = core.db.begin().await?;
    if !queries::delete(&mut tx, row.id).await? {
        return Err(ApiError::not_found("driver"));
    }
    audited::of_driver(core, &mut tx, Principal::from(*caller), "partner_driver.delete", row).await?;
    tx.commit().await.map_err(commit_error)
}
