//! Mail: what is to be told to whom is a row, written in the transaction of what happened. A worker writes the text and hands it over,
//! so that no request and no transaction waits for a mail server.
//!
//! A mail is handed over once at least: if the service stops before it has noted that the server took it, it is sent again, with the
//! same `Message-ID`. `state.rs` says what follows from a try (pure); who has something to say writes it ([`MailWriter`]).

mod actions;
mod context;
mod dto;
mod handing_over;
mod language;
mod queries;
mod state;

pub use actions::{NewMail, SentMails, forget_user, newest_of, post, sent_since, sweep};
pub use context::Mails;
pub use dto::MailRecord;
pub use handing_over::{Letter, MailWriter, handing_over};
pub use language::MailLanguage;
pub use queries::DueMail;
pub use state::{MailKind, MailStatus};
