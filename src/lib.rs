//! roadcall: real-time dispatch of roadside mechanics. See ARCHITECTURE.md for the map.

// An example with every field of a job is more than the default allows its macro.
#![recursion_limit = "256"]

// From the bottom to the top: each module uses only those above it in this list (tests/api/layers.rs). Some are crates of their
// own.
pub use roadcall_platform as platform;

pub use roadcall_http::{self as http, pages};

pub use roadcall_providers::{self as providers, mails, sandbox};

pub use roadcall_accounts as accounts;

pub use roadcall_places as places;

pub use roadcall_groundwork::{accounting, catalogue, fleet, grievances, notifications, thresholds, wire};

pub mod jobs;

pub mod offers;

pub mod dispatch;

pub mod money;

pub mod messaging;

pub mod tracking;

pub mod sharing;

pub mod partners;

pub mod lifecycle;

pub mod ws;

pub mod cluster;

pub mod bridge;

pub mod demo;

pub mod admin;

pub mod openapi;

pub mod edge;

pub mod service;

pub mod workers;

pub mod routes;

pub mod app;

pub mod cli;

#[cfg(any(test, fuzzing))]
pub mod fuzzing;
