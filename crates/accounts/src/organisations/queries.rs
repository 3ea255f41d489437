//! SQL of organisations and their keys. Members are in `members/queries.rs`.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_http::{PageParams, SearchText, list_filter};
use roadcall_platform::db::{Db, StoredRow, read};
use sqlx::{FromRow, PgConnection, PgExecutor, Result};
use uuid::Uuid;

use super::state::{OrganisationKind, OrganisationStatus};
use crate::auth::{KeyScope, MemberRole};
