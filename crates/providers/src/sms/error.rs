/// Why a message was not handed over. The text contains no number, code or link.
#[derive(Debug, thiserror::Error)]
pub enum SmsError {
    /// The message was not taken: nothing goes out, and nothing has to be paid.
    #[error("the message could not be handed over: {0}")]
    NotTaken(String),
    /// Whether the message was taken is unknown.
    #[error("the message could not be handed over: {0}")]
    Unknown(String),
}

impl SmsError {
    /// Returns whether the message certainly costs nothing.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::NotTaken(_))
    }

    /// Returns what went wrong: the status or the error number of the provider's answer.
    pub fn reason(&self) -> &str {
        match self {
            Self::NotTaken(why) | Self::Unknown(why) => why,
        }
    }
}
