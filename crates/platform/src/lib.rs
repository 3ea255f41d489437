//! The bottom of the service, which knows nothing about jobs: settings, the database, errors, the audit log, logs and metrics.
//!
//! Each module uses only those to the left of it in ARCHITECTURE.md, which `tests/api/layers.rs` of the service checks. With the
//! feature `testing` there are databases for tests (`db::testing`) and the documented defaults of settings
//! (`settings::testing`).

pub mod audit;
pub mod backoff;
pub mod bus;
pub mod core;
pub mod db;
pub mod error;
pub mod https;
pub mod idempotency;
pub mod keys;
pub mod log_filter;
pub mod network;
pub mod overload;
pub mod pulse;
pub mod settings;
pub mod tasks;
pub mod telemetry;
pub mod traces;
pub mod worker;
