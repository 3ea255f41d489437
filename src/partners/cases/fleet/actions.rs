//! Adds vehicles to an organisation.

use crate::{
    accounts::auth::{PartnerCaller, Principal},
    catalogue::vehicles::{self, NewVehicle, VehicleRow},
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

/// Adds a vehicle. The organisation must not have another one with its registration number.
pub async fn add(
    core: &Core,
    caller: &PartnerCaller,
    new: NewVehicle,
    claim: &Claim,
) -> ApiResult<VehicleRow> {
    let mut tx = core.db.begin().await?;
    let (row, is_new) = vehicles::of_organisation(&mut tx, core, caller.account_id, new).await?;
    if !is_new {
        let message = "The organisation already has a vehicle with this registration number.";
        return Err(ApiError::new(Code::Conflict, message));
    }
    idempotency::complete(&mut tx, claim, row.id).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Adds the vehicles of a spreadsheet that the organisation does not have, and says what became of each line.
pub async fn import(core: &Core, caller: &PartnerCaller, csv: &str) -> ApiResult<ImportedSheet> {
    let read = reading::lines::<NewVehicle>(csv)?;
    let mut tx = core.db.begin().await?;
    let mut lines = Vec::with_capacity(read.len());
    for ReadLine { number, row } in read {
        lines.push(match row {
            Err(fault) => SheetLine::refused(number, fault),
            Ok(new) => match vehicles::of_organisation(&mut tx, core, caller.account_id, new).await {
                Ok((row, is_new)) => {
                    SheetLine { vehicle_id: Some(row.id), ..SheetLine::accepted(number, is_new) }
                }
                // The year is checked before anything is written.
                Err(error) if error.code == Code::ValidationFailed => {
                    let faults =
                        error.errors.iter().map(|(field, whys)| format!("{field} {}", whys.join(", ")));
                    SheetLine::refused(number, faults.collect::<Vec<_>>().join("; "))
                }
                Err(error) => return Err(error),
            },
        });
    }
    let sheet = ImportedSheet::of(lines);
    if sheet.added > 0 {
        let imported = ("partner_vehicles.import", caller.organisation_id, sheet.added);
        audited::imported(core, &mut tx, Principal::from(*caller), imported).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    Ok(sheet)
}
