//! Measures how many customers wait for a call, for `/metrics`. A scrape does not wait for the database: it shows the last count,
//! which is made after each change by a request and once a minute.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use metrics::gauge;

/// The open requests at the last count.
#[derive(Debug, Clone, Default)]
pub struct OpenCallbacks(Arc<Mutex<Option<Counted>>>);

#[derive(Debug, Clone, Copy)]
struct Counted {
    open: i64,
    oldest_at: Option<DateTime<Utc>>,
}

impl OpenCallbacks {
    /// Sets the gauges, unless nothing was counted yet.
    pub fn measure(&self, now: DateTime<Utc>) {
        let counted = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Counted { open, oldest_at }) = counted else { return };
        let age_s = oldest_at.map_or(0, |at| (now - at).num_seconds().max(0));
        gauge!("roadcall_open_callbacks").set(open as f64);
        gauge!("roadcall_oldest_callback_age_seconds").set(age_s as f64);
    }

    pub fn keep(&self, open: i64, oldest_at: Option<DateTime<Utc>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Counted { open, oldest_at });
    }
}
