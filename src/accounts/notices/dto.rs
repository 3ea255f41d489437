//! Privacy notices on the wire.

use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    actions::WrittenNotice,
    queries::{ListedNoticeRow, NoticeRow},
    state::NoticeLanguage,
};
use crate::http::{AcceptedLanguage, Param, Text, Timestamp, ValidationErrors, Whole, WholeNumber};

/// The texts of a version: paragraphs with empty lines between them, and lines that begin with `- ` for the items of a list.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NoticeTexts {
    /// The text in English.
    #[schema(
        example = "We need your number and your place to send you help.\n\n- Your number: so that the mechanic reaches you."
    )]
    pub en: Text<1, 6000>,
    /// The text in Hindi.
    #[deserr(default)]
    pub hi: Option<Text<1, 6000>>,
    /// The text in Kannada.
    #[deserr(default)]
    pub kn: Option<Text<1, 6000>>,
}

/// The next version of the privacy notice.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewPrivacyNotice {
    pub texts: NoticeTexts,
    /// Whether those who agreed to an earlier version have to agree anew. A small correction need not ask them.
    pub ask_again: bool,
    /// The version that it was written to follow, 0 for none: refused if another one holds. Left out, it follows any.
    #[deserr(default)]
    pub follows: Option<WholeNumber<0, 1_000_000_000>>,
}

impl NewPrivacyNotice {
    pub fn written(self) -> WrittenNotice {
        let NoticeTexts { en, hi, kn } = self.texts;
        // As lines end everywhere else.
        let plain = |text: Text<1, 6000>| text.0.replace("\r\n", "\n").replace('\r', "\n");
        WrittenNotice {
            en: plain(en),
            hi: hi.map(plain),
            kn: kn.map(plain),
            ask_again: self.ask_again,
            follows: self.follows.map(|version| version.0),
        }
    }
}

/// `?version=&language=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NoticeQuery {
    #[deserr(default)]
    pub version: Option<Param<Whole>>,
    #[deserr(default)]
    pub language: Option<Param<NoticeLanguage>>,
}

/// What the operator says about people's data, in one language.
#[derive(Debug, Serialize, ToSchema)]
pub struct PrivacyNotice {
    #[schema(example = 3)]
    pub version: i64,
    /// Of the text: the one that was asked for if there is a text in it, else English.
    pub language: NoticeLanguage,
    /// Those that it can be read in as well.
    pub other_languages: Vec<NoticeLanguage>,
    /// Paragraphs with empty lines between them; lines that begin with `- ` are items of a list.
    pub text: String,
    pub published_at: Timestamp,
}

impl PrivacyNotice {
    /// In the first of these languages that there is a text in, else in English.
    pub fn of(row: &NoticeRow, wanted: &[NoticeLanguage]) -> Self {
        let found = wanted.iter().find_map(|language| Some((*language, row.text(*language)?)));
        let (language, text) = found.unwrap_or((NoticeLanguage::English, &row.text_en));
        let mut other_languages = row.languages();
        other_languages.retain(|other| *other != language);
        Self {
            version: row.version,
            language,
            other_languages,
            text: text.to_owned(),
            published_at: row.published_at.into(),
        }
    }
}

/// The languages of a header that notices are written in.
pub fn languages_of(accepted: AcceptedLanguage) -> Vec<NoticeLanguage> {
    accepted.all().filter_map(NoticeLanguage::parse).collect()
}

/// A version, as admins list it. `GET /privacy-notice` has its texts.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublishedNotice {
    #[schema(example = 3)]
    pub version: i64,
    pub languages: Vec<NoticeLanguage>,
    /// Whether those who agreed to an earlier version are asked again.
    pub ask_again: bool,
    pub published_at: Timestamp,
    /// The super-admin.
    pub published_by: Uuid,
    /// The super-admin who published it; null if they gave no name.
    pub published_by_name: Option<String>,
}

impl From<ListedNoticeRow> for PublishedNotice {
    fn from(row: ListedNoticeRow) -> Self {
        let is_written = |language: &NoticeLanguage| match language {
            NoticeLanguage::English => true,
            NoticeLanguage::Hindi => row.has_hi,
            NoticeLanguage::Kannada => row.has_kn,
        };
        Self {
            version: row.version,
            languages: NoticeLanguage::ALL.iter().copied().filter(is_written).collect(),
            ask_again: row.ask_again,
            published_at: row.published_at.into(),
            published_by: row.published_by,
            published_by_name: row.published_by_name,
        }
    }
}

/// `?page=&limit=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NoticeListQuery {
    #[deserr(default)]
    pub page: Option<Param<Whole>>,
    #[deserr(default)]
    pub limit: Option<Param<Whole>>,
}
