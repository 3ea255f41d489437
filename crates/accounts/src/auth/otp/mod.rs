//! Signing in with a one-time password. The rules work without the database: the codes (`key.rs`), the counts and
//! refusals (`limits.rs`). `source.rs` decides by what attempts are counted, `text_messages.rs` bounds all messages
//! together. `testing.rs` sends an admin a message to see whether that works.

mod actions;
pub mod handlers;
mod key;
mod limits;
mod queries;
mod source;
mod testing;
mod text_limits;
mod text_messages;

pub use actions::{is_right, lock_both, may_sign_in};
pub use key::{DIGITS, OtpKey};
pub use queries::spend_code as spend;
pub use source::Source;
pub use text_limits::{TextBudget, TextLimits};
pub use text_messages::{TextRecipient, admit_text_message, give_back_text_message};
