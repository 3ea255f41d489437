//! roadcall: real-time dispatch of roadside mechanics. See ARCHITECTURE.md for the map.

pub mod db;
pub mod error;
pub mod settings;
pub mod state;
pub mod web;
