/// Why a mail was not handed over. The text contains neither an address nor any part of the mail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// The server would refuse it again: there is no such mailbox, or the mail can't be sent.
    #[error("the mail was refused: {0}")]
    Refused(String),
    /// The mail was not taken, and may be taken later.
    #[error("the mail could not be handed over: {0}")]
    Later(String),
    /// Whether the mail was taken is unknown. It is sent again; its id identifies the copy.
    #[error("it is not known whether the mail was taken: {0}")]
    Unknown(String),
}

impl MailError {
    /// Returns what went wrong: the step, and the status of the server's answer.
    pub fn reason(&self) -> &str {
        match self {
            Self::Refused(why) | Self::Later(why) | Self::Unknown(why) => why,
        }
    }
}
