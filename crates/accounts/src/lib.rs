//! People's identities, property and consent: signing in, accounts, uploads, invitations of admins, privacy notices.

pub mod auth;
pub mod emails;
pub mod invites;
pub mod notices;
pub mod uploads;
pub mod users;
