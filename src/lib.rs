//! roadcall: real-time dispatch of roadside mechanics. See ARCHITECTURE.md for the map.

// An example with every field of a job is more than the default allows its macro.
#![recursion_limit = "256"]

pub mod accounts;
pub mod admin;
pub mod app;
pub mod bridge;
pub mod catalogue;
pub mod cli;
pub mod dispatch;
pub mod edge;
pub mod fleet;
pub mod http;
pub mod jobs;
pub mod lifecycle;
pub mod messaging;
pub mod money;
pub mod notifications;
pub mod offers;
pub mod openapi;
pub mod platform;
pub mod providers;
pub mod routes;
pub mod sandbox;
pub mod sharing;
pub mod state;
pub mod tracking;
pub mod uploads;
pub mod workers;
pub mod ws;
