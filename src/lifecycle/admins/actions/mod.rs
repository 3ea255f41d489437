//! Who is an admin. Each function is one use case.

mod accepting;
mod creating;
mod roles;
mod second_factor;

pub use accepting::accept_invite;
pub use creating::{CreateAdminError, create_admin};
pub use roles::change_role;
pub use second_factor::reset_second_factor;
