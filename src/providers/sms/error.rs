/// Why a message was not handed over. The text holds neither number nor code nor link.
#[derive(Debug, thiserror::Error)]
pub enum SmsError {
    /// It was not taken: nothing goes out, and nothing has to be paid.
    #[error("the message could not be handed over: {0}")]
    NotTaken(String),
    /// Whether it was taken is unknown.
    #[error("the message could not be handed over: {0}")]
    Unknown(String),
}

impl SmsError {
    /// Whether the message certainly costs nothing.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::NotTaken(_))
    }

    /// What went wrong, in the words of the provider's answer: a status, a number of an error.
    pub fn reason(&self) -> &str {
        match self {
            Self::NotTaken(why) | Self::Unknown(why) => why,
        }
    }
}
