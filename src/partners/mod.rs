//! Partners: insurers, clubs, carmakers, lessors and fleets that order help for others, follow it and pay for it.
//!
//! The organisations themselves, their members and their keys are in `accounts::organisations`.

pub mod bills;
pub mod cases;
pub mod club_offer;
pub mod context;
pub mod contracts;
pub mod feeds;
pub mod incoming;
pub mod settings;
