//! The wire types of accounts.

use deserr::Deserr;
use roadcall_http::{
    Change, CsvRow, Email, Invalid, Items, Name, Patch, Phone, Text, Timestamp, ValidationErrors, WholeNumber,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::UserRow;
use crate::{
    auth::{Role, UserStatus, desk::Desk},
    uploads::FileUrl,
};

/// The user object of contract 2.4. Every field is always present, and null if empty: an admin has no phone, a new
/// customer no name.
#[derive(Debug, Serialize, ToSchema)]
pub struct User {
    pub id: Uuid,
    #[schema(example = "+919876543210")]
    pub phone: Option<String>,
    pub name: Option<String>,
    #[schema(format = "email")]
    pub email: Option<String>,
    pub role: Role,
    pub avatar_url: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl CsvRow for User {
    const COLUMNS: &'static [&'static str] =
        &["id", "phone", "name", "email", "role", "avatar_url", "created_at", "updated_at"];
}

impl CsvRow for AdminUser {
    const FLATTENED: &'static [&'static [&'static str]] = &[User::COLUMNS];
    const COLUMNS: &'static [&'static str] = &[
        "status",
        "suspension_reason",
        "email_verified",
        "language",
        "mechanic_profile_id",
        "max_open_jobs",
        "phone_changed_at",
        "desks",
    ];
}

impl From<UserRow> for User {
    fn from(row: UserRow) -> Self {
        Self {
            id: row.id,
            phone: row.phone,
            name: row.name,
            email: row.email,
            role: row.role,
            avatar_url: row.avatar_url,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
        }
    }
}

/// The caller's own account.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    #[serde(flatten)]
    pub user: User,
    /// A BCP 47 tag.
    #[schema(example = "en")]
    pub language: String,
    /// The mechanic's profile, if the person is a mechanic.
    pub mechanic_profile_id: Option<Uuid>,
    /// Whether the person has confirmed `email` as their own (`POST /users/me/email`): receipts go to no other
    /// address.
    pub email_verified: bool,
    /// The desks of an admin; empty for everybody else. A request that needs another desk is refused with 403
    /// DESK_NEEDED.
    pub desks: Vec<Desk>,
}

impl From<UserRow> for Me {
    fn from(row: UserRow) -> Self {
        Self {
            email_verified: row.email_verified,
            desks: row.at().list(),
            language: row.language.clone(),
            mechanic_profile_id: row.mechanic_profile_id,
            user: row.into(),
        }
    }
}

/// An account as admins see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminUser {
    #[serde(flatten)]
    pub user: User,
    pub status: UserStatus,
    pub suspension_reason: Option<String>,
    /// Whether the identity provider vouched for the address.
    pub email_verified: bool,
    /// The language of messages to this person.
    pub language: String,
    /// The mechanic's profile, if the person is a mechanic.
    pub mechanic_profile_id: Option<Uuid>,
    /// The number of jobs that they may have open at once, if an admin has set one; null if everybody's limit
    /// applies.
    pub max_open_jobs: Option<i32>,
    /// The time when they last changed the number with which they sign in. A search by the last digits finds them by
    /// their old number, too, for half a year.
    pub phone_changed_at: Option<Timestamp>,
    /// The desks of an admin; empty for everybody else.
    pub desks: Vec<Desk>,
}

impl From<UserRow> for AdminUser {
    fn from(row: UserRow) -> Self {
        Self {
            status: row.status,
            suspension_reason: row.suspension_reason.clone(),
            email_verified: row.email_verified,
            language: row.language.clone(),
            mechanic_profile_id: row.mechanic_profile_id,
            max_open_jobs: row.max_open_jobs,
            phone_changed_at: row.phone_changed_at.map(Into::into),
            desks: row.at().list(),
            user: row.into(),
        }
    }
}

/// A language tag: subtags of letters and digits, the first of 2 or 3 letters (BCP 47), at most 35 characters.
#[derive(Debug, Clone, PartialEq, Eq, Deserr, ToSchema)]
#[deserr(try_from(String) = Language::new -> Invalid)]
#[schema(pattern = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$", max_length = 35, example = "en-IN")]
pub struct Language(pub String);

impl Language {
    fn new(text: String) -> Result<Self, Invalid> {
        let mut subtags = text.split('-');
        let first = subtags.next().unwrap_or_default();
        let holds = text.len() <= 35
            && (2..=3).contains(&first.len())
            && first.bytes().all(|byte| byte.is_ascii_alphabetic())
            && subtags.all(|tag| {
                (1..=8).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric())
            });
        if holds { Ok(Self(text)) } else { Err("must be a language tag such as en or hi-IN".into()) }
    }
}

/// A person who calls for help by phone.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewUser {
    pub phone: Phone,
    /// The name of a new account; an existing account keeps its own.
    #[deserr(default)]
    pub name: Option<Name<100>>,
}

/// Changes of the own account. Absent fields do not change; null empties a field, except the language.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct UpdateMe {
    #[deserr(default)]
    #[schema(value_type = Option<Name<100>>)]
    pub name: Patch<Name<100>>,
    #[deserr(default)]
    #[schema(value_type = Option<Email>)]
    pub email: Patch<Email>,
    #[deserr(default)]
    #[schema(value_type = Option<FileUrl>)]
    pub avatar_url: Patch<FileUrl>,
    #[deserr(default)]
    #[schema(value_type = Language, required = false)]
    pub language: Change<Language>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ChangeRole {
    pub role: Role,
}

/// The desks at which an admin works from now on.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ChangeDesks {
    /// The desks. All four mean every desk, including those of later releases.
    #[schema(value_type = Vec<Desk>, min_items = 1, max_items = 4)]
    pub desks: Items<Desk, 1, 4>,
}

/// The number of jobs that a customer may have open at once.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct JobLimit {
    /// The limit; null restores everybody's limit.
    #[deserr(default)]
    pub max_open_jobs: Option<WholeNumber<1, 1000>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct SuspendUser {
    /// The reason is stored with the account and in the audit log.
    pub reason: Text<1, 500>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_language_tags_are_refused() {
        for tag in ["en", "hi", "en-IN", "zh-Hant-TW", "sl-rozaj-biske-1994"] {
            assert!(Language::new(tag.to_owned()).is_ok(), "{tag}");
        }
        for tag in ["", "e", "engl", "en_IN", "en-", "-en", "en IN", "e1", "en-abcdefghi", "हि"] {
            assert!(Language::new(tag.to_owned()).is_err(), "{tag}");
        }
    }
}
