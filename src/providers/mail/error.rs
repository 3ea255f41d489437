/// Why a mail was not handed over. The text holds neither an address nor anything of the mail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// It would be refused again: no such mailbox, or a mail that can't be sent.
    #[error("the mail was refused: {0}")]
    Refused(String),
    /// It was not taken, and may be later.
    #[error("the mail could not be handed over: {0}")]
    Later(String),
    /// Whether it was taken is unknown. It is sent again; its id tells the copy.
    #[error("it is not known whether the mail was taken: {0}")]
    Unknown(String),
}

impl MailError {
    /// What went wrong: a step, and the number that the server answered.
    pub fn reason(&self) -> &str {
        match self {
            Self::Refused(why) | Self::Later(why) | Self::Unknown(why) => why,
        }
    }
}
