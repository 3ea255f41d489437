//! The only place where randomness is read. A seeded source gives the same ids and codes again.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use uuid::Uuid;

/// A source of ids, codes and bytes. Cheap to clone; clones share one stream.
#[derive(Debug, Clone)]
pub struct Random(Arc<Mutex<StdRng>>);

impl Random {
    /// Creates a source that is seeded by the operating system, fit for secrets (ChaCha, a CSPRNG).
    pub fn system() -> Self {
        Self(Arc::new(Mutex::new(rand::make_rng())))
    }

    /// Creates a source with the same stream for the same seed, for simulations.
    pub fn seeded(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// Returns a UUIDv7 (RFC 9562) of the time `now`.
    pub fn id(&self, now: DateTime<Utc>) -> Uuid {
        let millis = u64::try_from(now.timestamp_millis()).unwrap_or_default();
        uuid::Builder::from_unix_timestamp_millis(millis, &self.bytes()).into_uuid()
    }

    /// Returns a decimal code of `digits` digits, leading zeros kept.
    pub fn digits(&self, digits: u32) -> String {
        let below = 10_u32.pow(digits);
        format!("{:0width$}", self.below(below), width = digits as usize)
    }

    /// Returns a number from 0 to `below` - 1.
    pub fn below(&self, below: u32) -> u32 {
        self.with(|rng| rng.random_range(0..below.max(1)))
    }

    /// Returns `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.with(|rng| rng.fill_bytes(&mut bytes));
        bytes
    }

    fn with<T>(&self, draw: impl FnOnce(&mut StdRng) -> T) -> T {
        // A panic while drawing leaves the generator usable, so a poisoned lock is used anyway.
        draw(&mut self.0.lock())
    }
}
