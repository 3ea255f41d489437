//! A client of the service's public interface, with everything that the load generator, the simulated people and the tests have in
//! common. README.md says what each of them adds.

mod api;
mod error;
mod patience;
mod person;
mod socket;
#[cfg(test)]
mod tests;

pub use api::{Api, sent};
pub use error::ClientError;
pub use patience::Patience;
pub use person::{Person, Tokens};
pub use socket::{Socket, SocketEnd, frame, kind_of};
