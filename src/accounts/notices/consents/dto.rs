//! Consent on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use super::queries::ConsentRow;
use crate::{
    accounts::notices::state::{ConsentKind, NoticeLanguage},
    http::{Timestamp, ValidationErrors, WholeNumber},
};

/// That the caller has read this version in this language, and agrees to it.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct GivenConsent {
    #[schema(example = 3)]
    pub version: WholeNumber<1, 1_000_000_000>,
    /// One that the version is written in.
    pub language: NoticeLanguage,
}

/// What a person has agreed to.
#[derive(Debug, Serialize, ToSchema)]
pub struct Consent {
    /// Whether they have to agree to the newest notice before they create a job or go online.
    pub is_needed: bool,
    /// The newest notice's version; null where none is published.
    #[schema(required, example = 3)]
    pub notice_version: Option<i64>,
    /// Null if they have agreed to none, or have withdrawn.
    #[schema(required)]
    pub agreed: Option<AgreedNotice>,
    /// What they did, the newest first: the last 50 times.
    pub history: Vec<ConsentRecord>,
}

/// A version that a person agrees to.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgreedNotice {
    #[schema(example = 3)]
    pub version: i64,
    /// The one that they read it in.
    pub language: NoticeLanguage,
    pub at: Timestamp,
}

/// Something that a person did about the privacy notice.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConsentRecord {
    pub kind: ConsentKind,
    #[schema(example = 3)]
    pub version: i64,
    pub language: NoticeLanguage,
    pub at: Timestamp,
}

impl Consent {
    /// `agreed` is what the person agrees to; the rows are what they did, the newest first.
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
