//! What every area's handlers share: reading bodies and parameters with all faults named, pages, wire values.
//!
//! Extractors here never fail by themselves: a handler first learns who is calling (401, 403), then finds the
//! object (404), and only then reads the body (422). So [`Body`], [`PathIds`] and [`Query`] carry their fault
//! until they are asked.

mod admin_list;
mod body;
mod client_address;
mod day;
mod idempotency_key;
mod leading;
mod lists;
mod named;
mod page;
mod params;
mod rate_limit;
mod read;
mod refusal;
mod request_info;
mod route_table;
mod slice;
mod text_enum;
mod values;

pub use admin_list::{AdminList, CsvRow, ListRequest, list};
pub use body::{Body, NoFields, RawBody};
pub use client_address::ClientAddress;
pub use day::Day;
pub use idempotency_key::IdempotencyKey;
pub use leading::{check_leading, not_leading};
pub use lists::{Change, Id, Items};
pub use named::{DescribedEnum, Named};
pub use page::{List, MAX_LIMIT, MAX_PAGE, Page, PageParams};
pub use params::{PathIds, Query};
pub use rate_limit::{Key, RateLimits, Standing, network};
pub use read::{Faults, Param, Refused, Whole};
pub use refusal::refused;
pub use request_info::RequestInfo;
pub use route_table::{RouteTable, routed_path};
pub use slice::{ListFormat, RowKey, Slice, between};
pub(crate) use text_enum::text_enum;
pub use values::{
    Email, FileUrl, Latitude, Longitude, Money, Patch, Phone, Text, Timestamp, WholeNumber, non_empty, one_of,
};
