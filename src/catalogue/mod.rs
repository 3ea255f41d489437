//! What the service offers and for which vehicles: vehicles, kinds of help, and how jobs are dispatched.

pub mod categories;
pub mod dispatch_settings;
pub mod vehicles;
