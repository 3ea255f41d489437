//! The areas that a job needs and that know no job: the engine's values over HTTP and in rows, notifications, grievances, the
//! catalogue, mechanics, the ledger, and the thresholds of a healthy server.

pub mod wire;

pub mod notifications;

pub mod grievances;

pub mod catalogue;

pub mod fleet;

pub mod accounting;

pub mod thresholds;
