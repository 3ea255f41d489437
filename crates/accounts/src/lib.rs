//! People's identities, property and consent: signing in, accounts, uploads, invitations of admins, privacy notices,
//! organisations with their members and keys.

pub mod auth;
pub mod emails;
pub mod invites;
pub mod notices;
pub mod organisations;
pub mod uploads;
pub mod users;
