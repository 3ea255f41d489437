//! What everything stands on and what knows nothing of jobs: settings, the database, errors, logs and metrics.

pub mod db;
pub mod error;
pub mod idempotency;
pub mod settings;
pub mod telemetry;
