//! Who people are: signing in, accounts, invitations of admins, the embedded identity provider.

pub mod auth;
pub mod idp;
pub mod invites;
pub mod users;
