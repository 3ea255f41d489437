//! Use cases that span areas. Each function is one use case.

mod closing;
mod coarsening;
mod consent;
mod locking;
mod suspended_mechanic;
mod suspension;
mod verification;

pub use closing::{close_account, end_admin};
pub use coarsening::coarsen_places;
pub use consent::withdraw_consent;
pub use locking::lock_for_super_admin;
pub use suspension::{check_reach, reinstate, suspend, suspend_mechanic};
pub use verification::verify_mechanic;
