//! The common parts of all areas' handlers: reading bodies and parameters with all errors named, pages, wire values.
//!
//! A handler first learns who is calling (401, 403), then finds the object (404), and only then reads the body (422).
//! [`Owned`] does the first two; [`Body`], [`Query`], [`ListQuery`] and [`ExportQuery`] never fail by themselves, but carry their
//! fault until they are asked.

mod accepted_language;
mod admin_list;
mod aliases;
mod body;
mod client_address;
mod day;
mod etag;
mod host;
mod idempotency_key;
mod json;
mod leading;
mod list_filter;
mod list_query;
mod list_window;
mod lists;
mod meter;
mod money;
mod name;
mod origin;
mod owned;
mod page;
pub mod pages;
mod params;
mod patch;
mod phone;
mod rate_limit;
mod read;
mod request_info;
mod route_table;
mod routes;
mod search;
mod text_enum;
mod timestamp;
mod values;

pub use accepted_language::AcceptedLanguage;
pub use admin_list::{AdminList, CsvRow, KeyedRows, ShownList, harmless_cell, list};
pub use aliases::{ALIASES, Alias, translate};
pub use body::{Body, NoFields, RawBody, UnreadBody};
pub use client_address::ClientAddress;
pub use day::Day;
pub use etag::{etag_of, is_known, unless_known};
pub use host::{is_answered, is_this_machine};
pub use idempotency_key::{IdempotencyKey, NoIdempotencyKey};
pub use json::{MAX_ITEMS, MAX_VALUES, read_json};
pub use leading::{check_leading, not_leading};
pub use list_filter::{
    Between, FieldDoc, FilterField, ListFilter, ListParam, NoFilter, SentParams, schema_of,
};
pub use list_query::{ExportQuery, ListQuery};
pub use list_window::{ListFormat, ListWindow, RowKey};
pub use lists::{Change, Id, Items};
pub use meter::Meter;
pub use money::Money;
pub use name::Name;
pub use origin::is_own_or_listed;
pub use owned::{Owned, OwnedBy};
pub use page::{DEFAULT_LIMIT, List, MAX_LIMIT, MAX_PAGE, Page, PageParams};
pub use params::{PathIds, PathText, Query, read_pairs};
pub use patch::Patch;
pub use phone::{Phone, with_region};
pub use rate_limit::{LimitStatus, Proof, RateLimits, Rates, VisitPurpose, network};
pub use read::{Flag, Invalid, Param, ValidationErrors, Whole};
pub use request_info::RequestInfo;
pub use route_table::{RouteTable, prefix_of, routed_path, without_prefix};
pub use routes::{RouteGroups, Routes, reading};
pub use search::{MAX_COUNTED_RESULTS, SearchText};
pub use text_enum::closed_list;
pub use timestamp::Timestamp;
pub use values::{Email, Latitude, Longitude, Text, WholeNumber, non_empty, one_of};
