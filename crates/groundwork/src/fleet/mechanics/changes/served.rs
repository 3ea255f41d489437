use roadcall_http::ValidationErrors;
use roadcall_platform::error::ApiResult;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::catalogue::{categories, vehicles::VehicleKind};

/// Vehicle types and categories that a mechanic serves, or wants to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Served {
    pub vehicle_types: Vec<VehicleKind>,
    pub service_category_ids: Vec<Uuid>,
}

impl Served {
    /// Returns the part that `wanted` keeps; `None` if no type or no category is left.
    pub(super) fn narrowed_to(&self, wanted: &Self) -> Option<Self> {
        let vehicle_types = common(&self.vehicle_types, &wanted.vehicle_types);
        let service_category_ids = common(&self.service_category_ids, &wanted.service_category_ids);
        let is_some = !vehicle_types.is_empty() && !service_category_ids.is_empty();
        is_some.then_some(Self { vehicle_types, service_category_ids })
    }

    /// Returns whether everything here is also in `other`.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.vehicle_types.iter().all(|kind| other.vehicle_types.contains(kind))
            && self.service_category_ids.iter().all(|id| other.service_category_ids.contains(id))
    }

    /// Returns whether one of the categories serves one of the vehicle types. Otherwise no job could ever match.
    pub async fn can_match(&self, tx: &mut PgConnection) -> ApiResult<bool> {
        Ok(categories::any_serves(tx, &self.service_category_ids, &self.vehicle_types).await?)
    }
}

fn common<T: Clone + PartialEq>(one: &[T], other: &[T]) -> Vec<T> {
    one.iter().filter(|item| other.contains(item)).cloned().collect()
}

/// Refuses a choice that could match no job, unless there is already another error.
pub async fn check_match(
    tx: &mut PgConnection,
    served: &Served,
    field: &str,
    errors: &mut ValidationErrors,
) -> ApiResult<()> {
    if errors.0.is_empty() && !served.can_match(tx).await? {
        let why = "no category here covers any of these vehicle types, so you would never be offered a job";
        errors.add(field, why);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use roadcall_actors::vehicle::VehicleType::{self, FourWheeler, ThreeWheeler, TwoWheeler};

    use super::*;
    use crate::wire::Named;

    fn served(kinds: &[VehicleType], ids: &[u128]) -> Served {
        Served {
            vehicle_types: kinds.iter().copied().map(Named).collect(),
            service_category_ids: ids.iter().copied().map(Uuid::from_u128).collect(),
        }
    }

    #[test]
    fn the_part_that_stays_valid_was_served_and_is_still_wanted() {
        let current = served(&[TwoWheeler, FourWheeler], &[1, 2]);
        let fewer = served(&[TwoWheeler], &[2]);
        assert_eq!(current.narrowed_to(&fewer), Some(fewer.clone()));
        assert!(fewer.is_within(&current) && !current.is_within(&fewer));
        let other = served(&[FourWheeler, ThreeWheeler], &[2, 3]);
        assert_eq!(current.narrowed_to(&other), Some(served(&[FourWheeler], &[2])));
        assert!(!other.is_within(&current));
        for none in [served(&[ThreeWheeler], &[1]), served(&[TwoWheeler], &[3])] {
            assert_eq!(current.narrowed_to(&none), None, "{none:?}");
        }
    }
}
