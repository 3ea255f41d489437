//! The notes of the outermost layer about a request.

use std::{sync::Arc, time::Instant};

/// The facts about a request before anything has handled it.
#[derive(Debug, Clone)]
pub struct RequestInfo {
    pub id: Arc<str>,
    /// The template, never the raw path, which can hold share tokens and tickets.
    pub route: Arc<str>,
    pub started: Instant,
    /// Whether the client asked for the head of the answer only.
    pub is_head: bool,
}
