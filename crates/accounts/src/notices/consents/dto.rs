//! Consent on the wire.

use deserr::Deserr;
use roadcall_http::{Timestamp, ValidationErrors, WholeNumber};
use serde::Serialize;
use utoipa::ToSchema;

use super::queries::ConsentRow;
use crate::notices::state::{ConsentKind, NoticeLanguage};

/// The caller's consent: they have read this version in this language, and agree to it.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct GivenConsent {
    #[schema(example = 3)]
    pub version: WholeNumber<1, 1_000_000_000>,
    /// A language in which the version is written.
    pub language: NoticeLanguage,
}

/// The consent of a person.
#[derive(Debug, Serialize, ToSchema)]
pub struct Consent {
    /// Whether the person has to agree to the newest notice before they create a job or go online.
    pub is_needed: bool,
    /// The newest notice's version; null if none is published.
    #[schema(required, example = 3)]
    pub notice_version: Option<i64>,
    /// The version to which the person agrees; null if they have agreed to none, or have withdrawn.
    #[schema(required)]
    pub agreed: Option<AgreedNotice>,
    /// The person's agreements and withdrawals, the newest first, at most 50.
    pub history: Vec<ConsentRecord>,
}

/// A version that a person agrees to.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgreedNotice {
    #[schema(example = 3)]
    pub version: i64,
    /// The language in which they read it.
    pub language: NoticeLanguage,
    pub at: Timestamp,
}

/// An agreement to the privacy notice, or a withdrawal.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConsentRecord {
    pub kind: ConsentKind,
    #[schema(example = 3)]
    pub version: i64,
    pub language: NoticeLanguage,
    pub at: Timestamp,
}

impl Consent {
    /// Puts the answer together. `agreed` is the agreement that counts; the rows are the person's history, the newest
    /// first.
    pub fn of(
        agreed: Option<ConsentRow>,
        rows: Vec<ConsentRow>,
        notice_version: Option<i64>,
        is_needed: bool,
    ) -> Self {
        let agreed = agreed.map(|row| AgreedNotice {
            version: row.version,
            language: row.language,
            at: row.at.into(),
        });
        Self { is_needed, notice_version, agreed, history: rows.into_iter().map(Into::into).collect() }
    }
}

impl From<ConsentRow> for ConsentRecord {
    fn from(row: ConsentRow) -> Self {
        Self { kind: row.kind, version: row.version, language: row.language, at: row.at.into() }
    }
}
