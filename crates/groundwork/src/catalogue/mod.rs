//! The catalogue: vehicles, kinds of help, workshops, the settings of dispatch, and stops of new jobs.

pub mod categories;
pub mod dispatch_settings;
pub mod job_stops;
pub mod vehicles;
pub mod workshops;
