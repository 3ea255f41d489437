//! What stands before there is a job: the engine's values over HTTP and in rows, what people are told, the catalogue, the
//! mechanics, and the ledger.

pub mod wire;

pub mod notifications;

pub mod grievances;

pub mod catalogue;

pub mod fleet;

pub mod accounting;
