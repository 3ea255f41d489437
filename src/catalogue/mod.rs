//! What the service offers and for which vehicles: vehicles, kinds of help, workshops, and how jobs are dispatched.

pub mod categories;
pub mod dispatch_settings;
pub mod vehicles;
pub mod workshops;
