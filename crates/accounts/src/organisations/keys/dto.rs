//! Keys on the wire.

use chrono::{DateTime, TimeDelta, Utc};
use deserr::Deserr;
use roadcall_http::{Id, Items, Name, Timestamp, ValidationErrors, WholeNumber};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::PartnerKeyRow;
use crate::{
    auth::{KeyScope, Scopes},
    organisations::state::KeyStatus,
};

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewPartnerKey {
    /// The program that will use the key, in words.
    pub name: Name<100>,
    #[schema(value_type = Vec<KeyScope>, min_items = 1, max_items = 6)]
    pub scopes: Items<KeyScope, 1, 6>,
    /// After how many days the key ends.
    #[schema(value_type = i64, minimum = 1, maximum = 730, example = 365)]
    pub expires_in_days: WholeNumber<1, 730>,
    /// How many requests the key may make in a minute; 600 if not given.
    #[deserr(default)]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100_000, example = 600)]
    pub requests_per_minute: Option<WholeNumber<1, 100_000>>,
    /// Other organisations for which an agency's key may act.
    #[deserr(default)]
    #[schema(value_type = Option<Vec<Id>>, max_items = 50)]
    pub acts_for: Option<Items<Id, 0, 50>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewOwnKey {
    /// The program that will use the key, in words.
    pub name: Name<100>,
    /// Some of the caller's own scopes.
    #[schema(value_type = Vec<KeyScope>, min_items = 1, max_items = 6)]
    pub scopes: Items<KeyScope, 1, 6>,
    /// After how many days the key ends.
    #[schema(value_type = i64, minimum = 1, maximum = 730, example = 365)]
    pub expires_in_days: WholeNumber<1, 730>,
}

/// The replacement of a key by another one.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct KeyRotation {
    /// The hours for which the old key still works; 24 if not given.
    #[deserr(default)]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 168, example = 24)]
    pub overlap_hours: Option<WholeNumber<0, 168>>,
}

impl KeyRotation {
    /// Returns for how long the old key still works.
    pub fn overlap(&self) -> TimeDelta {
        TimeDelta::hours(self.overlap_hours.map_or(24, |hours| hours.0))
    }
}

/// A key of a partner's program.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartnerKey {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub name: String,
    /// The part of the key between its underscores, by which people recognise it.
    pub handle: String,
    pub scopes: Vec<KeyScope>,
    /// Other organisations for which the key may act.
    pub acts_for: Vec<Uuid>,
    /// How many requests the key may make in a minute.
    pub requests_per_minute: i32,
    pub status: KeyStatus,
    /// The person who made it; null if a program did.
    pub created_by: Option<Uuid>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// When it was last used, to the minute; null before its first use.
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// The key that replaces it; null if none does.
    pub replaced_by: Option<Uuid>,
}

impl PartnerKey {
    pub fn of(row: PartnerKeyRow, now: DateTime<Utc>) -> Self {
        Self {
            id: row.id,
            organisation_id: row.organisation_id,
            status: row.status(now),
            name: row.name,
            handle: row.handle,
            scopes: Scopes::of(&row.scopes).list(),
            acts_for: row.acts_for,
            requests_per_minute: row.requests_per_minute,
            created_by: row.created_by,
            created_at: row.created_at.into(),
            expires_at: row.expires_at.into(),
            last_used_at: row.last_used_at.map(Into::into),
            revoked_at: row.revoked_at.map(Into::into),
            replaced_by: row.replaced_by,
        }
    }
}

/// A key with its text, which is shown only once.
#[derive(Serialize, ToSchema)]
pub struct NewlyMadeKey {
    #[serde(flatten)]
    pub made: PartnerKey,
    /// The key itself, for the header `Authorization: Bearer`. It is not stored.
    pub secret: String,
}

impl std::fmt::Debug for NewlyMadeKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewlyMadeKey").field("made", &self.made).finish_non_exhaustive()
    }
}

impl NewlyMadeKey {
    pub fn of((row, secret): (PartnerKeyRow, String)) -> Self {
        let now = row.created_at;
        Self { made: PartnerKey::of(row, now), secret }
    }
}
