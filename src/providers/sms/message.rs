use std::fmt;

use uuid::Uuid;

use super::TextNumber;

/// What a text message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    Otp,
    Share,
    /// Where are you?
    Where,
    NumberChanged,
    /// Of a job, and so on: a mechanic was found.
    Found,
    /// They are about to arrive.
    Near,
    Arrived,
    /// The mechanic can't come.
    Released,
    Cancelled,
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
        }
    }

    /// How settings name the text in this language, and without one the text that is the same for everybody.
    pub fn key(self, language: Option<&str>) -> String {
        language.map_or_else(|| self.as_str().to_owned(), |language| format!("{}_{language}", self.as_str()))
    }
}

/// A text for a phone.
#[derive(Clone)]
pub struct TextMessage {
    /// Ours, the same in a repetition.
    pub id: Uuid,
    pub to: TextNumber,
    pub kind: TextKind,
    /// en, hi or kn, where the text is in the reader's language.
    pub language: Option<&'static str>,
    pub text: String,
}

impl fmt::Debug for TextMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextMessage").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}
