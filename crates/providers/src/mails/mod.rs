//! Mail. Each mail is a row, written in the transaction of the event that it reports. A worker composes the text and hands it over, so
//! that no request and no transaction waits for a mail server.
//!
//! A mail is handed over at least once: if the service stops before it has stored that the server took it, the mail is sent again with
//! the same `Message-ID`. `state.rs` decides what follows from an attempt (pure); a [`MailWriter`] composes the text.

mod actions;
mod context;
mod dto;
mod handing_over;
mod language;
mod queries;
mod state;

pub use actions::{newest_of, sweep};
pub use context::Mails;
pub use dto::MailRecord;
pub use handing_over::{Letter, MailWriter, handing_over};
pub use language::MailLanguage;
pub use queries::{DueMail, NewMail, forget_user, insert as post};
pub use state::{MailKind, MailStatus};
