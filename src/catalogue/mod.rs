//! What the service offers and for what: vehicles, kinds of help, and how jobs are dispatched.

pub mod categories;
pub mod dispatch_settings;
pub mod vehicles;
