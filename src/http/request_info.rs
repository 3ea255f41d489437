//! What the outermost layer notes of a request.

use std::{sync::Arc, time::Instant};

/// What is known of a request before anything has handled it.
#[derive(Debug, Clone)]
pub struct RequestInfo {
    pub id: Arc<str>,
    /// The template, never the raw path, which can hold share tokens and tickets.
    pub route: Arc<str>,
    pub started: Instant,
    /// Whether the head of the answer is all that was asked for.
    pub is_head: bool,
}
