/// A language that mail and notifications are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailLanguage {
    English,
    Hindi,
    Kannada,
}

impl MailLanguage {
    /// Returns the language of a language tag (BCP 47); English for languages without texts.
    pub fn of(tag: &str) -> Self {
        match tag.split('-').next() {
            Some(language) if language.eq_ignore_ascii_case("hi") => Self::Hindi,
            Some(language) if language.eq_ignore_ascii_case("kn") => Self::Kannada,
            _ => Self::English,
        }
    }

    /// Returns the tag, as in the names of settings.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Hindi => "hi",
            Self::Kannada => "kn",
        }
    }

    /// Returns the text in this language.
    pub fn choose<T>(self, english: T, hindi: T, kannada: T) -> T {
        match self {
            Self::English => english,
            Self::Hindi => hindi,
            Self::Kannada => kannada,
        }
    }
}
