//! Use cases about admins. Each function is one use case.

mod accepting;
mod claims;
mod creating;
mod desks;
mod roles;
mod second_factor;
mod signing_in;

pub use accepting::accept_invite;
pub use creating::{CreateAdminError, create_admin, create_admin_with_hash};
pub use desks::change_desks;
pub use roles::change_role;
pub use second_factor::reset_second_factor;
pub use signing_in::sign_in;
