//! The driver and the vehicle that a new case names.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    accounts::auth::PartnerCaller,
    catalogue::vehicles,
    http::{Id, ValidationErrors},
    partners::cases::{
        dto::{ChosenVehicle, NewCase, NewCaseVehicle},
        fleet::drivers::{self, DriverRow},
    },
    platform::{core::Core, error::ApiResult},
};

/// Returns the driver whom a case names instead of a person. Adds a fault unless it names one of both.
pub async fn driver(
    core: &Core,
    caller: &PartnerCaller,
    new: &NewCase,
    faults: &mut ValidationErrors,
) -> ApiResult<Option<DriverRow>> {
    let Some(Id(id)) = new.driver_id else {
        if new.beneficiary.is_none() {
            faults.add("beneficiary", "is required without a driver_id");
        }
        return Ok(None);
    };
    if new.beneficiary.is_some() {
        faults.add("driver_id", "can't be given together with beneficiary");
    }
    let found = drivers::find(&core.db, id).await?.filter(|row| row.is_visible(caller));
    if found.is_none() {
        faults.add("driver_id", "is not a driver of this organisation");
    }
    Ok(found)
}

/// Returns the vehicle that a case names, else the driver's, or adds the faults.
pub async fn chosen(
    core: &Core,
    caller: &PartnerCaller,
    (named, driver): (Option<&NewCaseVehicle>, Option<&DriverRow>),
    faults: &mut ValidationErrors,
) -> ApiResult<Option<ChosenVehicle>> {
    if let Some(named) = named {
        return Ok(named.chosen(faults));
    }
    let plate = driver.and_then(|driver| driver.registration_number.as_deref());
    let found = match plate {
        Some(plate) => vehicles::by_registration(&core.db, caller.account_id, plate).await?,
        None => None,
    };
    if found.is_none() {
        faults.add("vehicle", "is required, unless driver_id names a driver with a vehicle of the fleet");
    }
    Ok(found.map(|row| ChosenVehicle::Known(Id(row.id))))
}

/// Returns the vehicle; one that is described is added to the fleet if the fleet has none with its registration number.
pub async fn vehicle(
    tx: &mut PgConnection,
    core: &Core,
    caller: &PartnerCaller,
    chosen: ChosenVehicle,
) -> ApiResult<Uuid> {
    match chosen {
        ChosenVehicle::Described(new) => {
            Ok(vehicles::of_organisation(tx, core, caller.account_id, *new).await?.0.id)
        }
        ChosenVehicle::Known(Id(id)) => Ok(id),
    }
}
