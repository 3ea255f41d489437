//! Who people are and what they own: signing in, accounts, uploads, invitations of admins.

pub mod auth;
pub mod emails;
pub mod invites;
pub mod uploads;
pub mod users;
