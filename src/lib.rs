//! roadcall: real-time dispatch of roadside mechanics. See ARCHITECTURE.md for the map.

// An example with every field of a job is more than the default allows its macro.
#![recursion_limit = "256"]

pub mod admin;
pub mod app;
pub mod auth;
pub mod bridge;
pub mod calls;
pub mod categories;
pub mod chat;
pub mod cli;
pub mod db;
pub mod demo;
pub mod dispatch;
pub mod disputes;
pub mod error;
pub mod eta;
pub mod health;
pub mod idempotency;
pub mod idp;
pub mod jobs;
pub mod ledger;
pub mod mechanics;
pub mod notifications;
pub mod offers;
pub mod openapi;
pub mod payments;
pub mod privacy;
pub mod providers;
pub mod ratings;
pub mod routes;
pub mod sandbox;
pub mod settings;
pub mod shares;
pub mod simulate;
pub mod state;
pub mod super_admin;
pub mod telemetry;
pub mod tracking;
pub mod uploads;
pub mod users;
pub mod vehicles;
pub mod wallet;
pub mod web;
pub mod workers;
pub mod ws;
