//! In-memory ports.
