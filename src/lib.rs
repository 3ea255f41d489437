//! roadcall: real-time dispatch of roadside mechanics. See ARCHITECTURE.md for the map.

pub mod app;
pub mod cli;
pub mod db;
pub mod error;
pub mod health;
pub mod mechanics;
pub mod openapi;
pub mod routes;
pub mod settings;
pub mod state;
pub mod telemetry;
pub mod uploads;
pub mod vehicles;
pub mod web;
