//! Bookings: changes of payments that one statement writes with the steps of their jobs, and that commits by itself
//! ([ADR 148](../../../../docs/adr/0148-a-payment-is-booked-by-one-statement.md)).
//!
//! A booking is decided on what was read without a lock (`deciding.rs`), and the statement checks all of it. What it leaves out is
//! decided again in a transaction, which waits for locks and tells why something is refused.

mod deciding;
pub(super) mod queries;
mod writing;

pub use deciding::{confirmed, made_in_cash, reported_capture};
pub use queries::{PaymentBooking, ReportKey, ReportedPayment, composed_statement, reported};
pub use writing::{BookingWriter, write};
