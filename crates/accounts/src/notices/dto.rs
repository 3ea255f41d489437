//! The wire types of privacy notices.

use deserr::Deserr;
use roadcall_http::{AcceptedLanguage, Param, Text, Timestamp, ValidationErrors, Whole, WholeNumber};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    actions::WrittenNotice,
    queries::{ListedNoticeRow, NoticeRow},
    state::NoticeLanguage,
};

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
    /// Whether people who agreed to an earlier version have to agree anew. A small correction need not ask them.
    pub ask_again: bool,
    /// The version that this one was written to follow, 0 for none: refused if another version is in force. If
    /// absent, it follows any.
    #[deserr(default)]
    pub follows: Option<WholeNumber<0, 1_000_000_000>>,
}

impl NewPrivacyNotice {
    pub fn written(self) -> WrittenNotice {
        let NoticeTexts { en, hi, kn } = self.texts;
        // Lines then end as they do everywhere else.
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

/// The operator's statement about people's data, in one language.
#[derive(Debug, Serialize, ToSchema)]
pub struct PrivacyNotice {
    #[schema(example = 3)]
    pub version: i64,
    /// The language of the text: the requested one if there is a text in it, else English.
    pub language: NoticeLanguage,
    /// The other languages in which the notice can be read.
    pub other_languages: Vec<NoticeLanguage>,
    /// Paragraphs with empty lines between them; lines that begin with `- ` are items of a list.
    pub text: String,
    pub published_at: Timestamp,
}

impl PrivacyNotice {
    /// Returns the notice in the first of these languages that has a text, else in English.
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

/// Returns the languages of a header in which notices are written.
pub fn languages_of(accepted: AcceptedLanguage) -> Vec<NoticeLanguage> {
    accepted.all().filter_map(NoticeLanguage::parse).collect()
}

/// A version of the notice, as admins list it. `GET /privacy-notice` has its texts.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublishedNotice {
    #[schema(example = 3)]
    pub version: i64,
    pub languages: Vec<NoticeLanguage>,
    /// Whether people who agreed to an earlier version are asked again.
    pub ask_again: bool,
    pub published_at: Timestamp,
    /// The super-admin who published it.
    pub published_by: Uuid,
    /// The name of the super-admin who published it; null if they gave no name.
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
