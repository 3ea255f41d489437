use uuid::Uuid;

use super::TextNumber;

/// The subject of a text message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    Otp,
    Share,
    /// Asks a person where they are.
    Where,
    NumberChanged,
    /// A mechanic was found for a job; the following kinds are about jobs, too.
    Found,
    /// The mechanic is about to arrive.
    Near,
    Arrived,
    /// The mechanic can't come.
    Released,
    Cancelled,
    /// Brings the person for whom an organisation ordered help the link to it; the following kinds are for this person, too.
    Follow,
    /// When the mechanic will be there.
    Expected,
    /// Asks how the help was.
    Rate,
}

impl TextKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Otp => "otp",
            Self::Share => "share",
            Self::Where => "where",
            Self::NumberChanged => "number_changed",
            Self::Found => "found",
            Self::Near => "near",
            Self::Arrived => "arrived",
            Self::Released => "released",
            Self::Cancelled => "cancelled",
            Self::Follow => "follow",
            Self::Expected => "expected",
            Self::Rate => "rate",
        }
    }

    /// Returns whether the text is nothing without its link.
    pub fn needs_link(self) -> bool {
        matches!(self, Self::Share | Self::Where | Self::Follow | Self::Rate)
    }

    /// Returns the settings' key of the text in this language, or of the text for all languages.
    pub fn key(self, language: Option<&str>) -> String {
        language.map_or_else(|| self.as_str().to_owned(), |language| format!("{}_{language}", self.as_str()))
    }
}

/// A text for a phone.
#[derive(derive_more::Debug, Clone)]
#[debug("TextMessage {{ id: {id:?}, kind: {kind:?}, .. }}")]
pub struct TextMessage {
    /// Our own id, the same in a repetition.
    pub id: Uuid,
    pub to: TextNumber,
    pub kind: TextKind,
    /// The language en, hi or kn, if the text is in the reader's language.
    pub language: Option<&'static str>,
    pub text: String,
}
