//! Who people are, what they own and what they agree to: signing in, accounts, uploads, invitations of admins, privacy notices.

pub mod auth;
pub mod emails;
pub mod invites;
pub mod notices;
pub mod uploads;
pub mod users;
