//! What every area's handlers share: reading bodies and parameters with all faults named, pages, wire values.
//!
//! Extractors here never fail by themselves: a handler first learns who is calling (401, 403), then finds the
//! object (404), and only then reads the body (422). So [`Body`], [`PathIds`] and [`Query`] carry their fault
//! until they are asked.

mod body;
mod idempotency_key;
mod page;
mod params;
mod read;
mod values;

pub use body::Body;
pub use idempotency_key::IdempotencyKey;
pub use page::{List, Page, PageParams};
pub use params::{PathIds, Query};
pub use read::{Faults, Param};
pub use values::{
    Email, FileUrl, Latitude, Longitude, Money, Patch, Phone, Text, Timestamp, WholeNumber, non_empty, one_of,
};
