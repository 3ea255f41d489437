use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use chrono::{DateTime, Utc};

const HOUR_S: i64 = 3600;
/// The maximum number of addresses that are counted; beyond it, the one that asked least recently is forgotten.
const MAX_ADDRESSES: u64 = 100_000;

/// The bytes that were sent to each address in this hour, in this server's memory.
#[derive(Debug, Clone)]
pub(super) struct SentBytes(moka::sync::Cache<(String, i64), Arc<AtomicU64>>);

impl Default for SentBytes {
    fn default() -> Self {
        Self(moka::sync::Cache::new(MAX_ADDRESSES))
    }
}

impl SentBytes {
    /// Counts the bytes that are about to be sent to the address. If that would be more than `most` in this hour, returns the
    /// seconds until the next hour as the error.
    pub(super) fn count(
        &self,
        address: String,
        bytes: u64,
        most: u64,
        now: DateTime<Utc>,
    ) -> Result<(), u64> {
        let second = now.timestamp();
        let sent = self.0.get_with((address, second.div_euclid(HOUR_S)), Arc::default);
        let total = |sent: u64| Some(sent.saturating_add(bytes)).filter(|total| *total <= most);
        match sent.fetch_update(Ordering::Relaxed, Ordering::Relaxed, total) {
            Ok(_) => Ok(()),
            Err(_) => Err((HOUR_S - second.rem_euclid(HOUR_S)).unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_a_limited_part_of_the_map_in_an_hour() {
        let sent = SentBytes::default();
        let at = |second| DateTime::UNIX_EPOCH + chrono::TimeDelta::seconds(second);
        let count = |address: &str, bytes, second| sent.count(address.to_owned(), bytes, 100, at(second));
        assert_eq!(count("a", 60, 3600), Ok(()));
        assert_eq!(count("a", 41, 3700), Err(3500), "what is refused is not counted");
        assert_eq!(count("a", 40, 3700), Ok(()));
        assert_eq!(count("a", 1, 7199), Err(1));
        assert_eq!(count("b", 100, 7199), Ok(()));
        assert_eq!(count("a", 100, 7200), Ok(()), "another hour");
        assert_eq!(count("c", u64::MAX, 7200), Err(3600));
    }
}
