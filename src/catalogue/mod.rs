//! What the service offers and for which vehicles: vehicles, kinds of help, workshops, how jobs are dispatched, and when no new ones
//! are taken.

pub mod categories;
pub mod dispatch_settings;
pub mod job_stops;
pub mod vehicles;
pub mod workshops;
