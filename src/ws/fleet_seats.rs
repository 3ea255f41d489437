//! The limits on how many maps are kept up to date, in total and for one admin.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use uuid::Uuid;

use super::settings::WsSettings;

/// The seats of all maps. All clones share them.
#[derive(Debug, Clone)]
pub struct FleetSeats(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    taken: Mutex<HashMap<Uuid, usize>>,
    total: usize,
    per_admin: usize,
}

/// The reason why there is no seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoSeat {
    /// All seats of the service are taken.
    Taken { most: usize },
    /// The admin has as many seats as one admin may have.
    Own { most: usize },
}

/// The seat of one map, returned on drop.
#[derive(Debug)]
pub(super) struct FleetSeat {
    seats: FleetSeats,
    admin: Uuid,
}

impl FleetSeats {
    pub fn new(settings: &WsSettings) -> Self {
        let (total, per_admin) = (settings.fleet_subscriptions, settings.fleet_subscriptions_per_admin);
        Self(Arc::new(Inner { taken: Mutex::default(), total, per_admin }))
    }

    pub(super) fn take(&self, admin: Uuid) -> Result<FleetSeat, NoSeat> {
        let mut taken = self.taken();
        if taken.values().sum::<usize>() >= self.0.total {
            return Err(NoSeat::Taken { most: self.0.total });
        }
        let own = taken.entry(admin).or_default();
        if *own >= self.0.per_admin {
            return Err(NoSeat::Own { most: self.0.per_admin });
        }
        *own += 1;
        Ok(FleetSeat { seats: self.clone(), admin })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<Uuid, usize>> {
        self.0.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for FleetSeat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
        if let Some(own) = taken.get_mut(&self.admin) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.admin);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_admin_leaves_seats_to_others_and_the_total_is_limited() {
        let inner = Inner { taken: Mutex::default(), total: 3, per_admin: 2 };
        let seats = FleetSeats(Arc::new(inner));
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let held = [seats.take(one).expect("a seat"), seats.take(one).expect("another")];
        assert_eq!(seats.take(one).expect_err("a third"), NoSeat::Own { most: 2 });
        let _others = seats.take(other).expect("the last");
        assert_eq!(seats.take(other).expect_err("none is left"), NoSeat::Taken { most: 3 });
        drop(held);
        assert_eq!(seats.taken().len(), 1);
        seats.take(one).expect("given back");
    }
}
