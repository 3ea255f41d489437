//! Bookings: changes of payments that one statement writes with the steps of their jobs, and that commits by itself
//! ([ADR 148](../../../../docs/adr/0148-a-payment-is-booked-by-one-statement.md)).
//!
//! A booking is decided on what was read without a lock (`deciding.rs`), and the statement checks all of it. What it leaves out is
//! decided again in a transaction, which waits for locks and tells why something is refused. Organisations' parts of jobs are booked with
//! their bills (`account/`). Attempts that leave their payments as they are have a statement of their own (`attempts/`).

mod account;
mod arguments;
mod attempts;
mod deciding;
pub(super) mod queries;
mod writing;

pub use account::{AccountSettlement, settle_together};
pub use attempts::{AttemptNote, AttemptWriter};
pub use deciding::{confirmed, made_in_cash, reported_capture, reported_status};
pub use queries::{PaymentBooking, ReportKey, ReportedPayment, reported};
pub use writing::{BookingWriter, write};

/// Returns the statements that are composed from the one that changes jobs, each with the function that runs it.
pub fn composed_statements() -> [(&'static str, &'static str); 2] {
    [("book", queries::BOOK.as_str()), ("settle", account::SETTLE.as_str())]
}
