//! The service's tests, one binary: each module mirrors the area of `src/` that it is named after, or a promise that
//! applies to all areas.

// In a test a panic is the report; in its helpers, too.
#![allow(clippy::unwrap_used)]

mod actions;
mod admin;
mod advice;
mod asyncapi;
mod auth;
mod authorization;
mod backup;
mod by_id;
mod calls;
mod categories;
mod chat;
mod circles;
mod cli;
mod cluster;
mod coarsening;
mod compression;
mod contract;
mod cors;
#[cfg(feature = "sim")]
mod demo;
mod disputes;
mod edge;
mod embedded;
mod eta;
mod faults;
mod fleet;
mod guests;
mod health;
mod hostile;
mod house;
mod idle;
mod interleavings;
mod jobs;
mod layers;
mod leadership;
mod leaving;
mod limits;
mod lists_by_time;
mod mails;
mod mechanics;
mod migrations;
mod no_shows;
mod notifications;
mod openapi;
mod overload;
mod pages;
mod parked;
mod payments;
mod place_requests;
mod places;
mod presence;
mod privacy;
mod providers;
mod queries;
mod races;
mod ratings;
mod recording;
mod resets;
mod restart;
mod roles;
mod route;
mod sandbox;
mod shares;
#[cfg(feature = "sim")]
mod simulate;
mod standing;
mod states;
mod stream;
mod super_admin;
mod support;
mod suspending;
mod tables;
mod towing;
mod trackers;
mod tracking;
mod uploads;
mod users;
mod vehicles;
mod wallet;
mod watch;
mod way_ahead;
mod ws;
